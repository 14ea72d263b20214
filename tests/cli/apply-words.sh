#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A parameter of a driver that is built in is a word of the kernel command line:
# written below grub.d where that is read, and taken back to the byte.
. tests/cli/apply-lib.sh

dir=$TMPDIR/host
words=$dir/etc/default/grub.d/nvmetune.cfg
host "$dir"
echo kernel/drivers/nvme/host/nvme.ko \
	>>"$dir/lib/modules/6.1.0-50-amd64/modules.builtin"
rm "$dir/sys/module/nvme/initstate"
mkdir -p "$dir/usr/sbin" "$dir/etc/default/grub.d" "$dir/boot/grub"
echo 'GRUB_CMDLINE_LINUX_DEFAULT="quiet nvme.poll_queues=1"' \
	>"$dir/etc/default/grub"
boot=$dir/proc/sys/kernel/random/boot_id
mkdir -p "${boot%/*}" && echo boot-one >"$boot"
cat >"$TMPDIR/poll.ini" <<-INI
	[host]
	module.nvme.poll_queues = 2
INI

# Where nothing reads grub.d the word is printed.
nvmetune plan --sysroot "$dir" --profile "$TMPDIR/poll.ini"
expect 0; says "GRUB_CMDLINE_LINUX in /etc/default/grub"
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/poll.ini"
expect 0; [ ! -e "$words" ] || fail "a file that nothing reads"
nvmetune rollback --sysroot "$dir"
expect 0

: >"$dir/usr/sbin/update-grub"
chmod +x "$dir/usr/sbin/update-grub"
fingerprint "$dir" >"$TMPDIR/before"
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/poll.ini" --detailed-exitcode
expect 4; says 'still needed: "update-grub", then a reboot'
nvmetune apply --sysroot "$dir" --format json
json '.needs == ["grub", "reboot"]'
# As grub-mkconfig reads it: the kernel takes the last word.
# shellcheck disable=SC1090,SC1091 # written by the test
line=$(. "$dir/etc/default/grub" && . "$words" &&
	echo "$GRUB_CMDLINE_LINUX_DEFAULT")
[ "$line" = "quiet nvme.poll_queues=1 nvme.poll_queues=2" ] ||
	fail "the command line would be: $line"
[ ! -e "$dir/etc/modprobe.d/nvmetune.conf" ] || fail "an option that nothing reads"
nvmetune verify --sysroot "$dir"
expect 0; says "pending"; says '"update-grub" and a reboot'
echo boot-two >"$boot"
nvmetune verify --sysroot "$dir"
expect 3; says "grub.cfg is perhaps older than the word"
echo boot-one >"$boot"

# Another profile takes the word away again, and says what that needs.
oltp "$dir" --detailed-exitcode
expect 4; says '"update-grub", then a reboot'
[ ! -e "$words" ] || fail "the word is still there"
nvmetune rollback --sysroot "$dir"
expect 0; says 'still needed: "update-grub", then a reboot'
grep -q 'nvme.poll_queues=2' "$words" || fail "the word is not back"

echo "# by hand" >>"$words"
nvmetune rollback --sysroot "$dir" --all
expect 1; tells "changed by hand"
nvmetune rollback --sysroot "$dir" --all --force
expect 0
same_host "$dir" "$TMPDIR/before"

nvmetune apply --sysroot "$dir" --profile "$TMPDIR/poll.ini" --update-grub
expect 1; one_line; tells "--update-grub"
