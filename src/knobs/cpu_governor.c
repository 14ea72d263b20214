/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "knobs/knob_list.h"
#include "sys/sysroot.h"

static const char *const choices[] = {
	"performance",	"powersave", "schedutil", "ondemand",
	"conservative", "userspace", NULL
};

/* The file names one governor, another one beside it those that there are. */
static void observe(const struct knob *knob, const struct sysroot *root,
		    struct arena *arena, const struct target *target,
		    struct observation *ret)
{
	int why = 0;
	const char *text = sysroot_text(
		root, arena,
		arena_printf(arena, "%s/%s", target->dir, knob->attr), &why);

	if (!text) {
		ret->why = why;
		return;
	}
	if (knob_read_value(knob, text, &ret->value) < 0)
		ret->why = EBADMSG;
	ret->choices = sysroot_text(
		root, arena,
		arena_printf(arena, "%s/scaling_available_governors",
			     target->dir),
		NULL);
}

static bool moot(const struct knob *knob, const struct facts *facts,
		 const struct target *target, const struct value *asked)
{
	(void)knob;
	(void)target;
	(void)asked;
	return facts->cpu_policies.n == 0 && !facts->governor;
}

static const char *absent(const struct knob *knob, struct arena *arena,
			  const struct facts *facts,
			  const struct target *target)
{
	(void)knob;
	(void)arena;
	(void)target;
	if (facts->cpu_policies.n)
		return NULL;
	return facts->hypervisor ?
		       "the frequency of a guest's CPUs is the hypervisor's" :
		       "the kernel sets no CPU frequencies here";
}

static const char *explain(const struct value *want)
{
	if (strcmp(want->u.text, "performance") == 0)
		return "performance keeps the CPUs at speed: a request's work after a pause is not done at the lowest clock.";
	return "The CPUs clock down when there is little to do, which saves power.";
}

const struct knob knob_cpu_governor = {
	.name = "cpu.governor",
	.scope = SCOPE_CPUS,
	.type = VALUE_TEXT,
	.attr = "scaling_governor",
	.choices = choices,
	.flags = KNOB_MAY_REFUSE,
	.kept = KEPT_BY_CPU_RULE,
	.evidence = EVIDENCE_LOAD,
	.doc = {
		.summary = "who sets the clock of the CPUs",
		.effect =
			"performance keeps the CPUs at speed, which every request's share of CPU time depends on.",
		.cost = "More power and heat when idle; a power-saving service may set it back.",
		.source = "Documentation/admin-guide/pm/cpufreq.rst",
	},
	.observe = observe,
	.moot = moot,
	.absent = absent,
	.explain = explain,
};
