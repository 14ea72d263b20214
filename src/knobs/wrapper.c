/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/knob_list.h"

/* Its words are in a section of its own, see core/runner.h. */
const struct knob knob_wrapper = {
	.name = "wrapper",
	.scope = SCOPE_RUNNER,
	.type = VALUE_TEXT,
	.legal = "a section [wrapper NAME]: drive, numa, nodes, memory",
	.evidence = EVIDENCE_NONE,
	.kept = KEPT_BY_RUNNER,
	.doc = {
		.summary = "a command that starts others near a drive",
		.effect = "What is started with it submits on the CPUs of the drive's node and takes memory there.",
		.cost = "It has the CPUs of one node and no more; numactl must be installed.",
		.source = "numactl(8); set_mempolicy(2)",
	},
};
