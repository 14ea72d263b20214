#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# apply --confirm: what is shown to be better stays, the rest is put back, and
# whatever ends the measurement, nothing of it is left.  A command is the load,
# whose answer depends on the attributes of the tree.
# shellcheck shell=bash
. tests/cli/apply-lib.sh

h=$TMPDIR/host
queue=$h/sys/class/block/nvme0n1/queue
host "$h"
fingerprint "$h" >"$TMPDIR/before"

# load: prints a throughput; none is worth GAIN of it more, another depth DEPTH.
# What differs from run to run follows from their number.
export QUEUE=$queue GAIN=0 DEPTH=0 RUNS=$TMPDIR/runs
cat >"$TMPDIR/load" <<'EOF'
#!/bin/bash
run=$(($(<"$RUNS") + 1))
echo "$run" >"$RUNS"
n=$((100000 + run * 7919 % 101))
[ "$(<"$QUEUE/scheduler")" != none ] || n=$((n + GAIN))
[ "$(<"$QUEUE/nr_requests")" = 512 ] || n=$((n + DEPTH))
[ -z "${FAIL-}" ] || exit 3
[ "$run" != "${MEDDLE-}" ] || printf 300 >"$QUEUE/nr_requests"
[ -z "${NOISE-}" ] || n=$((n + run * 7919 % 30011))
echo "iops=$n"
EOF
chmod +x "$TMPDIR/load"

# With as much time a run that a busy machine holds up for long has not failed.
confirm() {
	echo 0 >"$RUNS"
	oltp "$h" --confirm --seed 1 --time 300 --workload "$TMPDIR/load" "$@"
}
results() { # ID FILTER: of its JSON
	nvmetune history show "$1" --sysroot "$h" --format json
	json "$2"
}
back() { # the host and no rule, as before
	nvmetune rollback --all --sysroot "$h"
	expect 0
	same_host "$h" "$TMPDIR/before"
}

# One key helps, the other does not.
GAIN=5000
confirm
expect 5
says 'CONFIRMED'
says 'REJECTED (too small)'
says 'transaction 2: '
tells 'measuring 2 keys, one by one, takes '
tells 'queue.scheduler: block 8 of 12, 24 at most'
[ "$(scheduler "$h" nvme1n1)" = none ] || fail "the scheduler was not kept"
[ "$(<"$queue/nr_requests")" = 512 ] || fail "the depth was not put back"
grep -q scheduler "$h/etc/udev/rules.d/90-nvmetune.rules" ||
	fail "no rule keeps what was confirmed"
! grep -rq nr_requests "$h/etc/udev/rules.d/90-nvmetune.rules" \
	"$h/etc/nvmetune/applied.ini" ||
	fail "what was rejected is kept for the next boot"
nvmetune verify --sysroot "$h"
expect 0
nvmetune history --sysroot "$h" --format json
json '[.transactions[] | .state] == ["trial", "committed"] and
	.transactions[1].trial == 1 and (.transactions[0].verdicts |
	startswith("queue.scheduler CONFIRMED, queue.nr_requests REJECTED"))'
results 1 '.trial and .confirm.mode == "each" and
	([.confirm.keys[] | [.key, .kept]] ==
		[["queue.scheduler", true], ["queue.nr_requests", false]]) and
	(.confirm.keys[0] | .verdict == "CONFIRMED" and .blocks == 8 and
		(.effect_ppm | .estimate > 40000 and .lower > 0) and
		(.slices | length == 32) and .slices[0].rate > 0 and
		(.before.rate < .after.rate))'
nvmetune history show 1 --sysroot "$h"
says 'REJECTED (too small)'
says 'runs of "'
nvmetune history show 2 --sysroot "$h"
says 'confirmed by trial 1'

# The transaction is what rollback takes back, and the trial is nothing.
nvmetune rollback --sysroot "$h"
expect 0
says '1 transaction undone'
same_host "$h" "$TMPDIR/before"

