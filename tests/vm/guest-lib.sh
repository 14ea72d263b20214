# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Sourced by the scripts that run in a guest: . "$GUEST_LIB".  A script ends
# with the first thing that is not as it must be.

set -Eeuo pipefail
trap 'printf "FAIL: %s:%s: %s\n" "${BASH_SOURCE[0]##*/}" "$LINENO" "$BASH_COMMAND"' ERR

fail()
{
	printf 'FAIL: %s\n' "$*"
	exit 1
}

# check SENTENCE EXPECTED ACTUAL
check()
{
	[ "$2" = "$3" ] || fail "$1: expected \"$2\", found \"$3\""
	printf 'ok: %s\n' "$1"
}

# check_match SENTENCE GLOB ACTUAL
check_match()
{
	# shellcheck disable=SC2053 # a pattern
	[[ $3 == $2 ]] || fail "$1: expected \"$2\", found \"$3\""
	printf 'ok: %s\n' "$1"
}

# check_status SENTENCE STATUS COMMAND... - its output is shown, and kept in
# $output.
check_status()
{
	local sentence=$1 expected=$2 status=0

	shift 2
	output=$("$@" 2>&1) || status=$?
	printf '$ %s\n%s\n' "$*" "$output"
	check "$sentence: exit status" "$expected" "$status"
}

# guest_wait SECONDS COMMAND... - until the command succeeds.
guest_wait()
{
	local tries=$(($1 * 10))

	shift
	until "$@"; do
		[ $((tries -= 1)) -gt 0 ] || return 1
		sleep 0.1
	done
}

# All NVMe functions on the PCI bus have a live controller with a namespace.
guest_nvme_ready()
{
	local class n=0 live=0 ctrl

	for class in /sys/bus/pci/devices/*/class; do
		[ "$(<"$class")" != 0x010802 ] || n=$((n + 1))
	done
	for ctrl in /sys/class/nvme/nvme*; do
		[ "$(cat "$ctrl/state" 2>/dev/null)" = live ] || continue
		set -- "$ctrl"/nvme*n*/queue
		[ ! -d "$1" ] || live=$((live + 1))
	done
	[ "$live" -eq "$n" ]
}

guest_load_nvme()
{
	# shellcheck disable=SC2119
	guest_load_nvme_with
}

# guest_load_nvme_with PARAMETER=VALUE...
# shellcheck disable=SC2120
guest_load_nvme_with()
{
	guest_reload_rules
	modprobe nvme "$@"
	guest_wait 30 guest_nvme_ready ||
		fail "the drives did not come up: $(dmesg | tail -n 5)"
	guest_settle
	guest_late_queues
}

# Before 5.15 the kernel tells of a disk before it makes its queue
# (__device_add_disk() in block/genhd.c): a rule may come too early.  In a boot
# coldplug sends the event again, and so it is sent here, but not where nvmetune
# is at work and has udev wait.  Disks have sequence numbers since then.
guest_late_queues()
{
	[ -S /run/udev/control ] || return 0
	[ ! -e /usr/lib/udev/rules.d/00-nvmetune-queue.rules ] ||
		[ ! -e /etc/nvmetune/applied.ini ] || return 0
	! compgen -G '/sys/class/block/nvme*/diskseq' >/dev/null || return 0
	udevadm trigger --action=add --subsystem-match=block \
		--sysname-match='nvme*'
	guest_settle
}

guest_unload_nvme()
{
	modprobe -r nvme
	guest_settle
}

# udevd for real.  The trigger names the subsystems, so that the PCI coldplug
# does not load nvme.ko behind the script's back; "trigger --settle" would
# wait forever for the hidden disks of native multipath.
guest_start_udevd()
{
	/lib/systemd/systemd-udevd --daemon
	udevadm trigger --action=add --subsystem-match=nvme \
		--subsystem-match=nvme-subsystem --subsystem-match=block
	guest_settle
}

guest_stop_udevd()
{
	udevadm control --exit
	guest_wait 30 guest_has_no_udevd || fail "udevd did not end"
	rm -f /run/udev/control
}

guest_has_no_udevd()
{
	! pidof systemd-udevd >/dev/null
}

