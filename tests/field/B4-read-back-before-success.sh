#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Success is told after reading back, never before: a link that took the write and
# did nothing is told as it is; and where a kernel in lockdown refuses setpci,
# that is the reason.
. tests/field/lib.sh

tree two-nodes
link=sys/devices/pci0000:40/0000:40:00.0/0000:41:00.0/link/l0s_aspm
put $link <<<1
profile <<-END
	[drives one]
	match.serial = LAB1
	power.aspm_l0s = off
END
# The call succeeds and nothing is written.
refused retval=1 "$root/$link" apply --sysroot "$root" --profile "$profile"
! grep -q '"1" -> "0"' "$err" || fail "success is told of what was not done"
tells 'nvme0: power.aspm_l0s: wrote "0" without an error, but it reads ""'
says "1 refused, 0 failed"

# Rules of others that run setpci.
lint tests/lint/b5-setpci.rules --facts tests/hosts/laptop-apst.json
! grep -q lockdown "$out" || fail "lockdown is none there"
filter_into '.lockdown = "integrity"' tests/hosts/laptop-apst.json
lint tests/lint/b5-setpci.rules --facts "$facts"
expect 1
says 'b5-setpci.rules:1: setpci cannot write on this host: the kernel'\''s lockdown is "integrity"'

# The word in brackets is the one that holds.
tree two-nodes <<-END
	sys/kernel/security/lockdown | f | none [integrity] confidentiality
END
capture
json '.lockdown == "integrity"'
