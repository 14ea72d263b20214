# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A drive that comes and goes, and one that is reset over and over, while the
# host is read, planned for, tuned and put back: nothing hangs, nothing is left
# half done, and the other drive gets what is its due.  Topology two-node.
# Field case L2.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

rounds=4
guest_leftover_rule
guest_start_udevd
guest_load_nvme
before=$(guest_state)
pci=$(guest_pci LAB1)
other=$(guest_queue LAB0) # found now: it stays where it is
# The guest ends when nothing has its output open any more.
trap ': >/run/stop' EXIT

# Now and then, long enough for a command to meet the drive as it should be.
pause()
{
	sleep "0.$((RANDOM % 4))"
}

pulled()
{
	echo "$pci" >/sys/bus/pci/drivers/nvme/unbind
	pause
	echo "$pci" >/sys/bus/pci/drivers/nvme/bind
	pause
}

# The write returns when the reset is over.
reset()
{
	echo 1 >"/sys/class/nvme/$ctrl/reset_controller"
	pause
}

# again_and_again FUNCTION - until told to stop; how often is in /run/times.
again_and_again()
{
	local times=0

	while [ ! -e /run/stop ]; do
		"$1"
		times=$((times + 1))
	done
	echo "$times" >/run/times
}

# expect STATUSES COMMAND... - ends in time with one of them, and with a word
# where that is a failure.
expect()
{
	local statuses=$1 status=0

	shift
	output=$(timeout -s KILL 60 "$NVMETUNE" "$@" 2>&1) || status=$?
	[[ " $statuses " == *" $status "* ]] ||
		fail "nvmetune $*: exit status $status: $output"
	[ "$status" -ne 1 ] || [[ $output == *nvmetune:* ]] ||
		fail "nvmetune $*: failed without a word: $output"
	printf '%s\nok: %s: %s\n' "$output" "$1" "$status"
	return "$status"
}

# against FUNCTION - all commands while it is called again and again.
against()
{
	local loop done=0 round

	rm -f /run/stop
	ctrl=$(guest_ctrl LAB1)
	again_and_again "$1" &
	loop=$!
	for ((round = 0; round < rounds; round++)); do
		expect 0 status
		expect 0 plan --profile oltp
		if expect '0 1' apply --profile oltp; then
			check "the other drive is done" \
				none "$(guest_scheduler "$other")"
			done=$((done + 1))
			expect '0 3' verify || :
		fi
		# An undo that met the drive in between is taken up again.
		guest_wait 30 expect '0 1' rollback ||
			fail "rollback never ended well: $output"
		check "the other drive is as before" mq-deadline \
			"$(guest_scheduler "$other")"
	done
	: >/run/stop
	wait "$loop"
	[ "$done" -gt 0 ] || fail "not one of $rounds applies went through"
	[ "$(</run/times)" -ge "$rounds" ] || fail "only $(</run/times) times"
	printf 'ok: %d of %d applies went through, while it was %s %d times\n' \
		"$done" "$rounds" "$1" "$(</run/times)"
	guest_wait 30 guest_nvme_ready || fail "the drive did not come back"
	guest_settle
	# It may have come while the rule was there, for which no rollback can
	# know a value of before: once more, without the rule.
	guest_rebind LAB1
}

for loop in pulled reset; do
	echo "# while a drive is $loop"
	against $loop
	check_status "apply in peace" 0 "$NVMETUNE" apply --profile oltp
	check_status "verify" 0 "$NVMETUNE" verify
	check_status "rollback" 0 "$NVMETUNE" rollback --all
	# A reset moves what the kernel does not keep over one: 6.1 has the
	# largest transfer's default anew, and all have the read-ahead's.
	check_same "values and files are those before nvmetune" \
		"$before" "$(guest_state)"
done
