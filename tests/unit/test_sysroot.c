/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "sys/hash.h"

static int set_up(void **state)
{
	*state = tree_new();
	return 0;
}

static int tear_down(void **state)
{
	tree_free(*state);
	return 0;
}

static void without_openat2(struct tree *tree)
{
	struct sysroot_hooks hooks = { .no_openat2 = true };

	sysroot_set_hooks(tree->root, &hooks);
}

static void text_comes_without_its_newline_and_padding(void **state)
{
	struct tree *tree = *state;
	int why = 0;

	tree_put(tree, "sys/model", "Lab Drive   \n");
	tree_put(tree, "sys/empty", "");
	assert_string_equal(sysroot_text(tree->root, tree->arena, "sys/model",
					 &why),
			    "Lab Drive");
	assert_string_equal(
		sysroot_text(tree->root, tree->arena, "sys/empty", &why), "");
	assert_null(sysroot_text(tree->root, tree->arena, "sys/none", &why));
	assert_int_equal(why, ENOENT);
}

static void number_is_decimal_or_hex_and_nonsense_is_unknown(void **state)
{
	struct tree *tree = *state;
	struct num num;

	tree_put(tree, "a", "-1\n");
	tree_put(tree, "b", "0x010802\n");
	tree_put(tree, "c", "12 monkeys\n");
	tree_put(tree, "d", "99999999999999999999\n");
	assert_int_equal(sysroot_num(tree->root, "a").value, -1);
	assert_int_equal(sysroot_num(tree->root, "b").value, 0x010802);
	num = sysroot_num(tree->root, "c");
	assert_false(num.known);
	assert_int_equal(num.why, EBADMSG);
	assert_int_equal(sysroot_num(tree->root, "d").why, EBADMSG);
	assert_int_equal(sysroot_num(tree->root, "none").why, ENOENT);
}

static void file_larger_than_allowed_is_refused(void **state)
{
	struct tree *tree = *state;
	char buf[5];
	char *text = NULL;

	tree_put(tree, "f", "12345");
	assert_int_equal(sysroot_read(tree->root, "f", buf, 5), -EFBIG);
	tree_put(tree, "f", "1234");
	assert_int_equal(sysroot_read(tree->root, "f", buf, 5), 4);
	assert_string_equal(buf, "1234");
	assert_int_equal(sysroot_read_file(tree->root, tree->arena, "f", 3,
					   &text),
			 -EFBIG);
	assert_null(text);
	assert_int_equal(
		sysroot_read_file(tree->root, tree->arena, "f", 4, &text), 0);
	assert_string_equal(text, "1234");
}

static void long_file_is_read_to_its_end(void **state)
{
	struct tree *tree = *state;
	char *text = NULL;
	char *big = arena_alloc(tree->arena, 20001);

	memset(big, 'x', 20000);
	tree_put(tree, "big", big);
	assert_int_equal(sysroot_read_file(tree->root, tree->arena, "big",
					   1 << 20, &text),
			 0);
	assert_string_equal(text, big);
}

static void file_with_a_nul_byte_is_no_text(void **state)
{
	struct tree *tree = *state;
	char buf[16];
	int fd = openat(AT_FDCWD, tree->dir, O_PATH);
	int file = openat(fd, "nul", O_CREAT | O_WRONLY, 0644);

	assert_int_equal(write(file, "a\0b", 3), 3);
	close(file);
	close(fd);
	assert_int_equal(sysroot_read(tree->root, "nul", buf, sizeof(buf)),
			 -EBADMSG);
	assert_int_equal(sysroot_read_bytes(tree->root, "nul", buf, 16), 3);
	assert_memory_equal(buf, "a\0b", 3);
}

static void names_come_in_natural_order(void **state)
{
	struct tree *tree = *state;
	struct names list;

	tree_put(tree, "c/nvme10", "");
	tree_put(tree, "c/nvme2", "");
	tree_put(tree, "c/nvme1", "");
	assert_int_equal(sysroot_list(tree->root, tree->arena, "c", &list), 0);
	assert_int_equal(list.names.n, 3);
	assert_string_equal(list.names.items[0], "nvme1");
	assert_string_equal(list.names.items[1], "nvme2");
	assert_string_equal(list.names.items[2], "nvme10");
	assert_int_equal(sysroot_list(tree->root, tree->arena, "d", &list),
			 -ENOENT);
}

