# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A drive with one queue beside one with plenty: what the kernel does by itself
# there, and what poll queues come to.  Topology one-queue.  Field case H3.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

guest_start_udevd
guest_load_nvme
before=$(guest_state)

schedulers()
{
	echo "$(guest_scheduler "$(guest_queue LAB0)")" \
		"$(guest_scheduler "$(guest_queue LAB1)")"
}

splits()
{
	echo "$(guest_split LAB0) $(guest_split LAB1)"
}

echo "# the scheduler"
check "one queue begins with mq-deadline, many with none" \
	"mq-deadline none" "$(schedulers)"
disk=$(basename "$(dirname "$(guest_queue LAB0)")")
check_status "status" 0 "$NVMETUNE" status
check_match "status shows the one queue" "*$disk * 1/0/0 *" "$output"
check_status "plan" 0 "$NVMETUNE" plan --profile oltp
check_match "plan names the kernel's default as who set it" \
	"*queue.scheduler on $disk"$'\n'"*mq-deadline*set by the kernel: its default for a controller with one I/O*" \
	"$output"
check_status "apply" 3 "$NVMETUNE" apply --profile oltp --detailed-exitcode
check "both have none" "none none" "$(schedulers)"
guest_rebind LAB0
check "the rule holds it where the kernel would not" "none none" "$(schedulers)"
check_status "verify after the drive came back" 0 "$NVMETUNE" verify

echo "# poll queues"
check_status "plan" 0 "$NVMETUNE" plan --profile low-latency
flat=$(tr -s ' \n' ' ' <<<"$output")
check_match "the split of the one queue stays, and why" \
	"*$(guest_ctrl LAB0): default/read/poll 1/0/0 now, 1/0/0 after a reload: the drive has too few queues for polling*" \
	"$flat"
check_match "the other drive gets a poll queue" \
	"*$(guest_ctrl LAB1): default/read/poll 4/0/0 now, 4/0/1 after a reload*" \
	"$flat"
check_status "apply" 4 \
	"$NVMETUNE" apply --profile low-latency --detailed-exitcode
check "nothing has moved yet" "1/0/0 4/0/0" "$(splits)"
guest_unload_nvme
guest_load_nvme
check "after the reload both are as predicted" "1/0/0 4/0/1" "$(splits)"
check "the rule held the scheduler of both" "none none" "$(schedulers)"
check_status "verify" 0 "$NVMETUNE" verify
check "the option is no longer pending" keep "$("$NVMETUNE" plan --format json |
	jq -r '.changes[] | select(.key == "module.nvme.poll_queues") |
		.verdict')"

echo "# rollback"
check_status "rollback of everything" 0 "$NVMETUNE" rollback --all
check "one queue has its mq-deadline again" "mq-deadline none" "$(schedulers)"
guest_unload_nvme
guest_load_nvme
check_same "values and files are those before nvmetune" \
	"$before" "$(guest_state)"
