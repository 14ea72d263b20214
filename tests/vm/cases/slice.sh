# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The whole way on a real kernel: plan, apply, verify, hot-plug, reload,
# rollback.  Topology two-node-8.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

guest_leftover_rule
guest_install_helper
guest_start_udevd
guest_load_nvme
before=$(guest_state)

# schedulers - of both drives
schedulers()
{
	echo "$(guest_scheduler "$(guest_queue LAB0)")" \
		"$(guest_scheduler "$(guest_queue LAB1)")"
}

echo "# plan"
check "the leftover rule chose the scheduler" \
	"mq-deadline mq-deadline" "$(schedulers)"
check_status "plan" 0 "$NVMETUNE" plan --profile oltp
check_match "plan names the file and line that set the scheduler" \
	'*60-io-scheduler.rules:2*' "$output"
check_status "plan with differences" 3 \
	"$NVMETUNE" plan --profile oltp --detailed-exitcode
first=$("$NVMETUNE" plan --profile oltp --format json)
check "the same host gives the same plan, byte for byte" \
	"$first" "$("$NVMETUNE" plan --profile oltp --format json)"
jq -e .schema >/dev/null <<<"$first" || fail "the plan's JSON has no schema"
check_status "dry run" 0 "$NVMETUNE" apply --profile oltp --dry-run
check_same "plan and dry run changed nothing" "$before" "$(guest_state)"
[ ! -e /var/lib/nvmetune ] || fail "a dry run left /var/lib/nvmetune"

echo "# apply"
check_status "apply" 0 "$NVMETUNE" apply --profile oltp
check "apply changed the scheduler of both drives" "none none" "$(schedulers)"
[ -f /etc/udev/rules.d/90-nvmetune.rules ] || fail "no rule file was written"
applied=$(guest_state)
check_status "a second apply has nothing to do" 0 \
	"$NVMETUNE" apply --profile oltp --detailed-exitcode
check_same "a second apply changed nothing" "$applied" "$(guest_state)"
check_status "nothing is left to plan" 0 \
	"$NVMETUNE" plan --profile oltp --detailed-exitcode
check_status "verify" 0 "$NVMETUNE" verify

echo "# drift"
echo mq-deadline >"$(guest_queue LAB1)/scheduler"
check_status "verify sees drift" 3 "$NVMETUNE" verify
check_status "apply repairs it" 3 "$NVMETUNE" apply --detailed-exitcode
check "both are as applied again" "none none" "$(schedulers)"
check_status "verify after the repair" 0 "$NVMETUNE" verify

echo "# hot-plug"
guest_rebind LAB1
check "the rule restored the setting over the leftover one" \
	"none none" "$(schedulers)"
check_status "verify after the drive came back" 0 "$NVMETUNE" verify

echo "# low-latency: poll queues come with a reload"
check_status "plan predicts the split" 0 "$NVMETUNE" plan --profile low-latency
check_match "the predicted split is in the plan" '*8/0/2*' "$output"
check_status "apply says that a reload is needed" 4 \
	"$NVMETUNE" apply --profile low-latency --detailed-exitcode
check "the running split is left alone" 8/0/0 "$(guest_split LAB0)"
check "no live change of the parameter" 0 \
	"$(</sys/module/nvme/parameters/poll_queues)"
check_status "pending in this boot is no drift" 0 "$NVMETUNE" verify
guest_unload_nvme
guest_load_nvme
check "after the reload the first drive has the planned split" \
	8/0/2 "$(guest_split LAB0)"
check "and the second" 8/0/2 "$(guest_split LAB1)"
check_status "verify after the reload" 0 "$NVMETUNE" verify
check "the option is no longer pending" keep "$("$NVMETUNE" plan --format json |
	jq -r '.changes[] | select(.key == "module.nvme.poll_queues") |
		.verdict')"
check_status "what a reload loses is set already: nothing is left to do" 0 \
	"$NVMETUNE" apply --detailed-exitcode

echo "# rollback"
check_status "history" 0 "$NVMETUNE" history
check_status "rollback of everything" 0 "$NVMETUNE" rollback --all
guest_unload_nvme
guest_load_nvme
check_same "values and files are those before nvmetune" \
	"$before" "$(guest_state)"
check_status "rollback with nothing to undo" 0 "$NVMETUNE" rollback
check_same "and it did nothing" "$before" "$(guest_state)"

echo "# an administrator's own values come back exactly"
for serial in LAB0 LAB1; do
	queue=$(guest_queue "$serial")
	echo mq-deadline >"$queue/scheduler"
	echo 512 >"$queue/nr_requests"
	echo 0 >"$queue/read_ahead_kb"
	echo 12340 >"$queue/io_timeout"
	[ ! -e "$queue/wbt_lat_usec" ] || echo 12345 >"$queue/wbt_lat_usec"
done
mkdir -p /etc/nvmetune/profiles
cat >/etc/nvmetune/profiles/lab.ini <<'END'
[profile]
summary = of a lab
include = oltp
[drives]
queue.io_timeout = 60s
queue.wbt_lat_usec = 0
END
before=$(guest_state)
check_match "odd ones among them" "*12340*" "$before"
check_status "apply over them" 0 "$NVMETUNE" apply --profile lab
check "apply changed them" "none none" "$(schedulers)"
check "also the time-out" 60000 "$(<"$queue/io_timeout")"
check_status "rollback" 0 "$NVMETUNE" rollback
check_same "mq-deadline, 512, 0 and the odd ones are back" "$before" \
	"$(guest_state)"
