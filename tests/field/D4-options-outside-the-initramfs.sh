#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Options of modprobe.d are not effective until the initramfs has them: told until
# the image is newer than the file, with the command only where its tool is.
. tests/field/lib.sh

profile <<-END
	[host]
	module.nvme.poll_queues = 1
	module.nvme.write_queues = 0
END
for tool in usr/bin/dracut usr/sbin/update-initramfs usr/bin/mkinitcpio none; do
	tree two-nodes
	rm -f "$root/usr/sbin/update-initramfs"
	[ $tool = none ] || put $tool </dev/null
	rm -rf "${root:?}/etc/modprobe.d"
	put boot/initrd.img-6.1.0-50-amd64 </dev/null
	put sys/module/nvme/parameters/poll_queues <<<0
	plan
	change module.nvme.poll_queues '.verdict == "later" and .pending == false'
	json '.needs == ["reload", "initramfs"]'
	page plan
	case $tool in
	none) says "a new initramfs, by the tool that made this one"
		! grep -qE 'dracut|update-initramfs|mkinitcpio' "$out" ||
		fail "a tool that is not there" ;;
	*) says "after apply: \"${tool##*/} -" ;;
	esac
	apply
	expect 0
	verify --format json
	json '.drift == 0 and .pending >= 1'
	json '[.findings[] | select(.what == "module.nvme.poll_queues")][0] |
		.state == "pending" and .applied == "1"'
done

# The image is older than our file, then newer; the times of a live host.
host two-socket-32cpu '.initramfs = "/boot/initrd.img-5.15.0-91-generic" |
	.initramfs_mtime = 1000'
profile <<-END
	[host]
	module.nvme.poll_queues = 2
END
plan
file /etc/modprobe.d/nvmetune.conf >"$TMPDIR/conf"
jq --rawfile text "$TMPDIR/conf" '. + { options: [{ module: "nvme",
	param: "poll_queues", value: "2", line: 6,
	file: "/etc/modprobe.d/nvmetune.conf" }] } |
	.own_files = [{ path: "/etc/modprobe.d/nvmetune.conf", present: true,
	content: $text, mtime: 2000 }]' "$facts" >"$TMPDIR/own" || fail jq
mv "$TMPDIR/own" "$facts"
plan
change module.nvme.poll_queues '.pending and (.needs | index("initramfs"))'
edit '.initramfs_mtime = 3000'
plan
change module.nvme.poll_queues '.pending and .needs == ["reload"]'
