/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "core/foreign.h"
#include "core/rules_device.h"
#include "sys/udev_rules.h"

static void must(int yes)
{
	if (!yes)
		abort();
}

static void evaluate(struct arena *arena, const struct rule_set *set,
		     const char *name)
{
	struct rule_device device;
	struct rule_effects effects;

	rules_device_named(arena, name, false, &device);
	rules_evaluate(arena, set, &device, &effects);
	VEC_EACH(&effects.effects, struct rule_effect, it) {
		must(it->attr && *it->attr && it->value);
		must(it->on_add != RULE_NO || it->on_change != RULE_NO);
	}
}

/*
 * Whatever stands in a rules file: jumps lead forward within it, effects name
 * an attribute, and each finding names a line.
 */
int fuzz_rules(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct problems findings = { .arena = arena };
	struct foreign_rules rules = { .file = "f" };
	struct rule_set set = { 0 };
	struct udev_lines lines;

	udev_rules_split(arena, "f",
			 arena_strndup(arena, (const char *)data, size),
			 &lines);
	VEC_EACH(&lines.rules, struct rule, it) {
		*vec_add(arena, &rules.lines) = *it;
		rule_set_add(arena, &set, it->file, it->line, it->text);
	}
	rule_set_done(&set);
	for (size_t i = 0; i < set.rules.n; i++)
		must(!set.rules.items[i].target ||
		     (set.rules.items[i].target > i &&
		      set.rules.items[i].target < set.rules.n));
	evaluate(arena, &set, "nvme0n1");
	evaluate(arena, &set, "nvme0n1p1");
	evaluate(arena, &set, "sda");
	foreign_rules_check(arena, &rules, NULL, &findings);
	VEC_EACH(&findings.lines, const char *, it)
		must(strncmp(*it, "f:", 2) == 0);
	arena_free(arena);
	return 0;
}

#ifdef FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_rules(data, size);
}
#endif
