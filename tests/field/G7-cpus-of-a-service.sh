#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# G7: a service and a wrapper have the CPUs of the node that are online, allowed and
# not isolated, as ranges; also where nodes are numbered across each other (G10).
. tests/field/lib.sh

profile <<-END
	[service db.service]
	drive = nvme0
	[wrapper near]
	drive = nvme0
	memory = bind
END
host two-socket-32cpu '.isolated = "14-15" | .online = "0-11,13-31" |
	.allowed = "1-31"'
plan
file /etc/systemd/system/db.service.d/50-nvmetune.conf |
	grep -qx 'CPUAffinity=1-11,13' || fail "a CPU that may not be used"
file /usr/local/bin/near |
	grep -qx 'exec numactl --physcpubind=1-11,13 --membind=0 "$@"' ||
	fail "a CPU that may not be used"

edit '.nodes[0].cpus = "0-30:2" | .nodes[1].cpus = "1-31:2" | .isolated = ""'
plan
file /etc/systemd/system/db.service.d/50-nvmetune.conf |
	grep -qx 'CPUAffinity=2,4,6,8,10,14,16,18,20,22,24,26,28,30' ||
	fail "ranges across nodes"
