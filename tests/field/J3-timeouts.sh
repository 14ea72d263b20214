#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A time-out has a unit and can be set by model; the module's parameter for network
# volumes is a finding where local drives have it, too, and a vendor's rule counts.
. tests/field/lib.sh

host cloud-8vcpu
profile <<-END
	[drives]
	queue.io_timeout = 240000
END
check
expect 1; one_line
tells "has no unit"
profile <<-END
	[drives volumes]
	match.model = Amazon Elastic Block Store
	queue.io_timeout = 4294967295ms

	[drives local]
	match.model = !Amazon Elastic Block Store
	queue.io_timeout = 90s
END
plan
# The kernel keeps it in ticks: what was asked reads back as a bit less.
change queue.io_timeout@nvme0n1 '.verdict == "keep" and
	.have == 4294967288 and .unit == "ms"'
change queue.io_timeout@nvme1n1 '.verdict == "change" and .want == 90000'
advises options.long-timeout "kernel command line"
json '.advice[] | select(.id == "options.long-timeout") | .text |
	contains("nvme1 is no network volume")'

# Only such volumes: the parameter is as it should be.
edit '.ctrls = [.ctrls[0]] | .namespaces |= [.[] | select(.ctrl == "nvme0")]'
plan
advises_not options.long-timeout

# Lowered for a volume it would turn a fail-over into I/O errors.
profile <<-END
	[drives]
	queue.io_timeout = 30s
END
plan
change queue.io_timeout@nvme0n1 '.verdict == "cannot" and
	(.reason | contains("network volume"))'

# What the vendor's own rule gives is kept, and it is named.
host cloud-azure '.rules = [{file: "/usr/lib/udev/rules.d/80-azure-disk.rules",
	line: 11, attr: "queue/io_timeout", value: "240000",
	text: "ACTION==\"add|change\", SUBSYSTEM==\"block\", ENV{DEVTYPE}==\"disk\", ATTRS{model}==\"MSFT NVMe Accelerator v1.0\", ATTR{queue/io_timeout}=\"240000\""}] |
	(.observed[] | select(.knob == "queue.io_timeout" and
		.target == "nvme0n1")).value = 240000'
profile <<-END
	[drives remote]
	match.model = MSFT NVMe Accelerator*
	queue.io_timeout = 240s
END
plan
change queue.io_timeout@nvme0n1 '.verdict == "keep"'
