#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The guest's first program on the building machine's root: make the root look
# like a machine that has never seen nvmetune, run the script that boot was
# given, hand its output to the second serial port and its exit status to the
# host, power off.
#
# If anything before the script fails this ends, the kernel panics, and the
# host finds no status: a failure.
set -euo pipefail
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export HOME=/root LC_ALL=C.UTF-8

# shellcheck disable=SC1091 # written by boot
# LAB_REPO, LAB_MODULES, LAB_SCRIPT (with its arguments), LAB_TOPOLOGY, LAB_BOOT
. /run/lab/guest.env
# shellcheck disable=SC1091
. /run/lab/script.env

echo guest >/proc/sys/kernel/hostname
mkdir -p /run/udev /run/lock
mount -t devpts -o mode=620,ptmxmode=666 devpts /dev/pts 2>/dev/null ||
	{ mkdir -p /dev/pts && mount -t devpts devpts /dev/pts; }
mkdir -p /dev/shm && mount -t tmpfs -o mode=1777 tmpfs /dev/shm
mount -t debugfs debugfs /sys/kernel/debug
mount -t tracefs tracefs /sys/kernel/tracing
[ -e /dev/fd ] || ln -s /proc/self/fd /dev/fd

# Whatever the building machine's own administrator or nvmetune left behind; in
# a later boot it is the guest's own.
if [ "$LAB_BOOT" -eq 1 ]; then
	rm -rf /var/lib/nvmetune /etc/nvmetune /usr/share/nvmetune \
		/etc/udev/rules.d /etc/modprobe.d /run/modprobe.d \
		/etc/sysctl.d/90-nvmetune.conf \
		/etc/default/grub.d/nvmetune.cfg \
		/etc/systemd/system/*.d/50-nvmetune.conf \
		/usr/lib/udev/rules.d/9?-nvmetune*.rules
	mkdir -p /etc/udev/rules.d /etc/modprobe.d
fi

# Only the guest's own kernel, where modprobe and libkmod look for it.
mkdir -p /lib/modules
mount --bind "$LAB_MODULES" /lib/modules

export NVMETUNE="$LAB_REPO/build/nvmetune" GUEST_TOPOLOGY=$LAB_TOPOLOGY
export GUEST_BOOT=$LAB_BOOT
export GUEST_LIB="$LAB_REPO/tests/vm/guest-lib.sh" GUEST_OUT=/run/lab/out
cd -- "$LAB_REPO"

stty -F /dev/ttyS1 raw -echo
: >/run/lab/begun
status=0
{
	bash "${LAB_SCRIPT[@]}" </dev/null 2>&1 || echo $? >/run/status
} | cat >/dev/ttyS1
[ ! -e /run/status ] || read -r status </run/status
echo "$status" >/run/lab/status.new
mv /run/lab/status.new /run/lab/status
sync
busybox poweroff -f
