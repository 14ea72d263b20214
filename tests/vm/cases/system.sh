# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A whole system, from an image that was tuned offline: what systemd, udev and a
# real initramfs make of it, over four boots.  Topology two-node, --system: LAB1
# is on node 1, which has CPUs 2 and 3.  Field cases C11 and D4: in boot 2 the
# initramfs has a rule that is not the root's any more.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

notes=/var/lib/lab
image=boot/initrd.img-$GUEST_RELEASE

fleet_profile()
{
	cat <<'INI'
[profile]
summary = What the image brings

[drives]
queue.scheduler = mq-deadline
queue.nr_requests = max
queue.rq_affinity = 2
queue.read_ahead_kb = 64

[drives lab]
match.serial = LAB1
queue.read_ahead_kb = 256

[host]
module.nvme.poll_queues = 2
INI
}

host_profile()
{
	cat <<'INI'
[profile]
summary = What the administrator of one host wants

[drives]
queue.scheduler = none
queue.nr_requests = 300
queue.read_ahead_kb = 0

[host]
module.nvme.poll_queues = 1
kernel.numa_balancing = 0
irqbalance = ban-nvme

[service db.service]
drive = /dev/disk/by-id/nvme-QEMU_NVMe_Ctrl_LAB1

[wrapper near-data]
drive = /dev/disk/by-id/nvme-QEMU_NVMe_Ctrl_LAB1
INI
}

# What was there before us: the administrator's own option, a rule from an old
# tuning guide, and a database, of which all that matters is where it runs.
put_neighbours()
{
	local etc=$GUEST_ROOT/etc/systemd/system

	mkdir -p "$GUEST_ROOT"/etc/{modprobe.d,udev/rules.d}
	echo 'options nvme io_queue_depth=512' \
		>"$GUEST_ROOT/etc/modprobe.d/admin.conf"
	guest_leftover_rule "$GUEST_ROOT"
	cat >"$etc/db.service" <<'UNIT'
[Service]
ExecStart=/bin/sleep infinity
UNIT
	ln -s ../db.service "$etc/multi-user.target.wants/db.service"
	ln -s /usr/lib/systemd/system/irqbalance.service \
		"$etc/multi-user.target.wants/irqbalance.service"
}

# Our files in the image's initramfs.
initramfs_files()
{
	zstd -dcq "$GUEST_ROOT/$image" | cpio -t --quiet | grep nvmetune || :
}

# GUEST_BOOT=0: this machine builds an image.
build()
{
	local command

	mkdir -p "$GUEST_ROOT$notes"
	fleet_profile >"$GUEST_ROOT$notes/fleet.ini"
	host_profile >"$GUEST_ROOT$notes/host.ini"
	put_neighbours
	check_status "apply to the image" 0 "$NVMETUNE" apply \
		--root "$GUEST_ROOT" --profile "$GUEST_ROOT$notes/fleet.ini" \
		--min-cpus 4
	check "the initramfs does not know yet" "" "$(initramfs_files)"
	command=$(sed -n 's/^still needed: "\(.*\)"$/\1/p' <<<"$output")
	check "apply says so" "update-initramfs -u -k $GUEST_RELEASE" "$command"
	# shellcheck disable=SC2086 # words
	chroot "$GUEST_ROOT" $command
	check_match "the options are in the initramfs" \
		"etc/modprobe.d/nvmetune.conf*" "$(initramfs_files)"
}

splits()
{
	echo "$(guest_split LAB0) $(guest_split LAB1)"
}

values() # SERIAL
{
	local queue

	queue=$(guest_queue "$1")
	echo "$(guest_scheduler "$queue") $(<"$queue/nr_requests")" \
		"$(<"$queue/rq_affinity") $(<"$queue/read_ahead_kb")"
}

# has_values SERIAL VALUES
has_values()
{
	[ "$(values "$1")" = "$2" ]
}

# service_property UNIT NAME
service_property()
{
	systemctl show --value -p "$2" "$1"
}

# cpus_of UNIT - those that its process may run on.
cpus_of()
{
	sed -n 's/^Cpus_allowed_list:\t//p' \
		"/proc/$(service_property "$1" MainPID)/status"
}

# options_of UNIT - what its process was started with.
options_of()
{
	tr '\0' ' ' <"/proc/$(service_property "$1" MainPID)/cmdline"
}

# said UNIT_OR_PROGRAM - what it has written to the journal in this boot.
said()
{
	case $1 in
	*.service) journalctl -b -q -o cat -u "$1" ;;
	*) journalctl -b -q -o cat -t "$1" ;;
	esac
}

state()
{
	guest_state
	echo "balancing $(</proc/sys/kernel/numa_balancing)"
	echo "db.service on $(cpus_of db.service)"
	echo "irqbalance $(options_of irqbalance.service)"
}

