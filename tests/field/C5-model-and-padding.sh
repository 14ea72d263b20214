#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A model is kept and compared without its padding, and whatever is in it is
# quoted; a rule of others with the wrong number of blanks never matches.
. tests/field/lib.sh

tree two-nodes
capture
json '[.ctrls[].model] == ["QEMU NVMe Ctrl", "QEMU NVMe Ctrl"]'
json '[.ctrls[].serial] == ["LAB1", "LAB0"]'

lint tests/lint/c5-model.rules
expect 1
[ "$(wc -l <"$out")" = 1 ] || fail "not one finding"
says "c5-model.rules:2: never matches: with blanks at its end the model is compared with all 40 characters, and these are 28"

rule_of() { # pattern of the profile
	profile <<-END
		[drives a]
		match.model = $1
		queue.rq_affinity = 2
	END
	plan
	rule=$(file $rules | grep -F 'ATTR{queue/rq_affinity}="2"')
}
host two-socket-32cpu '.ctrls[0].model = "Amazon Elastic Block Store"'
rule_of "Amazon Elastic Block Store"
[[ $rule = *'ATTRS{model}=="Amazon Elastic Block Store",'* ]] ||
	fail "padded or not quoted: $rule"
json '[.changes[] | select(.key == "queue.rq_affinity")] | length == 1'

# Each of these means itself, in the plan and in the rule.
model='Odd|Drive [2] "x*" \ ?'
host two-socket-32cpu
jq --arg model "$model" '.ctrls[0].model = $model' "$facts" >"$TMPDIR/odd"
mv "$TMPDIR/odd" "$facts"
rule_of 'Odd\|Drive \[2\] "x\*" \\ \?'
json '[.changes[] | select(.key == "queue.rq_affinity")] | length == 1'
[ "$(grep -o 'ATTRS{model}' <<<"$rule" | wc -l)" = 1 ] || fail "$rule"
# Read by our own eyes the rule is for this drive, and for no plain one.
file $rules >"$TMPDIR/90-nvmetune.rules"
mkdir -p "$TMPDIR/r"
edit '.rules = []'
jq --rawfile text "$TMPDIR/90-nvmetune.rules" '.rules = [$text | split("\n") |
	to_entries[] | select(.value | test("^[A-Z]")) |
	{ file: "/etc/udev/rules.d/60-other.rules", line: (.key + 1),
	text: .value } + (.value | capture("ATTR\\{(?<attr>queue/[a-z_]+)\\}=\"(?<value>[^\"]*)\"$") // {})]' \
	"$facts" >"$TMPDIR/odd" || fail jq
mv "$TMPDIR/odd" "$facts"
edit '(.observed[] | select(.knob == "queue.rq_affinity").value) = 2'
plan
change queue.rq_affinity@nvme0n1 '.set_by | length == 1 and
	(.[0] | startswith("/etc/udev/rules.d/60-other.rules:"))'
edit '.ctrls[0].model = "Odd"'
profile <<-END
	[drives]
	queue.rq_affinity = 2
END
plan
change queue.rq_affinity@nvme0n1 '(.set_by // []) == []'
