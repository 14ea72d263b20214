/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/rivals.h"

#include <inttypes.h>
#include <string.h>

#include "base/glob.h"
#include "base/parse.h"
#include "core/owner.h"

/* What the rules set on each disk of the facts. */
struct plan_rules {
	struct rule_set set;
	struct {
		bool done;
		struct rule_effects effects;
	} * disks;
};

static const struct rule_effects no_effects = { { 0 } };

static struct plan_rules *rules_of(struct planner *planner)
{
	const size_t n = planner->facts->namespaces.n;

	if (planner->rules)
		return planner->rules;
	planner->rules = ARENA_NEW(planner->arena, struct plan_rules);
	planner->rules->disks =
		arena_array(planner->arena, n, sizeof(*planner->rules->disks));
	rules_of_facts(planner->arena, planner->facts, &planner->rules->set);
	return planner->rules;
}

const struct rule_effects *rivals_effects(struct planner *planner,
					  const struct ns *ns)
{
	const struct facts *facts = planner->facts;
	struct plan_rules *rules = rules_of(planner);
	struct rule_device device;
	size_t nr = 0;

	while (nr < facts->namespaces.n &&
	       strcmp(facts->namespaces.items[nr].name, ns->name) != 0)
		nr++;
	/* Hidden paths send no uevents: no rule ever runs for them. */
	if (nr == facts->namespaces.n || ns->kind == NS_PATH)
		return &no_effects;
	if (!rules->disks[nr].done) {
		rules->disks[nr].done = true;
		rules_device_of_ns(planner->arena, facts, ns, &device);
		rules_evaluate(planner->arena, &rules->set, &device,
			       &rules->disks[nr].effects);
	}
	return &rules->disks[nr].effects;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static bool is_about(const struct rule_effect *effect,
		     const struct change *change)
{
	return change->knob->attr &&
	       strcmp(effect->attr, change->knob->attr) == 0;
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

static const char *when(const struct rule_effect *effect)
{
	if (effect->on_add == RULE_YES || effect->on_change == RULE_YES)
		return effect->on_add == RULE_NO ? ", on change events" : "";
	return ", perhaps";
}

/* The last of those that run when the drive appears for certain. */
static const struct rule_effect *last_word(const struct rule_effects *effects,
					   const struct change *change)
{
	const struct rule_effect *last = NULL;

	VEC_EACH(&effects->effects, struct rule_effect, it)
		if (is_about(it, change) && it->on_add == RULE_YES)
			last = it;
	return last;
}

static void writers_set_by(struct planner *planner, struct change *change,
			   const char *have);

void rivals_set_by(struct planner *planner, struct change *change,
		   const struct ns *ns)
{
	const char *have = value_string(planner->arena, &change->have);
	const struct rule_effects *effects = ns ? rivals_effects(planner, ns) :
						  &no_effects;
	const struct rule_effect *last = last_word(effects, change);
	size_t nr = 0;

	VEC_EACH(&effects->effects, struct rule_effect, it)
		nr += is_about(it, change) && same_value(it->value, have);
	VEC_EACH(&effects->effects, struct rule_effect, it)
		if (is_about(it, change) && same_value(it->value, have))
			*vec_add(planner->arena, &change->set_by) = arena_printf(
				planner->arena, "%s:%" PRId64 "%s%s: %s",
				it->rule->file, it->rule->line, when(it),
				nr > 1 && it == last ? ", the last word" : "",
				it->rule->text);
	writers_set_by(planner, change, have);
}

struct rival rivals_rule(struct planner *planner, const struct change *change,
			 const struct ns *ns, const char *after)
{
	const char *want = value_string(planner->arena, &change->want);
	const struct rule_effects *effects = rivals_effects(planner, ns);
	struct rival last = { 0 }, changing = { 0 };

	VEC_EACH(&effects->effects, struct rule_effect, it) {
		struct rival rival = { .effect = it };

		if (!is_about(it, change) ||
		    strcmp(base_name(it->rule->file), after) <= 0)
			continue;
		rival.on_change = it->on_add == RULE_NO;
		rival.perhaps =
			it->computed || it->on_add == RULE_MAYBE ||
			(rival.on_change && it->on_change == RULE_MAYBE);
		if (same_value(it->value, want))
			rival.effect = NULL;
		if (rival.on_change)
			changing = rival;
		/* What perhaps agrees takes no other's last word away. */
		else if (!rival.perhaps || rival.effect)
			last = rival;
	}
	return last.effect ? last : changing;
}

const struct rule_effect *rivals_on_change(struct planner *planner,
					   const struct change *change,
					   const struct ns *ns)
{
	const char *want = value_string(planner->arena, &change->want);
	const struct rule_effects *effects = rivals_effects(planner, ns);
	const struct rule_effect *last = NULL;

	VEC_EACH(&effects->effects, struct rule_effect, it)
		if (is_about(it, change) && it->on_change == RULE_YES &&
		    !it->computed)
			last = same_value(it->value, want) ? NULL : it;
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

static bool speaks_of(const struct facts *facts,
		      const struct attr_writer *writer,
		      const struct change *change)
{
	return change->knob->attr && is_active(facts, writer) &&
	       strcmp(writer->attr, change->knob->attr) == 0 &&
	       (!writer->device ||
		glob_match(writer->device, change->target.name));
}

/* tuned's ">4096" is satisfied by anything that is no less, "<" likewise. */
static bool agrees(const char *value, const char *have)
{
	uint64_t limit, number;

	if (value[0] != '>' && value[0] != '<')
		return same_value(value, have);
	if (parse_u64(value + 1, &limit) < 0 || parse_u64(have, &number) < 0)
		return false;
	return value[0] == '>' ? number >= limit : number <= limit;
}

static void writers_set_by(struct planner *planner, struct change *change,
			   const char *have)
{
	VEC_EACH(&planner->facts->writers, struct attr_writer, it)
		if (speaks_of(planner->facts, it, change) &&
		    agrees(it->value, have))
			*vec_add(planner->arena, &change->set_by) =
				arena_printf(planner->arena,
					     "%s (%s:%" PRId64 ")", it->who,
					     it->file, it->line);
}

const struct attr_writer *rivals_writer(struct planner *planner,
					const struct change *change)
{
	const char *want = value_string(planner->arena, &change->want);
	const struct attr_writer *last = NULL;

	VEC_EACH(&planner->facts->writers, struct attr_writer, it) {
		/* sysctl.d is read in the order of its names, like rules. */
		if (!speaks_of(planner->facts, it, change) ||
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
