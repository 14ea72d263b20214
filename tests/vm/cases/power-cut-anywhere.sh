# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The power fails at random calls of apply and of rollback, in turns: the next
# boot's rollback brings the host back, whatever had reached the disk.  Calls
# are drawn, not moments, so that a slow machine meets the same points.
# Topology two-node, --persistent.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

cuts=4
notes=/var/lib/lab
calls=openat,write,fsync,fdatasync,renameat,mkdirat,unlinkat,ftruncate
apply=(apply --profile low-latency)
rollback=(rollback)

# count_calls NAME COMMAND... - into notes, lines "CALL COUNT".
count_calls()
{
	local name=$1

	shift
	strace -f -o /run/calls -e trace="$calls" "$NVMETUNE" "$@" \
		>/dev/null 2>&1 || fail "nvmetune $*, traced"
	sed -nE 's/^[0-9]+ +([a-z0-9]+)\(.*/\1/p' /run/calls | sort | uniq -c |
		awk '{ print $2, $1 }' >"$notes/$name"
}

# draw NAME - one of its calls, each as likely as any other: sets call, number
# and of.
draw()
{
	local total nth

	total=$(awk '{ n += $2 } END { print n }' "$notes/$1")
	nth=$((RANDOM % total + 1))
	while read -r call of; do
		number=$nth
		[ $((nth -= of)) -gt 0 ] || break
	done <"$notes/$1"
}

# The command is at the call that was drawn; it may end before, since the
# linker's calls differ from boot to boot.
has_stopped()
{
	grep -qs 'stopped by SIGSTOP' /run/cut.log ||
		! grep -qs '^State:.[^Z]' "/proc/$tracer/status"
}

# cut_in NAME COMMAND... - no power from a call of the command on.
cut_in()
{
	local name=$1

	shift
	draw "$name"
	echo "$name, $call $number of $of" >>"$notes/points"
	sync
	strace -f -o /run/cut.log -e trace="$call" \
		-e inject="$call:signal=STOP:when=$number" \
		"$NVMETUNE" "$@" >/dev/null 2>&1 &
	tracer=$!
	guest_wait 120 has_stopped || fail "$name never came to $call $number"
	: >/run/lab/again
	echo b >/proc/sysrq-trigger
	sleep 60
	fail "the power is still on"
}

# What the boot found, and the way back.
recover()
{
	local found

	check_status "history" 0 "$NVMETUNE" history --format json
	found=$(jq -r '.transactions[-1].state // "nothing"' <<<"$output")
	printf '%s: %s\n' "$(tail -n 1 "$notes/points")" "$found" \
		>>"$notes/found"
	[[ $found == @(nothing|open|committed|half\ undone|undone) ]] ||
		fail "the journal is $found"
	check_status "rollback of everything" 0 "$NVMETUNE" rollback --all
	# The driver was loaded with what was there then.
	guest_unload_nvme
	guest_load_nvme
	check_same "values and files are those before nvmetune" \
		"$(<"$notes/before")" "$(guest_state)"
	check "no half file is left" "" \
		"$(find /etc /var/lib/nvmetune -name '*.nvmetune-new')"
}

echo "# boot $GUEST_BOOT"
command -v strace >/dev/null || fail "no strace: \"make deps\" installs it"
if [ "$GUEST_BOOT" -eq 1 ]; then
	mkdir "$notes"
	guest_leftover_rule
	echo $((SRANDOM % 32768)) >"$notes/seed"
	guest_coldplug
	guest_state >"$notes/before"
	count_calls apply "${apply[@]}"
	count_calls rollback "${rollback[@]}"
else
	guest_coldplug
	recover
fi
RANDOM=$(($(<"$notes/seed") + GUEST_BOOT))
if [ "$GUEST_BOOT" -le $cuts ]; then
	if [ $((GUEST_BOOT % 2)) -eq 1 ]; then
		cut_in apply "${apply[@]}"
	fi
	check_status "apply" 0 "$NVMETUNE" "${apply[@]}"
	cut_in rollback "${rollback[@]}"
fi
echo "# seed $(<"$notes/seed"), $cuts cuts, all recovered:"
cat "$notes/found"
