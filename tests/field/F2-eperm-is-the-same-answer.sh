#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# EPERM, as newer kernels have it, is the same answer as EIO; a file of mode 0444 is
# not tried at all.
. tests/field/lib.sh

tree two-nodes <<-END
	proc/irq/31/nvme0q0 | d |
END
profile <<-END
	[drives]
	irq.affinity = local
END
cp -a "$root" "$TMPDIR/fresh"
for error in EIO EPERM; do
	rm -rf "$root"
	cp -a "$TMPDIR/fresh" "$root"
	refused error=$error "$root/proc/irq/31/smp_affinity_list" \
		apply --sysroot "$root" --profile "$profile"
	expect 0
	grep irq.affinity "$err" >"$TMPDIR/$error"
done
cmp "$TMPDIR/EIO" "$TMPDIR/EPERM" || fail "two answers to one refusal"

# The mode says so: even the admin vector's is then the kernel's.
rm -rf "$root"
cp -a "$TMPDIR/fresh" "$root"
chmod 0444 "$root"/proc/irq/3[0-9]/smp_affinity "$root"/proc/irq/4[01]/smp_affinity
capture
json '[.ctrls[].vectors[].managed] | unique == [true]'
plan
json '[.changes[] | select(.key == "irq.affinity").verdict] | unique == ["keep"]'
