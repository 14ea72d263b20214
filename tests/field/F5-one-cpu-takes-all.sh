#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Interrupts that pile up on one CPU are found from what was added between two
# looks, never from totals; and whether they can be moved or the hypervisor
# delivers them so.
. tests/field/lib.sh

# 8 CPUs, a queue each; all of what came between two looks came in on CPU 0.
host cloud-8vcpu '.ctrls = [.ctrls[0]] | .ctrls[0] += { queue_count: 9,
	queues_default: 8, vectors: [range(9) | { irq: (40 + .), queue: .,
	managed: (. > 0), mask: (if . == 0 then "0-7" else "\(. - 1)" end),
	effective: (if . == 0 then "0" else "\(. - 1)" end), node: 0,
	count: 44000000 }] } | .ctrls[0].name as $name |
	.samples = { interval_ms: 1000, vectors: [range(9) | { ctrl: $name,
	irq: (40 + .), queue: ., interrupts: { cpus: "0", counts: [4000] } }] }'
drive=$(jq -r '.ctrls[0].name' "$facts")
text() {
	jq -r '[.advice[] | select(.id == "irq.concentrated").text][0]' "$out"
}
status
advises irq.concentrated "$drive"
[[ $(text) = *"32000 interrupts a second of 8 queues come in on CPU 0"* ]] ||
	fail "$(text)"
[[ $(text) = *"the hypervisor or the platform delivers them so"* ]] ||
	fail "$(text)"

# Vectors that are not the kernel's, as before 4.8: these can be moved.
edit '.ctrls[0].vectors |= map(. + { managed: false, mask: "0-7",
	effective: "0" })'
status
[[ $(text) = *"these can be moved: irq.affinity = spread" ]] || fail "$(text)"

# The same totals, and each queue on its CPU: nothing to say.
edit '.samples.vectors |= map(.interrupts.cpus = "\([.queue - 1, 0] | max)")'
status
advises_not irq.concentrated
edit 'del(.samples)'
status
advises_not irq.concentrated
