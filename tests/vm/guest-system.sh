#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# In a guest with a system of its own, a unit starts this when all others are
# up: run the script that boot was given, hand its output to the second serial
# port and its exit status to the host, power off.
set -euo pipefail
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin
export HOME=/root LC_ALL=C.UTF-8

mkdir -p /run/lab
mount -t 9p -o trans=virtio,version=9p2000.L,cache=none lab /run/lab
# shellcheck disable=SC1091 # written by boot
. /run/lab/guest.env
# shellcheck disable=SC1091
. /run/lab/script.env
export NVMETUNE=/usr/bin/nvmetune GUEST_LIB=/run/lab/guest-lib.sh
export GUEST_TOPOLOGY=$LAB_TOPOLOGY GUEST_BOOT=$LAB_BOOT GUEST_OUT=/run/lab/out
GUEST_RELEASE=$(uname -r)
export GUEST_RELEASE
cd /

stty -F /dev/ttyS1 raw -echo
: >/run/lab/begun
status=0
{
	bash /run/lab/script "${LAB_SCRIPT[@]:1}" </dev/null 2>&1 ||
		echo $? >/run/status
} | cat >/dev/ttyS1
[ ! -e /run/status ] || read -r status </run/status
# As a boot loader would find it.
cp "/boot/initrd.img-$GUEST_RELEASE" /run/lab/initrd.new
mv /run/lab/initrd.new /run/lab/initrd
echo "$status" >/run/lab/status.new
mv /run/lab/status.new /run/lab/status
# There is no bus to ask, and systemctl says so before it does without.
systemctl poweroff 2>/dev/null
