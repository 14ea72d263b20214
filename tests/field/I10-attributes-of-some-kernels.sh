#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A head lists its paths since 6.15, before their names tell: with and without that
# folder the facts are the same.
. tests/field/lib.sh

head=sys/devices/virtual/nvme-subsystem/nvme-subsys0/nvme0n1
without() {
	tree multipath
	rm -rf "${root:?}/$head/multipath"
	capture
}
without
cp "$out" "$TMPDIR/before"
json '[.namespaces[] | select(.kind == "path") | .head] ==
	["nvme0n1", "nvme0n1"]'
mkdir -p "$root/$head/multipath"
ln -s ../../../../../pci0000:20/0000:20:00.0/0000:21:00.0/nvme/nvme0/nvme0c0n1 \
	"$root/$head/multipath/nvme0c0n1"
ln -s ../../../../../pci0000:40/0000:40:00.0/0000:41:00.0/nvme/nvme1/nvme0c1n1 \
	"$root/$head/multipath/nvme0c1n1"
capture
cmp "$out" "$TMPDIR/before" || fail "the facts differ"

# An attribute that this kernel has not is its own answer, not an error.
rm "$root/sys/class/block/nvme0c0n1/queue/"{io_timeout,wbt_lat_usec}
profile <<-END
	[drives]
	queue.io_timeout = 30s
	queue.wbt_lat_usec = 0
END
plan
change queue.io_timeout@nvme0c0n1 '.verdict == "cannot" and .have == null and
	(.reason | contains("this kernel has no queue/io_timeout"))'
verdict queue.wbt_lat_usec@nvme0c1n1 change