# the_system_is_up - PID 1 is systemd and has nothing to complain of.
the_system_is_up()
{
	check "the first process" systemd "$(</proc/1/comm)"
	check "no unit has failed" "" \
		"$(systemctl list-units --failed --plain --no-legend)"
}

the_image_is_in_force()
{
	guest_wait 60 has_values LAB0 "mq-deadline 2048 2 64" ||
		fail "LAB0 has $(values LAB0)"
	guest_wait 60 has_values LAB1 "mq-deadline 2048 2 256" ||
		fail "LAB1 has $(values LAB1)"
	check "the driver was loaded with the image's options" \
		"4/0/2 4/0/2" "$(splits)"
	check "and with the administrator's" 512 \
		"$(</sys/module/nvme/parameters/io_queue_depth)"
}

# The root file system comes after what the initramfs does.
nvme_was_loaded_in_the_initramfs()
{
	dmesg | awk '/nvme nvme[0-9]: pci function/ { loaded = 1 }
		/EXT4-fs \(vda\): mounted/ { exit !loaded }' ||
		fail "nvme was not loaded before the root was mounted"
	echo "ok: nvme was loaded in the initramfs"
}

# A unit that fails for want of a right would say so here.
units_set_a_reset_drive_again()
{
	local queue ctrl

	queue=$(guest_queue LAB1)
	ctrl=$(guest_ctrl LAB1)
	check_match "coldplug's add has started the helper" \
		"*queue.nr_requests: from \"256\" to \"2048\"*" "$(said nvmetune)"
	echo 1 >"/sys/class/nvme/$ctrl/reset_controller"
	case $GUEST_RELEASE in
	5.10.*)
		check_status "the unit, for want of an event" 0 \
			systemctl start "nvmetune-device@$ctrl.service"
		;;
	esac
	guest_wait 60 has_values LAB1 "mq-deadline 2048 2 256" ||
		fail "after a reset LAB1 has $(values LAB1)"
	echo "ok: after a reset it is as wanted"

	echo 16 >"$queue/read_ahead_kb"
	check_status "the unit by hand" 0 \
		systemctl start "nvmetune-device@$ctrl.service"
	check "has set what changed" 256 "$(<"$queue/read_ahead_kb")"
	check_match "and the journal tells" '*queue.read_ahead_kb: from "16" to "256"*' \
		"$(said "nvmetune-device@$ctrl.service")"
}

units_are_fenced_in()
{
	local unit verdict

	for unit in nvmetune-device@nvme0.service nvmetune-verify.service; do
		verdict=$(systemd-analyze security --no-pager --threshold=25 \
			"$unit" | tail -n 1) || fail "$unit: $verdict"
		printf 'ok: %s: %s\n' "$unit" "${verdict#* }"
	done
}

# verify_has_told RESULT - and has come to its end.
verify_has_told()
{
	[ "$(service_property nvmetune-verify.service Result)" = "$1" ] &&
		[ "$(service_property nvmetune-verify.service ActiveState)" != activating ]
}

the_timer_records_drift()
{
	local queue

	queue=$(guest_queue LAB1)
	check_status "the unit finds all as it was applied" 0 \
		systemctl start nvmetune-verify.service
	echo 2 >"$queue/nomerges"
	echo 16 >"$queue/read_ahead_kb"
	# Its day is over at once.
	mkdir -p /run/systemd/system/nvmetune-verify.timer.d
	cat >/run/systemd/system/nvmetune-verify.timer.d/soon.conf <<'UNIT'
[Timer]
OnCalendar=
OnActiveSec=0
RandomizedDelaySec=0
UNIT
	systemctl daemon-reload
	check_status "enable the timer" 0 \
		systemctl enable --now nvmetune-verify.timer
	guest_wait 60 verify_has_told exit-code ||
		fail "the timer's unit: $(systemctl status nvmetune-verify.service)"
	check_match "the journal has the drift" '*queue.read_ahead_kb*16*256*' \
		"$(said nvmetune-verify.service | tr '\n' ' ')"
	check "it was left as it was found" 16 "$(<"$queue/read_ahead_kb")"
	systemctl disable -q --now nvmetune-verify.timer
	rm -r /run/systemd/system/nvmetune-verify.timer.d
	systemctl daemon-reload
	systemctl reset-failed
	echo 0 >"$queue/nomerges"
	echo 256 >"$queue/read_ahead_kb"
}

check_service()
{
	check "the service runs near its drive" 2-3 "$(cpus_of db.service)"
	check "with memory of that node" "preferred 1" \
		"$(service_property db.service NUMAPolicy) $(
			service_property db.service NUMAMask)"
	check_match "the kernel knows" "*prefer*:1*" \
		"$(</proc/"$(service_property db.service MainPID)"/numa_maps)"
	check_match "irqbalance has its ban" "*--banmod=nvme*" \
		"$(options_of irqbalance.service)"
	check "the wrapper runs near the drive" "2-3" \
		"$(near-data sed -n 's/^Cpus_allowed_list:\t//p' /proc/self/status)"
	check "the sysctl is set" 0 "$(</proc/sys/kernel/numa_balancing)"
}

