/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Which rules run for a device, with three truths. */

#include <string.h>

#include "base/glob.h"
#include "base/parse.h"
#include "core/owner.h"
#include "core/rules.h"

static enum rule_truth both(enum rule_truth a, enum rule_truth b)
{
	return a < b ? a : b;
}

static enum rule_truth truth_of(bool yes)
{
	return yes ? RULE_YES : RULE_NO;
}

/* A pattern without * ? [ is compared as it is, backslashes too. */
static bool is_one_of(const char *words, const char *text)
{
	const size_t n = strlen(text);

	for (;;) {
		const size_t word = strcspn(words, "|");

		if (word == n && memcmp(words, text, n) == 0)
			return true;
		if (!words[word])
			return false;
		words += word + 1;
	}
}

static bool fits(const char *pattern, const char *text)
{
	return strpbrk(pattern, "*?[") ? glob_match(pattern, text) :
					 is_one_of(pattern, text);
}

/* text NULL: unknown. */
static enum rule_truth compare(const struct rule_token *token, const char *text)
{
	const bool wanted = strcmp(token->op, "==") == 0;

	if (!text || token->any_case || strpbrk(token->value, "$%"))
		return RULE_MAYBE;
	return truth_of(fits(token->value, text) == wanted);
}

/* Is name the file or folder, or something in it? */
static bool is_below(const char *name, const char *folder)
{
	const size_t n = strlen(folder);

	return text_has_prefix(name, folder) && (!name[n] || name[n] == '/');
}

static const struct rule_fact unknown = { .name = "" };
static const struct rule_fact missing = { .name = "", .absent = true };

static const struct rule_fact *find_attr(const struct rule_device *device,
					 size_t nr, const char *name)
{
	const struct rule_level *level = &device->levels.items[nr];
	const bool has_link = text_equal(level->subsystem, "block") ||
			      text_equal(level->subsystem, "nvme");

	if (has_link && text_has_prefix(name, "device/") &&
	    nr + 1 < device->levels.n)
		return find_attr(device, nr + 1, name + strlen("device/"));
	VEC_EACH(&level->attrs, struct rule_fact, attr)
		if (strcmp(attr->name, name) == 0)
			return attr;
	for (const char *const *it = level->lacks; it && *it; it++)
		if (is_below(name, *it))
			return &missing;
	return &unknown;
}

/*
 * What cannot be read matches nothing, "!=" neither.  Blanks at the end of an
 * attribute count only for a pattern that has some too; facts have none, so
 * such a pattern fits a value that was padded to its length.
 */
static enum rule_truth match_attr(const struct rule_device *device, size_t nr,
				  const struct rule_token *token)
{
	const struct rule_fact *attr = find_attr(device, nr, token->attr);

	if (attr->absent)
		return RULE_NO;
	if (text_has_suffix(token->value, " "))
		return RULE_MAYBE;
	return compare(token, attr->value);
}

static enum rule_truth match_test(const struct rule_device *device,
				  const struct rule_token *token)
{
	const bool wanted = strcmp(token->op, "==") == 0;
	const struct rule_fact *attr;

	/* Where our rules are it is, too. */
	if (strcmp(token->value, OWNER_APPLIED) == 0)
		return truth_of(wanted);
	if (token->value[0] == '/' || strpbrk(token->value, "*?[$%"))
		return RULE_MAYBE;
	attr = find_attr(device, 0, token->value);
	return attr == &unknown ? RULE_MAYBE : truth_of(attr->absent != wanted);
}

/* Properties that only other kinds of devices ever have. */
static bool is_never_set(const char *name)
{
	static const char *const prefixes[] = { "DM_", "MD_", "ID_ATA",
						"ID_CDROM", "ID_USB" };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (text_has_prefix(name, prefixes[i]))
			return true;
	return false;
}

static enum rule_truth match_env(const struct rule_device *device,
				 const struct rule_token *token)
{
	const bool wanted = strcmp(token->op, "==") == 0;
	enum rule_truth truth = RULE_MAYBE;
	size_t n = 0, nr_hits = 0;

	if (is_never_set(token->attr))
		return compare(token, "");
	VEC_EACH(&device->env, struct rule_fact, fact) {
		if (strcmp(fact->name, token->attr) != 0)
			continue;
		truth = compare(token, fact->value);
		nr_hits += (truth == RULE_YES) == wanted;
		n++;
	}
	if (n <= 1 || truth == RULE_MAYBE)
		return truth;
	if (nr_hits > 0)
		return RULE_MAYBE;
	return truth_of(!wanted);
}

/* Where a device below a PCI function is not. */
static enum rule_truth match_devpath(const struct rule_device *device,
				     const struct rule_token *token)
{
	const bool wanted = strcmp(token->op, "==") == 0;

	if (device->devpath)
		return compare(token, device->devpath);
	if (text_has_prefix(token->value, "/devices/virtual/"))
		VEC_EACH(&device->levels, struct rule_level, level)
			if (text_equal(level->subsystem, "pci"))
				return truth_of(!wanted);
	return RULE_MAYBE;
}

