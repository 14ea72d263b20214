#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A drive that says coalescing cannot be changed is a cannot with that reason, and the
# other settings are planned all the same.
. tests/field/lib.sh

host two-socket-32cpu '.ctrls[0].coalescing_caps = 0'
profile <<-END
	[drives]
	irq.coalescing = 8/100us
	queue.nomerges = 2
END
plan
change irq.coalescing@nvme0 '.verdict == "cannot" and .want == null and
	.persistence == "none" and
	(.reason | contains("the drive says that it cannot be changed"))'
verdict queue.nomerges@nvme0n1 change
# Off already is what was asked for, changeable or not.
profile <<-END
	[drives]
	irq.coalescing = off
END
plan
verdict irq.coalescing@nvme0 keep
# That a refusal in the middle of an apply is no failure, and that rollback
# leaves it alone, is held with a stand-in drive: tests/drive/test_feature.c.
