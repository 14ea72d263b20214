# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What apply wrote is in force after a boot that loads the driver as boots do,
# and a later boot can take it back.  Topology two-node, --persistent.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

notes=/var/lib/lab

schedulers()
{
	echo "$(guest_scheduler "$(guest_queue LAB0)")" \
		"$(guest_scheduler "$(guest_queue LAB1)")"
}

splits()
{
	echo "$(guest_split LAB0) $(guest_split LAB1)"
}

# The administrator's own settings, and a profile with both kinds of change.
first_boot()
{
	mkdir "$notes"
	guest_leftover_rule
	echo 'options nvme io_queue_depth=512' >/etc/modprobe.d/admin.conf
	cat >"$notes/all.ini" <<'INI'
[profile]
summary = Values that change now, and one that takes a boot

[drives]
queue.scheduler = none
queue.nr_requests = 300
queue.read_ahead_kb = 0

[host]
module.nvme.poll_queues = 2
INI
	guest_coldplug
	guest_state >"$notes/before"
	check "the administrator's rule acts" \
		"mq-deadline mq-deadline" "$(schedulers)"
	check_status "apply" 4 \
		"$NVMETUNE" apply --profile "$notes/all.ini" --detailed-exitcode
	check "the schedulers have changed" "none none" "$(schedulers)"
	check "the queues have not" "4/0/0 4/0/0" "$(splits)"
	check_status "pending since this boot is no drift" 0 "$NVMETUNE" verify
	check_match "but it is told" '*pending*' "$output"
	guest_reboot
}

second_boot()
{
	local queue serial

	guest_coldplug
	check "the written options are in force" "4/0/2 4/0/2" "$(splits)"
	check "the administrator's option, too" 512 \
		"$(</sys/module/nvme/parameters/io_queue_depth)"
	for serial in LAB0 LAB1; do
		queue=$(guest_queue "$serial")
		check "the rule is in force on $serial" "none 300 0" \
			"$(guest_scheduler "$queue") $(<"$queue/nr_requests")$(
				echo " $(<"$queue/read_ahead_kb")")"
	done
	check_status "verify" 0 "$NVMETUNE" verify
	check_match "nothing is pending any more" '*all is as *was applied' \
		"${output##*$'\n'}"
	check_status "there is nothing to do" 0 \
		"$NVMETUNE" apply --detailed-exitcode
	check_status "history knows the boot before" 0 "$NVMETUNE" history
	check_status "rollback" 0 "$NVMETUNE" rollback
	check_match "it says what is missing" '*reload*reboot*' "$output"
	check "the schedulers are back" "mq-deadline mq-deadline" "$(schedulers)"
	guest_reboot
}

third_boot()
{
	guest_coldplug
	check_same "values and files are those before nvmetune" \
		"$(<"$notes/before")" "$(guest_state)"
	check_status "nothing to verify" 0 "$NVMETUNE" verify
	check_status "nothing to undo" 0 "$NVMETUNE" rollback
	# An option that does not come true is drift: here it is beaten by a
	# file that somebody adds.
	check_status "apply" 4 \
		"$NVMETUNE" apply --profile "$notes/all.ini" --detailed-exitcode
	echo 'options nvme poll_queues=1' >/etc/modprobe.d/zz-late.conf
	guest_reboot
}

fourth_boot()
{
	guest_coldplug
	check "another file won" "4/0/1 4/0/1" "$(splits)"
	check_status "verify tells" 3 "$NVMETUNE" verify
	check_match "what has not come true, and why" \
		'*module.nvme.poll_queues*zz-late.conf:1 comes after our file*' \
		"$output"
	rm /etc/modprobe.d/zz-late.conf
	check_status "rollback" 0 "$NVMETUNE" rollback
}

echo "# boot $GUEST_BOOT"
case $GUEST_BOOT in
1) first_boot ;;
2) second_boot ;;
3) third_boot ;;
4) fourth_boot ;;
esac
