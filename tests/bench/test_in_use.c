/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "cmd/load_uses.h"

/* Who uses a real block device, a zram disk that stands for a drive. */

/* NULL: nobody; the text is the arena's. */
static const char *users(struct arena *arena)
{
	_cleanup_sysroot_ struct sysroot *root = NULL;
	struct facts facts = { 0 };
	struct uses uses;
	struct load_look look = { .arena = arena, .facts = &facts };
	struct ns *ns = vec_add(arena, &facts.namespaces);
	struct err err = { 0 };

	assert_int_equal(sysroot_open("/", &root, &err), 0);
	ns->name = arena_printf(arena, "zram%d", group_zram->number);
	ns->dev = arena_printf(arena, "%u:%u", major(group_zram->dev),
			       minor(group_zram->dev));
	uses_init(arena, &facts, ns, &uses);
	look.root = root;
	look.all = &uses;
	look.n = 1;
	if (load_uses_find(&look, &err) < 0)
		fail_msg("%s", err.text);
	return uses_text(arena, &uses);
}

/* A program that gets ready, says so and stays until it is killed. */
static pid_t program(int (*ready)(void))
{
	int ends[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		if (ready() == 0 && write(ends[1], "", 1) == 1)
			for (;;)
				(void)pause();
		_exit(1);
	}
	(void)close(ends[1]);
	if (read(ends[0], &byte, 1) != 1)
		pid = -1;
	(void)close(ends[0]);
	return pid;
}

static void end_program(pid_t pid)
{
	assert_int_equal(kill(pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
}

static void disk_that_is_just_there_is_used_by_nobody(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	const char *text;

	(void)state;
	if (!group_zram)
		skip();
	text = users(arena);
	if (text)
		fail_msg("%s", text);
}

static int open_it(void)
{
	return open(group_zram->path, O_RDONLY | O_CLOEXEC) < 0;
}

static void program_that_has_it_open_is_named(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	const char *text;
	pid_t pid;

	(void)state;
	if (!group_zram)
		skip();
	pid = program(open_it);
	assert_true(pid > 0);
	text = users(arena);
	end_program(pid);
	assert_non_null(text);
	if (!strstr(text, arena_printf(arena, "(pid %d), which has zram%d open",
				       (int)pid, group_zram->number)))
		fail_msg("%s", text);
}

static void claim_that_nobody_shows_is_told_as_such(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	const char *text;
	int fd;

	(void)state;
	if (!group_zram)
		skip();
	fd = open(group_zram->path, O_RDONLY | O_EXCL | O_CLOEXEC);
	assert_true(fd >= 0);
	text = users(arena);
	assert_int_equal(close(fd), 0);
	assert_non_null(text);
	assert_non_null(strstr(text, "something that is not seen here"));
}

static char mount_point[] = "/tmp/nvmetune-in-use-XXXXXX";

static int mount_it(void)
{
	return unshare(CLONE_NEWNS) < 0 ||
	       mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	       mount(group_zram->path, mount_point, "ext4", MS_RDONLY, "") < 0;
}

static void mount_of_another_namespace_is_named_with_its_process(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	const char *text = NULL;
	pid_t pid;

	(void)state;
	if (!group_zram ||
	    system(arena_printf(arena, "mkfs.ext4 -q %s 2>/dev/null",
				group_zram->path)) != 0)
		skip();
	assert_non_null(mkdtemp(mount_point));
	pid = program(mount_it);
	if (pid > 0) {
		text = users(arena);
		end_program(pid);
	}
	assert_int_equal(rmdir(mount_point), 0);
	if (pid < 0)
		skip();
	assert_non_null(text);
	if (!strstr(text, mount_point) ||
	    !strstr(text, "in the mount namespace of ") ||
	    !strstr(text, arena_printf(arena, "(pid %d)", (int)pid)))
		fail_msg("%s", text);
}

static _Atomic bool enough;

/* This process is left out where open files are looked at, so that only what
 * it reads shows. */
static void *read_on(void *data)
{
	int fd = *(const int *)data;
	char *page = aligned_alloc(4096, 4096);

	while (page && !enough)
		if (pread(fd, page, 4096, 0) != 4096)
			break;
	free(page);
	return NULL;
}

static void reads_of_somebody_who_is_not_seen_are_told(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	pthread_t reader;
	const char *text;
	int fd;

	(void)state;
	if (!group_zram)
		skip();
	fd = open(group_zram->path, O_RDONLY | O_DIRECT | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_int_equal(pthread_create(&reader, NULL, read_on, &fd), 0);
	text = users(arena);
	enough = true;
	assert_int_equal(pthread_join(reader, NULL), 0);
	assert_int_equal(close(fd), 0);
	assert_non_null(text);
	if (!strstr(text, "somebody who is not seen here (") ||
	    !strstr(text, " I/Os a second)"))
		fail_msg("%s", text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(disk_that_is_just_there_is_used_by_nobody),
		cmocka_unit_test(program_that_has_it_open_is_named),
		cmocka_unit_test(claim_that_nobody_shows_is_told_as_such),
		cmocka_unit_test(
			mount_of_another_namespace_is_named_with_its_process),
		cmocka_unit_test(reads_of_somebody_who_is_not_seen_are_told),
	};

	return cmocka_run_group_tests(tests, group_zram_add, group_zram_remove);
}
