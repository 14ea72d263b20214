#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Drives that cannot be read as asked for are told before anything is measured or
# changed: of larger blocks, of few sectors, of none.
# shellcheck disable=SC2034 # what expect and fail of lib.sh read
. tests/field/drives.sh

# device DISK SIZE OPTION...: another one in place of the first.
device() {
	local disk=$1

	losetup -d "${devices[0]}"
	truncate -s "$2" "$TMPDIR/$disk"
	shift 2
	devices[0]=$(losetup "$@" -f --show "$TMPDIR/$disk" 2>/dev/null) ||
		skip "no loop device"
	rm "$root/dev/$disk"
	cp -a "${devices[0]}" "$root/dev/$disk"
	printf '%d:%d\n' "0x$(stat -c %t "${devices[0]}")" \
		"0x$(stat -c %T "${devices[0]}")" |
		put "sys/class/block/$disk/dev"
}
confirm() { # ARGUMENT...
	ran="$*"
	below "$NVMETUNE" "$@" >"$out" 2>"$err"
	rc=$?
}
calibrate() {
	confirm confirm --calibrate --time 1 --metric iops "$@" nvme0n1
}

drives two-nodes nvme0n1
device nvme0n1 16M -b 4096
[ "$(blockdev --getss "${devices[0]}")" = 4096 ] || skip "no blocks of 4096"
# Every single read would fail, and those of the faster arm would be more.
for size in 512 6k; do
	calibrate --block $size
	expect 1; quiet; one_line
	tells "nvme0n1: its blocks have 4096 bytes, and a read of "
done
cat >"$TMPDIR/none.ini" <<-INI
	[drives lab]
	match.serial = LAB1*
	queue.nr_requests = 64
INI
confirm apply --profile "$TMPDIR/none.ini" --dry-run --confirm --block 512
expect 1; tells "its blocks have 4096 bytes, and a read of 512"
bench --node 0 nvme0n1
expect 0

device nvme0n1 512
bench --node 0 nvme0n1
expect 1; quiet; one_line
tells "nvme0n1 has 512 bytes, less than a read of 4096"
# Where it was not asked for it stands in nobody's way.
bench --node 0
expect 1; quiet; tells "nvme0n1 has 512 bytes, less than a read of 4096: left out"
tells "every drive is in use (see --in-use) or empty"
device nvme0n1 0
bench --node 0 nvme0n1
expect 1; quiet; one_line; tells "nvme0n1 has 0 bytes"
