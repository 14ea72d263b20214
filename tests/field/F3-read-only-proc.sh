#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A read-only /proc or /sys is a mount namespace that allows no writing: one
# sentence before anything is changed, and another answer than a kernel's refusal.
. tests/field/lib.sh

unshare -Urm true 2>/dev/null || skip "no namespace of mounts to be had"
tree two-nodes <<-END
	proc/irq/31/nvme0q0 | d |
END
profile <<-END
	[drives]
	irq.affinity = local
	queue.rq_affinity = 2
END
# nvmetune is the program with /proc read-only, from here on.
cat >"$TMPDIR/sandboxed" <<-END
	#!/bin/sh
	exec unshare -Urm sh -c 'mount --bind "\$0/proc" "\$0/proc" &&
		mount -o remount,ro,bind "\$0/proc" && exec "\$@"' \
		"$root" "$NVMETUNE" "\$@"
END
chmod +x "$TMPDIR/sandboxed"
NVMETUNE=$TMPDIR/sandboxed
nvmetune apply --sysroot "$root" --profile "$profile"
expect 1
one_line
tells "/proc is mounted read-only here"
tells "ProtectKernelTunables="
! grep -q "places this interrupt itself" "$err" || fail "taken for a refusal"
[ ! -e "$root$rules" ] || fail "half of it was written"
# What only reads works all the same, and so does what only writes files.
nvmetune plan --sysroot "$root" --profile "$profile"
expect 0
nvmetune apply --sysroot "$root" --profile "$profile" --persist-only
expect 0
[ -e "$root$rules" ] || fail "no rule"
