#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The third change of a profile fails in the middle: the first two are back as
# before, exit 1, one line of cause; and so for every other change.
. tests/cli/apply-lib.sh
needs_strace

fresh=$TMPDIR/fresh dir=$TMPDIR/host profile=$TMPDIR/three.ini
cat >"$profile" <<-END
	[profile]
	summary = Three changes of one drive
	[drives]
	queue.scheduler = none
	queue.nomerges = 2
	queue.read_ahead_kb = 0
END
host "$fresh"
rm -r "$fresh/sys/class/nvme/nvme1" "$fresh/sys/class/block/nvme1n1"
fingerprint "$fresh" >"$TMPDIR/before"

# Which of its writes go to these three, in order; others put back what the
# switch of the scheduler moves.
copy "$fresh" "$dir"
strace -f -y -o "$TMPDIR/calls" -e trace=write "$NVMETUNE" apply \
	--sysroot "$dir" --profile "$profile" >"$out" 2>"$err" ||
	fail "apply, traced"
tells 'queue.scheduler: "mq-deadline" -> "none"'
mapfile -t writes < <(grep ' write(' "$TMPDIR/calls" |
	grep -nE '<[^>]*/queue/(scheduler|nomerges|read_ahead_kb)>' |
	cut -d: -f1)
[ ${#writes[@]} = 3 ] || fail "${#writes[@]} attributes were written, not 3"

for ((i = 0; i < 3; i++)); do
	copy "$fresh" "$dir"
	broken "write:error=ENOMEM:when=${writes[i]}" apply --sysroot "$dir" \
		--profile "$profile"
	expect 1
	[ "$(grep -c "Cannot allocate memory" "$err")" = 1 ] ||
		fail "not one line of cause"
	tail -n 1 "$err" | grep -q '^nvmetune: .*queue\..*: Cannot allocate memory$' ||
		fail "the cause is not the last word"
	tells "transaction 1 is undone, the host is as before"
	[ "$(grep -c ' -> ' "$err")" = "$i" ] || fail "not $i were done before"
	same_host "$dir" "$TMPDIR/before"
	nvmetune history --sysroot "$dir" --format json
	json '[.transactions[].state] == ["undone"]'
	nvmetune verify --sysroot "$dir"
	expect 0; says "nothing to verify"
	nvmetune rollback --sysroot "$dir"
	expect 0; says "nothing to do"
done
