#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Ended in the middle of a block, by whatever: apply --confirm leaves nothing
# that is not put back, at once or by rollback.
# shellcheck shell=bash
. tests/cli/apply-lib.sh

h=$TMPDIR/host
host "$h"
fingerprint "$h" >"$TMPDIR/before"
export QUEUE=$h/sys/class/block/nvme0n1/queue LEFT=$TMPDIR/left SIGNAL

# The run that finds LEFT used up, in the arm of after, sends SIGNAL to
# nvmetune, whose child's child it may be.
cat >"$TMPDIR/load" <<'EOF'
#!/bin/bash
n=$(<"$LEFT")
echo $((n - 1)) >"$LEFT"
if [ "$n" -le 0 ] && [ "$(<"$QUEUE/scheduler")" = none ]; then
	pid=$PPID
	until [ "$(<"/proc/$pid/comm")" = nvmetune ]; do
		read -r _ _ _ pid _ <"/proc/$pid/stat"
	done
	kill -"$SIGNAL" "$pid"
	sleep 10
fi
echo iops=1000
EOF
chmod +x "$TMPDIR/load"

# ended SIGNAL RUNS: nvmetune after so many runs.
ended() {
	SIGNAL=$1
	echo "$2" >"$LEFT"
	oltp "$h" --confirm --workload "$TMPDIR/load"
}

for runs in 1 6 20; do
	ended KILL "$runs"
	expect 137
	[ "$(scheduler "$h" nvme0n1)" = none ] || fail "it did not end in after"
	oltp "$h"
	expect 7
	tells 'brings the host back to before it'
	! grep -q resume "$err" || fail "a trial cannot be resumed"
	nvmetune apply --resume --sysroot "$h"
	expect 7
	tells 'only measured'
	nvmetune rollback --sysroot "$h"
	expect 0
	same_host "$h" "$TMPDIR/before"
done

for signal in INT TERM; do
	ended $signal 6
	expect 1
	tells 'interrupted'
	tells 'is over, the host is as before'
	same_host "$h" "$TMPDIR/before"
	nvmetune history --sysroot "$h" --format json
	json '.transactions[-1].state == "trial"'
	json '.transactions[-1].verdicts == "queue.scheduler BROKEN OFF"'
	# What was measured until then is kept all the same.
	nvmetune history show "$(jq '.transactions[-1].id' "$out")" \
		--sysroot "$h" --format json
	json '.confirm.keys[0].slices | length >= 4'
done
