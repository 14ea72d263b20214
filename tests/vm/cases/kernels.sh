# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Where kernels differ: each row of the table in docs/kernels.md is asked of this
# kernel, and must be what its column says.  Topologies two-node and multipath; a
# row that a topology cannot show is left to the other.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

table=docs/kernels.md
case $(uname -r) in
5.10.*) column=2 ;;
6.1.*) column=3 ;;
6.12.*) column=4 ;;
*) column=5 ;;
esac
rows=0
wrong=0

# row WHAT VALUE - the table's row "| WHAT | ... |" has VALUE in our column.
row()
{
	local line told

	line=$(grep -F "| $1 |" "$table") || fail "$table has no row \"$1\""
	told=$(cut -d '|' -f $((column + 1)) <<<"$line" | sed 's/^ *//; s/ *$//')
	rows=$((rows + 1))
	printf 'row: %s | %s\n' "$1" "$2"
	[ "$told" = "$2" ] || {
		wrong=$((wrong + 1))
		printf 'not so: %s says "%s"\n' "$table" "$told"
	}
}

yes_if()
{
	if "$@" >/dev/null 2>&1; then echo yes; else echo no; fi
}

# has_param MODULE PARAMETER
has_param()
{
	[ -n "$(modinfo -F parm "$1" | grep "^$2:")" ]
}

modules()
{
	local param

	for param in iopolicy apst_primary_timeout_ms disable_pi_offsets \
		multipath_always_on; do
		row "parameter \`nvme_core.$param\`" \
			"$(yes_if has_param nvme_core $param)"
	done
	row "parameter \`nvme.quirks\`" "$(yes_if has_param nvme quirks)"
	row "zoned writes kept in order by the block layer" \
		"$(yes_if grep -qw blk_zone_plug_bio /proc/kallsyms)"
}

vectors()
{
	local ctrl irq

	ctrl=$(guest_ctrl LAB0)
	for irq in /sys/class/nvme/"$ctrl"/device/msi_irqs/*; do
		irq=/proc/irq/${irq##*/}
		[ -d "$irq/${ctrl}q1" ] || continue
		row "mode of a queue vector's \`smp_affinity_list\`" \
			"$(stat -c %04a "$irq/smp_affinity_list")"
		row "a write to it" \
			"$(guest_poke "$irq/smp_affinity_list" 1)"
	done
}

# What is lost when a controller that is idle is reset.
resets()
{
	local ctrl queue attr before lost=

	ctrl=$(guest_ctrl LAB0)
	queue=$(guest_queue LAB0)
	echo mq-deadline >"$queue/scheduler"
	echo 100 >"$queue/nr_requests"
	echo 2 >"$queue/nomerges"
	echo 64 >"$queue/max_sectors_kb"
	echo 20000 >"$queue/io_timeout"
	echo 16 >"$queue/read_ahead_kb"
	before=$(guest_queue_values "$queue" x)
	echo 1 >"/sys/class/nvme/$ctrl/reset_controller"
	guest_wait 30 guest_nvme_ready || fail "no way back from a reset"
	guest_wait 5 grep -qx live "/sys/class/nvme/$ctrl/state"
	for attr in scheduler nr_requests nomerges max_sectors_kb io_timeout \
		read_ahead_kb; do
		grep -qxF "$(guest_queue_values "$queue" x |
			grep "^x: $attr:")" <<<"$before" ||
			lost+="${lost:+, }\`$attr\`"
	done
	row "lost by a reset of the controller" "${lost:-nothing}"
}

queues()
{
	local queue

	queue=$(guest_queue LAB0)
	row "a write of 1 to \`io_poll\` without poll queues" \
		"$(guest_poke "$queue/io_poll" 1)"
	row "\`wbt_lat_usec\` under none" \
		"$(cat "$queue/wbt_lat_usec" 2>/dev/null || echo absent)"
}

heads()
{
	local head path

	head=$(echo /sys/class/nvme-subsystem/*/nvme*n*)
	path=$(echo /sys/class/nvme/nvme*/nvme*c*n* | cut -d ' ' -f 1)
	row "\`queue/scheduler\` of a multipath head" \
		"$(cat "$head/queue/scheduler" 2>/dev/null || echo absent)"
	row "mq-deadline written to it" "$(
		if [ -e "$head/queue/scheduler" ]; then
			guest_poke "$head/queue/scheduler" mq-deadline
		else
			echo absent
		fi)"
	row "what it then reads" \
		"$(cat "$head/queue/scheduler" 2>/dev/null || echo absent)"
	row "\`queue/scheduler\` of the hidden path" \
		"$(yes_if test -w "$path/queue/scheduler")"
	row "\`multipath/\` below the head lists the paths" \
		"$(yes_if test -d "$head/multipath")"
	row "\`queue-depth\` as \`iopolicy\`" "$(guest_poke \
		"$(echo /sys/class/nvme-subsystem/*/iopolicy)" queue-depth)"
}

# Of each disk that the kernel told of.
events()
{
	row "a disk's queue is there at its \`add\`" \
		"$(sed -n 's/^.* //; /^yes$/p; /^no$/p' /run/held | sort -u)"
}

guest_hold_disks
guest_load_nvme
guest_hold_end
events
if ls /sys/class/nvme/nvme*/nvme*c*n* >/dev/null 2>&1; then
	heads
else
	modules
	vectors
	queues
	resets
fi
check "rows that are as $table says, of $rows" "$rows" $((rows - wrong))
