# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The guest's half of tests/vm/demo: a host with a leftover rule, tuned and put
# back.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

# The serial line has no width of its own.
export COLUMNS=100

heading()
{
	printf '\n=== %s\n' "$*"
}

# show STATUS COMMAND... - as typed, with its output as it comes; any: 0, or 5
# for what was not confirmed.
show()
{
	local expected=$1 status=0

	shift
	printf '\n# nvmetune %s\n' "$*"
	"$NVMETUNE" "$@" 2>&1 || status=$?
	[ "$expected" != any ] || [ "$status" -ne 5 ] || status=0
	[ "$status" -eq "${expected/any/0}" ] ||
		fail "nvmetune $*: exit status $status, not $expected"
}

guest_leftover_rule
guest_start_udevd
guest_load_nvme
before=$(guest_state)

heading "The host: two drives on two NUMA nodes, kernel $(uname -r)"
show 0 status
heading "What the oltp profile would change, and who set the present value"
show 0 plan --profile oltp
[[ $("$NVMETUNE" plan --profile oltp) == *60-io-scheduler.rules:2* ]] ||
	fail "the plan does not name the rule that set the scheduler"
heading "Would it help?  Measured in turns, and put back (a minute)"
echo "(Emulated drives: that the scheduler makes a difference is real, the"
echo "absolute figures mean nothing.)"
show any apply --profile oltp --trial --confirm=all --time 1 --budget 60s
heading "Change it"
show 0 apply --profile oltp
heading "Still as applied?"
show 0 verify
heading "A drive is pulled and put back; the written rule holds the setting"
guest_rebind LAB1
show 0 verify
heading "Back to where we were"
show 0 rollback
after=$(guest_state)
check_same "every value and file is exactly as before" "$before" "$after"
