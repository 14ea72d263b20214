#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Possible CPUs limit queue counts, online ones placement and binding; a plan that
# was reviewed with other CPUs online is refused and made again.
. tests/field/lib.sh

tree two-nodes
rm -rf "$root/etc/nvmetune" "$root/etc/modprobe.d"
echo 0-2 | put sys/devices/system/cpu/online
profile <<-END
	[drives]
	irq.affinity = local

	[host]
	module.nvme.poll_queues = 4
END
plan
verdict module.nvme.poll_queues later
change irq.affinity@nvme0 '.reason | contains("its CPUs are offline")'
status
json '.host.possible == "0-3" and .host.online == "0-2"'
json '.drives[] | select(.name == "nvme0n1") |
	.numactl == "numactl --physcpubind=2 --membind=1"'
profile <<-END
	[host]
	module.nvme.poll_queues = 5
END
nvmetune plan "${from[@]}" --profile "$profile"
expect 1
tells "5 is more than the 4 possible CPUs"

profile <<-END
	[drives]
	queue.scheduler = none
	irq.affinity = local
END
plan
reviewed=$(sha256sum <"$out")
echo 0-3 | put sys/devices/system/cpu/online
apply --expect "${reviewed%% *}"
expect 1
tells "the plan is not the expected one"
[ ! -e "$root/etc/udev/rules.d/90-nvmetune.rules" ] || fail "a file is written"
plan
now=$(sha256sum <"$out")
apply --expect "${now%% *}"
expect 0
