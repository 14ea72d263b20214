# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Poll queues made live by apply --allow-reload: refused while anybody uses a
# drive, done when nobody does.  Topology two-node-8.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

guest_leftover_rule
guest_start_udevd
guest_load_nvme
before=$(guest_state)

disk=$(guest_queue LAB0)
disk=${disk%/queue}
disk=/dev/${disk##*/}

echo "# a drive that is mounted"
mke2fs -q -F "$disk"
mkdir -p /mnt/lab
mount "$disk" /mnt/lab
check_status "apply while a drive is mounted" 4 \
	"$NVMETUNE" apply --profile low-latency --allow-reload --detailed-exitcode
check_match "it names the mount" \
	"*nvme is not reloaded: ${disk#/dev/} is mounted on /mnt/lab*" "$output"
check_match "and says what is still needed" '*still needed: *reload*' "$output"
check "the split stays" 8/0/0 "$(guest_split LAB0)"
umount /mnt/lab

echo "# a drive that a program has open"
(
	exec 5<"$disk"
	exec sleep 600
) &
sleeper=$!
check_status "apply while a program reads a drive" 4 \
	"$NVMETUNE" apply --profile low-latency --allow-reload --detailed-exitcode
check_match "it names the process" \
	"*${disk#/dev/} is open in process $sleeper (sleep)*" "$output"
check "the split still stays" 8/0/0 "$(guest_split LAB0)"
kill "$sleeper"
wait "$sleeper" || :

echo "# nobody"
check_status "apply with idle drives" 3 \
	"$NVMETUNE" apply --profile low-latency --allow-reload --detailed-exitcode
check_match "it tells the reload" '*module nvme: reloaded*' "$output"
check "the first drive has the planned split" 8/0/2 "$(guest_split LAB0)"
check "and the second" 8/0/2 "$(guest_split LAB1)"
check "the parameter is the persisted one" 2 \
	"$(</sys/module/nvme/parameters/poll_queues)"
check "polling is on" 1 "$(cat "$(guest_queue LAB0)/io_poll")"
guest_settle
check "the leftover rule has not won over the profile" "none none" \
	"$(guest_scheduler "$(guest_queue LAB0)") $(guest_scheduler \
		"$(guest_queue LAB1)")"
check_status "verify" 0 "$NVMETUNE" verify
check_match "nothing is pending" '*no drift*' "$output"
# Also an admin vector that was right before the reload, which made a new one.
check_status "a second apply has nothing to do" 0 \
	"$NVMETUNE" apply --profile low-latency --allow-reload --detailed-exitcode

echo "# a parameter of nvme_core, which goes out and in with it"
check "it is not this" 30 "$(</sys/module/nvme_core/parameters/io_timeout)"
cat >/run/core.ini <<'INI'
[profile]
summary = The time-out of every drive

[host]
module.nvme_core.io_timeout = 47
INI
check_status "apply" 3 "$NVMETUNE" apply --profile /run/core.ini \
	--allow-reload --detailed-exitcode
check "the parameter is true now" 47 \
	"$(</sys/module/nvme_core/parameters/io_timeout)"
check_status "verify" 0 "$NVMETUNE" verify
check_match "nothing is pending" '*no drift*' "$output"
check_status "rollback" 0 "$NVMETUNE" rollback

echo "# rollback"
check_status "rollback" 0 "$NVMETUNE" rollback --all
check_match "a reload is still needed for the parameter" \
	'*still needed: *a reload of the nvme modules*' "$output"
guest_unload_nvme
guest_load_nvme
check_same "values and files are those before nvmetune" \
	"$before" "$(guest_state)"
