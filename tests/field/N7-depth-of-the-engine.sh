#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# No engine reads one after the other: the depth that is asked for is the depth that is
# used, also without io_uring, and a profile cannot ask for another engine.
. tests/field/drives.sh

profile <<-END
	[drives]
	queue.scheduler = none

	[confirm]
	engine = sync
	iodepth = 32
END
host two-socket-32cpu
check
expect 1; quiet
tells '"engine"'
tells '"iodepth"'

drives two-nodes nvme0n1
bench --node 0 --jobs 1 --depth 8 --format json nvme0n1
expect 0
json '.cells[0].method | .depth == 8 and .jobs == 1 and
	(.engine | startswith("io_uring") or . == "aio")'

# So many reads are handed over at once, and never more, by the thread whose engine
# is that deep; another one finds out what a ring can do without a drive.
handed_over() { # the numbers of each call
	local reader

	reader=$(sed -nE 's/^([0-9]+) +io_(uring_)?setup\(8, .*/\1/p' \
		"$TMPDIR/trace" | tail -n 1)
	sed -nE "s/^$reader +(io_uring_enter|io_submit)\([^,]*, ([0-9]+),.*/\2/p" \
		"$TMPDIR/trace"
}
if strace -o /dev/null true 2>/dev/null; then
	export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
	below strace -f -qq -o "$TMPDIR/trace" \
		-e trace=io_uring_setup,io_setup,io_uring_enter,io_submit \
		"$NVMETUNE" bench --time 1 --passes 1 --node 0 --jobs 1 --depth 8 \
		nvme0n1 >"$out" 2>"$err" || fail "bench below strace"
	handed_over | grep -qx 8 || fail "never 8 reads at once"
	[ "$(handed_over | sort -n | tail -n 1)" -le 8 ] ||
		fail "more than 8 reads at once"
fi
nvmetune bench --depth 5000 nvme0n1
expect 2
tells "above 1024"
