/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * irqbalance moves the vectors that the kernel lets it move: of NVMe, those of
 * the admin queue.  It is told to leave them alone by the name of the driver.
 *
 * "off" is a condition in our drop-in that the unit does not meet while a
 * profile is applied.  A mask or a disabled unit would be links that systemctl
 * makes, which are not ours to remove; a condition is a file, goes with
 * rollback byte for byte, and is no failed unit at boot.
 */

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "core/intents.h"
#include "core/irqbalance.h"
#include "core/owner.h"
#include "core/profile.h"
#include "knobs/knob_list.h"

#define BAN "ban-nvme"
#define OFF "off"
#define ON "on" /* as it is when nobody asks for anything; only seen */

static const char *const choices[] = { BAN, OFF, NULL };

static const struct service *service_of(const struct facts *facts)
{
	VEC_EACH(&facts->services, const struct service, it)
		if (text_equal(it->name, "irqbalance"))
			return it;
	return NULL;
}

static void recall(const struct knob *knob, struct arena *arena,
		   const struct facts *facts, const struct target *target,
		   struct observation *ret)
{
	const struct service *service = service_of(facts);

	(void)knob;
	(void)arena;
	(void)target;
	if (!service || !service->state)
		return;
	if (text_equal(service->state, "absent"))
		ret->why = ENOENT;
	else if (!text_equal(service->state, "running"))
		(void)value_text(OFF, &ret->value);
	else
		(void)value_text(
			irqbalance_bans_nvme(facts->irqbalance.running) ? BAN :
									  ON,
			&ret->value);
}

static const char *absent(const struct knob *knob, struct arena *arena,
			  const struct facts *facts,
			  const struct target *target)
{
	(void)arena;
	return knob_is_nowhere(knob, facts, target) ?
		       "irqbalance is not installed" :
		       "nobody looked whether irqbalance is installed";
}

/* One that does not run moves nothing. */
static bool same(const struct knob *knob, const struct value *have,
		 const struct value *want)
{
	(void)knob;
	return value_equal(have, want) ||
	       (have->type == VALUE_TEXT && strcmp(have->u.text, OFF) == 0);
}

static const char *cannot(struct arena *arena, const struct facts *facts,
			  const struct value *asked)
{
	if (strcmp(asked->u.text, BAN) == 0)
		return irqbalance_barred(arena, facts);
	return facts->irqbalance.unit ?
		       NULL :
		       "no unit of systemd was found that starts irqbalance";
}

static int resolve(const struct knob *knob, const char *param,
		   const struct facts *facts, const struct target *target,
		   const struct value *asked, struct value *ret,
		   struct err *err)
{
	const struct observation *seen =
		facts_observed(facts, knob->name, target);
	struct arena *arena;
	const char *reason;
	int r = 0;

	(void)param;
	if (!seen || !same(knob, &seen->value, asked)) {
		arena = arena_new();
		reason = cannot(arena, facts, asked);
		if (reason)
			r = err_set(err, -EOPNOTSUPP, "%s: %s", knob->name,
				    reason);
		arena_free(arena);
	}
	if (r == 0)
		*ret = *asked;
	return r;
}

static bool is_ours(const struct facts *facts, const char *path,
		    const char *line)
{
	VEC_EACH(&facts->own_files, const struct own_file, it)
		if (text_equal(it->path, path) && owner_is_us(it->content))
			return strstr(it->content, line) != NULL;
	return false;
}

static bool written(const struct facts *facts, const struct value *want)
{
	if (strcmp(want->u.text, OFF) == 0)
		return is_ours(facts, OWNER_IRQBALANCE_UNIT,
			       "\nConditionPathExists=!");
	return irqbalance_bans_nvme(facts->irqbalance.arguments) ||
	       (is_ours(facts, OWNER_IRQBALANCE_UNIT, OWNER_IRQBALANCE) &&
		is_ours(facts, OWNER_IRQBALANCE, IRQBALANCE_BAN));
}

static bool intend(struct arena *arena, const struct facts *facts,
		   const struct setting *setting, struct intents *out)
{
	const struct irqbalance *seen = &facts->irqbalance;
	const struct service *service = service_of(facts);
	struct irqbalance_intent *intent;

	if (!service || text_equal(service->state, "absent") ||
	    cannot(arena, facts, &setting->asked))
		return false;
	intent = ARENA_NEW(arena, struct irqbalance_intent);
	*intent = (struct irqbalance_intent){ .file = setting->file,
					      .line = setting->line };
	if (strcmp(setting->asked.u.text, BAN) == 0) {
		intent->variable = seen->variable;
		intent->arguments = irqbalance_add_ban(arena, seen->arguments);
		intent->set_by = seen->set_by;
	}
	out->irqbalance = intent;
	return true;
}

static const char *note(const struct knob *knob, struct arena *arena,
			const struct facts *facts, const struct target *target,
			const struct value *want)
{
	const struct observation *seen =
		facts_observed(facts, knob->name, target);
	const struct irqbalance *it = &facts->irqbalance;
	const bool runs = seen && strcmp(seen->value.u.text, OFF) != 0;

	(void)arena;
	if (text_equal(it->enabled, "masked"))
		return "irqbalance is masked: it does not start";
	if (strcmp(want->u.text, OFF) == 0)
		return "it balances no other device either from then on";
	if (!runs)
		return "irqbalance does not run: the ban counts when it is started";
	if (text_equal(it->enabled, "disabled"))
		return "irqbalance runs, but its unit is not enabled: it does not start at boot";
	return it->running ?
		       NULL :
		       "how the one that runs was called could not be read";
}

static const char *explain(const struct value *want)
{
	return strcmp(want->u.text, OFF) == 0 ?
		       "Interrupts stay where they are put, those of all devices." :
		       "The admin vectors stay where they are put.";
}

const struct knob knob_irqbalance = {
	.name = "irqbalance",
	.scope = SCOPE_HOST,
	.type = VALUE_TEXT,
	.choices = choices,
	.kept = KEPT_BY_UNIT,
	.restarts = "irqbalance.service",
	.unkept = "no unit here takes it from a file of ours",
	.evidence = EVIDENCE_NONE,
	.doc = {
		.summary = "whether irqbalance may move the interrupts of NVMe drives",
		.effect =
			"ban-nvme adds --banmod=nvme to the arguments that the host gives it: admin vectors stay where they are put, and its log is free of attempts at the vectors that the kernel places.  off is a condition that its unit does not meet while a profile is applied.",
		.cost = "Arguments that are added to the host's own file later count after the next apply.  Before irqbalance 1.9.2 a ban did not always hold.  off: nothing spreads the interrupts of network cards and other devices any more.",
		.source = "irqbalance(1), --banmod; systemd.exec(5), EnvironmentFile=; systemd.unit(5), ConditionPathExists=",
	},
	.resolve = resolve,
	.same = same,
	.explain = explain,
	.recall = recall,
	.written = written,
	.intend = intend,
	.moot = knob_moot_nowhere,
	.absent = absent,
	.note = note,
};
