# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The device helper, started by udev: a drive that is reset, pulled and put
# back, or removed and found again has its values without another apply; and what
# a rule holds, though the kernel tells of the disk before it makes its queue.
# Topology two-node: LAB1 is on node 1, which has CPUs 2 and 3.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

mask=/etc/udev/rules.d/91-nvmetune-device.rules

cat >/run/helper.ini <<'INI'
[profile]
summary = What a rule holds, what differs from drive to drive, what a reset loses

[drives]
queue.scheduler = mq-deadline
queue.nr_requests = max
queue.max_sectors_kb = 64
queue.read_ahead_kb = 0
irq.affinity = local
INI

vector()
{
	local folder

	for folder in /proc/irq/*/"$(guest_ctrl "$1")q0"; do
		cat "${folder%/*}/smp_affinity_list"
	done
}

values() # SERIAL
{
	local queue

	queue=$(guest_queue "$1")
	printf '%s %s %s %s %s\n' "$(guest_scheduler "$queue")" \
		"$(<"$queue/nr_requests")" "$(<"$queue/max_sectors_kb")" \
		"$(<"$queue/read_ahead_kb")" "$(vector "$1")"
}

wanted='mq-deadline 2048 64 0 2-3'
is_wanted()
{
	[ "$(values LAB1 2>/dev/null)" = "$wanted" ]
}

# has_come SENTENCE - the drive is there and udev has done with it.
has_come()
{
	guest_wait 30 guest_nvme_ready || fail "the drive did not come back"
	guest_settle
	guest_wait 30 is_wanted || fail "$1: it is $(values LAB1)"
	printf 'ok: %s\n' "$1"
}

# The kernel's reset is over when the write returns.
reset()
{
	echo 1 >"/sys/class/nvme/$(guest_ctrl LAB1)/reset_controller"
}

# It sends no event before 5.18: there the helper is for somebody to start.
reset_and_help()
{
	reset
	case $(uname -r) in
	5.1[0-7].*)
		guest_wait 30 guest_nvme_ready || fail "it is not live"
		check_status "the helper by hand, for want of an event" 0 \
			/usr/bin/nvmetune device "$(guest_ctrl LAB1)"
		;;
	esac
}

state()
{
	guest_state
	printf 'vectors %s %s\n' "$(vector LAB0)" "$(vector LAB1)"
}

guest_install_helper
guest_start_udevd
guest_load_nvme
before=$(state)
plain=$(values LAB1)

echo "# apply"
check_status "apply" 0 "$NVMETUNE" apply --profile /run/helper.ini
check "the drive is as wanted" "$wanted" "$(values LAB1)"

echo "# a reset without the helper"
ln -s /dev/null $mask
guest_reload_rules
reset
has_lost()
{
	[ "$(values LAB1)" != "$wanted" ]
}
guest_wait 30 has_lost || fail "the reset lost nothing: $(values LAB1)"
guest_settle
check_status "verify tells" 3 "$NVMETUNE" verify
check_match "what it lost" '*queue.read_ahead_kb@*128*0*' "$output"
check_status "the helper does by hand what it did not by itself" 0 \
	/usr/bin/nvmetune device "$(guest_ctrl LAB1)"
has_come "it is as wanted"
rm $mask
guest_reload_rules

echo "# a reset"
reset_and_help
has_come "after a reset it is as wanted"
check_status "verify" 0 "$NVMETUNE" verify

echo "# pulled and put back"
guest_rebind LAB1
has_come "after it was pulled it is as wanted"

echo "# removed and found again"
pci=$(guest_pci LAB1)
echo 1 >"/sys/bus/pci/devices/$pci/remove"
[ ! -e "/sys/bus/pci/devices/$pci" ] || fail "$pci is still there"
echo 1 >/sys/bus/pci/rescan
guest_wait 30 test -e "/sys/bus/pci/devices/$pci" || fail "$pci did not come"
has_come "after it was removed it is as wanted"
check_status "verify" 0 "$NVMETUNE" verify

echo "# while an apply is at work"
exec 8>>/run/nvmetune.lock
flock 8
reset
guest_settle
guest_wait 30 has_lost || fail "the helper wrote while another was at work"
flock -u 8
check_match "it says so" '*left alone*' "$(flock /run/nvmetune.lock \
	/usr/bin/nvmetune device "$(guest_ctrl LAB1)" 2>&1)"
reset_and_help
has_come "the next event finds it alone"

echo "# rollback"
check_status "rollback" 0 "$NVMETUNE" rollback
reset
guest_rebind LAB1
check "the helper sets nothing any more" "$plain" "$(values LAB1)"
check_same "values and files are those before nvmetune" "$before" "$(state)"

echo "# a drive that comes after apply"
pci=$(guest_pci LAB1)
guest_unbind_pci "$pci"
check_status "apply" 0 "$NVMETUNE" apply --profile /run/helper.ini
guest_bind_pci "$pci"
has_come "the drive that came is as wanted"
check_status "verify" 0 "$NVMETUNE" verify
check_status "rollback" 0 "$NVMETUNE" rollback
check_match "gives back what the helper found" \
	'*queue.nr_requests: back to "256"*' "$output"
check "the vector, too" "${plain##* }" "$(vector LAB1)"

echo "# the kernel is slow to make a disk's queue"
cat >/run/early.ini <<'INI'
[profile]
summary = What a rule holds

[drives]
queue.scheduler = mq-deadline
queue.nr_requests = 300
queue.rq_affinity = 2
INI
held()
{
	local queue

	queue=$(guest_queue LAB1)
	printf '%s %s %s\n' "$(guest_scheduler "$queue")" \
		"$(<"$queue/nr_requests")" "$(<"$queue/rq_affinity")"
}

# put_back - while the kernel is held; had=no: it had not made the queue when it
# told of the disk.
put_back()
{
	rm -f /run/release
	guest_unbind_pci "$pci"
	: >/run/hold
	guest_bind_pci "$pci"
	rm /run/hold
	had=$(tail -n 1 /run/held)
	had=${had#* }
}

# The kernel goes on when udev waits for it.
mv /usr/bin/nvmetune /usr/bin/nvmetune.real
cat >/usr/bin/nvmetune <<'SH'
#!/bin/sh
case $* in
*--wait-queue*) : >/run/release ;;
esac
exec /usr/bin/nvmetune.real "$@"
SH
chmod 755 /usr/bin/nvmetune
guest_stop_udevd
guest_hold_disks
guest_start_udevd
check_status "apply" 0 "$NVMETUNE" apply --profile /run/early.ini
mask=/etc/udev/rules.d/00-nvmetune-queue.rules
ln -s /dev/null $mask
put_back
[ -e /run/release ] && fail "udev waited, but the rule is masked"
case $had in
no) check "udev's rules came too early" "none 1023 1" "$(held)" ;;
yes) check "the queue was there" "mq-deadline 300 2" "$(held)" ;;
*) fail "nobody saw the disk: $(</run/held)" ;;
esac
rm $mask
for _ in 1 2 3; do
	put_back
	check "the drive is as the rule wants it" "mq-deadline 300 2" "$(held)"
	check "udev waited, if it had to" "$had" \
		"$(if [ -e /run/release ]; then echo no; else echo yes; fi)"
	[ "$had" = no ] || break
done
check_status "verify" 0 "$NVMETUNE" verify
guest_hold_end
