# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Verdicts of apply --confirm on a drive with one queue, where the guest's clock
# counts instructions.  That clock runs on while the emulator answers a read, so
# this wants a machine with nothing else to do: on a busy one blocks are
# disturbed, and the verdict is INCONCLUSIVE (contaminated).  Topology icount.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

modprobe bfq
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
