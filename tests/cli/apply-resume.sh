#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# apply is killed at every call that changes the machine, and --resume brings
# the host to what was planned, to the byte; it does not where somebody has
# changed something meanwhile, or after a boot.
. tests/cli/apply-lib.sh
needs_strace

fresh=$TMPDIR/fresh dir=$TMPDIR/host
host "$fresh"
fingerprint "$fresh" >"$TMPDIR/before"
copy "$fresh" "$dir"
nvmetune apply --sysroot "$dir" --resume
expect 0; says "nothing to resume: no transaction is open"
rm -rf "${dir:?}/var"
same_host "$dir" "$TMPDIR/before"
calls apply --sysroot "$dir" --profile tests/cli/profiles/oltp.ini >"$TMPDIR/list"
fingerprint "$dir" >"$TMPDIR/after"

# cut CALL WHEN: apply, killed there, on a fresh host.
cut() {
	copy "$fresh" "$dir"
	broken "$1:signal=KILL:when=$2" apply --sysroot "$dir" \
		--profile tests/cli/profiles/oltp.ini
	expect 137
	nvmetune history --sysroot "$dir" --format json
	state=$(jq -r '.transactions[0].state' "$out")
}

resumed=0 last=
while read -r call count; do
	for ((i = 1; i <= count; i += stride)); do
		cut "$call" "$i"
		[ "$state" = open ] || continue
		last="$call $i"
		nvmetune apply --sysroot "$dir" --resume
		expect 0
		doing "$call $i, then --resume"
		same_host "$dir" "$TMPDIR/after"
		resumed=$((resumed + 1))
		nvmetune rollback --sysroot "$dir"
		expect 0
		doing "$call $i, --resume, then rollback"
		same_host "$dir" "$TMPDIR/before"
	done
done <"$TMPDIR/list"
[ $resumed -ge $((20 / stride)) ] || fail "resumed only $resumed times"

points $resumed

# Killed again while it resumes, and failing: rollback is always the way back.
for call in write renameat fdatasync; do
	for i in 1 2 3; do
		cut $last
		broken "$call:signal=KILL:when=$i" apply --sysroot "$dir" --resume
		[ "$rc" = 137 ] || continue
		nvmetune apply --sysroot "$dir" --resume
		expect 0
		doing "$call $i of --resume, then --resume"
		same_host "$dir" "$TMPDIR/after"
		cut $last
		broken "$call:error=EIO:when=$i+" apply --sysroot "$dir" --resume
		nvmetune rollback --sysroot "$dir"
		expect 0
		doing "$call $i of --resume fails, then rollback"
		same_host "$dir" "$TMPDIR/before"
	done
done

# Where the first value is written: the other drive's is somebody's now.
for ((i = 1; ; i++)); do
	cut write "$i"
	[ "$(cat "$dir/sys/class/block/nvme0n1/queue/scheduler")" != none ] ||
		break
done
[ "$state" = open ] || fail "not open"
nvmetune apply --sysroot "$dir" --profile tests/cli/profiles/oltp.ini
expect 7; tells '"nvmetune apply --resume" finishes it'
printf kyber >"$dir/sys/class/block/nvme1n1/queue/scheduler"
fingerprint "$dir" >"$TMPDIR/now-open"
nvmetune apply --sysroot "$dir" --resume
expect 7; tells 'somebody made it "kyber"'; one_line
cp "$TMPDIR/now-open" "$TMPDIR/mid"
same_host "$dir" "$TMPDIR/mid"
printf mq-deadline >"$dir/sys/class/block/nvme1n1/queue/scheduler"

printf '11111111-2222-3333-4444-555555555555\n' \
	>"$dir/proc/sys/kernel/random/boot_id"
nvmetune apply --sysroot "$dir" --resume
expect 7; tells "is of another boot"
nvmetune rollback --sysroot "$dir"
expect 0

nvmetune apply --sysroot "$dir" --resume --profile base
expect 2; tells "--resume finishes what was planned"
