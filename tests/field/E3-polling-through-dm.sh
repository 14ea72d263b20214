#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A target on dm or md is told with the drives below it, which are what is read, by
# interrupts: nothing is ever asked to poll, so no layer can refuse it or hang.
. tests/field/drives.sh

# dm-0 is a logical volume on md0, one leg of which is a drive.
drives two-nodes nvme1n1
put sys/class/block/nvme1n1/queue/io_poll <<<1
for disk in md0 dm-0; do # whose users can be seen to wait
	put "sys/class/block/$disk/stat" <<<"0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0 0"
done
bench dm-0
expect 1; quiet
tells "dm-0: vg-data (LVM) on md0 (raid1) on nvme1n1, sda (no NVMe)"
tells "nvme1n1 is in use by md0, dm-0"

if ! strace -o /dev/null true 2>/dev/null; then skip "no strace"; fi
export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
cat >"$TMPDIR/traced" <<-END
	#!/bin/sh
	exec strace -f -o "$TMPDIR/trace" -e trace=io_uring_setup,io_setup \
		"$NVMETUNE" "\$@"
END
chmod +x "$TMPDIR/traced"
NVMETUNE=$TMPDIR/traced
bench --in-use --node 0 --format json dm-0
expect 0
json '[.cells[].drive] == ["nvme1n1"]'
json 'all(.cells[]; .errors == 0 and .ios > 0)'
grep -qE 'io_(uring_)?setup' "$TMPDIR/trace" || fail "no engine was set up"
! grep -q IOPOLL "$TMPDIR/trace" || fail "it polls"
