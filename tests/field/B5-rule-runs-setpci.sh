#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A rule that runs setpci writes configuration space unmanaged; its attribute
# address is of the controller, not of the PCI device, which has no driver yet
# when it is added.
. tests/field/lib.sh

lint tests/lint/b5-setpci.rules
expect 1
says "b5-setpci.rules:1: runs setpci: it writes configuration space behind"
says 'b5-setpci.rules:1: $attr{address} is empty: a PCI device has no such attribute'
says "b5-setpci.rules:1: does not run for a drive that is plugged in"

# The controller has the attribute, and on bind there is a driver.
cat >"$TMPDIR/x.rules" <<-'END'
	ACTION=="add", SUBSYSTEM=="nvme", RUN+="/usr/bin/setpci -s $attr{address} CAP_EXP+10.b=43"
	ACTION=="bind", SUBSYSTEM=="pci", DRIVER=="nvme", RUN+="/usr/bin/setpci -s $kernel CAP_EXP+10.b=43"
END
lint "$TMPDIR/x.rules"
expect 1
[ "$(wc -l <"$out")" = 2 ] || fail "more than setpci itself is found"
[ "$(grep -c ': runs setpci: ' "$out")" = 2 ] || fail "setpci is not found"

# What others wrote in a comment is no rule.
sed 's/^/#/' "$TMPDIR/x.rules" >"$TMPDIR/y.rules"
lint "$TMPDIR/y.rules"
expect 0
quiet
