#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The rarer keys of request queues are known; a key that is not is an error with line
# and the one that was meant.
. tests/field/lib.sh

profile <<-END
	[drives]
	queue.nomerges = 2
	queue.iostats = 0
	queue.wbt_lat_usec = 0
	queue.rq_affinity = 2
	queue.add_random = 0
	queue.max_sectors_kb = max
	queue.read_ahead_kb = 128
END
host two-socket-32cpu
check
expect 0
plan
change queue.nomerges@nvme0n1 '.want == 2'

profile <<-END
	[drives]
	queue.nomerge = 2
	queue.iostat = 0
	queue.rq_affinty = 2
	wbt_lat_usec = 0
END
check
expect 1; quiet
tells 'case.ini:5: unknown key "queue.nomerge"; did you mean queue.nomerges?'
tells 'case.ini:6: unknown key "queue.iostat"; did you mean queue.iostats?'
tells 'case.ini:7: unknown key "queue.rq_affinty"; did you mean queue.rq_affinity?'
tells 'case.ini:8: unknown key "wbt_lat_usec"'
# None of it is applied in part.
tree two-nodes
apply
expect 1
[ ! -e "$root/var/lib/nvmetune/txn" ] || fail "something was begun"
