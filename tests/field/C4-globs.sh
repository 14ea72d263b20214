#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Globs are tried on the drives of the host: what they miss and what they match
# beyond is listed; ours match every disk, of any number, and no partition.
. tests/field/lib.sh

# 12 controllers, and 24 namespaces on the first.
host namespaces-24 '.ctrls = [.ctrls[0] as $c | range(12) as $i |
	$c + { name: "nvme\($i)", serial: "SER\($i)", nqn: "nqn.x:\($i)",
	subsystem: "nvme-subsys\($i)", address: "0000:\(10 + $i):00.0",
	dev: "240:\($i)" }] |
	.namespaces += [.namespaces[0] as $n | range(1; 12) as $i |
	$n + { name: "nvme\($i)n1", ctrl: "nvme\($i)", dev: "259:\(100 + $i)",
	subsystem: "nvme-subsys\($i)", wwid: "eui.\($i)" }]'
finds() { # line of the file, words
	says "tests/lint/c4-globs.rules:$1: $2"
}
lint tests/lint/c4-globs.rules --facts "$facts"
expect 1
# nvme[0-26]n1 is a set of 0, 1, 2 and 6.
for drive in nvme3n1 nvme5n1 nvme10n1 nvme11n1 nvme0n2; do
	finds 2 "misses $drive of this host"
done
for drive in nvme0n1 nvme2n1 nvme6n1; do
	! grep -q ":2: misses $drive " "$out" || fail "$drive is not missed"
done
# nvme[0-9]n[0-9]: no second digit on either side.
for drive in nvme10n1 nvme11n1 nvme0n10 nvme0n24; do
	finds 3 "misses $drive of this host"
done
finds 4 "means a drive by its number, as nvme0n13*"
finds 5 "matches the controller nvme0, which has no queue/nr_requests"
finds 5 "matches the partition nvme0n1p1"

profile <<-END
	[drives]
	queue.scheduler = none
	queue.rq_affinity = 2
END
plan
file $rules >"$TMPDIR/90-nvmetune.rules"
lint "$TMPDIR/90-nvmetune.rules" --facts "$facts"
expect 0
quiet
json_all=$(jq '[.namespaces[].name] | length' "$facts")
[ "$json_all" = 35 ] || fail "$json_all namespaces"
plan
json '[.changes[] | select(.key == "queue.rq_affinity")] | length == 35'