static void check_links(struct tree *tree)
{
	int why = 0;

	assert_string_equal(sysroot_text(tree->root, tree->arena,
					 "sys/class/nvme/nvme0/model", NULL),
			    "Drive");
	assert_string_equal(sysroot_text(tree->root, tree->arena,
					 "etc/absolute", NULL),
			    "inside");
	assert_string_equal(sysroot_text(tree->root, tree->arena, "etc/above",
					 NULL),
			    "inside");
	assert_null(sysroot_text(tree->root, tree->arena, "etc/self", &why));
	assert_int_equal(why, ELOOP);
	assert_string_equal(sysroot_resolve(tree->root, tree->arena,
					    "sys/class/nvme/nvme0/../nvme0",
					    &why),
			    "sys/devices/pci/nvme/nvme0");
	assert_string_equal(sysroot_link_name(tree->root, tree->arena,
					      "sys/class/nvme/nvme0"),
			    "nvme0");
	assert_null(sysroot_link_name(tree->root, tree->arena, "etc/hostname"));
	assert_true(sysroot_exists(tree->root, "sys/class/nvme/nvme0/model"));
	assert_false(sysroot_exists(tree->root, "etc/dangling"));
}

/* Whether the kernel resolves or we do, links lead to the same places. */
static void links_are_followed_and_cannot_leave_the_root(void **state)
{
	struct tree *tree = *state;

	tree_put(tree, "sys/devices/pci/nvme/nvme0/model", "Drive\n");
	tree_link(tree, "sys/devices/pci/nvme/nvme0/subsystem",
		  "../../../../class/nvme");
	tree_link(tree, "sys/class/nvme/nvme0", "../../devices/pci/nvme/nvme0");
	tree_put(tree, "etc/hostname", "inside\n");
	tree_link(tree, "etc/absolute", "/etc/hostname");
	tree_link(tree, "etc/above", "../../../../../etc/hostname");
	tree_link(tree, "etc/self", "self");
	tree_link(tree, "etc/dangling", "/nowhere");
	tree_link(tree, "sys/devices/pci/nvme/nvme", "../nvme");
	check_links(tree);
	without_openat2(tree);
	check_links(tree);
	/* ".." behind a link to a folder goes where the link led. */
	assert_string_equal(sysroot_resolve(tree->root, tree->arena,
					    "sys/class/nvme/nvme0/../nvme0",
					    NULL),
			    "sys/devices/pci/nvme/nvme0");
}

static void attribute_is_written_whole_and_never_created(void **state)
{
	struct tree *tree = *state;

	tree_put(tree, "q/nr_requests", "1023\n");
	assert_int_equal(sysroot_write_attr(tree->root, "q/nr_requests", "8"),
			 0);
	assert_string_equal(tree_get(tree, "q/nr_requests"), "8");
	assert_int_equal(sysroot_write_attr(tree->root, "q/missing", "8"),
			 -ENOENT);
	assert_false(sysroot_exists(tree->root, "q/missing"));
	assert_int_equal(sysroot_open_fd(tree->root, "q/x", O_RDWR | O_CREAT),
			 -EINVAL);
}

static int fail_open(void *data, const char *path, int flags)
{
	(void)flags;
	return strcmp(path, data) == 0 ? -EIO : 0;
}

static int fail_read(void *data, const char *path)
{
	return strcmp(path, data) == 0 ? -EAGAIN : 0;
}

static ssize_t refuse_write(void *data, int fd, const char *path,
			    const char *text, size_t n)
{
	(void)data;
	(void)fd;
	(void)path;
	return text[0] == 'x' ? -EINVAL : (ssize_t)n;
}

