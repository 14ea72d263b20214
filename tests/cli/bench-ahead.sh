#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What becomes of a result is known to work before anything is measured: a baseline
# can be read and compares, and a file can be made where one will be.
# shellcheck disable=SC2034 # variables that lib.sh uses
. tests/cli/bench-lib.sh

drives two-nodes nvme0n1
# A loop device is faster than the link of that tree, which would not be believed.
find "$root/sys/devices" -name current_link_speed -delete
baselines=$TMPDIR/lib/nvmetune/baselines

unmeasured() { # nothing was read: no slice was told of, and nothing was kept
	expect 1
	quiet
	one_line
	[ ! -e "${kept[0]}" ] || fail "a result was kept"
}
# edit NAME FILTER: a baseline of that name from the one called usual
edit() { jq "$2" "$baselines/usual.json" >"$baselines/$1.json"; }

measure --baseline usual --node 1 --jobs 1 --depth 1 nvme0n1
expect 0
tells 'baseline "usual" is saved in'
measure --baseline usual --node 1 --jobs 1 --depth 1 nvme0n1
expect 0
says "against the baseline usual:"
before=$(cat "$baselines"/*)

measure --baseline usual --node 1 --jobs 1 --depth 2 nvme0n1
unmeasured
tells "not comparable: depth is 1 in"
tells "usual.json, 2 in what is to be measured"
measure sweep --baseline usual --node 1 nvme0n1
unmeasured
tells "not comparable: mode is matrix in"
# Of two times the last one counts.
measure --baseline usual --node 1 --jobs 1 --depth 1 --time 2 nvme0n1
unmeasured
tells "not comparable: measure_ms is 1000 in"
[ "$(cat "$baselines"/*)" = "$before" ] || fail "a baseline has changed"

edit kernel '.environment.kernel = "4.4.0"'
measure --baseline kernel --node 1 --jobs 1 --depth 1 nvme0n1
unmeasured
tells "not comparable: kernel is 4.4.0 in"
edit drive '.drives[].serial = "ANOTHER"'
measure --baseline drive --node 1 --jobs 1 --depth 1 nvme0n1
unmeasured
tells "have no drive of one serial number"
edit firmware '.drives[].firmware = "OLD"'
measure --baseline firmware --node 1 --jobs 1 --depth 1 nvme0n1
unmeasured
tells "not comparable: firmware is OLD in"
edit engine '.cells[].method.engine = "steam"'
measure --baseline engine --node 1 --jobs 1 --depth 1 nvme0n1
unmeasured
tells "not comparable: engine is steam in"
edit figures '.cells[].iops = 0'
measure --baseline figures --node 1 --jobs 1 --depth 1 nvme0n1
unmeasured
echo '{' >"$baselines/damaged.json"
measure --baseline damaged --node 1 --jobs 1 --depth 1 nvme0n1
unmeasured
tells "damaged.json: not a saved result"
mkdir "$baselines/folder.json"
measure --baseline folder --node 1 --jobs 1 --depth 1 nvme0n1
unmeasured
tells "folder.json"

# What access() does not know: names have a length, and inodes come to an end.
measure --baseline "$(printf 'n%.0s' {1..250})" --node 1 --jobs 1 --depth 1 nvme0n1
unmeasured
tells "cannot write: File name too long"
mkdir "$TMPDIR/full"
ran="bench -o $TMPDIR/full"
unshare -m sh -c 'mount -t tmpfs -o nr_inodes=1 none "$1" &&
	exec "$0" bench -o "$1" nvme99' "$NVMETUNE" "$TMPDIR/full" \
	>"$out" 2>"$err"
rc=$?
expect 1
quiet
one_line
tells "$TMPDIR/full/result: cannot write: No space left on device"
