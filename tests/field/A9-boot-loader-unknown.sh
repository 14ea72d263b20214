#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A kernel that prints a hint of its own counts once, and where there is no grub
# the words for the command line are told with the file that they belong to.
. tests/field/lib.sh

tree two-nodes <<-END
	boot/firmware/cmdline.txt | f | console=serial0,115200 root=PARTUUID=abcd rootwait
END
rm "$root/sys/module/nvme_core/initstate" "$root/sys/module/nvme/initstate"
put dmesg <<-END
	nvme nvme0: missing or invalid SUBNQN field.
	nvme nvme0: allocated 16 MiB host memory buffer.
	nvme nvme0: 4/0/0 default/read/poll queues
	nvme nvme0: Ignoring bogus Namespace Identifiers
	nvme nvme0: controller is down; will reset: CSTS=0xffffffff, PCI_STATUS=0x10
	nvme nvme0: Does your device have a faulty power saving mode enabled?
	nvme nvme0: Try "nvme_core.default_ps_max_latency_us=0 pcie_aspm=off" and report a bug
END
capture --dmesg "$root/dmesg"
json '[.log[] | select(.kind | startswith("aer") | not)] == [{ kind: "controller-down", device: "nvme0", count: 1 }]'
json '.cmdline_tool == "cmdline.txt"'

profile <<-END
	[host]
	module.nvme_core.default_ps_max_latency_us = 0
END
plan --dmesg "$root/dmesg"
verdict module.nvme_core.default_ps_max_latency_us cannot
change module.nvme_core.default_ps_max_latency_us '.reason |
	contains("add nvme_core.default_ps_max_latency_us=0 to the one line")'
json '[.files[] | select(.action != "same").path] |
	all(contains("grub") or contains("cmdline") | not)'

# No boot loader that is known: the words, and no guess where they go.
rm -r "${root:?}/boot"
plan
change module.nvme_core.default_ps_max_latency_us '.reason |
	endswith("put nvme_core.default_ps_max_latency_us=0 on the kernel command line")'