# Both help: together they are measured once more, and both stay.
DEPTH=5000
confirm --format json
expect 0
json '.transaction > .confirm.trial and .changed == 6 and
	([.confirm.keys[].verdict] == ["CONFIRMED", "CONFIRMED"]) and
	(.confirm.together[0] | .key == "kept together" and .kept and
		.blocks == 12 and (has("slices") | not))'
back

# Neither does: nothing is kept, and everything else of the profile is.
GAIN=-5000 DEPTH=0
confirm
expect 5
says 'REJECTED (regression)'
[ "$(scheduler "$h" nvme0n1)" = mq-deadline ] || fail "a regression was kept"
back

# A key that another profile has set already stays as that one wants it, now and
# after a boot; and that nothing was kept is not "as wanted".
GAIN=0
for it in none kyber; do
	printf '[drives]\nqueue.scheduler = %s\n' "$it" >"$TMPDIR/$it.ini"
done
nvmetune apply --sysroot "$h" --profile "$TMPDIR/none.ini"
fingerprint "$h" >"$TMPDIR/applied"
nvmetune apply --sysroot "$h" --profile "$TMPDIR/kyber.ini" --confirm \
	--workload "$TMPDIR/load"
expect 5
says 'nothing is kept: the host is as before'
same_host "$h" "$TMPDIR/applied"
back
# Also where that one was applied for now only, and no file tells of it.
nvmetune apply --sysroot "$h" --profile "$TMPDIR/none.ini" --live-only
fingerprint "$h" >"$TMPDIR/applied"
nvmetune apply --sysroot "$h" --profile "$TMPDIR/kyber.ini" --live-only \
	--confirm --workload "$TMPDIR/load"
expect 5
says 'nothing is kept: the host is as before'
same_host "$h" "$TMPDIR/applied"
back
GAIN=-5000

# [confirm] required stays whatever is measured.
cat tests/cli/profiles/oltp.ini - >"$TMPDIR/required.ini" <<'EOF'
[confirm]
required = queue.scheduler
EOF
nvmetune apply --sysroot "$h" --profile "$TMPDIR/required.ini" --confirm \
	--seed 1 --workload "$TMPDIR/load"
expect 5
says 'kept, required'
[ "$(scheduler "$h" nvme0n1)" = none ] || fail "a required key was put back"
back

# What was applied before stays, and is kept for the next boot, where something
# else does not prove itself.
GAIN=5000
oltp "$h"
expect 0
cp "$h/etc/udev/rules.d/90-nvmetune.rules" "$TMPDIR/rules"
sed 's/= none/= kyber/' tests/cli/profiles/oltp.ini >"$TMPDIR/kyber.ini"
nvmetune apply --sysroot "$h" --profile "$TMPDIR/kyber.ini" --confirm \
	--seed 1 --workload "$TMPDIR/load"
expect 5
says 'REJECTED (regression)'
[ "$(scheduler "$h" nvme0n1)" = none ] || fail "what was applied is gone"
grep -q 'queue.scheduler = none' "$h/etc/nvmetune/applied.ini" ||
	fail "applied.ini forgot what was applied"
cmp -s <(grep -v '^#' "$TMPDIR/rules") \
	<(grep -v '^#' "$h/etc/udev/rules.d/90-nvmetune.rules") ||
	fail "the rules are not as before"
nvmetune verify --sysroot "$h"
expect 0
# What somebody changed since, and turns out to be better, stays, too.
for disk in nvme0n1 nvme1n1; do
	printf mq-deadline >"$h/sys/class/block/$disk/queue/scheduler"
done
GAIN=-5000
nvmetune apply --sysroot "$h" --confirm --seed 1 --workload "$TMPDIR/load"
expect 5
[ "$(scheduler "$h" nvme0n1)" = mq-deadline ] || fail "a regression was kept"
nvmetune verify --sysroot "$h"
expect 0
nvmetune rollback --all --force --sysroot "$h"
expect 0
same_host "$h" "$TMPDIR/before"

