# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The power fails in the middle of apply and of rollback: the next boot knows,
# and takes everything back.  Topology two-node, --persistent.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

notes=/var/lib/lab
profile=low-latency
rules=/etc/udev/rules.d/90-nvmetune.rules

# kill_when CONDITION COMMAND... - kill -9 the command as soon as the condition
# holds; fails where it ended by itself before.  The condition finds the journal
# of the next transaction in $journal.
kill_when()
{
	local condition=$1 txns=(/var/lib/nvmetune/txn/[0-9]*)
	local journal first=0 status=0 pid

	shift
	[ -e "${txns[0]}" ] || txns=()
	journal=$(printf '/var/lib/nvmetune/txn/%04d/journal' $((${#txns[@]} + 1)))
	"$@" >/run/killed.log 2>&1 &
	pid=$!
	while kill -0 "$pid" 2>/dev/null; do
		! "$condition" || break
	done
	kill -9 "$pid" 2>/dev/null || :
	wait "$pid" 2>/dev/null || status=$?
	[ "$status" -eq 137 ]
}

# The journal appears whole and grows by a line before and after each write.
a_value_has_changed()
{
	local lines

	[ -f "$journal" ] || return 1
	mapfile -t lines <"$journal"
	[ "$first" -gt 0 ] || first=${#lines[@]}
	[ ${#lines[@]} -ge $((first + 2)) ]
}

a_file_is_there()
{
	[ -e $rules ]
}

a_file_has_gone()
{
	[ ! -e $rules ]
}

check_blocked()
{
	check_status "apply is blocked by the open transaction" 7 \
		"$NVMETUNE" apply --profile $profile
	check_status "verify is, too" 7 "$NVMETUNE" verify
	check_status "plan is not" 0 "$NVMETUNE" plan --profile $profile
	check_status "history tells" 0 "$NVMETUNE" history
	check_match "which is open" '*open*' "$output"
}

check_as_before()
{
	check_same "values and files are those before nvmetune" \
		"$(<"$notes/before")" "$(guest_state)"
}

apply=("$NVMETUNE" apply --profile "$profile")

echo "# boot $GUEST_BOOT"
case $GUEST_BOOT in
1)
	mkdir "$notes"
	guest_leftover_rule
	guest_coldplug
	guest_state >"$notes/before"
	sync
	until kill_when a_value_has_changed "${apply[@]}"; do
		check_status "too late; rollback" 0 "$NVMETUNE" rollback
	done
	guest_power_cut
	;;
2)
	guest_coldplug
	check_blocked
	check_status "rollback" 0 "$NVMETUNE" rollback
	check_as_before
	until kill_when a_file_is_there "${apply[@]}"; do
		check_status "too late; rollback" 0 "$NVMETUNE" rollback
	done
	guest_power_cut
	;;
3)
	guest_coldplug
	check_blocked
	# Half of the files may be there: the driver was loaded with them.
	check_status "rollback" 0 "$NVMETUNE" rollback
	guest_unload_nvme
	guest_load_nvme
	check_as_before
	check_status "apply" 0 "${apply[@]}"
	# Now the rollback is what the power fails in.
	kill_when a_file_has_gone "$NVMETUNE" rollback ||
		echo "note: rollback ended before it could be killed"
	guest_power_cut
	;;
4)
	guest_coldplug
	check_status "rollback goes on where it was" 0 "$NVMETUNE" rollback
	guest_reboot
	;;
5)
	guest_coldplug
	check_as_before
	check_status "apply is free again" 0 "${apply[@]}"
	check_status "rollback" 0 "$NVMETUNE" rollback
	;;
esac
