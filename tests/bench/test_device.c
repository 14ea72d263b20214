/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "bench/cells.h"
#include "sys/device.h"

static void device_number_is_major_colon_minor_and_nothing_else(void **state)
{
	static const char *const wrong[] = { "",       "259",	      "259:",
					     ":0",     "259:0 ",      "a:b",
					     "259:-1", "4294967296:0" };
	dev_t dev = 0;

	(void)state;
	assert_int_equal(device_number_parse("259:7", &dev), 0);
	assert_true(dev == makedev(259, 7));
	for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
		assert_int_equal(device_number_parse(wrong[i], &dev), -EINVAL);
	assert_true(dev == makedev(259, 7));
}

static void name_that_does_not_exist_is_an_error_and_not_a_file(void **state)
{
	struct err err = { 0 };
	struct stat st;
	int fd = -7;

	(void)state;
	assert_int_equal(device_open_read("/dev/nvme0n1-mistyped",
					  makedev(259, 0), &fd, &err),
			 -ENOENT);
	assert_non_null(strstr(err.text, "/dev/nvme0n1-mistyped"));
	assert_int_equal(stat("/dev/nvme0n1-mistyped", &st), -1);
	assert_int_equal(fd, -7);
}

static void what_is_no_block_device_is_never_opened(void **state)
{
	int fd = -7;

	(void)state;
	assert_int_equal(device_open_read("/dev/null", makedev(1, 3), &fd,
					  NULL),
			 -ENOTBLK);
	assert_int_equal(device_open_read("/etc/passwd", 0, &fd, NULL),
			 -ENOTBLK);
	assert_int_equal(fd, -7);
}

static void drive_opens_read_only_and_direct_with_its_geometry(void **state)
{
	struct device_geometry geometry;
	int fd = -1;
	int flags;

	(void)state;
	if (!group_zram)
		skip();
	assert_int_equal(device_open_read(group_zram->path, group_zram->dev,
					  &fd, NULL),
			 0);
	flags = fcntl(fd, F_GETFL);
	assert_int_equal(flags & O_ACCMODE, O_RDONLY);
	assert_true(flags & O_DIRECT);
	assert_false(flags & O_NONBLOCK);
	assert_int_equal(fcntl(fd, F_GETFD), FD_CLOEXEC);
	assert_int_equal(device_geometry_read(fd, &geometry, NULL), 0);
	assert_int_equal(geometry.size_bytes, ZRAM_BYTES);
	assert_int_equal(geometry.block_bytes, 4096);
	assert_int_equal(close(fd), 0);
}

static void name_that_leads_to_another_device_is_refused(void **state)
{
	struct err err = { 0 };
	int fd = -7;

	(void)state;
	if (!group_zram)
		skip();
	assert_int_equal(device_open_read(group_zram->path, group_zram->dev + 1,
					  &fd, &err),
			 -ENODEV);
	assert_non_null(strstr(err.text, "is device"));
	assert_int_equal(fd, -7);
}

static void
holder_of_a_device_is_seen_and_the_look_leaves_no_trace(void **state)
{
	int holder;

	(void)state;
	if (!group_zram)
		skip();
	assert_int_equal(
		device_is_held(group_zram->path, group_zram->dev, NULL), 0);
	assert_int_equal(
		device_is_held(group_zram->path, group_zram->dev, NULL), 0);
	holder = open(group_zram->path, O_RDONLY | O_EXCL | O_CLOEXEC);
	assert_true(holder >= 0);
	assert_int_equal(
		device_is_held(group_zram->path, group_zram->dev, NULL), 1);
	assert_int_equal(close(holder), 0);
	assert_int_equal(
		device_is_held(group_zram->path, group_zram->dev, NULL), 0);
}

static void matrix_of_a_real_block_device_reads_without_an_error(void **state)
{
	struct arena *arena = arena_new();
	struct bench_matrix_drive drive = {
		.drive = { .name = "zram", .block_bytes = 4096 },
		.node = 0,
	};
	struct bench_place place = { .binding = anywhere(arena) };
	struct bench_want want = { .place = &place };
	struct bench_cells_config config = {
		.session = bench_session_defaults,
		.drives = &drive,
		.nr_drives = 1,
		.wants = &want,
		.nr_wants = 1,
		.passes = 2,
	};
	struct bench_matrix matrix;
	struct err err = { 0 };

	(void)state;
	if (!group_zram) {
		arena_free(arena);
		skip();
	}
	assert_int_equal(device_open_read(group_zram->path, group_zram->dev,
					  &drive.drive.fd, NULL),
			 0);
	drive.drive.size_bytes = ZRAM_BYTES;
	config.session.settle_ms = 20;
	config.session.measure_ms = 100;
	if (bench_cells_run(arena, &config, &matrix, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(matrix.cells.items[0].summary.errors, 0);
	assert_true(matrix.cells.items[0].summary.iops > 100);
	assert_int_equal(close(drive.drive.fd), 0);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			device_number_is_major_colon_minor_and_nothing_else),
		cmocka_unit_test(
			name_that_does_not_exist_is_an_error_and_not_a_file),
		cmocka_unit_test(what_is_no_block_device_is_never_opened),
		cmocka_unit_test(
			drive_opens_read_only_and_direct_with_its_geometry),
		cmocka_unit_test(name_that_leads_to_another_device_is_refused),
		cmocka_unit_test(
			holder_of_a_device_is_seen_and_the_look_leaves_no_trace),
		cmocka_unit_test(
			matrix_of_a_real_block_device_reads_without_an_error),
	};

	return cmocka_run_group_tests(tests, group_zram_add, group_zram_remove);
}
