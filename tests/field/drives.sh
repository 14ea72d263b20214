# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the cases of measuring share, on top of lib.sh: drives that can be read.
# A disk of a tree gets a loop device's number, and nvmetune sees that tree as
# /sys and that device in /dev, in a mount namespace of its own.
#
#	drives TREE DISK...	$root, and for each disk $TMPDIR/DISK, a file
#	bench ARGUMENT...	nvmetune bench there, with few short slices
#
# Two nodes with one CPU each: what is measured is not looked at, only how.
# shellcheck shell=bash disable=SC2034 # variables that lib.sh uses
. tests/field/lib.sh

[ "$(id -u)" = 0 ] || skip "only root can set up a loop device"
[ "$(nproc)" -ge 2 ] || skip "two nodes need two CPUs"
devices=()
trap 'for it in "${devices[@]}"; do losetup -d "$it"; done' EXIT

drives() {
	local tree=$1 disk device

	shift
	tree "$tree" <<-END
		sys/devices/system/node/node0/meminfo | f | Node 0 MemFree:         983040 kB
		sys/devices/system/node/node1/meminfo | f | Node 1 MemFree:         983040 kB
	END
	echo 0 | put sys/devices/system/node/node0/cpulist
	echo 1 | put sys/devices/system/node/node1/cpulist
	echo 0-1 | put sys/devices/system/cpu/online
	echo 0-1 | put sys/devices/system/cpu/possible
	mkdir "$root/dev"
	for disk; do
		head -c 16M /dev/urandom >"$TMPDIR/$disk"
		device=$(losetup -f --show "$TMPDIR/$disk" 2>/dev/null) ||
			skip "no loop device"
		devices+=("$device")
		cp -a "$device" "$root/dev/$disk"
		printf '%d:%d\n' "0x$(stat -c %t "$device")" \
			"0x$(stat -c %T "$device")" |
			put "sys/class/block/$disk/dev"
	done
	unshare -m true 2>/dev/null || skip "no mount namespaces"
}

# below COMMAND...: with the tree's /sys and /dev.
below() {
	# shellcheck disable=SC2016 # for the shell in the namespace
	unshare -m sh -c 'mount --bind "$0/sys" /sys &&
		cp -a /dev/null /dev/urandom "$0/dev" &&
		mount --bind "$0/dev" /dev && exec "$@"' "$root" "$@"
}

bench() {
	ran="bench $*"
	below "$NVMETUNE" bench --time 1 --passes 1 "$@" >"$out" 2>"$err"
	rc=$?
}
