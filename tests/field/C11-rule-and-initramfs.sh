#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Rules need not be in the initramfs, since the boot replays "add" on the real
# root, and a copy that is there all the same, perhaps an old one, does nothing;
# module options must be, and the command for it is told where it is known.
. tests/field/lib.sh

host kv-leftover-rule
profile <<-END
	[drives]
	queue.scheduler = none
END
plan
change queue.scheduler@nvme0n1 '.persistence == "udev rule" and .needs == []'
json '.needs == []'
json '[.files[] | select(.path == "/etc/udev/rules.d/90-nvmetune.rules").want
	| contains("\nTEST!=\"/etc/nvmetune/applied.ini\", GOTO=\"nvmetune_end\"\n")]
	== [true]'
page plan
! grep -q '^needs' "$out" || fail "an initramfs for a rule"

profile <<-END
	[host]
	module.nvme.poll_queues = 2
END
tool() { # name or null, kernel
	edit ".initramfs_tool = $1 | .kernel = \"$2\""
	plan
	json '.needs | index("initramfs") != null'
	page plan
}
tool '"dracut"' 5.14.0-1.el9
says 'needs     after apply: "dracut -f", then a reload of the nvme modules, or a reboot'
tool '"update-initramfs"' 6.1.0-50-amd64
says '"update-initramfs -u -k 6.1.0-50-amd64"'
tool '"mkinitcpio"' 6.12.9-arch1-1
says '"mkinitcpio -P"'
edit '.initramfs_tool = null'
page plan
for command in dracut update-initramfs mkinitcpio; do
	! grep -q "after apply.*$command" "$out" || fail "a tool that is not there"
done
says "after apply: "