# The drives come up as in a boot: udevd's coldplug loads nvme.ko, with what
# modprobe.d says, and runs the rules.
guest_coldplug()
{
	/lib/systemd/systemd-udevd --daemon
	udevadm trigger --action=add --subsystem-match=pci
	guest_wait 30 guest_nvme_ready ||
		fail "the drives did not come up: $(dmesg | tail -n 5)"
	guest_settle
}

# guest_hold_disks - from here on /run/held has a line "NAME yes" or "NAME no" for
# each disk that the kernel tells of: is its queue there?  While /run/hold exists
# the kernel stays at that point until udevd is done with the disk or /run/release
# exists.  Before udevd is started; CPU 0 is for that alone (tests/vm/hold.c).
guest_hold_disks()
{
	taskset -cp 1-3 $$ >/dev/null
	echo 1 >/sys/devices/virtual/workqueue/cpumask
	echo -1 >/proc/sys/kernel/sched_rt_runtime_us
	build/tests/vm/hold /run/hold /run/release >/run/held 2>&1 &
	guest_holder=$!
	guest_wait 10 grep -q listening /run/held ||
		fail "nobody listens: $(</run/held)"
}

guest_hold_end()
{
	kill "$guest_holder"
	wait "$guest_holder" || :
}

# guest_reboot - end this boot in order.  The script runs again in the next one,
# where GUEST_BOOT is one more.
guest_reboot()
{
	: >/run/lab/again
	exit 0
}

# guest_power_cut - the same, but the guest stops dead: what is not on disk is
# lost.
guest_power_cut()
{
	: >/run/lab/cut
	sleep 60
	fail "the power is still on"
}

# udevd itself looks for changed rules every three seconds only.
guest_reload_rules()
{
	[ ! -S /run/udev/control ] || udevadm control --reload
}

# udevd has been through its rules for each drive that is here now.  A disk's
# queue can be seen before the kernel tells of the disk, so that a udevd with
# nothing to do proves nothing; its database, written after the last rule, does.
# Disks in turn can have the same device number, but not the same sequence
# number.
guest_udev_done()
{
	local dev entry number

	for dev in /sys/class/nvme/nvme*/dev /sys/class/block/nvme*/dev; do
		read -r number 2>/dev/null <"$dev" || continue
		case $dev in
		*/nvme/*) entry=/run/udev/data/c$number ;;
		*) entry=/run/udev/data/b$number ;;
		esac
		[ -e "$entry" ] || return 1
		read -r number 2>/dev/null <"${dev%/dev}/diskseq" || continue
		grep -qsx "S:disk/by-diskseq/$number" "$entry" || return 1
	done
}

# Wait for udevd, where it runs.
guest_settle()
{
	[ -S /run/udev/control ] || return 0
	guest_wait 60 guest_udev_done || fail "udevd has missed a drive"
	udevadm settle --timeout=60 ||
		fail "udevd did not settle in 60 seconds"
}

# guest_try_rules FILE DEVICE ACTION ENTRY - put the rules on stdin into FILE, and
# have udevd run them for the sysfs folder DEVICE, whose entry in its database is
# ENTRY.  The rules come in one piece and with a number that they leave in the
# database, which is written after the last rule: where it is there, the event
# was seen to its end, and by these rules.
guest_tries=0
guest_try_rules()
{
	local file=$1 device=$2 action=$3 entry=/run/udev/data/$4 left=5

	guest_tries=$((guest_tries + 1))
	{
		echo "ENV{LAB_TRY}=\"$guest_tries\""
		cat
	} >/run/lab.rules
	mv /run/lab.rules "$file"
	until grep -qsx "E:LAB_TRY=$guest_tries" "$entry"; do
		[ $((left -= 1)) -ge 0 ] ||
			fail "udevd does not take the rules of try $guest_tries"
		[ $left -eq 4 ] || echo "# udevd was not at try $guest_tries:" \
			"$(grep LAB_TRY "$entry")"
		udevadm control --reload
		udevadm trigger --action="$action" "$device"
		guest_settle
	done
}

# guest_ctrl SERIAL - "nvme0".  Numbers change from load to load.
guest_ctrl()
{
	local ctrl serial

	for ctrl in /sys/class/nvme/nvme*; do
		# It may be on its way out, or in again.
		read -r serial 2>/dev/null <"$ctrl/serial" || continue
		if [ "$serial" = "$1" ]; then
			printf '%s\n' "${ctrl##*/}"
			return
		fi
	done
	fail "no controller with serial number $1"
}

