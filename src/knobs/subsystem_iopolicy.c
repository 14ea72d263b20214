/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "knobs/knob_list.h"

static const char *const choices[] = { "numa", "round-robin", "queue-depth",
				       NULL };

static void recall(const struct knob *knob, struct arena *arena,
		   const struct facts *facts, const struct target *target,
		   struct observation *ret)
{
	const struct subsystem *found = NULL;

	(void)knob;
	(void)arena;
	VEC_EACH(&facts->subsystems, const struct subsystem, it)
		if (text_equal(it->name, target->name))
			found = it;
	if (!found || !found->iopolicy)
		ret->why = ENOENT;
	else if (!value_text(found->iopolicy, &ret->value))
		ret->why = EBADMSG;
}

static const char *absent(const struct knob *knob, struct arena *arena,
			  const struct facts *facts,
			  const struct target *target)
{
	(void)arena;
	return knob_is_nowhere(knob, facts, target) ?
		       "this kernel has no native multipath" :
		       NULL;
}

static size_t count_paths(const struct facts *facts,
			  const struct target *target)
{
	size_t n = 0;

	VEC_EACH(&facts->ctrls, const struct ctrl, it)
		n += text_equal(it->subsystem, target->name);
	return n;
}

static const char *note(const struct knob *knob, struct arena *arena,
			const struct facts *facts, const struct target *target,
			const struct value *want)
{
	(void)knob;
	(void)arena;
	(void)want;
	return count_paths(facts, target) == 1 ?
		       "one path: there is nothing to choose from yet" :
		       NULL;
}

static const char *explain(const struct value *want)
{
	if (strcmp(want->u.text, "numa") == 0)
		return "Each node uses the path that is nearest to it.";
	if (strcmp(want->u.text, "round-robin") == 0)
		return "Requests take all paths in turn.";
	return "Each request takes the path with the fewest requests under way.";
}

const struct knob knob_subsystem_iopolicy = {
	.name = "subsystem.iopolicy",
	.scope = SCOPE_SUBSYSTEM,
	.type = VALUE_TEXT,
	.attr = "iopolicy",
	.choices = choices,
	.flags = KNOB_MAY_REFUSE,
	.kept = KEPT_BY_SUBSYSTEM_RULE,
	.evidence = EVIDENCE_LOAD,
	.doc = {
		.summary = "which path native multipath takes for a request",
		.effect =
			"round-robin and queue-depth use all paths to a drive; numa keeps to the nearest.",
		.cost = "All paths means that some requests cross nodes.  queue-depth needs Linux 6.11.",
		.source = "Documentation/admin-guide/nvme-multipath.rst; drivers/nvme/host/multipath.c",
	},
	.recall = recall,
	.moot = knob_moot_nowhere,
	.absent = absent,
	.note = note,
	.explain = explain,
};