first_boot()
{
	the_system_is_up
	the_image_is_in_force
	nvme_was_loaded_in_the_initramfs
	check_status "verify on the first boot" 0 "$NVMETUNE" verify
	check_match "it says so" "*all is as profile fleet was applied*" "$output"
	check_status "the clone has no history" 0 "$NVMETUNE" rollback
	check_match "it says whose it is" "*came with the image*" "$output"
	check "the image's files are root's" \
		"644 root 644 root 644 root" "$(stat -c '%a %U' \
			/etc/udev/rules.d/90-nvmetune.rules \
			/etc/modprobe.d/nvmetune.conf \
			/etc/nvmetune/applied.ini | tr '\n' ' ' | sed 's/ $//')"
	units_set_a_reset_drive_again
	the_timer_records_drift
	units_are_fenced_in
	state >"$notes/before"

	check_status "apply" 4 "$NVMETUNE" apply --profile "$notes/host.ini" \
		--detailed-exitcode
	check_match "it tells what is missing" \
		"*\"update-initramfs -u -k $GUEST_RELEASE\"*restart of *db.service*" \
		"$output"
	check_status "pending since this boot is no drift" 0 "$NVMETUNE" verify
	check_match "but it is told" "*pending*" "$output"
	check "systemd has read the drop-in" "no preferred" \
		"$(service_property db.service NeedDaemonReload) $(
			service_property db.service NUMAPolicy)"
	check "and restarted nothing" "0-3" "$(cpus_of db.service)"
	systemctl restart db.service irqbalance.service
	check_service
	guest_reboot
}

second_boot()
{
	the_system_is_up
	check "udev has the host's values" "none 300 1 0 none 300 1 0" \
		"$(values LAB0) $(values LAB1)"
	check_service
	check "the initramfs still has the image's option" \
		"4/0/2 4/0/2" "$(splits)"
	check_status "verify tells" 3 "$NVMETUNE" verify
	check_match "why" '*module.nvme.poll_queues*old initramfs*' "$output"
	# Once, the rebuild is the guest's own.
	[[ $GUEST_RELEASE != 6.1.* ]] || mount --bind \
		/usr/sbin/update-initramfs.real /usr/sbin/update-initramfs
	check_status "apply --update-initramfs" 0 "$NVMETUNE" apply \
		--update-initramfs
	check_match "has run" "*initramfs: rebuilt*" "$output"
	guest_reboot
}

# From the next boot on /var is a file system of its own, and mounted late: after
# coldplug has told of the drives.
move_var()
{
	truncate -s 64M /var.img
	mkfs.ext4 -q /var.img
	mount -o loop /var.img /mnt
	cp -a /var/. /mnt/
	umount /mnt
	rm -rf /var/lib/nvmetune "$notes"
	echo "/var.img /var ext4 loop,x-systemd.requires=systemd-udev-settle.service 0 0" \
		>>/etc/fstab
}

third_boot()
{
	the_system_is_up
	check "the option is in force" "4/0/1 4/0/1" "$(splits)"
	check "udev's values, too" "none 300 1 0 none 300 1 0" \
		"$(values LAB0) $(values LAB1)"
	check_service
	check_status "verify" 0 "$NVMETUNE" verify
	check_match "nothing is pending any more" \
		"*all is as profile host was applied*" "$output"
	check_status "history knows the boots before" 0 "$NVMETUNE" history
	check_status "rollback" 0 "$NVMETUNE" rollback --update-initramfs
	check_match "takes the apply back, not only the rebuild behind it" \
		"*2 transactions undone: 1[0-9] brought back*" "$output"
	check_match "has rebuilt it, and asks for no more" \
		"*initramfs: rebuilt*still needed: a reload*" "$output"
	move_var
	guest_reboot
}

# helper_unit_ran - for a disk or its controller; it is not the rule's RUN.
helper_unit_ran()
{
	[[ "$(said 'nvmetune-device@*.service')" == *queue.nr_requests* ]]
}

fourth_boot()
{
	the_system_is_up
	check "/var is a file system of its own" /var "$(findmnt -n -o TARGET /var)"
	the_image_is_in_force
	guest_wait 60 helper_unit_ran || fail "no unit has set nr_requests"
	echo "ok: systemd has started the helper's unit once /var was there"
	check_same "values, files and services are those before apply" \
		"$(<"$notes/before")" "$(state)"
	check_status "verify" 0 "$NVMETUNE" verify
}

echo "# boot $GUEST_BOOT"
case $GUEST_BOOT in
0) build ;;
1) first_boot ;;
2) second_boot ;;
3) third_boot ;;
4) fourth_boot ;;
esac
