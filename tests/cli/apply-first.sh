#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# plan, dry run, apply, apply again, verify, drift, rollback, rollback again.
. tests/cli/apply-lib.sh

dir=$TMPDIR/host
host "$dir"
fingerprint "$dir" >"$TMPDIR/before"

oltp "$dir" --dry-run
expect 0; silent; says "dry run: nothing was written"
oltp "$dir" --dry-run --detailed-exitcode
expect 3
oltp "$dir" --dry-run --format json
expect 0; json '.schema == "nvmetune.plan/1"'
same_host "$dir" "$TMPDIR/before"
[ ! -e "$dir/var" ] || fail "a dry run left something below var"

oltp "$dir" --detailed-exitcode
expect 3; says "transaction 1: 6 changed, 0 refused, 0 failed"
tells 'nvme0n1: queue.scheduler: "mq-deadline" -> "none"'
tells "/etc/udev/rules.d/90-nvmetune.rules: written"
[ "$(scheduler "$dir" nvme1n1)" = none ] || fail "the scheduler"
head -n 1 "$dir/etc/nvmetune/applied.ini" | grep -q '^# Written by nvmetune' ||
	fail "applied.ini does not say whose it is"
[ "$(stat -c %a "$dir/var/lib/nvmetune")" = 700 ] || fail "state is not private"

fingerprint "$dir" >"$TMPDIR/applied"
oltp "$dir" --detailed-exitcode
expect 0; silent; says "nothing to do: the host is as profile oltp wants it"
nvmetune apply --sysroot "$dir" --detailed-exitcode
expect 0; says "nothing to do"
same_host "$dir" "$TMPDIR/applied"
[ "$(ls "$dir/var/lib/nvmetune/txn")" = 0001 ] || fail "a second transaction"

nvmetune verify --sysroot "$dir"
expect 0; says "no drift: all is as profile oltp was applied"
printf mq-deadline >"$dir/sys/class/block/nvme1n1/queue/scheduler"
nvmetune verify --sysroot "$dir"
expect 3; says "queue.scheduler@nvme1n1"; says "60-leftover.rules:2"
# On a narrow terminal the lines are folded.
narrow() { [ "$(awk '{ if (length > n) n = length } END { print n }' "$out")" \
	-le 80 ] || fail "lines of more than 80 columns"; }
export COLUMNS=80
nvmetune verify --sysroot "$dir"
expect 3; says "    set by /etc/udev/rules.d/60-leftover.rules:2"; narrow
nvmetune history --sysroot "$dir"; expect 0; narrow
nvmetune history show 1 --sysroot "$dir"; expect 0; narrow
unset COLUMNS
nvmetune verify --sysroot "$dir" --format json
expect 3; json '.schema == "nvmetune.verify/1" and .drift == 1 and
	.findings[0].now == "mq-deadline" and .findings[0].applied == "none"'
nvmetune apply --sysroot "$dir" --detailed-exitcode
expect 3; says "transaction 2: 1 changed"
same_host "$dir" "$TMPDIR/applied"
nvmetune verify --sysroot "$dir"
expect 0

nvmetune history --sysroot "$dir" --format json
expect 0; json '[.transactions[].state] == ["committed", "committed"]'
nvmetune history show 1 --sysroot "$dir"
expect 0; says "nvme0n1 queue.scheduler"

nvmetune rollback --sysroot "$dir" --all
expect 0; says "2 transactions undone"
same_host "$dir" "$TMPDIR/before"
for _ in 1 2; do
	nvmetune rollback --sysroot "$dir"
	expect 0; silent; says "nothing to do"
done
nvmetune verify --sysroot "$dir"
expect 0; says "nothing to verify"
nvmetune history --sysroot "$dir" --format json
json '[.transactions[].state] == ["undone", "undone"]'
