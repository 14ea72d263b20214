#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What udev runs before its rules where the kernel tells of a disk first and makes
# its queue then: it ends when the queue is there, and sets nothing.
. tests/cli/apply-lib.sh

dir=$TMPDIR/host
host "$dir"
printf '[profile]\nsummary = What a rule holds\n[drives]\nqueue.scheduler = none\n' \
	>"$TMPDIR/held.ini"
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/held.ini"
expect 0
disk=$dir/sys/class/block/nvme0n1
mkdir "$disk/integrity"
# Another value than was applied: neither this nor an event by hand sets what a
# rule holds.
printf mq-deadline >"$disk/queue/scheduler"
fingerprint "$dir" >"$TMPDIR/before"
awaits() { nvmetune device --wait-queue --sysroot "$dir" "$@"; }
aside() { mv "$disk/queue" "$disk/integrity" "$TMPDIR/"; }

# The kernel, a moment later.
later() { # NAME...
	(
		sleep 0.3
		for name in "$@"; do
			mv "$TMPDIR/$name" "$disk/"
		done
	) &
}

# It is there: nothing to wait for.
awaits nvme0n1
expect 0; quiet; silent
same_host "$dir" "$TMPDIR/before"

# It comes late.
aside
later queue integrity
awaits nvme0n1
expect 0; quiet; silent
[ -d "$disk/queue" ] || fail "it did not wait for the queue"
wait
same_host "$dir" "$TMPDIR/before"

# It comes, and nothing behind it: a kernel without integrity metadata.
aside
later queue
awaits nvme0n1
expect 0; quiet; silent
[ -d "$disk/queue" ] || fail "it did not wait for the queue"
wait
mv "$TMPDIR/integrity" "$disk/"

# It never comes: that is told, and udev goes on.
aside
awaits nvme0n1
expect 1; quiet; one_line
tells "nvme0n1: the kernel has not made its queue in 2 s"
mv "$TMPDIR/queue" "$TMPDIR/integrity" "$disk/"
same_host "$dir" "$TMPDIR/before"

# The disk goes meanwhile, or was never there.
aside
mv "$disk" "$TMPDIR/gone"
awaits nvme0n1
expect 0; quiet; silent
mv "$TMPDIR/gone" "$disk"
mv "$TMPDIR/queue" "$TMPDIR/integrity" "$disk/"
awaits nvme7n1
expect 0; quiet; silent

# Started otherwise the helper leaves alone what a rule holds, whatever the event
# that udev has in its environment.
for action in '' change add; do
	ACTION=$action DEVTYPE=disk nvmetune device --sysroot "$dir" nvme0n1
	expect 0; silent
	[ "$(scheduler "$dir" nvme0n1)" = mq-deadline ] ||
		fail "a value by hand was taken for a loss at \"$action\""
done

for name in nvme0 nvme0n1p1 sda ../nvme0n1 ''; do
	awaits "$name"
	expect 2
done
awaits nvme0n1 nvme1n1
expect 2
