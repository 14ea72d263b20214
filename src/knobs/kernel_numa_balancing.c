/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "knobs/knob_list.h"

static bool moot(const struct knob *knob, const struct facts *facts,
		 const struct target *target, const struct value *asked)
{
	return knob_is_nowhere(knob, facts, target) && asked->u.number == 0;
}

static const char *absent(const struct knob *knob, struct arena *arena,
			  const struct facts *facts,
			  const struct target *target)
{
	(void)arena;
	return knob_is_nowhere(knob, facts, target) ?
		       "this kernel does not balance memory over nodes" :
		       NULL;
}

static const char *note(const struct knob *knob, struct arena *arena,
			const struct facts *facts, const struct target *target,
			const struct value *want)
{
	(void)knob;
	(void)arena;
	(void)target;
	(void)want;
	return facts->nodes.n == 1 ?
		       "this host has one node: there is nothing to balance" :
		       NULL;
}

const struct knob knob_kernel_numa_balancing = {
	.name = "kernel.numa_balancing",
	.scope = SCOPE_HOST,
	.type = VALUE_UINT,
	.attr = "proc/sys/kernel/numa_balancing",
	.min = 0,
	.max = 2,
	.flags = KNOB_MAY_REFUSE,
	.kept = KEPT_BY_SYSCTL,
	.evidence = EVIDENCE_LOAD,
	.doc = {
		.summary = "whether the kernel moves memory to the node that uses it",
		.effect =
			"0 spares processes that are bound to nodes already the page faults by which the kernel finds out.",
		.cost = "0 leaves the memory of processes that are not bound where it was first touched.",
		.source = "Documentation/admin-guide/sysctl/kernel.rst, numa_balancing",
	},
	.moot = moot,
	.absent = absent,
	.note = note,
};
