#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Where the firmware keeps ASPM, that is the answer: the host is left as it is,
# nothing has failed, and nobody is told to force it.
. tests/field/lib.sh

tree two-nodes <<-END
	sys/module/pcie_aspm/parameters/policy | f | [default] performance powersave
END
find "$root" -path '*/link/*_aspm' -delete
profile <<-END
	[drives]
	power.aspm = off
	[host]
	pcie.aspm_policy = performance
END
for line in "ACPI FADT declares the system doesn't support PCIe ASPM, so disable it" \
	"acpi PNP0A08:00: FADT indicates ASPM is unsupported, using BIOS configuration"; do
	echo "$line" >"$TMPDIR/dmesg"
	plan --dmesg "$TMPDIR/dmesg"
	verdict pcie.aspm_policy@host cannot
	change pcie.aspm_policy@host '.have == "default" and
		(.reason | contains("the firmware keeps ASPM to itself"))'
	verdict power.aspm@nvme0 cannot
	change power.aspm@nvme0 \
		'.reason | contains("the firmware keeps ASPM to itself")'
	json '[.. | strings | select(test("pcie_aspm=force"))] == []'
done

# The log is gone, and the kernel refuses: told, not failed.
refused error=EPERM "$root/sys/module/pcie_aspm/parameters/policy" \
	apply --sysroot "$root" --profile "$profile"
expect 0
tells "pcie.aspm_policy"
