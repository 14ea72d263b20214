#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What only a reboot switches is measured boot by boot, and never more than
# provisional.  The reboots are those of a tree; the load is a file's figure.
. tests/cli/apply-lib.sh

dir=$TMPDIR/host
host "$dir"
boot=$dir/proc/sys/kernel/random/boot_id
live=$dir/sys/module/nvme/parameters/poll_queues
mkdir -p "${boot%/*}"
cat >"$TMPDIR/poll.ini" <<-INI
	[profile]
	summary = Poll queues, and nothing else that is new
	[host]
	module.nvme.poll_queues = 2
INI

# reboot NAME QUEUES FIGURE
reboot() {
	echo "$1" >"$boot"
	echo "$2" >"$live"
	echo "$3 IOPS" >"$TMPDIR/figure"
}
resume() { nvmetune confirm --resume --sysroot "$dir" "$@"; }

reboot boot-one 0 1000
resume
expect 1; quiet; one_line; tells "nothing to resume"
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/poll.ini" --confirm \
	--workload "cat $TMPDIR/figure"
expect 0
says "over boots  module.nvme.poll_queues = 2, by runs of"
says "PROVISIONAL: 1 boot before it measured, none with it"
says 'after the reboot: "nvmetune confirm --resume"'
record=$dir/var/lib/nvmetune/txn/0001/boots.json
[ "$(stat -c %a "$record")" = 600 ] || fail "others may read it"
cp "$record" "$TMPDIR/one"

resume
expect 1; quiet; one_line; tells "this boot is measured already"
resume --workload true
expect 2; quiet; tells "--resume measures as was measured before"
resume nvme0
expect 2; quiet
for option in --depth --jobs; do
	resume $option 3
	expect 2; quiet; tells "--resume measures as was measured before"
done
resume --block 8k
expect 2; quiet; tells "--resume measures as was measured before"
resume --metric p99
expect 2; quiet; tells "--resume measures as was measured before"
nvmetune confirm --resume --calibrate
expect 2; quiet
cmp -s "$record" "$TMPDIR/one" || fail "the record has changed"

reboot boot-two 2 1100
resume
expect 0
says "PROVISIONAL: throughput better by 10.0 %, 1 boot before it, 1 boot with it"
says "boots differ by themselves, and so few cannot tell that from the setting: 3 of each, in turns, say more"
# As root has them, for a program and for later.
resume
expect 1
nvmetune history show 1 --sysroot "$dir"
expect 0; says "PROVISIONAL: throughput better by 10.0 %"; says "boot-two"
nvmetune history show 1 --sysroot "$dir" --format json
expect 0
json '.boots | .schema == "nvmetune.boots/1" and .metric == "rate"'
json '.boots.changes == [{"id": "module.nvme.poll_queues", "want": "2"}]'
json '[.boots.boots[] | [.boot_id, .set, .rate]] ==
	[["boot-one", "before", 1000], ["boot-two", "with", 1100]]'
json '.boots.result == {"verdict": "PROVISIONAL", "boots_before": 1,
	"boots_with": 1, "effect_ppm": 100000, "apart": true, "chance": 1}'

# A boot that the kernel came up in without it is one of before.
reboot boot-three 0 1010
resume --format json
expect 0; json '.result.boots_before == 2 and .result.boots_with == 1'
tells "module.nvme.poll_queues = 2 is applied and not in this boot, which counts as one before it: it is written, and did not reach what was loaded"

# Another kernel does not compare.
kernel=$dir/proc/sys/kernel/osrelease
was=$(<"$kernel")
reboot boot-four 2 1120
echo 6.99.0 >"$kernel"
cp "$record" "$TMPDIR/before"
resume
expect 1; quiet; one_line
tells "not comparable: the boots before ran kernel $was, this one runs 6.99.0"
cmp -s "$record" "$TMPDIR/before" || fail "it was added all the same"
echo "$was" >"$kernel"
resume --format raw
expect 0; [ "$(wc -l <"$out")" = 4 ] || fail "not four boots"

# Taken back, it is asked for by no profile; with it named the boot counts.
nvmetune rollback --sysroot "$dir"
expect 0
reboot boot-five 0 1005
resume
expect 1; quiet; one_line
tells "no profile is applied now: for a boot without what transaction 1 measures, name its profile with --profile"
resume --profile "$TMPDIR/poll.ini"
expect 0; says "3 boots before it, 2 boots with it"
# And a new transaction with the same changes goes on from there.
reboot boot-six 0 1003
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/poll.ini" --confirm \
	--workload "cat $TMPDIR/figure"
expect 0; says "4 boots before it, 2 boots with it"
[ -e "$dir/var/lib/nvmetune/txn/0002/boots.json" ] || fail "no new record"
reboot boot-seven 2 1111
resume --format json
expect 0
json '.result | .boots_before == 4 and .boots_with == 3 and .apart
	and .chance == 18 and .verdict == "PROVISIONAL"'
resume
expect 1
nvmetune history show 2 --sysroot "$dir"
expect 0
says "every boot of one kind is better than every one of the other, which chance does once in 18"

# A load that fails costs nothing but the measurement.
reboot boot-eight 0 1
rm "$TMPDIR/figure"
resume --profile "$TMPDIR/poll.ini"
expect 1; quiet; tells "the workload ended with status 1"
nvmetune rollback --sysroot "$dir" --all
expect 0
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/poll.ini" --confirm \
	--workload false
expect 0; tells "what a reboot switches was not measured: the workload ended"
says "transaction 3: "

# A damaged record is told, and hides nothing else.
echo '{' >"$dir/var/lib/nvmetune/txn/0002/boots.json"
resume --profile "$TMPDIR/poll.ini"
expect 1; quiet; one_line; tells "0002/boots.json"
nvmetune history show 2 --sysroot "$dir"
expect 0; tells "0002/boots.json"; says "transaction 2, profile poll"

# A command without a figure counts by the time it takes, and the moment at which
# it was measured is another one.
rm "$dir/var/lib/nvmetune/txn/0002/boots.json"
nvmetune rollback --sysroot "$dir" --all
expect 0
reboot boot-nine 0 1
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/poll.ini" --confirm \
	--workload "sleep 0.01"
expect 0; says "by the time until it ends"
reboot boot-ten 2 1
resume --format json
expect 0
json '.metric == "time" and .result.boots_with == 1'
json 'all(.boots[]; (.time | test("^20..-..-..T")) and .seconds > 0.009)'
