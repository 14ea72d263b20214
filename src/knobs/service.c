/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/knob_list.h"

/* Its words are in a section of its own, see core/runner.h. */
const struct knob knob_service = {
	.name = "service",
	.scope = SCOPE_RUNNER,
	.type = VALUE_TEXT,
	.legal = "a section [service UNIT]: drive, numa, nodes, memory",
	.evidence = EVIDENCE_NONE,
	.kept = KEPT_BY_RUNNER,
	.doc = {
		.summary = "a service near the drive that it uses",
		.effect = "Threads submit on the CPUs whose queues interrupt near the drive, and buffers lie in memory beside it.",
		.cost = "The service has the CPUs of one node and no more; a node that is full costs latency (memory = prefer) or the service (memory = bind).",
		.source = "systemd.exec(5): NUMAPolicy, NUMAMask, CPUAffinity",
	},
};
