#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The rule for a controller's APST tests for the file first, comes again when the
# disk appears, since the file is there only once the controller is identified,
# and a drive without the file is no error.
. tests/field/lib.sh

host laptop-apst
profile <<-END
	[drives]
	power.apst = off
END
plan
file $rules >"$TMPDIR/rules"
for attr in power/pm_qos_latency_tolerance_us \
	device/power/pm_qos_latency_tolerance_us; do
	grep -qF "TEST==\"$attr\", ATTR{$attr}=\"0\"" "$TMPDIR/rules" ||
		fail "$attr is not tested for and written"
done
grep -qxF 'SUBSYSTEM!="nvme", GOTO="nvmetune_ctrl_end"' "$TMPDIR/rules" ||
	fail "the first trigger is not the controller"
# Between which labels the second one stands: disks.
sed -n '/GOTO="nvmetune_late_end"/,/LABEL="nvmetune_late_end"/p' \
	"$TMPDIR/rules" | grep -qxF 'SUBSYSTEM!="block", GOTO="nvmetune_late_end"' ||
	fail "the second trigger is not the disk"
grep -q 'ATTR{device/power/' <(sed -n \
	'/GOTO="nvmetune_late_end"/,/LABEL="nvmetune_late_end"/p' "$TMPDIR/rules") ||
	fail "the second trigger does not write"

# Without the file: not applicable, applied all the same, and nothing drifts.
tree two-nodes
find "$root" -name pm_qos_latency_tolerance_us -delete
plan
json '[.changes[] | select(.id | startswith("power.apst@")).verdict] ==
	["keep", "keep"]'
apply
expect 0
grep -qF pm_qos_latency_tolerance_us "$root$rules" || fail "no rule"
