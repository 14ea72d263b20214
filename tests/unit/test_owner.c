/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "core/owner.h"
#include "render/header.h"

static void a_file_is_ours_by_its_first_line(void **state)
{
	(void)state;
	assert_true(owner_is_us(OWNER_MARK " from profile x.\n"));
	assert_true(owner_is_us("#!/bin/sh\n" OWNER_MARK "\n"));
	assert_false(owner_is_us("\n" OWNER_MARK "\n"));
	assert_false(owner_is_us("#!/bin/sh"));
	assert_false(owner_is_us(""));
	assert_false(owner_is_us(NULL));
}

static void the_header_names_the_profile(void **state)
{
	struct arena *arena = arena_new();
	struct strbuf sb;

	(void)state;
	strbuf_init(&sb, arena);
	render_header(&sb, "low-latency");
	assert_string_equal(owner_profile(arena, sb.text), "low-latency");
	strbuf_reset(&sb);
	render_header(&sb, "site.v2");
	assert_string_equal(owner_profile(arena, sb.text), "site.v2");
	assert_null(owner_profile(arena, "# Written by hand\n"));
	assert_null(owner_profile(arena, OWNER_FROM "cut"));
	assert_null(owner_profile(arena, NULL));
	arena_free(arena);
}

static void comments_make_no_difference(void **state)
{
	(void)state;
	assert_true(owner_same_lines("# a\nx\n# b\ny\n", "x\ny\n"));
	assert_true(owner_same_lines("x\n# one", "x\n# another\n"));
	assert_true(owner_same_lines("", "# nothing\n"));
	assert_true(owner_same_lines(NULL, NULL));
}

static void lines_make_a_difference(void **state)
{
	(void)state;
	assert_false(owner_same_lines("x\ny\n", "y\nx\n"));
	assert_false(owner_same_lines("x\n", "x\ny\n"));
	assert_false(owner_same_lines("x", "x\n"));
	assert_false(owner_same_lines("x\n", "xy\n"));
	assert_false(owner_same_lines("x # a\n", "x # b\n"));
	assert_false(owner_same_lines("", NULL));
}

static void the_unit_is_the_folder_of_its_drop_in(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	assert_string_equal(
		owner_unit(arena, "/etc/systemd/system/a.service.d/50.conf"),
		"a.service");
	assert_null(owner_unit(arena, "/etc/systemd/system/a.service"));
	assert_null(owner_unit(arena, "/etc/modprobe.d/nvmetune.conf"));
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_is_ours_by_its_first_line),
		cmocka_unit_test(the_header_names_the_profile),
		cmocka_unit_test(comments_make_no_difference),
		cmocka_unit_test(lines_make_a_difference),
		cmocka_unit_test(the_unit_is_the_folder_of_its_drop_in),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
