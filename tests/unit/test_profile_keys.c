/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/arena.h"
#include "core/profile_keys.h"
#include "knobs/knob_list.h"
#include "sys/profile_file.h"

static struct arena *arena;

static int set_up(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

static struct profile profile_of(const char *text)
{
	struct problems problems = { .arena = arena };
	struct profile profile;

	if (profile_read(arena, knobs_all(), "test", "test.ini", text,
			 strlen(text), &profile, &problems) < 0)
		fail_msg("%s", problems.lines.items[0]);
	return profile;
}

static const char *text_of(const struct profile *profile)
{
	struct strbuf out;

	strbuf_init(&out, arena);
	profile_to_text(profile, false, &out);
	return out.text;
}

static void a_key_goes_from_every_section_that_speaks_of_it(void **state)
{
	const struct profile profile = profile_of(
		"[drives]\nqueue.scheduler = none\nqueue.iostats = 0\n"
		"[drives old]\nmatch.model = X*\nqueue.scheduler = kyber\n");
	const struct profile_omission gone = { .key = "queue.scheduler" };
	const char *text = text_of(profile_without(arena, &profile, &gone, 1));

	(void)state;
	assert_null(strstr(text, "scheduler"));
	assert_non_null(strstr(text, "queue.iostats = 0"));
	/* The one that it was made from is as it was. */
	assert_non_null(strstr(text_of(&profile), "queue.scheduler = kyber"));
}

static void what_a_key_implies_goes_with_it(void **state)
{
	const struct profile profile =
		profile_of("[drives]\npower.aspm = off\nqueue.iostats = 0\n");
	const struct profile_omission gone = { .key = "power.aspm" };
	const struct profile *rest = profile_without(arena, &profile, &gone, 1);

	(void)state;
	assert_int_equal(rest->sections.items[0].settings.n, 1);
	assert_true(profile.sections.items[0].settings.n > 2);
	VEC_EACH(&profile.sections.items[0].settings, const struct setting, it)
		if (it->implied)
			assert_string_equal(profile_key_behind(&profile,
							       it->key),
					    "power.aspm");
	assert_string_equal(profile_key_behind(&profile, "queue.iostats"),
			    "queue.iostats");
}

static void a_key_may_become_keep_instead(void **state)
{
	const struct profile profile =
		profile_of("[drives]\nqueue.scheduler = none\n");
	const struct profile_omission kept = { .key = "queue.scheduler",
					       .keep = true };
	const struct profile *rest = profile_without(arena, &profile, &kept, 1);

	(void)state;
	assert_non_null(strstr(text_of(rest), "queue.scheduler = keep"));
	assert_int_equal(rest->sections.items[0].settings.items[0].asked.type,
			 VALUE_KEEP);
}

static void another_profiles_word_may_take_its_place(void **state)
{
	const struct profile profile =
		profile_of("[drives]\nqueue.scheduler = none\n");
	const struct profile before = profile_of(
		"[drives]\nqueue.scheduler = kyber\nqueue.iostats = 0\n"
		"[drives old]\nmatch.model = X*\nqueue.scheduler = bfq\n");
	const struct profile_omission back = { .key = "queue.scheduler",
					       .instead = &before };
	const char *text = text_of(profile_without(arena, &profile, &back, 1));

	(void)state;
	assert_true(profile_speaks_of(&before, "queue.iostats"));
	assert_false(profile_speaks_of(&profile, "queue.iostats"));
	assert_non_null(strstr(text, "queue.scheduler = kyber"));
	assert_non_null(
		strstr(text, "match.model = X*\nqueue.scheduler = bfq"));
	assert_null(strstr(text, "none"));
	assert_null(strstr(text, "iostats"));
}

static void what_is_required_is_known_by_key_and_by_part(void **state)
{
	const struct profile profile = profile_of(
		"[drives]\nqueue.scheduler = none\npower.aspm = off\n"
		"[confirm]\nrequired = power.aspm_l0s, queue.scheduler\n");

	(void)state;
	assert_true(profile_requires(&profile, "queue.scheduler"));
	assert_true(profile_requires(&profile, "power.aspm"));
	assert_false(profile_requires(&profile, "queue.iostats"));
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(a_key_goes_from_every_section_that_speaks_of_it),
		T(what_a_key_implies_goes_with_it),
		T(a_key_may_become_keep_instead),
		T(another_profiles_word_may_take_its_place),
		T(what_is_required_is_known_by_key_and_by_part),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
