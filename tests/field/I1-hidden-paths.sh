#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A hidden path device has queue facts and no node in /dev: nothing opens, binds to or
# measures it, and an inventory with it is complete.
. tests/field/lib.sh

tree multipath
capture
json '[.namespaces[] | select(.kind == "path")] | length == 2 and
	all(.[]; (has("dev") | not) and .has_mq and .head == "nvme0n1" and
		(.hw_queues | length == 5))'
json '[.namespaces[] | select(.kind != "path") | .name] == ["nvme0n1"]'
status
json '[.drives[] | select(.kind == "path")] | length == 2 and all(.[];
	.queues_default == 4 and .run == null and .numactl == null)'
# One path only, as a dual-port drive in a slot with one port has it.
rm -r "$root/sys/class/block/nvme0c1n1" \
	"$root/sys/devices/pci0000:40/0000:40:00.0/0000:41:00.0/nvme" \
	"$root/sys/class/nvme/nvme1"
status
json '[.drives[] | .kind] == ["head", "path"]'