static bool speaks_of_parents(const struct rule_token *token)
{
	static const char *const names[] = { "KERNELS", "SUBSYSTEMS", "DRIVERS",
					     "ATTRS", "TAGS" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(token->key, names[i]) == 0)
			return true;
	return false;
}

/* An unknown PCI device surely has colons in its name. */
static const char *kernel_of(const struct rule_level *level,
			     const char *pattern)
{
	if (!level->kernel && text_equal(level->subsystem, "pci") &&
	    !strpbrk(pattern, ":*?["))
		return "";
	return level->kernel;
}

static enum rule_truth match_level(const struct rule_device *device, size_t nr,
				   const struct rule_token *token)
{
	const struct rule_level *level = &device->levels.items[nr];

	if (text_has_prefix(token->key, "KERNEL"))
		return compare(token, kernel_of(level, token->value));
	if (text_has_prefix(token->key, "SUBSYSTEM"))
		return compare(token, level->subsystem);
	if (text_has_prefix(token->key, "DRIVER"))
		return compare(token, level->driver);
	if (text_has_prefix(token->key, "ATTR"))
		return match_attr(device, nr, token);
	return RULE_MAYBE;
}

/* All conditions on parents must hold for one and the same of them. */
static enum rule_truth match_parents(const struct rule_device *device,
				     const struct rule *rule)
{
	enum rule_truth best = RULE_NO;
	bool any = false;

	for (size_t nr = 0; nr < device->levels.n; nr++) {
		enum rule_truth truth = RULE_YES;

		VEC_EACH(&rule->tokens, struct rule_token, token) {
			if (!speaks_of_parents(token))
				continue;
			any = true;
			truth = both(truth, match_level(device, nr, token));
		}
		best = truth > best ? truth : best;
	}
	return any ? best : RULE_YES;
}

static bool is_condition(const struct rule_token *token)
{
	return rule_token_matches(token) ||
	       strcmp(token->key, "PROGRAM") == 0 ||
	       strcmp(token->key, "IMPORT") == 0;
}

static enum rule_truth match_token(const struct rule_device *device,
				   const struct rule_token *token,
				   const char *action)
{
	if (!is_condition(token) || speaks_of_parents(token))
		return RULE_YES;
	if (strcmp(token->key, "ACTION") == 0)
		return compare(token, action);
	if (strcmp(token->key, "ENV") == 0)
		return match_env(device, token);
	if (strcmp(token->key, "TEST") == 0)
		return match_test(device, token);
	if (strcmp(token->key, "DEVPATH") == 0)
		return match_devpath(device, token);
	if (strcmp(token->key, "KERNEL") == 0 ||
	    strcmp(token->key, "SUBSYSTEM") == 0 ||
	    strcmp(token->key, "DRIVER") == 0 ||
	    strcmp(token->key, "ATTR") == 0)
		return match_level(device, 0, token);
	return RULE_MAYBE;
}

static enum rule_truth match_rule(const struct rule_device *device,
				  const struct rule *rule, const char *action)
{
	enum rule_truth truth = RULE_YES;

	VEC_EACH(&rule->tokens, struct rule_token, token) {
		truth = both(truth, match_token(device, token, action));
		if (truth == RULE_NO)
			return RULE_NO;
	}
	return both(truth, match_parents(device, rule));
}

/*
 * A GOTO that is perhaps taken puts what it jumps over in doubt; so does one
 * that is itself in doubt.
 */
enum rule_truth *rules_run(struct arena *arena, const struct rule_set *set,
			   const struct rule_device *device, const char *action)
{
	enum rule_truth *truths =
		arena_array(arena, set->rules.n, sizeof(*truths));
	size_t doubt_until = 0;

	for (size_t i = 0; i < set->rules.n; i++) {
		const struct rule *rule = &set->rules.items[i];
		enum rule_truth truth = match_rule(device, rule, action);

		if (i < doubt_until)
			truth = both(truth, RULE_MAYBE);
		truths[i] = truth;
		if (!rule->target || truth == RULE_NO)
			continue;
		if (truth == RULE_YES)
			i = rule->target - 1;
		else if (rule->target > doubt_until)
			doubt_until = rule->target;
	}
	return truths;
}

void rules_evaluate(struct arena *arena, const struct rule_set *set,
		    const struct rule_device *device, struct rule_effects *ret)
{
	const enum rule_truth *on_add = rules_run(
		arena, set, device, device->comes ? device->comes : "add");
	const enum rule_truth *on_change =
		device->comes ?
			arena_array(arena, set->rules.n, sizeof(*on_change)) :
			rules_run(arena, set, device, "change");

	*ret = (struct rule_effects){ 0 };
	for (size_t i = 0; i < set->rules.n; i++) {
		const struct rule *rule = &set->rules.items[i];

		if (on_add[i] == RULE_NO && on_change[i] == RULE_NO)
			continue;
		VEC_EACH(&rule->tokens, struct rule_token, token)
			if (rule_token_sets(token))
				*vec_add(arena,
					 &ret->effects) = (struct rule_effect){
					.rule = rule,
					.attr = token->attr,
					.value = token->value,
					.computed = strpbrk(token->value, "$%"),
					.on_add = on_add[i],
					.on_change = on_change[i],
				};
	}
}
