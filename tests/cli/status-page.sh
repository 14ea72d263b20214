#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What an engineer looks for first is on the page.
. tests/cli/lib.sh

nvmetune status --facts tests/hosts/hygon-8node.json
expect 0
for text in "SAMSUNG MZQL23T8HCLS-00B7C" "16.0 GT/s x4" "128/0/0" "16 of 128" \
	"3.84 TB" "48-63,176-191" "nvmetune run nvme0n1 -- COMMAND" \
	"DMA-FQ (lazy)" "irqbalance" "governor performance"; do
	says "$text"
done

nvmetune status --facts tests/hosts/bench-x1.json
says "8.0 GT/s x1"; says "8.0 GT/s x4"; says "reseat"; says "vfio-pci"
nvmetune status --facts tests/hosts/bench-x1.json --format json
json '.drives[0].link_state == "trained-down" and .drives[0].link_mbs == 985'
json '.unmanaged[0].driver == "vfio-pci"'
nvmetune status --facts tests/hosts/bench-x1-slot.json --format json
json '.drives[0].link_state == "slot-limited"'

# A head has no queue of its own, its paths have.
nvmetune status --facts tests/hosts/multipath-2node.json --format json
json '.drives | map(.kind) == ["head", "path", "path"]'
json '.drives[0] | has("scheduler") | not'
json '.drives[1].scheduler == "mq-deadline" and .drives[2].scheduler == "none"'
json '.drives[0].in_use_by == ["/srv"]'

# Unknown is its own answer.
nvmetune status --facts tests/hosts/not-root.json
says "unknown"; says "not seen"
nvmetune status --facts tests/hosts/not-root.json --format json
json '.drives[0].temperature_c == null and .drives[0].node == null'
json '.drives[0].coalescing == null and (.blind | length) > 0'

nvmetune status --facts tests/hosts/no-nvme.json
expect 0; silent; says "no NVMe controllers"
[ "$(wc -l <"$out")" = 1 ] || fail "more than a line about nothing"

nvmetune status --facts tests/hosts/laptop-apst.json
says "on, 100 ms"; says "L1.2"
nvmetune status --facts tests/hosts/db-low-latency.json
says "8/100 us"; says "swap on nvme0n1p2"
nvmetune status --facts tests/hosts/db-low-latency.json --format json
json '.drives[0] | .coalescing_completions == 8 and .coalescing_us == 100'

# What a drive does not have is left out, and is not unknown.
nvmetune status --facts tests/hosts/hygon-8node.json --format json
json '.drives[0] | [has("apst", "pm_qos_latency_us", "coalescing_us")] |
	any | not'

# A drive that is not well is told at the end of the page, too.
jq ".ctrls[0].smart.critical_warning = 4" tests/hosts/hygon-8node.json \
	>"$TMPDIR/unwell.json"
nvmetune status --facts "$TMPDIR/unwell.json"
says "warning    nvme0: the drive warns of itself: reliability degraded"

# No line is wider than the terminal, where the columns allow it.
for host in hygon-8node multipath-2node laptop-apst namespaces-24; do
	COLUMNS=80 nvmetune status --wide --facts tests/hosts/$host.json
	expect 0
	[ "$(wc -L <"$out")" -le 80 ] || fail "$host is wider than 80 columns"
done
