/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "base/strbuf.h"
#include "core/health.h"
#include "core/link.h"

static struct link link_of(int64_t speed, int64_t width, int64_t max_speed,
			   int64_t max_width)
{
	return (struct link){ .speed_mts = num_known(speed),
			      .width = num_known(width),
			      .max_speed_mts = num_known(max_speed),
			      .max_width = num_known(max_width) };
}

static void bandwidth_is_that_of_the_generation_times_the_lanes(void **state)
{
	static const struct {
		int64_t speed, width, mbs;
	} rows[] = {
		{ 2500, 1, 250 },    { 2500, 16, 4000 },  { 5000, 1, 500 },
		{ 5000, 4, 2000 },   { 8000, 1, 985 },	  { 8000, 2, 1970 },
		{ 8000, 4, 3940 },   { 8000, 16, 15760 }, { 16000, 1, 1969 },
		{ 16000, 4, 7876 },  { 32000, 1, 3938 },  { 32000, 4, 15752 },
		{ 32000, 8, 31504 }, { 64000, 4, 30252 },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct num mbs = link_bandwidth_mbs(num_known(rows[i].speed),
						    num_known(rows[i].width));

		assert_true(mbs.known);
		assert_int_equal(mbs.value, rows[i].mbs);
	}
}

static void bandwidth_of_what_is_not_known_is_not_known(void **state)
{
	(void)state;
	assert_false(link_bandwidth_mbs(num_unknown(2), num_known(4)).known);
	assert_int_equal(link_bandwidth_mbs(num_unknown(2), num_known(4)).why,
			 2);
	assert_false(link_bandwidth_mbs(num_known(8000), num_unknown(0)).known);
	assert_false(link_bandwidth_mbs(num_known(7000), num_known(4)).known);
}

static void a_link_below_what_both_ends_can_is_trained_down(void **state)
{
	struct link drive = link_of(8000, 1, 8000, 4);
	struct link port = link_of(8000, 1, 16000, 4);
	struct link most;

	(void)state;
	assert_int_equal(link_judge(&drive, &port, &most), LINK_DOWN);
	assert_int_equal(most.max_width.value, 4);
	assert_int_equal(most.max_speed_mts.value, 8000);

	drive = link_of(5000, 4, 8000, 4);
	assert_int_equal(link_judge(&drive, &port, NULL), LINK_DOWN);
}

static void a_slot_that_can_less_than_the_drive_is_no_fault(void **state)
{
	struct link drive = link_of(8000, 4, 16000, 4);
	struct link port = link_of(8000, 4, 8000, 4);
	struct link most;

	(void)state;
	assert_int_equal(link_judge(&drive, &port, &most), LINK_SLOT);
	assert_int_equal(most.max_speed_mts.value, 8000);

	drive = link_of(8000, 1, 8000, 4);
	port = link_of(8000, 1, 8000, 1);
	assert_int_equal(link_judge(&drive, &port, NULL), LINK_SLOT);
}

static void a_link_is_full_whatever_more_the_slot_can(void **state)
{
	struct link drive = link_of(8000, 4, 8000, 4);
	struct link port = link_of(8000, 4, 32000, 16);
	struct link unknown = { 0 };

	(void)state;
	assert_int_equal(link_judge(&drive, &port, NULL), LINK_FULL);
	assert_int_equal(link_judge(&drive, &unknown, NULL), LINK_FULL);
}

static void an_unknown_slot_is_not_called_trained_down(void **state)
{
	struct link drive = link_of(8000, 1, 8000, 4);
	struct link unknown = { 0 };

	(void)state;
	assert_int_equal(link_judge(&drive, &unknown, NULL), LINK_LESS);
	assert_int_equal(link_judge(&unknown, &drive, NULL), LINK_UNKNOWN);
}

static const char *text_of(struct arena *arena, struct num speed,
			   struct num width)
{
	struct strbuf sb;

	strbuf_init(&sb, arena);
	link_to_text(speed, width, &sb);
	return sb.text;
}

static void a_link_reads_as_lspci_writes_it(void **state)
{
	struct arena *arena = arena_new();

	(void)state;
	assert_string_equal(text_of(arena, num_known(8000), num_known(4)),
			    "8.0 GT/s x4");
	assert_string_equal(text_of(arena, num_known(2500), num_known(16)),
			    "2.5 GT/s x16");
	assert_string_equal(text_of(arena, num_unknown(0), num_known(4)),
			    "unknown speed x4");
	assert_string_equal(text_of(arena, num_known(8000), num_unknown(0)),
			    "8.0 GT/s unknown width");
	arena_free(arena);
}

static void each_warning_bit_has_its_words(void **state)
{
	struct arena *arena = arena_new();
	struct strbuf sb;

	(void)state;
	strbuf_init(&sb, arena);
	health_to_text(0, &sb);
	assert_string_equal(sb.text, "ok");
	strbuf_reset(&sb);
	health_to_text(0x09, &sb);
	assert_string_equal(sb.text, "spare low, read-only");
	strbuf_reset(&sb);
	health_to_text(0x82, &sb);
	assert_string_equal(sb.text, "temperature, bit 7");
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			bandwidth_is_that_of_the_generation_times_the_lanes),
		cmocka_unit_test(bandwidth_of_what_is_not_known_is_not_known),
		cmocka_unit_test(
			a_link_below_what_both_ends_can_is_trained_down),
		cmocka_unit_test(
			a_slot_that_can_less_than_the_drive_is_no_fault),
		cmocka_unit_test(a_link_is_full_whatever_more_the_slot_can),
		cmocka_unit_test(an_unknown_slot_is_not_called_trained_down),
		cmocka_unit_test(a_link_reads_as_lspci_writes_it),
		cmocka_unit_test(each_warning_bit_has_its_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
