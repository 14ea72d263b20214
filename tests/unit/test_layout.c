/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "write/layout.h"

#define MIB (UINT64_C(1) << 20)

/*
 * In place of the C library's: the kernel's, or that of a file system that has
 * neither files without a name nor direct I/O, which it finds out when the
 * file is there already.
 */
static bool plain_fs;

int openat(int dir_fd, const char *path, int flags, ...)
{
	va_list args;
	int mode, fd;

	va_start(args, flags);
	mode = flags & (O_CREAT | __O_TMPFILE) ? va_arg(args, int) : 0;
	va_end(args);
	if (plain_fs && (flags & O_TMPFILE) == O_TMPFILE) {
		errno = EOPNOTSUPP;
		return -1;
	}
	fd = (int)syscall(SYS_openat, dir_fd, path, flags, mode);
	if (fd < 0 || !plain_fs || !(flags & O_CREAT) || !(flags & O_DIRECT))
		return fd;
	(void)close(fd);
	errno = EINVAL;
	return -1;
}

static int set_up(void **state)
{
	plain_fs = false;
	*state = tree_new();
	return 0;
}

static int tear_down(void **state)
{
	tree_free(*state);
	return 0;
}

static unsigned int nr_entries(const char *dir)
{
	DIR *folder = opendir(dir);
	unsigned int n = 0;

	assert_non_null(folder);
	while (readdir(folder))
		n++;
	assert_int_equal(closedir(folder), 0);
	return n - 2; /* "." and ".." */
}

static void file_is_new_full_and_without_a_name(void **state)
{
	static char a[4096] __attribute__((aligned(4096)));
	static char b[4096] __attribute__((aligned(4096)));
	struct tree *tree = *state;
	struct layout layout;
	struct err err = { 0 };
	struct stat st;

	tree_put(tree, "keep", "mine");
	if (layout_open(tree->dir, 2 * MIB + 5, NULL, &layout, &err) ==
	    -EOPNOTSUPP)
		skip();
	assert_string_equal(err.text, "");
	assert_int_equal(layout.size_bytes, 2 * MIB);
	assert_int_equal(nr_entries(tree->dir), 1);
	assert_int_equal(fstat(layout.fd, &st), 0);
	assert_int_equal(st.st_size, 2 * MIB);
	assert_int_equal(st.st_nlink, 0);
	assert_true(st.st_blocks >= (blkcnt_t)(2 * MIB / 512));
	assert_true(fcntl(layout.fd, F_GETFL) & O_DIRECT);
	assert_int_equal(pread(layout.fd, a, sizeof(a), 0), sizeof(a));
	assert_int_equal(pread(layout.fd, b, sizeof(b), MIB), sizeof(b));
	assert_memory_not_equal(a, b, sizeof(a));
	layout_close(&layout);
	assert_int_equal(layout.fd, -1);
	layout_close(&layout);
}

static int try_layout(const char *dir, uint64_t size_bytes, struct err *err)
{
	static volatile sig_atomic_t stop = 1;
	struct layout layout;
	int r;

	*err = (struct err){ 0 };
	r = layout_open(dir, size_bytes, &stop, &layout, err);
	assert_true(r < 0);
	assert_int_equal(layout.fd, -1);
	layout_close(&layout);
	return r;
}

static void what_cannot_be_is_said_before_anything_is_written(void **state)
{
	struct tree *tree = *state;
	const char *file = arena_printf(tree->arena, "%s/f", tree->dir);
	const char *none = arena_printf(tree->arena, "%s/none", tree->dir);
	struct err err;

	tree_put(tree, "f", "mine");
	assert_int_equal(try_layout(tree->dir, MIB - 1, &err), -EINVAL);
	assert_int_equal(try_layout(none, MIB, &err), -ENOENT);
	assert_int_equal(try_layout(file, MIB, &err), -ENOTDIR);
	assert_int_equal(try_layout(tree->dir, UINT64_MAX / 4, &err), -ENOSPC);
	assert_non_null(strstr(err.text, "half of the"));
	assert_non_null(strstr(err.text, "ask for at most"));
	assert_int_equal(nr_entries(tree->dir), 1);
}

static void limit_of_the_process_is_an_error_and_no_signal(void **state)
{
	struct tree *tree = *state;
	struct rlimit before, low;
	struct err err;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &before), 0);
	low = before;
	low.rlim_cur = MIB;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &low), 0);
	assert_int_equal(try_layout(tree->dir, 2 * MIB, &err), -EFBIG);
	assert_non_null(strstr(err.text, "ulimit -f"));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
}

static void stop_ends_it_and_leaves_nothing(void **state)
{
	struct tree *tree = *state;
	struct err err;
	int r = try_layout(tree->dir, 2 * MIB, &err);

	if (r == -EOPNOTSUPP)
		skip();
	assert_int_equal(r, -EINTR);
	assert_int_equal(nr_entries(tree->dir), 0);
}

static void nothing_is_left_where_every_file_has_a_name(void **state)
{
	struct tree *tree = *state;
	struct layout layout;
	struct err err = { 0 };
	int r;

	plain_fs = true;
	r = layout_open(tree->dir, MIB, NULL, &layout, &err);
	assert_int_equal(nr_entries(tree->dir), 0);
	if (r == -EOPNOTSUPP)
		skip();
	assert_int_equal(r, 0);
	assert_true(fcntl(layout.fd, F_GETFL) & O_DIRECT);
	layout_close(&layout);
	/* One of that name is somebody's. */
	tree_put(tree, ".nvmetune-bench", "mine");
	assert_int_equal(try_layout(tree->dir, MIB, &err), -EEXIST);
	assert_int_equal(nr_entries(tree->dir), 1);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(file_is_new_full_and_without_a_name),
		T(what_cannot_be_is_said_before_anything_is_written),
		T(limit_of_the_process_is_an_error_and_no_signal),
		T(stop_ends_it_and_leaves_nothing),
		T(nothing_is_left_where_every_file_has_a_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
