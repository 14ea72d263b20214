#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A module parameter is written now and true later; pending over a boot is
# drift; profile B after A takes back what only A had.
. tests/cli/apply-lib.sh

dir=$TMPDIR/host
host "$dir"
boot=$dir/proc/sys/kernel/random/boot_id
mkdir -p "${boot%/*}" && echo boot-one >"$boot"
fingerprint "$dir" >"$TMPDIR/before"

cat >"$TMPDIR/poll.ini" <<-INI
	[profile]
	summary = Poll queues, and nothing else that is new
	[host]
	module.nvme.poll_queues = 2
INI

nvmetune apply --sysroot "$dir" --profile "$TMPDIR/poll.ini" --detailed-exitcode
expect 4; says "still needed: "; says "a reload of the nvme modules, or a reboot"
grep -q '^options nvme poll_queues=2$' "$dir/etc/modprobe.d/nvmetune.conf" ||
	fail "the option was not written"
nvmetune verify --sysroot "$dir"
expect 0; says "pending until a reload, a restart or a reboot"
nvmetune apply --sysroot "$dir" --detailed-exitcode
expect 4; says "nothing to do"

# Nor does it help to apply again where another file has the last word.
echo 'options nvme poll_queues=1' >"$dir/etc/modprobe.d/zz-late.conf"
nvmetune verify --sysroot "$dir"
expect 3; says "/etc/modprobe.d/zz-late.conf:1 comes after our file and says 1"
! grep -q "repairs it" "$out" || fail "apply is said to repair it"
rm "$dir/etc/modprobe.d/zz-late.conf"

echo boot-two >"$boot"
nvmetune verify --sysroot "$dir"
expect 3; says "pending since an earlier boot"
echo boot-one >"$boot"

oltp "$dir"
expect 0
[ ! -e "$dir/etc/modprobe.d/nvmetune.conf" ] || fail "the option is still there"

# Had nvme been loaded with A's option, it would have that until the next time.
nvmetune plan --sysroot "$dir"
expect 0; ! grep -q poll_queues "$out" || fail "nothing is left of A"
live=$dir/sys/module/nvme/parameters/poll_queues
was=$(<"$live")
echo 2 >"$live"
nvmetune plan --sysroot "$dir" --detailed-exitcode
expect 4; says "pending   module.nvme.poll_queues"
says "the loaded module still has it until a reload or a reboot"
nvmetune verify --sysroot "$dir"
expect 0; says "pending"; says "module.nvme.poll_queues"
nvmetune apply --sysroot "$dir" --detailed-exitcode
expect 4; says "nothing to do"
nvmetune plan --sysroot "$dir" --profile "$TMPDIR/poll.ini" --format json
expect 0; json '[.changes[] | select(.key == "module.nvme.poll_queues") |
	.origin] == ["profile"]'
echo boot-two >"$boot"
nvmetune plan --sysroot "$dir"
expect 0; ! grep -q poll_queues "$out" || fail "after a reboot it is nobody's"
echo boot-one >"$boot"
echo "$was" >"$live"

nvmetune rollback --sysroot "$dir"
expect 0; says "still needed: "
[ -e "$dir/etc/modprobe.d/nvmetune.conf" ] || fail "A is not back"
nvmetune rollback --sysroot "$dir"
expect 0; says "nothing to do: transaction 2, the newest, is undone already"
nvmetune rollback 1 --sysroot "$dir"
expect 0; says "1 transaction undone"
same_host "$dir" "$TMPDIR/before"
nvmetune rollback 7 --sysroot "$dir"
expect 1; one_line; tells "there is no transaction 7"
nvmetune rollback seven --sysroot "$dir"
expect 2; one_line
