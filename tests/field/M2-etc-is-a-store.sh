#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A folder of /etc that leads into /nix/store gets no file: one sentence says so and
# names the option that takes the text; live values may still be had.
. tests/field/lib.sh

tree two-nodes
rm -rf "$root/etc/nvmetune" "$root/etc/udev"
store=nix/store/abcdefgh-udev-rules
mkdir -p "$root/$store" "$root/nix/store/xyz-etc/etc/udev" "$root/etc/udev"
# As it is there: /etc/static is a link, and the folder a link into that.
ln -s /nix/store/xyz-etc/etc "$root/etc/static"
ln -s "/$store" "$root/nix/store/xyz-etc/etc/udev/rules.d"
ln -s /etc/static/udev/rules.d "$root/etc/udev/rules.d"
profile <<-END
	[drives]
	queue.scheduler = none
END
plan
json "[.files[] | select(.action == \"conflict\")] | length == 1 and
	(.[0] | .path == \"$rules\" and (.reason |
	contains(\"/$store\") and contains(\"services.udev.extraRules\")))"
file $rules | grep -qF 'ATTR{queue/scheduler}="none"' || fail "no text to give"
apply
expect 1; one_line
tells "/$store, where nothing may be written"
[ -z "$(ls "$root/$store")" ] || fail "the store was written to"
grep -q mq-deadline "$root/sys/class/block/nvme0n1/queue/scheduler" ||
	fail "values were changed all the same"
apply --live-only
expect 0
[ "$(<"$root/sys/class/block/nvme0n1/queue/scheduler")" = none ] ||
	fail "no value was changed"
[ -z "$(ls "$root/$store")" ] || fail "the store was written to"
# Any other link is the administrator's own way to keep /etc.
rollback
expect 0
rm "$root/etc/udev/rules.d"
mkdir -p "$root/etc/git/rules.d"
ln -s /etc/git/rules.d "$root/etc/udev/rules.d"
apply
expect 0
[ -e "$root/etc/git/rules.d/90-nvmetune.rules" ] || fail "not written"
