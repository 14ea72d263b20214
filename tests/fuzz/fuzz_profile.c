/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/escape.h"
#include "base/parse.h"
#include "knobs/knob_list.h"
#include "sys/profile_file.h"

static void must(int yes)
{
	if (!yes)
		abort();
}

static bool is_harmless(const char *line)
{
	while (*line) {
		unsigned int n = escape_utf8_len(line);

		if (!n)
			return false;
		line += n;
	}
	return true;
}

static int read_text(struct arena *arena, const char *text, size_t n,
		     struct profile *ret, struct problems *problems)
{
	return profile_read(arena, knobs_all(), "f", "f.ini", text, n, ret,
			    problems);
}

/* The same settings on a drive of each kind. */
static void expect_same(const struct profile *a, const struct profile *b)
{
	static const struct ctrl ctrls[] = {
		{ .transport = "pcie", .model = "A", .driver = "nvme" },
		{ .transport = "tcp", .model = "B" },
		{ .model = "A", .node = { .known = true, .value = 1 } },
	};
	static const struct ns ns = { .name = "nvme0n1", .zoned = "none" };

	VEC_EACH(&a->sections, const struct section, section) {
		VEC_EACH(&section->settings, const struct setting, it) {
			for (size_t i = 0; i < 3; i++) {
				const struct setting *x = profile_effective(
					a, it->key, &ctrls[i], &ns);
				const struct setting *y = profile_effective(
					b, it->key, &ctrls[i], &ns);

				must(!x == !y);
				must(!x || strcmp(x->text, y->text) == 0);
			}
		}
	}
}

/*
 * A refusal says why, in lines that are safe to print.  What is accepted can
 * be written back, and reads the same.
 */
int fuzz_profile(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct problems problems = { .arena = arena };
	struct profile profile = { 0 }, again = { 0 };
	struct strbuf text, twice;

	if (read_text(arena, (const char *)data, size, &profile, &problems) <
	    0) {
		must(problems.lines.n > 0);
		VEC_EACH(&problems.lines, const char *, it)
			must(is_harmless(*it) &&
			     text_has_prefix(*it, "f.ini:"));
		arena_free(arena);
		return 0;
	}
	must(problems.lines.n == 0);
	strbuf_init(&text, arena);
	profile_to_text(&profile, size % 2, &text);
	must(read_text(arena, text.text, text.len, &again, &problems) == 0);
	expect_same(&profile, &again);
	strbuf_init(&twice, arena);
	profile_to_text(&again, false, &twice);
	strbuf_reset(&text);
	profile_to_text(&profile, false, &text);
	must(strcmp(text.text, twice.text) == 0);
	arena_free(arena);
	return 0;
}

#ifdef FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_profile(data, size);
}
#endif
