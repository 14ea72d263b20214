/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/rivals.h"

#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "core/owner.h"

static struct rule_events *events_of(struct planner *planner)
{
	if (!planner->rules)
		planner->rules =
			rule_events_new(planner->arena, planner->facts);
	return planner->rules;
}

static struct rule_words words_about(struct planner *planner,
				     const struct change *change,
				     const struct site *site)
{
	return rule_events_about(events_of(planner), change->knob, site);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* The kernel takes a value with blanks around it. */
static bool same_value(const char *a, const char *b)
{
	size_t n;

	a += strspn(a, " ");
	n = strcspn(a, " ");
	return n == strlen(b) && memcmp(a, b, n) == 0 &&
	       !a[n + strspn(a + n, " ")];
}

/*
 * Does a word of others come to this value?  Kernels round some numbers, so
 * that what was written is not what is read: the knob knows which are alike.
 */
static bool comes_to(const struct change *change, const char *word,
		     const struct value *value, const char *spelled)
{
	uint64_t number;

	if (same_value(word, spelled))
		return true;
	if (value->type != VALUE_UINT || parse_u64(word, &number) < 0)
		return false;
	return knob_same(change->knob, value,
			 &(struct value){ .type = VALUE_UINT,
					  .u.number = number });
}

static const char *when(const struct rule_effect *effect)
{
	if (effect->on_add == RULE_YES || effect->on_change == RULE_YES)
		return effect->on_add == RULE_NO ? ", on change events" : "";
	return ", perhaps";
}

/* The last of those that run when the device appears for certain. */
static const struct rule_word *last_word(const struct rule_words *words)
{
	const struct rule_word *last = NULL;

	VEC_EACH(&words->words, struct rule_word, it)
		if (it->effect->on_add == RULE_YES)
			last = it;
	return last;
}

/* It gave the value; a rule that does so again at a later event counts there. */
static bool is_giver(const struct rule_words *words,
		     const struct rule_word *word, const struct change *change,
		     const char *have)
{
	if (!comes_to(change, word->effect->value, &change->have, have))
		return false;
	for (const struct rule_word *it = word + 1;
	     it < words->words.items + words->words.n; it++)
		if (it->effect->rule == word->effect->rule &&
		    comes_to(change, it->effect->value, &change->have, have))
			return false;
	return true;
}

static void writers_set_by(struct planner *planner, struct change *change,
			   const struct site *site, const char *have);

void rivals_set_by(struct planner *planner, struct change *change,
		   const struct site *site)
{
	const char *have = value_string(planner->arena, &change->have);
	const struct rule_words words = words_about(planner, change, site);
	const struct rule_word *last = last_word(&words);
	size_t nr = 0;

	VEC_EACH(&words.words, struct rule_word, it)
		nr += is_giver(&words, it, change, have);
	VEC_EACH(&words.words, struct rule_word, it) {
		const struct rule *rule = it->effect->rule;

		if (is_giver(&words, it, change, have))
			*vec_add(planner->arena, &change->set_by) = arena_printf(
				planner->arena, "%s:%" PRId64 "%s%s: %s",
				rule->file, rule->line, when(it->effect),
				nr > 1 && it == last ? ", the last word" : "",
				rule->text);
	}
	writers_set_by(planner, change, site, have);
}

void rivals_list(struct planner *planner, struct change *change,
		 const struct site *site)
{
	const struct rule_words words = words_about(planner, change, site);

	VEC_EACH(&words.words, struct rule_word, it) {
		const struct rule *rule = it->effect->rule;

		if (text_equal(rule->file, OWNER_RULES))
			continue;
		*vec_add(planner->arena, &change->rules) = arena_printf(
			planner->arena, "%s:%" PRId64 " sets %s%s", rule->file,
			rule->line, it->effect->value, when(it->effect));
	}
}

/* Among the words for which is_later holds. */
static struct rival
last_rival(struct planner *planner, const struct change *change,
	   const struct site *site,
	   bool (*is_later)(const struct rule_word *word, enum rule_event ours))
{
	const char *want = value_string(planner->arena, &change->want);
	const struct rule_words words = words_about(planner, change, site);
	const enum rule_event ours =
		rule_events_ours(events_of(planner), change->knob, site);
	struct rival last = { 0 }, changing = { 0 };

	VEC_EACH(&words.words, struct rule_word, it) {
		const struct rule_effect *effect = it->effect;
		struct rival rival = { .effect = effect, .at = it->at };

		if (!is_later(it, ours))
			continue;
		rival.on_change = effect->on_add == RULE_NO;
		rival.perhaps =
			effect->computed || effect->on_add == RULE_MAYBE ||
			(rival.on_change && effect->on_change == RULE_MAYBE);
		if (comes_to(change, effect->value, &change->want, want))
			rival.effect = NULL;
		if (rival.on_change)
			changing = rival;
		/* What perhaps agrees takes no other's last word away. */
		else if (!rival.perhaps || rival.effect)
			last = rival;
	}
	return last.effect ? last : changing;
}

/* At a later event, or at the same one in a file whose name comes behind. */
static bool is_behind_ours(const struct rule_word *word, enum rule_event ours)
{
	if (word->at != ours)
		return word->at > ours;
	return strcmp(base_name(word->effect->rule->file),
		      base_name(OWNER_RULES)) > 0;
}

static bool is_any(const struct rule_word *word, enum rule_event ours)
{
	(void)word;
	(void)ours;
	return true;
}

struct rival rivals_rule(struct planner *planner, const struct change *change,
			 const struct site *site)
{
	return last_rival(planner, change, site, is_behind_ours);
}

struct rival rivals_any_rule(struct planner *planner,
			     const struct change *change,
			     const struct site *site)
{
	return last_rival(planner, change, site, is_any);
}

const struct rule_effect *rivals_on_change(struct planner *planner,
					   const struct change *change,
					   const struct site *site,
					   enum rule_event at)
{
	const char *want = value_string(planner->arena, &change->want);
	const struct rule_words words = words_about(planner, change, site);
	const struct rule_effect *last = NULL;

	VEC_EACH(&words.words, struct rule_word, it)
		if (it->at == at && it->effect->on_change == RULE_YES &&
		    !it->effect->computed)
			last = same_value(it->effect->value, want) ? NULL :
								     it->effect;
	return last;
}

static bool is_running(const struct facts *facts, const char *name)
{
	VEC_EACH(&facts->services, struct service, service)
		if (text_equal(service->name, name))
			return text_equal(service->state, "running");
	return false;
}

/* tuned writes while it runs; the others at each boot. */
static bool is_active(const struct facts *facts,
		      const struct attr_writer *writer)
{
	return !text_equal(writer->when, "tuned") || is_running(facts, "tuned");
}

/* A sysctl is named below proc/sys, and for the whole host. */
static bool is_sysctl(const struct change *change,
		      const struct attr_writer *writer)
{
	return change->knob->kept == KEPT_BY_SYSCTL &&
	       text_has_suffix(change->knob->attr, writer->attr) &&
	       strlen(change->knob->attr) ==
		       strlen("proc/sys/") + strlen(writer->attr);
}

static bool speaks_of(struct planner *planner, const struct attr_writer *writer,
		      const struct change *change, const struct site *site)
{
	if (!change->knob->attr || !is_active(planner->facts, writer))
		return false;
	return is_sysctl(change, writer) ||
	       rule_events_file(events_of(planner), change->knob, site,
				writer->device, writer->attr);
}

/* tuned's "schedutil|ondemand" is the first of them that there is. */
static bool is_alternative(const char *value, const char *have)
{
	const size_t n = strlen(have);

	for (const char *p = value; p; p = strchr(p, '|')) {
		p += *p == '|';
		if (strncmp(p, have, n) == 0 && (!p[n] || p[n] == '|'))
			return true;
	}
	return false;
}

/* tuned's ">4096" is satisfied by anything that is no less, "<" likewise. */
static bool agrees(const char *value, const char *have)
{
	uint64_t limit, number;

	if (value[0] != '>' && value[0] != '<')
		return same_value(value, have) || is_alternative(value, have);
	if (parse_u64(value + 1, &limit) < 0 || parse_u64(have, &number) < 0)
		return false;
	return value[0] == '>' ? number >= limit : number <= limit;
}

static void writers_set_by(struct planner *planner, struct change *change,
			   const struct site *site, const char *have)
{
	VEC_EACH(&planner->facts->writers, struct attr_writer, it)
		if (speaks_of(planner, it, change, site) &&
		    agrees(it->value, have))
			*vec_add(planner->arena, &change->set_by) =
				arena_printf(planner->arena,
					     "%s (%s:%" PRId64 ")", it->who,
					     it->file, it->line);
}

const struct attr_writer *rivals_writer(struct planner *planner,
					const struct change *change,
					const struct site *site)
{
	const char *want = value_string(planner->arena, &change->want);
	const struct attr_writer *last = NULL;

	VEC_EACH(&planner->facts->writers, struct attr_writer, it) {
		/* sysctl.d is read in the order of its names, like rules. */
		if (!speaks_of(planner, it, change, site) ||
		    (text_equal(it->when, "sysctl") &&
		     strcmp(base_name(it->file), base_name(OWNER_SYSCTL)) <= 0))
			continue;
		last = agrees(it->value, want) ? NULL : it;
	}
	return last;
}

const char *rivals_writer_words(struct planner *planner,
				const struct attr_writer *writer)
{
	return arena_printf(planner->arena,
			    "will be overridden by %s (%s:%" PRId64
			    "), which sets %s",
			    writer->who, writer->file, writer->line,
			    writer->value);
}
