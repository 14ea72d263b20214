#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A second apply writes nothing, a foreign modprobe.d with its duplicates stays as it is
# to the byte and is told of, and rollback leaves no trace of ours.
. tests/field/lib.sh

tree two-nodes
rm -rf "$root/etc/nvmetune"
foreign=etc/modprobe.d/nvme.conf
# A script appends its line at each run.
printf 'options nvme io_queue_depth=512\n%.0s' 1 2 3 | put $foreign
printf '# no newline at the end' >>"$root/$foreign"
fingerprint() {
	(cd "$root" && find . -path ./var -prune -o -path ./run -prune -o \
		-type f -exec sha256sum {} + | sort)
}
# As a write leaves an attribute: without the newline.
for attr in "$root"/sys/class/block/nvme*n*/queue/nomerges; do
	printf %s "$(<"$attr")" >"$attr"
done
fingerprint >"$TMPDIR/before"
profile <<-END
	[drives]
	queue.nomerges = 2

	[host]
	module.nvme.io_queue_depth = 256
END
status
json '[.advice[] | select(.id == "options.repeated")] | length == 2 and
	(.[0].text | contains("io_queue_depth=512 stands again in /etc/modprobe.d/nvme.conf:2"))'
apply
expect 0
fingerprint >"$TMPDIR/applied"
[ "$(grep -c '^options nvme ' "$root/etc/modprobe.d/nvmetune.conf")" = 1 ] ||
	fail "not one line"
apply
expect 0
says "nothing"
fingerprint | cmp -s - "$TMPDIR/applied" || fail "the second apply wrote"

# Changed by hand since: told, kept until it is said to go.
echo "options nvme io_queue_depth=64" >>"$root/etc/modprobe.d/nvmetune.conf"
rollback
expect 1
tells "changed by hand since nvmetune wrote it: kept"
rollback --force
expect 0
fingerprint | diff "$TMPDIR/before" - >&2 || fail "not as before"
