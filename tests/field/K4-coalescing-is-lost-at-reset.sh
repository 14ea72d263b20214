#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A reset or a boot loses coalescing, so no rule for the disk keeps it: the plan says
# what sets it again, or that nothing does.
. tests/field/lib.sh

host two-socket-32cpu '.device_helper = true'
profile <<-END
	[drives]
	irq.coalescing = 8/100us
END
plan
change irq.coalescing@nvme0 '.verdict == "change" and
	.persistence == "device helper"'
! file $rules | grep -i coalesc || fail "a rule speaks of it"
# Without the helper nothing keeps it, and that is said.
edit '.device_helper = false'
plan
change irq.coalescing@nvme0 '.persistence == "cannot" and
	(.persist_reason | contains("a reset of the controller loses it") and
		contains("device helper"))'
edit 'del(.device_helper)'
plan
change irq.coalescing@nvme0 '.persistence == "cannot" and
	(.persist_reason | contains("not known"))'
# Off is what a drive comes up with.
profile <<-END
	[drives]
	irq.coalescing = off
END
plan
change irq.coalescing@nvme0 '.persistence == "kernel default" or
	.persistence == "device helper"'
# No vector is named by its interrupt's number, here or in a plan's text.
json 'all(.changes[]; (.note // "") + (.reason // "") | test("IRQ [0-9]") | not)'
