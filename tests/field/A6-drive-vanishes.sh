#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A lost controller with a clean SMART log: APST off first, then ASPM off, one at
# a time, and said to be no more than a hint.
. tests/field/lib.sh

tree two-nodes
put dmesg <<-END
	nvme nvme1: controller is down; will reset: CSTS=0x3, PCI_STATUS=0x10
	nvme nvme1: Device not ready; aborting reset, CSTS=0x1
END
status --dmesg "$root/dmesg"
advises log.timeouts nvme1
json '[.advice[] | select(.id == "log.timeouts")] | length == 1 and
	(.[0].text | contains("2 times of a lost controller") and
	contains("try power.apst = off, then power.aspm = off, one at a time"))'

# The model is known, and the drive itself is well: the hints remain hints.
host laptop-apst '.ctrls[0].model = "Samsung SSD 990 PRO 4TB" |
	.log = [{ kind: "controller-down", device: "nvme0", count: 1 }]'
status
advises log.timeouts nvme0
advises drive.idle-hangs nvme0
advises_not drive.critical-warning
advises_not drive.media-errors
for id in log.timeouts drive.idle-hangs; do
	ask explain $id --format json
	json '.confidence == "hint"'
done

# A drive that warns of itself is told of besides.
edit '.ctrls[0].smart.critical_warning = 1'
status
advises drive.critical-warning nvme0
