/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/knob.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/nearest.h"
#include "base/parse.h"

#define FAMILY_SUFFIX "." /* a knob whose name ends so stands for many */

const char *verdict_name(enum verdict verdict)
{
	static const char *const names[] = {
		[VERDICT_KEEP] = "keep",
		[VERDICT_CHANGE] = "change",
		[VERDICT_LATER] = "later",
		[VERDICT_CANNOT] = "cannot",
	};

	return names[verdict];
}

const struct knob *knob_set_find(const struct knob_set *set, const char *key,
				 const char **ret_param)
{
	*ret_param = NULL;
	for (size_t i = 0; i < set->n; i++) {
		const struct knob *knob = set->items[i];

		if (strcmp(knob->name, key) == 0 &&
		    !text_has_suffix(knob->name, FAMILY_SUFFIX))
			return knob;
		if (text_has_suffix(knob->name, FAMILY_SUFFIX) &&
		    text_has_prefix(key, knob->name)) {
			*ret_param = key + strlen(knob->name);
			return knob;
		}
	}
	return NULL;
}

#define MOST_KNOBS 128

const char *knob_set_nearest(const struct knob_set *set, const char *key)
{
	const char *names[MOST_KNOBS];
	size_t n = 0;

	for (size_t i = 0; i < set->n && n < MOST_KNOBS; i++)
		if (!text_has_suffix(set->items[i]->name, FAMILY_SUFFIX))
			names[n++] = set->items[i]->name;
	return nearest_name(key, names, n);
}

static const char *unit_name(enum knob_unit unit)
{
	static const char *const names[] = {
		[UNIT_NONE] = "",
		[UNIT_MS] = " ms",
		[UNIT_USEC] = " us",
		[UNIT_KIB] = " KiB",
	};

	return names[unit];
}

/* Adds ", WORD" as long as it fits. */
static void list_word(const char *word, char *out, size_t size)
{
	const size_t used = strlen(out), n = strlen(word);

	if (used + n + 3 > size)
		return;
	memcpy(out + used, ", ", 2);
	memcpy(out + used + 2, word, n + 1);
}

/* "0..2, max or keep": what a number may be, in one phrase. */
static int range_error(const struct knob *knob, const char *text,
		       const char *what, struct err *err)
{
	char words[128] = "";

	if (knob->flags & KNOB_ALLOWS_MAX)
		list_word("max", words, sizeof(words));
	for (const struct knob_word *it = knob->words; it && it->word; it++)
		list_word(it->word, words, sizeof(words));
	return err_set(err, -EINVAL,
		       "%s: \"%s\" %s: legal is %" PRIu64 "..%" PRIu64
		       "%s%s or keep",
		       knob->name, text, what, knob->min, knob->max,
		       unit_name(knob->unit), words);
}

/* A number in the unit of the attribute. */
static int parse_number(const struct knob *knob, const char *text,
			uint64_t *ret, struct err *err)
{
	uint64_t number = 0, per_unit = 1;
	int r = parse_u64(text, &number);

	if (r == 0 && knob->unit == UNIT_MS && number)
		return err_set(err, -EINVAL,
			       "%s: \"%s\" has no unit: write %ss or %sms",
			       knob->name, text, text, text);
	if (r == -EINVAL &&
	    (knob->unit == UNIT_MS || knob->unit == UNIT_USEC)) {
		per_unit = knob->unit == UNIT_MS ? 1000 : 1;
		r = parse_time(text, &number);
	} else if (r == -EINVAL && knob->unit == UNIT_KIB) {
		per_unit = 1024;
		r = parse_size(text, &number);
	}
	if (r == -ERANGE)
		return range_error(knob, text, "is too large", err);
	if (r < 0)
		return range_error(knob, text, "is not a number", err);
	if (number % per_unit)
		return range_error(knob, text, "is no whole number of units",
				   err);
	number /= per_unit;
	if (number < knob->min || number > knob->max)
		return range_error(knob, text, "is out of range", err);
	*ret = number;
	return 0;
}

static size_t choice_count(const struct knob *knob)
{
	size_t n = 0;

	while (knob->choices[n])
		n++;
	return n;
}

static void list_choices(const struct knob *knob, char *out, size_t size)
{
	size_t used = 0;

	out[0] = '\0';
	for (size_t i = 0; knob->choices[i]; i++) {
		size_t n = strlen(knob->choices[i]);

		if (used + n + 3 > size)
			return;
		memcpy(out + used, knob->choices[i], n);
		memcpy(out + used + n, ", ", 3);
		used += n + 2;
	}
}

static int parse_choice(const struct knob *knob, const char *text,
			struct value *ret, struct err *err)
{
	const char *near;
	char legal[256];

	for (size_t i = 0; knob->choices[i]; i++)
		if (strcmp(knob->choices[i], text) == 0)
			return value_text(text, ret) ? 0 : -EINVAL;
	list_choices(knob, legal, sizeof(legal));
	near = nearest_name(text, knob->choices, choice_count(knob));
	if (near)
		return err_set(err, -EINVAL,
			       "%s: \"%s\" is not %sor keep; did you mean %s?",
			       knob->name, text, legal, near);
	return err_set(err, -EINVAL, "%s: \"%s\" is not %sor keep", knob->name,
		       text, legal);
}

