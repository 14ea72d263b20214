/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/knob_list.h"

static const struct knob_word words[] = {
	{ .word = "forbidden", .number = 0 },
	{ .word = "allowed", .number = 1 },
	{ .word = NULL },
};

static void recall(const struct knob *knob, struct arena *arena,
		   const struct facts *facts, const struct target *target,
		   struct observation *ret)
{
	const struct ctrl *ctrl = facts_ctrl(facts, target->name);

	(void)knob;
	(void)arena;
	if (!ctrl)
		return;
	if (ctrl->d3cold_allowed.known)
		ret->value = value_uint((uint64_t)ctrl->d3cold_allowed.value);
	else
		ret->why = ctrl->d3cold_allowed.why;
}

static const char *explain(const struct value *want)
{
	return want->u.number ?
		       "allowed lets the slot lose its power while the machine sleeps." :
		       "forbidden keeps the drive powered over suspend and resume.";
}

const struct knob knob_power_d3cold = {
	.name = "power.d3cold",
	.scope = SCOPE_FUNCTION,
	.type = VALUE_UINT,
	.attr = "d3cold_allowed",
	.min = 0,
	.max = 1,
	.words = words,
	.kept = KEPT_BY_FUNCTION_RULE,
	.evidence = EVIDENCE_NONE,
	.doc = {
		.summary = "whether the slot may lose its power in suspend",
		.effect =
			"forbidden keeps a drive that does not come back from D3cold alive over suspend and resume.",
		.cost = "forbidden draws more power while the machine sleeps, and may keep it from its deepest sleep.",
		.source = "Documentation/ABI/testing/sysfs-bus-pci; drivers/pci/pci-sysfs.c, d3cold_allowed_store()",
	},
	.explain = explain,
	.recall = recall,
};
