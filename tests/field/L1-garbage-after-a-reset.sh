#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# While a controller answers with garbage, or is not live, it is left alone, nothing
# of it gets into the journal, and no escape of its text reaches the terminal.
. tests/field/lib.sh

profile <<-END
	[drives]
	queue.scheduler = kyber
END
device=sys/devices/pci0000:40/0000:40:00.0/0000:41:00.0/nvme/nvme0
for model in '@' 'QEMU \x1b[31m\xff' 'x\x07y'; do
	tree two-nodes
	rm -rf "$root/etc/nvmetune"
	printf "$model" | put $device/model
	printf 'p;' | put $device/firmware_rev
	plan
	change queue.scheduler@nvme0n1 '.verdict == "cannot" and
		(.reason | contains("no text now"))'
	verdict queue.scheduler@nvme1n1 change
	page status
	! grep -qP '[\x1b\x07\xff]' "$out" || fail "its bytes are printed"
	apply
	expect 0
	! grep -r nvme0n1 "$root/var/lib/nvmetune/txn" --include='*journal*' ||
		fail "it is in the journal"
done
# Second look: the drive has found its name.
printf 'QEMU NVMe Ctrl                          ' | put $device/model
plan
verdict queue.scheduler@nvme0n1 change
