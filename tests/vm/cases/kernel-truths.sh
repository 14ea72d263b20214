# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What nvmetune takes for granted about the kernel, asked of the kernel.  It
# needs no nvmetune: when it fails on a new kernel, the design has to move.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

guest_load_nvme
queue=$(guest_queue LAB0)
ctrl=$(guest_ctrl LAB0)

echo "# a scheduler switch resets nr_requests, so order decides"
hardware_depth=$(<"$queue/../mq/0/nr_tags")
check "none is the default of a drive with many queues" \
	none "$(guest_scheduler "$queue")"
check "nr_requests begins as the hardware's depth" \
	"$hardware_depth" "$(<"$queue/nr_requests")"

# An administrator's state, written in the order in which it holds.
admin_state()
{
	echo mq-deadline >"$queue/scheduler"
	echo 512 >"$queue/nr_requests"
	echo 0 >"$queue/read_ahead_kb"
}

state()
{
	echo "$(guest_scheduler "$queue") $(<"$queue/nr_requests")" \
		"$(<"$queue/read_ahead_kb")"
}

admin_state
check "mq-deadline, 512 and 0 can be had" "mq-deadline 512 0" "$(state)"
echo none >"$queue/scheduler"
check "the switch to none took nr_requests along" \
	"$hardware_depth" "$(<"$queue/nr_requests")"
check "above the hardware's depth is refused under none" \
	"Invalid argument" "$(guest_poke "$queue/nr_requests" $((hardware_depth + 1)))"
admin_state
check "writing in apply order brings the old state back" \
	"mq-deadline 512 0" "$(state)"
echo none >"$queue/scheduler"
echo 512 >"$queue/nr_requests"
echo mq-deadline >"$queue/scheduler"
check "writing in reverse order does not" 256 "$(<"$queue/nr_requests")"

echo "# under none, a smaller nr_requests shrinks the drive's own tags"
echo none >"$queue/scheduler"
echo 512 >"$queue/nr_requests"
echo mq-deadline >"$queue/scheduler"
echo none >"$queue/scheduler"
disk=$(basename "$(dirname "$queue")")
tag_depth()
{
	sed -n 's/^depth=//p' "/sys/kernel/debug/block/$disk/hctx0/tags" |
		head -n 1
}
check "a scheduler round trip shows the full depth again" \
	"$hardware_depth" "$(<"$queue/nr_requests")"
check "but the tags are still the smaller number" 512 "$(tag_depth)"
echo $((hardware_depth - 1)) >"$queue/nr_requests"
echo "$hardware_depth" >"$queue/nr_requests"
check "one less, then the full number repairs them" \
	"$hardware_depth" "$(tag_depth)"

echo "# values are rounded without an error"
check "nr_requests 1 is accepted" ok "$(guest_poke "$queue/nr_requests" 1)"
check "nr_requests 1 reads back as 4" 4 "$(<"$queue/nr_requests")"
echo "$hardware_depth" >"$queue/nr_requests"
echo 127 >"$queue/read_ahead_kb"
check "read_ahead_kb 127 reads back as 124" 124 "$(<"$queue/read_ahead_kb")"

echo "# queue vectors are managed: their affinity cannot be written"
queue_vectors=0
for irq in /sys/class/nvme/"$ctrl"/device/msi_irqs/*; do
	irq=/proc/irq/${irq##*/}
	set -- "$irq/$ctrl"q*
	if [ "${1##*/}" = "${ctrl}q0" ]; then
		check "the admin vector takes an affinity" \
			ok "$(guest_poke "$irq/smp_affinity_list" 1)"
		continue
	fi
	[ -d "$1" ] || continue
	queue_vectors=$((queue_vectors + 1))
	answer=$(guest_poke "$irq/smp_affinity_list" 1)
	case $answer in
	'Input/output error' | 'Operation not permitted') ;;
	*) fail "${1##*/}: writing its affinity gave \"$answer\"" ;;
	esac
done
check "each of the four queues refused" 4 "$queue_vectors"

echo "# poll_queues counts when the module loads"
guest_unload_nvme
guest_load_nvme_with poll_queues=2
queue=$(guest_queue LAB0)
check "the split has two poll queues" 4/0/2 "$(guest_split LAB0)"
check "io_poll says so" 1 "$(<"$queue/io_poll")"
guest_unload_nvme
check_match "more poll queues than CPUs keep nvme.ko from loading" \
	'*Invalid argument*' "$(modprobe nvme poll_queues=4096 2>&1 || :)"
guest_load_nvme

echo "# a rule on add acts when a drive comes back, and only then"
cat >/etc/udev/rules.d/90-lab.rules <<'RULE'
ACTION=="add", SUBSYSTEM=="block", ENV{DEVTYPE}=="disk", KERNEL=="nvme[0-9]*n[0-9]*", TEST=="mq", ATTRS{transport}=="pcie", ATTR{queue/scheduler}="mq-deadline"
ACTION=="change", SUBSYSTEM=="block", ENV{DEVTYPE}=="disk", TEST=="mq", ATTR{queue/nomerges}="1"
RULE
guest_start_udevd
queue=$(guest_queue LAB0)
check "coldplug applied it" mq-deadline "$(guest_scheduler "$queue")"
echo none >"$queue/scheduler"
: >"/dev/$(basename "$(dirname "$queue")")"
guest_wait 10 grep -q 1 "$queue/nomerges" ||
	fail "no change event came from closing a node open for writing"
guest_settle
check "the change event of a closed node did not" \
	none "$(guest_scheduler "$queue")"
guest_rebind LAB0
check "unbind and bind did" \
	mq-deadline "$(guest_scheduler "$(guest_queue LAB0)")"
