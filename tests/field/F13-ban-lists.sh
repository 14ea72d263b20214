#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# irqbalance is told to keep off NVMe by the driver's name: no number is added to
# the host's list, which is sorted, so that it stays the same from boot to boot.
# A plan that moves the admin vector says that irqbalance may undo it.
. tests/field/lib.sh

env=/etc/nvmetune/irqbalance.env
host kvm-half-polled '.irqbalance.arguments =
	"--banirq=137 --banirq=43 --banirq=9 --banirq=43"'
profile <<-END
	[drives]
	irq.affinity = local
	[host]
	irqbalance = ban-nvme
END
plan
verdict irqbalance@host later
change irqbalance@host '.needs == ["restart"]'
change irq.affinity@nvme0q0 '.note | contains("may move it again until it is restarted")'
file $env >"$TMPDIR/first"
grep -qx 'IRQBALANCE_ARGS="--banirq=9 --banirq=43 --banirq=137 --banmod=nvme"' \
	"$TMPDIR/first" || fail "not sorted, or more than the module was added"

# The same list as another boot wrote it.
edit '.irqbalance.arguments = "--banirq=43 --banirq=9 --banirq=137"'
plan
file $env | cmp -s - "$TMPDIR/first" || fail "other bytes for the same list"

# Nobody asks for the ban: the plan says what will happen.
profile <<-END
	[drives]
	irq.affinity = local
END
plan
change irq.affinity@nvme0q0 '.note |
	contains("irqbalance runs and may move it again, unless irqbalance = ban-nvme")'
edit '.irqbalance.running = "/usr/sbin/irqbalance --banmod=nvme"'
plan
change irq.affinity@nvme0q0 '.note | contains("irqbalance") | not'
