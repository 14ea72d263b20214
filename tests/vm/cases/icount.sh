# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Verdicts where figures repeat: the guest's clock counts instructions, so
# that an I/O costs the same in each slice, whatever the building machine does
# beside it.  Topology icount.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

trial=build/tests/vm/trial

# try DEVICE ATTRIBUTE BEFORE AFTER DEPTH MS - sets result[NAME].
declare -A result
try()
{
	local name value

	echo "\$ trial $*"
	"$trial" "$@" >/run/trial
	cat /run/trial
	result=()
	while read -r name value; do
		result[$name]=$value
	done </run/trial
	check "what all tasks ran was counted" schedstat "${result[cpu_source]}"
}

# decided SENTENCE VERDICT [REASON]
decided()
{
	check "$1" "$2" "${result[verdict]}"
	[ $# -lt 3 ] || check "$1: why" "$3" "${result[reason]}"
}

# more SENTENCE FIGURE PERCENT OTHER - FIGURE is above OTHER by that at least.
more()
{
	awk -v a="$2" -v p="$3" -v b="$4" 'BEGIN { exit a < b * (1 + p / 100) }' ||
		fail "$1: $2 is not $3 % above $4"
	echo "ok: $1 ($2, $4)"
}

modprobe null_blk irqmode=0 queue_mode=2 hw_queue_depth=1024 submit_queues=1
modprobe bfq
null=/sys/block/nullb0/queue

echo "# a device that does nothing: what is left is the kernel"
try /dev/nullb0 $null/scheduler mq-deadline none 32 50
decided "mq-deadline to none" CONFIRMED
more "mq-deadline costs" "${result[before_cpu_ns]}" 20 "${result[after_cpu_ns]}"
try /dev/nullb0 $null/iostats 1 0 32 50
decided "no counting of I/Os" CONFIRMED
try /dev/nullb0 $null/scheduler none none 32 50
decided "what does not change" REJECTED "too small"
more "costs the same" "${result[before_cpu_ns]}" -0.2 "${result[after_cpu_ns]}"
more "either way" "${result[after_cpu_ns]}" -0.2 "${result[before_cpu_ns]}"
check "the trial left what was there" none "$(guest_scheduler $null)"

echo "# a drive with one queue, one read at a time"
guest_load_nvme
queue=$(guest_queue LAB0)
check "its default" mq-deadline "$(guest_scheduler "$queue")"
mkdir -p /etc/nvmetune/profiles
confirm=(apply --profile lab --live-only --confirm --metric cpu --depth 1
	--jobs 1 --time 1 --seed 7)

# profile SETTING - the profile lab.
profile()
{
	printf '[profile]\nsummary = of a lab\n[drives]\n%s\n' "$1" \
		>/etc/nvmetune/profiles/lab.ini
}

profile "queue.scheduler = none"
check_status "apply of what helps" 0 "$NVMETUNE" "${confirm[@]}"
check_match "is confirmed" "*queue.scheduler  CONFIRMED  kept  CPU per I/O*" \
	"$output"
check "and stays" none "$(guest_scheduler "$queue")"

# What mq-deadline costs is the work of a kworker: the threads that read take
# as long either way, and would have decided nothing.
"$NVMETUNE" history show 1 --format json >/run/trial.json
python3 - /run/trial.json <<'END' || fail "not by what all tasks ran"
import json, sys
key = json.load(open(sys.argv[1]))["confirm"]["keys"][0]
def cost(arm, what):
    of_arm = [s["drives"][0] for s in key["slices"] if s["arm"] == arm]
    return sum(d[what] for d in of_arm) / sum(d["ios"] for d in of_arm)
before, after = (cost(arm, "cpu_ns") for arm in ("before", "after"))
print(f"ok: threads alone: {before:.0f} ns before, {after:.0f} after")
assert abs(before / after - 1) < 0.05
before, after = (cost(arm, "run_ns") for arm in ("before", "after"))
print(f"ok: all tasks: {before:.0f} ns before, {after:.0f} after")
assert before / after > 1.4
END

profile "queue.scheduler = bfq"
check_status "apply of what harms" 5 "$NVMETUNE" "${confirm[@]}"
check_match "is rejected" "*REJECTED (regression)*put back*" "$output"
check "and put back" none "$(guest_scheduler "$queue")"
