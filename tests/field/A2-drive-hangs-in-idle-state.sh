#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A model known to hang in its idle states is named from its model, not from the
# machine's; what cures it for good is a parameter at boot, for now each
# controller's own file.
. tests/field/lib.sh

host laptop-apst '.ctrls[0].model = "Micron_2400_MTFDKBA1T0QFM" |
	.log = [{ kind: "timeout", device: "nvme0", count: 2 },
		{ kind: "reset", device: "nvme0", count: 1 }]'
profile <<-END
	[drives]
	power.apst = off
	[host]
	module.nvme_core.default_ps_max_latency_us = 0
END
plan
advises drive.idle-hangs nvme0
advises log.timeouts nvme0
verdict power.apst@nvme0 change
change power.apst@nvme0 '.have == 100000 and .want == 0'
# The driver is loaded in the initramfs: true only once that is made anew.
verdict module.nvme_core.default_ps_max_latency_us later
json '.needs | index("initramfs") != null'
file /etc/modprobe.d/nvmetune.conf | grep -qx \
	'options nvme_core default_ps_max_latency_us=0' || fail "no option"

# Built in, it is a word of the command line.
edit '(.modules[] | select(.name == "nvme_core") | .state) = "builtin"'
plan
verdict module.nvme_core.default_ps_max_latency_us cannot
change module.nvme_core.default_ps_max_latency_us \
	'.reason | contains("nvme_core.default_ps_max_latency_us=0")'

# Another drive in the same machine, and this one kept awake: nothing to say.
edit '.ctrls[0].model = "Micron_3400_MTFDKBA1T0TFH"'
plan
advises_not drive.idle-hangs
edit '.ctrls[0].model = "Micron_2400_MTFDKBA1T0QFM" |
	.ctrls[0].pm_qos_latency_us = 0'
plan
advises_not drive.idle-hangs

# The lines of the kernel log that tell of it.
tree two-nodes
cat >"$TMPDIR/dmesg" <<-END
	nvme nvme0: I/O tag 717 (c2cd) opcode 0x1 (Write) QID 1 timeout, aborting req_op:WRITE(1) size:4096
	nvme nvme0: I/O tag 717 (c2cd) opcode 0x1 (Write) QID 1 timeout, reset controller
END
capture --dmesg "$TMPDIR/dmesg"
json '.log - [{ kind: "aer-correctable", device: "nvme0", count: 3 }] ==
	[{ kind: "timeout", device: "nvme0", count: 2 },
	{ kind: "reset", device: "nvme0", count: 1 }]'
