#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# APST goes off through the kernel's file for each controller and a rule for it,
# never through a feature of the drive, which the kernel sets back.
. tests/field/lib.sh

host laptop-apst
profile <<-END
	[drives]
	power.apst = off
END
plan
verdict power.apst@nvme0 change
change power.apst@nvme0 '.want == 0 and .persistence == "udev rule"'
file $rules | grep -qF 'ATTR{power/pm_qos_latency_tolerance_us}="0"' ||
	fail "no rule writes the file"
json '[.. | strings | select(test("set-feature"))] == []'
page plan --wide
says pm_qos_latency_tolerance_us
