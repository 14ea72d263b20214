#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# update-initramfs of a system guest: the real one, but run by the machine that
# emulates this guest, on a tree with the guest's /etc.  In emulation it takes a
# minute, there a second.
set -eu

release=$(uname -r)
if [ "$*" != "-u -k $release" ]; then
	echo "$0: only -u -k $release, not \"$*\"" >&2
	exit 2
fi
tar -C / -cf /run/lab/rebuild.new etc
mv /run/lab/rebuild.new /run/lab/rebuild
while [ -e /run/lab/rebuild ]; do
	sleep 0.1
done
if [ -e /run/lab/rebuild.failed ]; then
	cat /run/lab/rebuild.log >&2
	exit 1
fi
cp /run/lab/initrd "/boot/initrd.img-$release"
