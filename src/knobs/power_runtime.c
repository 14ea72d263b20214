/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "knobs/knob_list.h"

static const char *const choices[] = { "on", "auto", NULL };

static void recall(const struct knob *knob, struct arena *arena,
		   const struct facts *facts, const struct target *target,
		   struct observation *ret)
{
	const struct ctrl *ctrl = facts_ctrl(facts, target->name);

	(void)knob;
	(void)arena;
	if (!ctrl || !ctrl->runtime_pm)
		return;
	if (!value_text(ctrl->runtime_pm, &ret->value))
		ret->why = EBADMSG;
}

static const char *explain(const struct value *want)
{
	return strcmp(want->u.text, "on") == 0 ?
		       "on keeps the function and the ports above it awake." :
		       "auto lets the function, and the ports above it, sleep when they are not in use.";
}

const struct knob knob_power_runtime = {
	.name = "power.runtime",
	.scope = SCOPE_FUNCTION,
	.type = VALUE_TEXT,
	.attr = "power/control",
	.choices = choices,
	.kept = KEPT_BY_FUNCTION_RULE,
	.evidence = EVIDENCE_NONE,
	.doc = {
		.summary = "whether the PCI function may be suspended at run time",
		.effect =
			"on keeps the function and the ports above it awake, whatever a power-saving tool has set.",
		.cost = "With on the ports above the drive never sleep.  The nvme driver suspends no drive at run time, so auto saves little.",
		.source = "Documentation/power/runtime_pm.rst; Documentation/ABI/testing/sysfs-devices-power",
	},
	.explain = explain,
	.recall = recall,
};
