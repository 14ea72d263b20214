/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "write/exec.h"

/* Says how it was called, and ends as it is told. */
static const char builder[] =
	"#!/bin/sh\n"
	"cd \"${0%/*}\" || exit 9\n"
	"echo \"$0 $*\" >said\n"
	"read line || echo end of input >>said\n"
	"sh -c 'kill -PIPE $$; echo no dead pipe' >>said\n"
	"read status <status\n"
	"echo \"told $*\"\n"
	"exit \"$status\"\n";

static void put(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
	(void)close(fd);
	assert_int_equal(chmod(path, mode), 0);
}

typedef int run_program(const struct sysroot *root, struct arena *arena,
			struct err *err);

static int rebuild(const struct sysroot *root, struct arena *arena,
		   struct err *err)
{
	return exec_rebuild_initramfs(root, arena, "update-initramfs",
				      "6.1.0-53", err);
}

/* As main() does: a program feels a dead pipe all the same, for pipelines of
 * shell scripts end by it.
 *
 * In a mount namespace of its own, folder is /usr/sbin: 77 where a sandbox
 * has none, 1 when it did not go as it must. */
static int run_in(const char *folder, run_program *program, int want,
		  const char *sentence)
{
	struct arena *arena = arena_new();
	struct sysroot *root = NULL;
	struct err err = { 0 };
	int r;

	if (unshare(CLONE_NEWUSER | CLONE_NEWNS) < 0 ||
	    mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) < 0 ||
	    mount(folder, "/usr/sbin", NULL, MS_BIND, NULL) < 0)
		return 77;
	if (sysroot_open("/", &root, &err) < 0)
		return 1;
	(void)signal(SIGPIPE, SIG_IGN);
	r = program(root, arena, &err);
	return r == want && strcmp(err.text, sentence) == 0 ? 0 : 1;
}

static void remove_folder(const char *folder)
{
	static const char *const names[] = { "update-initramfs", "systemctl",
					     "update-grub",	 "fio",
					     "status",		 "said" };
	char path[128];

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		(void)snprintf(path, sizeof(path), "%s/%s", folder, names[i]);
		(void)unlink(path);
	}
	(void)rmdir(folder);
}

/* The program of this name ends with status: what it was called with. */
static void expect(run_program *program, const char *name, const char *status,
		   int want, const char *sentence, const char *call)
{
	char folder[] = "/tmp/nvmetune-exec-XXXXXX";
	char path[128], said[256] = "";
	int ended = 0, fd;
	pid_t child;

	assert_non_null(mkdtemp(folder));
	assert_int_equal(chmod(folder, 0755), 0);
	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	put(path, builder, 0755);
	(void)snprintf(path, sizeof(path), "%s/status", folder);
	put(path, status, 0644);
	child = fork();
	assert_true(child >= 0);
	if (child == 0)
		_exit(run_in(folder, program, want, sentence));
	assert_int_equal(waitpid(child, &ended, 0), child);
	if (WEXITSTATUS(ended) == 77) {
		remove_folder(folder);
		skip();
	}
	assert_int_equal(ended, 0);
	(void)snprintf(path, sizeof(path), "%s/said", folder);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	assert_true(read(fd, said, sizeof(said) - 1) > 0);
	(void)close(fd);
	remove_folder(folder);
	assert_string_equal(said, call);
}

static void tool_is_run_for_this_kernel_and_given_no_input(void **state)
{
	(void)state;
	expect(rebuild, "update-initramfs", "0\n", 0, "",
	       "/usr/sbin/update-initramfs -u -k 6.1.0-53\nend of input\n");
}

static void tool_that_fails_is_named_with_its_status(void **state)
{
	(void)state;
	expect(rebuild, "update-initramfs", "3\n", -EIO,
	       "/usr/sbin/update-initramfs: ended with status 3",
	       "/usr/sbin/update-initramfs -u -k 6.1.0-53\nend of input\n");
}

