#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A benchmark reads: there is no option that writes, the drive is opened read-only and
# checked to be that drive, one in use is refused by name, and its bytes stay.
. tests/field/drives.sh

nvmetune bench --write
expect 2; quiet
nvmetune bench --rw=randwrite
expect 2; quiet
nvmetune bench --help
says "Drives are only read"

drives two-nodes nvme0n1
before=$(sha256sum <"$TMPDIR/nvme0n1")
bench --format json nvme0n1
expect 0
json '.cells | length == 2 and all(.[]; .errors == 0 and .ios > 0)'
json '.cells[0].method | .engine == "aio" or (has("ring_restricted"))'
[ "$(sha256sum <"$TMPDIR/nvme0n1")" = "$before" ] || fail "the drive differs"
bench nvme0n1
expect 0
grep -q -e "the kernel refuses all but reads" -e "read-only by its descriptor" \
	"$out" || fail "what keeps it from writing is not told"

# In use, as part of an array that is not mounted.
holders=sys/class/block/nvme0n1/holders
mkdir -p "$root/$holders/md0"
bench nvme0n1
expect 1; quiet
tells "nvme0n1 is in use by md0"
tells "--in-use"
rmdir "$root/$holders/md0"
# Another device under the name, or none.
cp -a /dev/null "$root/dev/zero" && rm "$root/dev/nvme0n1"
head -c 1M /dev/zero >"$root/dev/nvme0n1"
bench nvme0n1
expect 1; quiet
tells "not a block device"
