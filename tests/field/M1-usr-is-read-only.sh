#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# On an ostree host only /etc and our state are written, the command line comes as
# rpm-ostree's text, and it is said what an initramfs of the server does not have.
. tests/field/lib.sh

tree two-nodes
rm -rf "$root/etc/nvmetune" "$root/etc/modprobe.d"
mkdir -p "$root/usr/lib/udev/rules.d" "$root/boot/grub2" "$root/etc/default"
echo 'GRUB_CMDLINE_LINUX="quiet"' | put etc/default/grub
put run/ostree-booted </dev/null
capture
json '.initramfs_tool == "rpm-ostree" and .cmdline_tool == "rpm-ostree"'
profile <<-END
	[drives]
	queue.scheduler = none

	[host]
	module.nvme.poll_queues = 2
END
plan
json '[.files[] | select(.action != "same") | .path | startswith("/etc/")] |
	length == 3 and all'
json '.needs | index("initramfs") and index("reload")'
page plan
says "rpm-ostree initramfs --enable"
find "$root" -newer "$profile" -type f | sort >"$TMPDIR/before"
apply
expect 0
find "$root" -newer "$profile" -type f ! -path "$root/sys/*" \
	! -path "$root/etc/*" ! -path "$root/var/lib/nvmetune/*" \
	! -path "$root/run/*" | comm -13 "$TMPDIR/before" - >"$TMPDIR/else"
[ ! -s "$TMPDIR/else" ] || fail "more is written: $(cat "$TMPDIR/else")"
[ "$(<"$root/etc/default/grub")" = 'GRUB_CMDLINE_LINUX="quiet"' ] ||
	fail "grub's file was changed"

# The driver is built in: kernel arguments, as text to run.
tree two-nodes
rm -rf "$root/etc/nvmetune" "$root/etc/modprobe.d" \
	"$root"/sys/module/nvme{,_core}/initstate
put run/ostree-booted </dev/null
plan
change module.nvme.poll_queues '.verdict == "cannot" and (.reason |
	contains("rpm-ostree kargs --append-if-missing=nvme.poll_queues=2"))'
