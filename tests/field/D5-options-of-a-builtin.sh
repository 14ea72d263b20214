#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A driver that is built in reads no modprobe.d: its parameter is a word of the
# command line, and lines of modprobe.d for it are found to do nothing; one module
# of the two may be built in.
. tests/field/lib.sh

kernel=6.1.0-50-amd64
tree two-nodes <<-END
	lib/modules/$kernel/modules.builtin | f | kernel/drivers/nvme/host/nvme-core.ko
	lib/modules/$kernel/modules.builtin | f | kernel/fs/ext4/ext4.ko
END
rm -f "$root/sys/module/nvme_core/initstate"
rm -rf "${root:?}/etc/modprobe.d"
put etc/modprobe.d/mine.conf <<-END
	options nvme_core default_ps_max_latency_us=0
	options nvme poll_queues=2
END
profile <<-END
	[host]
	module.nvme_core.default_ps_max_latency_us = 5500
	module.nvme.poll_queues = 2
END
capture
json '[.modules[] | .name, .state] == ["nvme_core", "builtin", "nvme", "live"]'
plan
advises options.builtin /etc/modprobe.d/mine.conf:1
json '[.advice[] | select(.id == "options.builtin")] | length == 1'
verdict module.nvme_core.default_ps_max_latency_us cannot
change module.nvme_core.default_ps_max_latency_us '.reason |
	contains("nvme_core.default_ps_max_latency_us=5500")'
change module.nvme.poll_queues '.verdict == "later" and
	.persistence == "modprobe.d"'
! file /etc/modprobe.d/nvmetune.conf | grep -q nvme_core ||
	fail "an option that nothing reads"

# Without its folder in /sys the list of the kernel decides.
rm -rf "${root:?}/sys/module/nvme_core"
capture
json '[.modules[] | select(.name == "nvme_core").state] == ["builtin"]'