static void hooks_fail_what_they_want_and_nothing_else(void **state)
{
	struct tree *tree = *state;
	char name[] = "bad";
	struct sysroot_hooks hooks = {
		.open = fail_open,
		.write = refuse_write,
		.data = name,
	};
	int why = 0;

	tree_put(tree, "bad", "1\n");
	tree_put(tree, "good", "1\n");
	sysroot_set_hooks(tree->root, &hooks);
	assert_int_equal(sysroot_num(tree->root, "bad").why, EIO);
	assert_null(sysroot_resolve(tree->root, tree->arena, "bad", &why));
	assert_int_equal(why, EIO);
	assert_true(sysroot_num(tree->root, "good").known);
	assert_int_equal(sysroot_write_attr(tree->root, "good", "xyz"),
			 -EINVAL);
	assert_int_equal(sysroot_write_attr(tree->root, "good", "abc"), 0);
	hooks.open = NULL;
	hooks.read = fail_read;
	sysroot_set_hooks(tree->root, &hooks);
	assert_int_equal(sysroot_num(tree->root, "bad").why, EAGAIN);
	assert_true(sysroot_num(tree->root, "good").known);
}

static void fifo_does_not_hang_the_reader(void **state)
{
	struct tree *tree = *state;
	char buf[8];

	assert_int_equal(mkfifo(arena_printf(tree->arena, "%s/fifo", tree->dir),
				0600),
			 0);
	assert_int_equal(sysroot_read(tree->root, "fifo", buf, 8), 0);
}

/* As "--facts <(ssh host nvmetune capture)" gives it. */
static void slow_writer_of_a_fifo_is_waited_for(void **state)
{
	struct tree *tree = *state;
	const struct timespec while_later = { .tv_nsec = 100 * 1000000L };
	char *path = arena_printf(tree->arena, "%s/fifo", tree->dir);
	char buf[8];
	int keep, status;
	pid_t child;

	assert_int_equal(mkfifo(path, 0600), 0);
	keep = open(path, O_RDWR | O_CLOEXEC); /* a writer from the start */
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		(void)nanosleep(&while_later, NULL);
		_exit(write(keep, "late", 4) == 4 ? 0 : 1);
	}
	assert_int_equal(sysroot_read_bytes(tree->root, "fifo", buf, 4), 4);
	assert_memory_equal(buf, "late", 4);
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_int_equal(status, 0);
	(void)close(keep);
}

static void plain_file_is_never_taken_for_a_device(void **state)
{
	struct tree *tree = *state;

	tree_put(tree, "dev/nvme0", "");
	assert_int_equal(sysroot_open_device(tree->root, "dev/nvme0", "241:0"),
			 -ENODEV);
	assert_int_equal(sysroot_open_device(tree->root, "dev/nvme0", "junk"),
			 -EINVAL);
	assert_int_equal(sysroot_open_device(tree->root, "dev/nvme1", "241:1"),
			 -ENOENT);
}

static void live_root_opens_only_the_device_it_was_asked_for(void **state)
{
	_cleanup_sysroot_ struct sysroot *live = NULL;
	_cleanup_close_ int fd = -1;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(sysroot_open("/", &live, &err), 0);
	assert_true(sysroot_is_live(live));
	fd = sysroot_open_device(live, "dev/null", "1:3");
	assert_true(fd >= 0);
	assert_int_equal(sysroot_open_device(live, "dev/null", "1:5"), -ENODEV);
}

static void missing_root_is_an_error_that_names_it(void **state)
{
	struct sysroot *root = NULL;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(sysroot_open("/nonexistent/tree", &root, &err),
			 -ENOENT);
	assert_non_null(strstr(err.text, "/nonexistent/tree"));
	assert_null(root);
}

static void hash_is_sha256_in_hex(void **state)
{
	char hash[HASH_TEXT_SIZE];

	(void)state;
	hash_text("abc", 3, hash);
	assert_string_equal(hash, "ba7816bf8f01cfea414140de5dae2223"
				  "b00361a396177a9cb410ff61f20015ad");
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(text_comes_without_its_newline_and_padding),
		T(number_is_decimal_or_hex_and_nonsense_is_unknown),
		T(file_larger_than_allowed_is_refused),
		T(long_file_is_read_to_its_end),
		T(file_with_a_nul_byte_is_no_text),
		T(names_come_in_natural_order),
		T(links_are_followed_and_cannot_leave_the_root),
		T(attribute_is_written_whole_and_never_created),
		T(hooks_fail_what_they_want_and_nothing_else),
		T(fifo_does_not_hang_the_reader),
		T(slow_writer_of_a_fifo_is_waited_for),
		T(plain_file_is_never_taken_for_a_device),
		T(live_root_opens_only_the_device_it_was_asked_for),
		T(missing_root_is_an_error_that_names_it),
		T(hash_is_sha256_in_hex),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
