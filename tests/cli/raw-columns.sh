#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Raw lines have the columns that docs/json.md names.
. tests/cli/apply-lib.sh

# columns_of COMMAND: their names in the document, as an array.
columns_of() {
	read -ra columns < <(sed -n '/^## raw/,$p' docs/json.md |
		sed -nE "s/^\| .*\`$1\`.* \| (.*) \|\$/\1/p")
	[ ${#columns[@]} -gt 3 ] || fail "$1: its columns are not described"
}

as_described() { # COMMAND, of which the last run was one
	local n
	columns_of "$1"
	[ -s "$out" ] || fail "no line"
	n=$(awk -F'\t' '{ print NF }' "$out" | sort -u)
	[ "$n" = ${#columns[@]} ] || fail "$n columns, not ${#columns[@]}"
}

host=tests/hosts/db-low-latency.json
nvmetune status --facts $host --format raw
as_described status
# The names are right: JSON has the same under them.
cp "$out" "$TMPDIR/raw"
nvmetune status --facts $host --format json
for i in "${!columns[@]}"; do
	shown=$(cut -f $((i + 1)) "$TMPDIR/raw")
	wanted=$(jq -r --arg name "${columns[i]}" '.drives[0] |
		if has($name) and ($name != "in_use_by")
		then .[$name] else empty end' "$out")
	[ -z "$wanted" ] || [ "$shown" = "$wanted" ] ||
		fail "${columns[i]}: $shown is not $wanted"
done

nvmetune plan --facts $host --profile oltp --format raw
as_described plan
nvmetune profile list --format raw; as_described "profile list"
nvmetune profile show oltp --format raw; as_described "profile show"
nvmetune explain --format raw; as_described explain

dir=$TMPDIR/host
host "$dir"
oltp "$dir" --dry-run --format raw; as_described "apply --dry-run"
oltp "$dir" --format raw; as_described apply
printf mq-deadline >"$dir/sys/class/block/nvme0n1/queue/scheduler"
nvmetune verify --sysroot "$dir" --format raw; as_described verify
nvmetune history --sysroot "$dir" --format raw; as_described history
nvmetune history show 1 --sysroot "$dir" --format raw
as_described "history show"
nvmetune rollback --sysroot "$dir" --format raw; as_described rollback