static void systemd_is_told_to_read_its_units_again_and_no_more(void **state)
{
	(void)state;
	expect(exec_reload_units, "systemctl", "0\n", 0, "",
	       "/usr/sbin/systemctl daemon-reload\nend of input\n");
	expect(exec_reload_units, "systemctl", "1\n", -EIO,
	       "/usr/sbin/systemctl: ended with status 1",
	       "/usr/sbin/systemctl daemon-reload\nend of input\n");
}

static void grub_is_made_anew_by_the_tool_that_reads_grub_d(void **state)
{
	(void)state;
	expect(exec_update_grub, "update-grub", "0\n", 0, "",
	       "/usr/sbin/update-grub \nend of input\n");
	expect(exec_update_grub, "update-grub", "1\n", -EIO,
	       "/usr/sbin/update-grub: ended with status 1",
	       "/usr/sbin/update-grub \nend of input\n");
}

static int read_fio(const struct sysroot *root, struct arena *arena,
		    struct err *err)
{
	static const char *const words[] = { "fio", "--readonly", NULL };
	char *text = NULL;
	int r = exec_fio(root, arena, words, NULL, &text, err);

	if (r == 0 && (!text || strcmp(text, "told --readonly\n") != 0))
		return err_set(err, -EBADMSG, "what it prints is lost");
	return r;
}

static void what_fio_prints_is_read_and_its_end_is_seen(void **state)
{
	(void)state;
	expect(read_fio, "fio", "0\n", 0, "",
	       "/usr/sbin/fio --readonly\nend of input\n");
	expect(read_fio, "fio", "2\n", -EIO,
	       "/usr/sbin/fio: ended with status 2",
	       "/usr/sbin/fio --readonly\nend of input\n");
}

static void fio_is_run_where_it_is_and_for_the_live_host(void **state)
{
	struct tree *tree = tree_new();
	struct err err = { 0 };

	(void)state;
	assert_int_equal(read_fio(tree->root, tree->arena, &err), -EOPNOTSUPP);
	assert_string_equal(err.text, "fio is not installed");
	tree_put(tree, "usr/bin/fio", "#!/bin/sh\n");
	assert_int_equal(read_fio(tree->root, tree->arena, &err), -EOPNOTSUPP);
	assert_string_equal(err.text,
			    "fio reads the drives of the live host only");
	tree_free(tree);
}

static void nothing_is_run_for_a_tree(void **state)
{
	struct tree *tree = tree_new();
	struct err err = { 0 };

	(void)state;
	tree_put(tree, "usr/sbin/update-initramfs", "#!/bin/sh\n");
	assert_int_equal(exec_rebuild_initramfs(tree->root, tree->arena,
						"update-initramfs", "6.1",
						&err),
			 -EOPNOTSUPP);
	assert_string_equal(err.text,
			    "an initramfs is rebuilt on the live host only");
	tree_put(tree, "usr/sbin/update-grub", "#!/bin/sh\n");
	assert_int_equal(exec_update_grub(tree->root, tree->arena, &err),
			 -EOPNOTSUPP);
	assert_string_equal(err.text,
			    "grub.cfg is made anew on the live host only");
	tree_put(tree, "run/systemd/system/x", "");
	assert_false(exec_has_systemd(tree->root));
	tree_free(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			tool_is_run_for_this_kernel_and_given_no_input),
		cmocka_unit_test(tool_that_fails_is_named_with_its_status),
		cmocka_unit_test(
			systemd_is_told_to_read_its_units_again_and_no_more),
		cmocka_unit_test(
			grub_is_made_anew_by_the_tool_that_reads_grub_d),
		cmocka_unit_test(what_fio_prints_is_read_and_its_end_is_seen),
		cmocka_unit_test(fio_is_run_where_it_is_and_for_the_live_host),
		cmocka_unit_test(nothing_is_run_for_a_tree),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
