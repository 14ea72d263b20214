/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "knobs/knob_list.h"

static const char *const choices[] = { "none", "mq-deadline", "kyber", "bfq",
				       NULL };
static const char *const disturbs[] = { "queue.nr_requests",
					"queue.wbt_lat_usec", NULL };

static int parse(const struct knob *knob, const char *param, const char *text,
		 struct value *ret, struct err *err)
{
	(void)param;
	for (size_t i = 0; choices[i]; i++)
		if (strcmp(choices[i], text) == 0)
			return value_text(text, ret) ? 0 : -EINVAL;
	/* The names of before blk-mq, still in many guides. */
	if (strcmp(text, "noop") == 0)
		return err_set(err, -EINVAL,
			       "%s: \"noop\" is gone since blk-mq: use none",
			       knob->name);
	if (strcmp(text, "deadline") == 0)
		return err_set(
			err, -EINVAL,
			"%s: \"deadline\" is gone since blk-mq: use mq-deadline",
			knob->name);
	return err_set(
		err, -EINVAL,
		"%s: \"%s\" is not none, mq-deadline, kyber, bfq or keep",
		knob->name, text);
}

/*
 * A zoned namespace needs its writes in order.  Before zone write plugging
 * (6.10, block/blk-zoned.c) only mq-deadline kept it, and any other scheduler
 * loses writes: refused where plugging is not seen.
 */
static int resolve(const struct knob *knob, const char *param,
		   const struct facts *facts, const struct target *target,
		   const struct value *asked, struct value *ret,
		   struct err *err)
{
	const struct ns *ns = facts_ns(facts, target->name);

	(void)param;
	if (ns && ns->zoned && strcmp(ns->zoned, "none") != 0 &&
	    strcmp(asked->u.text, "mq-deadline") != 0 &&
	    !num_or(facts->zone_write_plugging, 0))
		return err_set(
			err, -EOPNOTSUPP,
			"%s: the namespace is zoned (%s) and this kernel shows no zone write plugging: only mq-deadline keeps writes in order",
			knob->name, ns->zoned);
	*ret = *asked;
	return 0;
}

/* A rule runs on whatever kernel is booted, perhaps one without plugging. */
static bool spare(const struct value *value, struct match_term *ret,
		  const char **ret_why)
{
	if (strcmp(value->u.text, "mq-deadline") == 0)
		return false;
	*ret = (struct match_term){ .key = MATCH_ZONED, .pattern = "none" };
	*ret_why =
		"our rule spares zoned drives: the next kernel may not keep their writes in order";
	return true;
}

#define EFFECT_OF_NONE \
	"none sends each request to the drive's own queues at once: the least CPU per request."

static const char *explain(const struct value *want)
{
	if (strcmp(want->u.text, "none") == 0)
		return EFFECT_OF_NONE;
	if (strcmp(want->u.text, "mq-deadline") == 0)
		return "mq-deadline sends reads before writes and lets no request wait too long, for more CPU per request.";
	if (strcmp(want->u.text, "kyber") == 0)
		return "kyber holds writes back while reads are slower than its target, for more CPU per request.";
	return "bfq shares the drive fairly between processes, for much more CPU per request.";
}

/* The kernel loads it when it is asked for, under this name (block/elevator.c,
 * elv_iosched_load_module() and its predecessors). */
static const char *note(const struct knob *knob, struct arena *arena,
			const struct facts *facts, const struct target *target,
			const struct value *want)
{
	const struct observation *seen =
		facts_observed(facts, knob->name, target);

	if (!seen || !seen->choices ||
	    text_has_word(seen->choices, want->u.text))
		return NULL;
	return arena_printf(
		arena,
		"not among those offered now (%s): the kernel needs the module %s-iosched for it",
		seen->choices, want->u.text);
}

const struct knob knob_queue_scheduler = {
	.name = "queue.scheduler",
	.scope = SCOPE_QUEUE,
	.place = PLACE_MQ,
	.type = VALUE_TEXT,
	.attr = "queue/scheduler",
	.choices = choices,
	.kept = KEPT_BY_DISK_RULE,
	.evidence = EVIDENCE_LOAD,
	.disturbs = disturbs,
	.doc = {
		.summary = "how the kernel orders requests before the drive",
		.effect = EFFECT_OF_NONE,
		.cost = "Without a scheduler nothing shares the drive fairly between processes or holds writes back for reads; mq-deadline, kyber and bfq do, for CPU time.",
		.source = "Documentation/block/switching-sched.rst; block/elevator.c",
	},
	.parse = parse,
	.resolve = resolve,
	.spare = spare,
	.note = note,
	.explain = explain,
};
