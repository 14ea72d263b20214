/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "sys/profile_file.h"

/*
 * A resolved profile as text must mean what the profile means: the same
 * setting for every key on every drive.  Checked on single cases and on many
 * made by chance.
 */

static int any_text(const struct knob *knob, const char *param,
		    const char *text, struct value *ret, struct err *err)
{
	(void)knob;
	(void)param;
	(void)err;
	return value_text(text, ret) ? 0 : -1;
}

static const struct knob one = { .name = "queue.one",
				 .scope = SCOPE_QUEUE,
				 .type = VALUE_UINT,
				 .max = 99 };
static const struct knob two = { .name = "queue.two",
				 .scope = SCOPE_QUEUE,
				 .type = VALUE_UINT,
				 .max = 99 };
static const struct knob module = { .name = "module.",
				    .scope = SCOPE_MODULE,
				    .type = VALUE_TEXT,
				    .parse = any_text };
static const struct knob *const items[] = { &module, &one, &two };
static const struct knob_set knobs = { items, 3 };

static const char *const keys[] = { "queue.one", "queue.two", "module.nvme.a",
				    "module.nvme.b" };

/* Each differs from the next in one fact that sections may ask for. */
static const struct ctrl ctrls[] = {
	{ .transport = "pcie", .model = "A1", .firmware = "1" },
	{ .transport = "pcie", .model = "A1", .firmware = "2" },
	{ .transport = "pcie", .model = "B1", .firmware = "1" },
	{ .transport = "tcp", .model = "A1", .firmware = "1" },
	{ .transport = "tcp", .model = "B1" },
	{ .model = "A1", .firmware = "2" },
};
#define NR_CTRLS (sizeof(ctrls) / sizeof(ctrls[0]))
static const struct ns disk = { .name = "nvme0n1" };

static struct arena *arena;

