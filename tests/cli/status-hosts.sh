#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# status reads every saved host, in each format, twice the same.
. tests/cli/lib.sh

n=0
for host in tests/hosts/*.json; do
	n=$((n + 1))
	nvmetune status --facts "$host"
	expect 0; silent
	! grep -q $'\033' "$out" || fail "colours in a file"
	cp "$out" "$TMPDIR/first"
	nvmetune status --facts "$host"
	cmp -s "$out" "$TMPDIR/first" || fail "not twice the same"

	nvmetune status --facts "$host" --format json
	expect 0; silent
	json '.schema == "nvmetune.status/1"'
	json '.drives | all(has("name") and has("kind"))'
	disks=$(jq '[.namespaces[]?] | length' "$host")
	json "[.drives[] | select(.kind != \"controller\")] | length == $disks"

	nvmetune status --facts "$host" --format raw
	expect 0; silent
	[ "$(awk -F'\t' '{ print NF }' "$out" | sort -u | wc -l)" -le 1 ] ||
		fail "lines of unequal length"
	nvmetune status --facts "$host" --wide; expect 0; silent
	nvmetune status --facts "$host" --compare; expect 0; silent
done
[ $n -gt 10 ] || fail "only $n saved hosts"
