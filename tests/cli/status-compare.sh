#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --compare shows the columns in which drives differ, and no other.
. tests/cli/lib.sh

nvmetune status --compare --facts tests/hosts/namespaces-24.json
expect 0; silent; says "SCHEDULER"; says "NR_REQ"
! grep -qE 'MODEL|FIRMWARE|NODE|HEALTH' "$out" || fail "columns of equal cells"
[ "$(wc -l <"$out")" = 25 ] || fail "not one line a drive"

nvmetune status --compare --format json --facts tests/hosts/namespaces-24.json
json '.differing | length == 24'
json '.differing[0] | has("scheduler") and (has("model") | not)'

nvmetune status --compare --facts tests/hosts/bench-x1.json
expect 0; says "only one drive to compare"
nvmetune status --compare --facts tests/hosts/no-nvme.json
expect 0; says "no drives to compare"
jq '.observed |= map(if .knob == "queue.scheduler" then .value = "none" elif
	.knob == "queue.nr_requests" then .value = 1023 else . end)' \
	tests/hosts/namespaces-24.json >"$TMPDIR/same.json"
nvmetune status --compare --facts "$TMPDIR/same.json"
expect 0; says "the 24 drives do not differ"
