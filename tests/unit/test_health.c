/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "core/health.h"

static struct health cool(void)
{
	return (struct health){
		.smart = {
			.critical_warning = num_known(0),
			.warning_temperature_minutes = num_known(60),
			.critical_temperature_minutes = num_known(0),
			.thermal_1_count = num_known(9),
			.thermal_2_count = num_known(1),
			.thermal_1_seconds = num_known(100),
			.thermal_2_seconds = num_known(7),
		},
		.link = { .speed_mts = num_known(16000),
			  .width = num_known(4) },
	};
}

static void assert_change(const struct health *after, const char *word)
{
	const struct health before = cool();
	const char *why = health_change(&before, after);

	assert_non_null(why);
	assert_non_null(strstr(why, word));
}

static void steady_drive_says_nothing(void **state)
{
	struct health before = cool(), after = cool();

	(void)state;
	before.smart.temperature_c = num_known(40);
	after.smart.temperature_c = num_known(70);
	assert_null(health_change(&before, &after));
}

static void any_thermal_counter_that_moved_is_told(void **state)
{
	struct health after = cool();

	(void)state;
	after.smart.thermal_1_count = num_known(10);
	assert_change(&after, "throttled");
	after = cool();
	after.smart.thermal_2_seconds = num_known(8);
	assert_change(&after, "throttled");
	after = cool();
	after.smart.warning_temperature_minutes = num_known(61);
	assert_change(&after, "above its warning");
	after = cool();
	after.smart.critical_warning = num_known(2);
	assert_change(&after, "warns");
}

static void warning_of_anything_else_is_no_heat(void **state)
{
	const struct health before = cool();
	struct health after = cool();

	(void)state;
	after.smart.critical_warning = num_known(1);
	assert_null(health_change(&before, &after));
}

static void link_that_retrained_is_told(void **state)
{
	struct health after = cool();

	(void)state;
	after.link.width = num_known(2);
	assert_change(&after, "link");
	after = cool();
	after.link.speed_mts = num_known(8000);
	assert_change(&after, "link");
}

static void what_is_unknown_has_not_changed(void **state)
{
	const struct health before = cool(), unknown = { 0 };

	(void)state;
	assert_null(health_change(&before, &unknown));
	assert_null(health_change(&unknown, &before));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steady_drive_says_nothing),
		cmocka_unit_test(any_thermal_counter_that_moved_is_told),
		cmocka_unit_test(warning_of_anything_else_is_no_heat),
		cmocka_unit_test(link_that_retrained_is_told),
		cmocka_unit_test(what_is_unknown_has_not_changed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