static int make(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int drop(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

static char *to_text(const struct profile *profile, bool sources)
{
	struct strbuf out;

	strbuf_init(&out, arena);
	profile_to_text(profile, sources, &out);
	return out.text;
}

static struct profile from_text(const char *text)
{
	struct problems problems = { .arena = arena };
	struct profile profile = { 0 };

	if (profile_read(arena, &knobs, "t", "t.ini", text, strlen(text),
			 &profile, &problems) < 0)
		fail_msg("%s\n%s", problems.lines.items[0], text);
	return profile;
}

static bool is_required(const struct profile *profile, const char *key)
{
	VEC_EACH(&profile->required, const char *, it)
		if (strcmp(*it, key) == 0)
			return true;
	return false;
}

/* Add the sections of one more file, as an include does. */
static void add_file(struct profile *profile, const char *name,
		     const char *text)
{
	struct problems problems = { .arena = arena };
	struct profile more = { 0 };

	if (profile_read(arena, &knobs, name, name, text, strlen(text), &more,
			 &problems) < 0)
		fail_msg("%s\n%s", problems.lines.items[0], text);
	VEC_EACH(&more.sections, struct section, it)
		*vec_add(arena, &profile->sections) = *it;
	VEC_EACH(&more.required, const char *, it)
		if (!is_required(profile, *it))
			*vec_add(arena, &profile->required) = *it;
}

static const char *effective(const struct profile *profile, const char *key,
			     const struct ctrl *ctrl)
{
	const struct setting *setting =
		profile_effective(profile, key, ctrl, ctrl ? &disk : NULL);

	return setting ? setting->text : "(none)";
}

static void expect_same_meaning(const struct profile *a,
				const struct profile *b)
{
	for (size_t k = 0; k < 4; k++) {
		assert_string_equal(effective(a, keys[k], NULL),
				    effective(b, keys[k], NULL));
		for (size_t c = 0; c < NR_CTRLS; c++)
			assert_string_equal(effective(a, keys[k], &ctrls[c]),
					    effective(b, keys[k], &ctrls[c]));
	}
}

static void parents_and_children_become_one_section(void **state)
{
	struct profile profile = { .summary = "Both" };

	(void)state;
	add_file(&profile, "base",
		 "[drives]\nqueue.one = 1\nqueue.two = 2\n"
		 "[host]\nmodule.nvme.a = 1\n");
	add_file(&profile, "child",
		 "[drives]\nqueue.two = 3\n"
		 "[host]\nmodule.nvme.b = 2\n"
		 "[confirm]\nrequired = queue.one,queue.two\n");
	assert_string_equal(to_text(&profile, false),
			    "[profile]\n"
			    "summary = Both\n"
			    "\n"
			    "[drives]\n"
			    "queue.one = 1\n"
			    "queue.two = 3\n"
			    "\n"
			    "[host]\n"
			    "module.nvme.a = 1\n"
			    "module.nvme.b = 2\n"
			    "\n"
			    "[confirm]\n"
			    "required = queue.one, queue.two\n");
}

static void sources_stand_above_each_setting(void **state)
{
	struct profile profile = { 0 };

	(void)state;
	add_file(&profile, "base\n.ini", "[drives]\nqueue.one = 1\n");
	assert_string_equal(to_text(&profile, true), "[profile]\n"
						     "\n"
						     "[drives]\n"
						     "; base\\x0a.ini:2\n"
						     "queue.one = 1\n");
}

static void what_a_later_section_always_overrides_is_left_out(void **state)
{
	struct profile profile = from_text(
		"[drives a]\nmatch.model = A*\nmatch.firmware = 1\nqueue.one = 1\n"
		"[drives b]\nmatch.model = A*\nqueue.one = 2\n"
		"[drives c]\nmatch.model = B*\nqueue.one = 3\n");

	(void)state;
	assert_string_equal(to_text(&profile, false), "[profile]\n"
						      "\n"
						      "[drives b]\n"
						      "match.model = A*\n"
						      "queue.one = 2\n"
						      "\n"
						      "[drives c]\n"
						      "match.model = B*\n"
						      "queue.one = 3\n");
}

/* [drives] without a transport does not speak of fabrics. */
static void a_section_for_local_drives_does_not_override_fabrics(void **state)
{
	struct profile profile = { 0 };

	(void)state;
	add_file(&profile, "base",
		 "[drives any]\nmatch.transport = *\nqueue.one = 1\n");
	add_file(&profile, "child", "[drives]\nqueue.one = 2\n");
	assert_non_null(strstr(to_text(&profile, false), "queue.one = 1"));
	assert_string_equal(effective(&profile, "queue.one", &ctrls[3]), "1");
}

static void a_heading_never_stands_twice(void **state)
{
	static const char text[] =
		"[drives]\nqueue.one = 1\n"
		"[drives x]\nmatch.model = A*\nqueue.one = 2\n";
	struct profile profile = { 0 };
	struct profile again;

	(void)state;
	add_file(&profile, "base", text);
	add_file(&profile, "no legal name", "[drives]\nqueue.two = 1\n");
	add_file(&profile, "child",
		 "[drives x]\nmatch.model = B*\nqueue.two = 4\n");
	assert_string_equal(to_text(&profile, false), "[profile]\n"
						      "\n"
						      "[drives]\n"
						      "queue.one = 1\n"
						      "\n"
						      "[drives x]\n"
						      "match.model = A*\n"
						      "queue.one = 2\n"
						      "\n"
						      "[drives all]\n"
						      "queue.two = 1\n"
						      "\n"
						      "[drives x-2]\n"
						      "match.model = B*\n"
						      "queue.two = 4\n");
	again = from_text(to_text(&profile, false));
	expect_same_meaning(&profile, &again);
}

/* xorshift64: the same profiles in every run, so that a failure stays. */
static unsigned int chance(uint64_t *seed, unsigned int n)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 7;
	*seed ^= *seed << 17;
	return (unsigned int)(*seed % n);
}

static void put_drives(struct strbuf *sb, uint64_t *seed, unsigned int nr)
{
	static const char *const models[] = { "A*", "!A*", "A*|B*" };
	static const char *const firmware[] = { "1", "!1", "2" };
	static const char *const transports[] = { "tcp", "!tcp", "*" };

	strbuf_printf(sb, "[drives s%u]\n", nr);
	if (chance(seed, 2))
		strbuf_printf(sb, "match.model = %s\n",
			      models[chance(seed, 3)]);
	if (chance(seed, 3) == 0)
		strbuf_printf(sb, "match.firmware = %s\n",
			      firmware[chance(seed, 3)]);
	if (chance(seed, 4) == 0)
		strbuf_printf(sb, "match.transport = %s\n",
			      transports[chance(seed, 3)]);
	for (unsigned int k = 0; k < 2; k++)
		if (chance(seed, 3))
			strbuf_printf(sb, "%s = %u\n", keys[k],
				      chance(seed, 100));
}

static void put_rest(struct strbuf *sb, uint64_t *seed)
{
	if (chance(seed, 2)) {
		strbuf_puts(sb, "[drives]\n");
		strbuf_printf(sb, "%s = %u\n", keys[chance(seed, 2)],
			      chance(seed, 100));
	}
	if (chance(seed, 2)) {
		strbuf_puts(sb, "[host]\n");
		strbuf_printf(sb, "%s = %u\n", keys[2 + chance(seed, 2)],
			      chance(seed, 100));
	}
	if (chance(seed, 4) == 0)
		strbuf_printf(sb, "[confirm]\nrequired = %s\n",
			      keys[chance(seed, 2)]);
}

static void text_reads_back_to_the_same_settings(void **state)
{
	static const char *const names[] = { "base", "middle", "child" };
	uint64_t seed = 88172645463325252ULL;

	(void)state;
	for (int round = 0; round < 2000; round++) {
		struct profile profile = { 0 }, again;
		const char *text;

		for (unsigned int f = 0; f < 3; f++) {
			struct strbuf sb;

			strbuf_init(&sb, arena);
			for (unsigned int i = chance(&seed, 4); i > 0; i--)
				put_drives(&sb, &seed, i);
			put_rest(&sb, &seed);
			add_file(&profile, names[f], sb.text);
		}
		text = to_text(&profile, round % 2);
		again = from_text(text);
		expect_same_meaning(&profile, &again);
		assert_int_equal(again.required.n > 0, profile.required.n > 0);
		assert_string_equal(to_text(&again, false),
				    to_text(&profile, false));
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(parents_and_children_become_one_section),
		cmocka_unit_test(sources_stand_above_each_setting),
		cmocka_unit_test(
			what_a_later_section_always_overrides_is_left_out),
		cmocka_unit_test(
			a_section_for_local_drives_does_not_override_fabrics),
		cmocka_unit_test(a_heading_never_stands_twice),
		cmocka_unit_test(text_reads_back_to_the_same_settings),
	};

	return cmocka_run_group_tests(tests, make, drop);
}
