#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What somebody changed since is kept and told; --force overwrites it.
. tests/cli/apply-lib.sh

dir=$TMPDIR/host
queue=$dir/sys/class/block/nvme0n1/queue
host "$dir"
fingerprint "$dir" >"$TMPDIR/before"
oltp "$dir"
expect 0

printf kyber >"$queue/scheduler"
echo "# by hand" >>"$dir/etc/nvmetune/applied.ini"
nvmetune rollback --sysroot "$dir"
expect 1
tells 'nvme0n1: queue.scheduler: was "mq-deadline", nvmetune left "none", now it is "kyber": kept'
tells "/etc/nvmetune/applied.ini: changed by hand since nvmetune wrote it: kept"
says "1 transaction undone"
[ "$(<"$queue/scheduler")" = kyber ] || fail "kyber was overwritten"
[ "$(<"$queue/nr_requests")" = 512 ] || fail "the rest was not brought back"
[ ! -e "$dir/etc/udev/rules.d/90-nvmetune.rules" ] || fail "the rules stay"

nvmetune rollback --sysroot "$dir"
expect 0; says "2 of its changes were kept"
nvmetune rollback --sysroot "$dir" --force
expect 0
same_host "$dir" "$TMPDIR/before"

# A file that the administrator takes over does not come back with apply.
oltp "$dir"
expect 0
cp "$dir/etc/udev/rules.d/90-nvmetune.rules" "$TMPDIR/rules"
echo "# by hand" >>"$dir/etc/udev/rules.d/90-nvmetune.rules"
nvmetune apply --sysroot "$dir"
expect 1; one_line; tells "changed by hand"
nvmetune verify --sysroot "$dir"
expect 3; says "changed by hand"
cp "$TMPDIR/rules" "$dir/etc/udev/rules.d/90-nvmetune.rules"
printf kyber >"$queue/scheduler"
nvmetune apply --sysroot "$dir"
expect 0; says "1 changed"
sed -i s/none/kyber/ "$dir/etc/udev/rules.d/90-nvmetune.rules"
nvmetune apply --sysroot "$dir"
expect 1; one_line; tells "changed by hand"

# What cannot be written even by force is taken up again by the next one.
rm -rf "$dir"
host "$dir"
oltp "$dir"
expect 0
fingerprint "$dir" >"$TMPDIR/oltp"
printf '[profile]\nsummary = Other\n[drives]\nqueue.scheduler = kyber\n' \
	>"$TMPDIR/other.ini"
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/other.ini"
expect 0
blocked=$dir/etc/udev/rules.d/90-nvmetune.rules.nvmetune-new
mkdir "$blocked"
nvmetune rollback --sysroot "$dir" --force
expect 1; tells "90-nvmetune.rules: cannot be brought back"
rmdir "$blocked"
nvmetune rollback --sysroot "$dir"
expect 0; says "of its changes were kept, --force overwrites them"
nvmetune rollback --sysroot "$dir" --force
expect 0
same_host "$dir" "$TMPDIR/oltp"

# Without applied.ini nothing would be watched any more: that it is gone is the
# drift, until what wrote it is taken back.
rm -rf "$dir"
host "$dir"
oltp "$dir"
expect 0
rm "$dir/etc/nvmetune/applied.ini"
nvmetune verify --sysroot "$dir"
expect 3; says "1 drifted: not as profile oltp was applied"
says "somebody removed it since"
nvmetune verify --sysroot "$dir" --format json
expect 3
json '.profile == "oltp" and .drift == 1 and
	.findings[0].what == "/etc/nvmetune/applied.ini"'
nvmetune rollback --sysroot "$dir" --force
expect 0
nvmetune verify --sysroot "$dir"
expect 0; says "nothing to verify"
