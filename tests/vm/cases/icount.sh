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

modprobe bfq
modprobe null_blk irqmode=0 queue_mode=2 hw_queue_depth=1024 submit_queues=1
null=/sys/block/nullb0/queue

echo "# a device that does nothing: what is left is the kernel"
try /dev/nullb0 $null/scheduler mq-deadline none 32 50
decided "mq-deadline to none" CONFIRMED
more "mq-deadline costs" "${result[before_cpu_ns]}" 20 "${result[after_cpu_ns]}"
try /dev/nullb0 $null/iostats 1 0 32 50
decided "no counting of I/Os" CONFIRMED
try /dev/nullb0 $null/scheduler none bfq 32 50
decided "none to bfq" REJECTED regression
try /dev/nullb0 $null/scheduler none none 32 50
decided "what does not change" REJECTED "too small"
more "costs the same" "${result[before_cpu_ns]}" -0.2 "${result[after_cpu_ns]}"
more "either way" "${result[after_cpu_ns]}" -0.2 "${result[before_cpu_ns]}"
check "the trial left what was there" none "$(guest_scheduler $null)"
