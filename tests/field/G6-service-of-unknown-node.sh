#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# G6: a service near a drive whose node is not known is bound to none, and never
# to node 0, until the profile has a number.
. tests/field/lib.sh

profile <<-END
	[service db.service]
	drive = nvme0
	[wrapper near]
	drive = nvme0
	numa = 1
END
host two-socket-32cpu 'del(.ctrls[0].node)'
plan
verdict service@db.service cannot
change service@db.service '.reason | startswith("the node of nvme0 is not known")'
json '[.files[] | select(.path | contains("systemd")) | .want] | map(values) == []'
verdict wrapper@near later
file /usr/local/bin/near | grep -q 'numactl --physcpubind=16-31 --preferred=1' ||
	fail "the profile's node is not taken"