# The set as a whole.
GAIN=5000
confirm --confirm=all
expect 0
says 'all '
[ "$(<"$queue/nr_requests")" = 1023 ] || fail "half of the set was kept"
back
GAIN=0
confirm --confirm=all
expect 5
[ "$(grep -c 'put back' "$out")" = 3 ] || fail "keys are not said to go back"
[ "$(scheduler "$h" nvme0n1)" = mq-deadline ] || fail "half of the set was kept"
back

# Somebody who changes a value meanwhile: that block does not count.
GAIN=5000
MEDDLE=7 confirm
expect 5
says 'CONFIRMED'
tells 'queue.scheduler: a block does not count: nvme0n1: queue.nr_requests was set to'
nvmetune history --sysroot "$h" --format json
results "$(jq '.transactions[-1].trial' "$out")" \
	'.confirm.keys[0] | .void_blocks == 1 and .blocks == 8 and
		(.effects | length == 9) and
		([.effects[] | has("void")] | map(select(.)) | length == 1)'
back

# Noise hides everything: no evidence, no change.
GAIN=0 NOISE=1 confirm
expect 5
says 'INCONCLUSIVE (noise)'
says 'this noise hides less than'
[ "$(scheduler "$h" nvme0n1)" = mq-deadline ] || fail "noise was believed"
back

# A trial puts everything back.
GAIN=5000
oltp "$h" --trial --seed 1 --workload "$TMPDIR/load"
expect 5
says 'CONFIRMED'
says 'everything is as before'
same_host "$h" "$TMPDIR/before"
[ ! -e "$h/etc/nvmetune/applied.ini" ] || fail "a trial wrote a file"
nvmetune rollback --sysroot "$h"
expect 0

# What is in a file alone is not of a run that writes none: no boot brings it,
# and after a trial nothing is needed for it.
cat tests/cli/profiles/oltp.ini - >"$TMPDIR/module.ini" <<'EOF'
[host]
module.nvme.poll_queues = 2
EOF
of_module() {
	nvmetune apply --sysroot "$h" --profile "$TMPDIR/module.ini" \
		--workload "$TMPDIR/load" --format json "$@"
}
of_module --live-only --confirm
json '.needs == [] and (has("boots") | not) and
	([.confirm.keys[].key] == ["queue.scheduler", "queue.nr_requests"])'
back
of_module --trial --detailed-exitcode --confirm=all
json '.needs == [] and .changed == 0 and
	([.confirm.keys[].verdict] | contains(["PROVISIONAL"]))'
same_host "$h" "$TMPDIR/before"

# What cannot be measured is applied, and said to be.
cat >"$TMPDIR/timeout.ini" <<'EOF'
[drives]
queue.io_timeout = 60s
EOF
nvmetune apply --sysroot "$h" --profile "$TMPDIR/timeout.ini" --confirm \
	--workload false
expect 0
says 'NOT MEASURABLE'
says 'measured  nothing'
[ "$(<"$queue/io_timeout")" = 60000 ] || fail "io_timeout was not applied"
back

# A dry run switches nothing and writes nothing.
fingerprint "$h" >"$TMPDIR/now"
confirm --dry-run
expect 0
says 'dry run: nothing was written'
same_host "$h" "$TMPDIR/now"

# A command that does not work is found before anything is changed.
FAIL=1 confirm
expect 1
tells 'status 3'
same_host "$h" "$TMPDIR/before"

oltp "$h" --confirm=most
expect 2
tells '--confirm=most is not known: legal are each'
oltp "$h" --trial --persist-only
expect 2
nvmetune apply --resume --trial --sysroot "$h"
expect 2
oltp "$h" --confirm --block 1000
expect 2
tells '--block 1000: legal is a multiple of 512'
oltp "$h" --confirm --metric speed
expect 2
tells '--metric speed: legal are iops, cpu, p99 and mean'
confirm --metric iops
expect 2
same_host "$h" "$TMPDIR/before"