static const struct knob_word *word_of(const struct knob *knob,
				       const char *text)
{
	for (const struct knob_word *it = knob->words; it && it->word; it++)
		if (strcmp(it->word, text) == 0)
			return it;
	return NULL;
}

static int parse_default(const struct knob *knob, const char *text,
			 struct value *ret, struct err *err)
{
	const struct knob_word *word = word_of(knob, text);
	uint64_t number = 0;
	int r;

	if (knob->type == VALUE_TEXT)
		return parse_choice(knob, text, ret, err);
	if (word && word->differs)
		return value_text(text, ret) ? 0 : -EINVAL;
	if (word) {
		*ret = value_uint(word->number);
		return 0;
	}
	r = parse_number(knob, text, &number, err);
	if (r == 0)
		*ret = value_uint(number);
	return r;
}

int knob_parse(const struct knob *knob, const char *param, const char *text,
	       struct value *ret, struct err *err)
{
	unsigned int percent;

	if (strcmp(text, "keep") == 0) {
		*ret = (struct value){ .type = VALUE_KEEP };
		return 0;
	}
	if (knob->flags & KNOB_ALLOWS_MAX && strcmp(text, "max") == 0) {
		*ret = (struct value){ .type = VALUE_MAX };
		return 0;
	}
	if (knob->flags & KNOB_ALLOWS_SHARE && text_has_suffix(text, "%")) {
		if (parse_percent(text, &percent) < 0)
			return err_set(err, -EINVAL,
				       "%s%s: \"%s\" is not within 0%%..100%%",
				       knob->name, param ? param : "", text);
		*ret = (struct value){ .type = VALUE_SHARE,
				       .u.number = percent };
		return 0;
	}
	if (knob->scope == SCOPE_RUNNER)
		return err_set(err, -EINVAL,
			       "%s: write a section of its own, [%s NAME]",
			       knob->name, knob->name);
	if (knob->parse)
		return knob->parse(knob, param, text, ret, err);
	return parse_default(knob, text, ret, err);
}

int knob_resolve(const struct knob *knob, const char *param,
		 const struct facts *facts, const struct target *target,
		 const struct value *asked, struct value *ret, struct err *err)
{
	if (knob->resolve)
		return knob->resolve(knob, param, facts, target, asked, ret,
				     err);
	*ret = *asked;
	return 0;
}

bool knob_same(const struct knob *knob, const struct value *have,
	       const struct value *want)
{
	if (knob->same && have->type == want->type)
		return knob->same(knob, have, want);
	return value_equal(have, want);
}

const char *knob_effect(const struct knob *knob, const struct value *want)
{
	return knob->explain ? knob->explain(want) : knob->doc.effect;
}

/* The word between brackets, or the only word; 0 when there is none. */
static size_t active_word(const char *text, const char **ret)
{
	const char *open = strchr(text, '[');
	const char *close = open ? strchr(open, ']') : NULL;

	if (close) {
		*ret = open + 1;
		return (size_t)(close - open) - 1;
	}
	*ret = text;
	return open || strchr(text, ' ') ? 0 : strlen(text);
}

int knob_read_value(const struct knob *knob, const char *text,
		    struct value *ret)
{
	char word[VALUE_TEXT_SIZE];
	const char *start;
	uint64_t number;
	size_t n;

	if (knob->read)
		return knob->read(text, ret);
	if (knob->type == VALUE_UINT) {
		if (parse_u64(text, &number) < 0)
			return -EBADMSG;
		*ret = value_uint(number);
		return 0;
	}
	n = active_word(text, &start);
	if (n == 0 || n >= sizeof(word))
		return -EBADMSG;
	memcpy(word, start, n);
	word[n] = '\0';
	return value_text(word, ret) ? 0 : -EBADMSG;
}

bool knob_is_nowhere(const struct knob *knob, const struct facts *facts,
		     const struct target *target)
{
	const struct observation *seen =
		facts_observed(facts, knob->name, target);

	return seen && seen->why == ENOENT;
}

bool knob_moot_nowhere(const struct knob *knob, const struct facts *facts,
		       const struct target *target, const struct value *asked)
{
	(void)asked;
	return knob_is_nowhere(knob, facts, target);
}

enum evidence knob_evidence(const struct knob *knob, const struct facts *facts,
			    const struct target *target)
{
	return knob->evidence_of ? knob->evidence_of(facts, target) :
				   knob->evidence;
}

bool knob_is_host_wide(const struct knob *knob)
{
	switch (knob->scope) {
	case SCOPE_MODULE:
	case SCOPE_HOST:
	case SCOPE_CPUS:
	case SCOPE_SUBSYSTEM:
	case SCOPE_RUNNER:
		return true;
	case SCOPE_CTRL:
	case SCOPE_FUNCTION:
	case SCOPE_VECTOR:
	case SCOPE_QUEUE:
		return false;
	}
	return false;
}

bool knob_lives_on(const struct knob *knob, const struct ns *ns)
{
	switch ((enum ns_kind)ns->kind) {
	case NS_PLAIN:
		return true;
	case NS_HEAD:
		return knob->place & PLACE_HEAD;
	case NS_PATH:
		return knob->place & PLACE_MQ;
	}
	return false;
}

void knob_value_to_text(const struct knob *knob, const struct value *value,
			struct strbuf *out)
{
	value_to_text(value, out);
	if (value->type == VALUE_UINT)
		strbuf_puts(out, unit_name(knob->unit));
}