# guest_queue SERIAL - the queue folder of its namespace.
guest_queue()
{
	local ctrl

	ctrl=$(guest_ctrl "$1")
	set -- "/sys/class/nvme/$ctrl"/nvme*n*/queue
	if [ $# -ne 1 ] || [ ! -d "$1" ]; then
		fail "$ctrl: not exactly one namespace"
	fi
	readlink -f "$1"
}

# guest_pci SERIAL - "0000:21:00.0"
guest_pci()
{
	local path

	path=$(readlink -f "/sys/class/nvme/$(guest_ctrl "$1")/device")
	printf '%s\n' "${path##*/}"
}

# guest_rebind SERIAL - as if the drive had been pulled and put back.
guest_rebind()
{
	local pci

	pci=$(guest_pci "$1")
	guest_unbind_pci "$pci"
	guest_bind_pci "$pci"
}

guest_unbind_pci()
{
	echo "$1" >/sys/bus/pci/drivers/nvme/unbind
	guest_settle
}

guest_bind_pci()
{
	guest_reload_rules
	echo "$1" >/sys/bus/pci/drivers/nvme/bind
	guest_wait 30 guest_nvme_ready || fail "$1: did not come back"
	guest_settle
	guest_late_queues
}

# guest_split SERIAL - "4/0/2", as the kernel last said it.
guest_split()
{
	local ctrl

	ctrl=$(guest_ctrl "$1")
	dmesg | sed -n "s/.*nvme $ctrl: \([0-9/]*\) default.read.poll.*/\1/p" |
		tail -n 1
}

# guest_scheduler QUEUE - the active one.
guest_scheduler()
{
	sed 's/.*\[\(.*\)\].*/\1/' "$1/scheduler"
}

# guest_poke FILE VALUE - write and print "ok" or the kernel's complaint.
guest_poke()
{
	local complaint

	if complaint=$( (printf '%s\n' "$2" >"$1") 2>&1); then
		echo ok
	else
		printf '%s\n' "${complaint##*: }"
	fi
}

# guest_leftover_rule [ROOT] - the rule file that many hosts still carry from an old
# tuning guide.
guest_leftover_rule()
{
	cat >"${1-}/etc/udev/rules.d/60-io-scheduler.rules" <<'RULE'
# set I/O scheduler for NVMe drives
ACTION=="add|change", KERNEL=="nvme[0-9]*n[0-9]*", ATTR{queue/scheduler}="mq-deadline"
RULE
}

# Everything nvmetune may change, in lines that can be compared: by serial
# number, for the kernel's numbers move.
guest_state()
{
	local serial

	for serial in LAB0 LAB1; do
		printf '%s: split %s\n' "$serial" "$(guest_split "$serial")"
		guest_queue_values "$(guest_queue "$serial")" "$serial"
	done
	guest_parameters
	guest_files
}

# guest_queue_values FOLDER NAME - what knobs may change there, a line each that
# begins with NAME.  An attribute that is absent or unreadable has no line.
guest_queue_values()
{
	# One process a folder: each costs a tenth of a second in emulation.
	(
		cd "$1"
		grep -s '' scheduler nr_requests rq_affinity nomerges \
			wbt_lat_usec max_sectors_kb io_timeout add_random \
			iostats read_ahead_kb || :
	) | sed "s/^/$2: /"
}

guest_parameters()
{
	grep -s '' /sys/module/nvme/parameters/* \
		/sys/module/nvme_core/parameters/* || :
}

# The files nvmetune may own and their neighbours, absence included.
guest_files()
{
	local dir

	for dir in /etc/udev/rules.d /etc/modprobe.d /etc/sysctl.d \
		/etc/nvmetune /etc/systemd/system /etc/default/grub.d; do
		[ ! -d "$dir" ] || find "$dir" -type f -exec sha256sum {} +
	done | sort -k 2
}

# check_same SENTENCE BEFORE AFTER - two states; the difference is shown.
check_same()
{
	[ "$2" = "$3" ] || {
		diff <(printf '%s\n' "$2") <(printf '%s\n' "$3") || :
		fail "$1"
	}
	printf 'ok: %s\n' "$1"
}

# guest_install_helper - the device helper and its rules, as a package would.
guest_install_helper()
{
	install -m 755 "$NVMETUNE" /usr/bin/nvmetune
	install -m 644 udev/*.rules /usr/lib/udev/rules.d/
}
