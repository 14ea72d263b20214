#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The rules that are written are rules to udev's own eyes, where udevadm can tell.
. tests/cli/lib.sh

udevadm verify --help >/dev/null 2>&1 || skip "udevadm verify came with systemd 254"
n=0
for profile in profiles/*.ini tests/golden/profiles/{deep-queue,fleet,words}.ini \
	tests/cli/profiles/*.ini; do
	dir=$TMPDIR/host
	rm -rf "$dir"
	tests/tools/mkroot tests/roots/two-nodes.tree "$dir" || fail "mkroot"
	rm -rf "$dir/etc/nvmetune"
	nvmetune apply --sysroot "$dir" --persist-only --profile "./$profile"
	[ "$rc" = 0 ] || continue # no profile for this host
	rules=$dir/etc/udev/rules.d/90-nvmetune.rules
	[ -e "$rules" ] || continue
	udevadm verify "$rules" >"$TMPDIR/said" 2>&1 ||
		fail "$profile: $(cat "$TMPDIR/said")"
	n=$((n + 1))
done
[ "$n" -ge 8 ] || fail "only $n files were looked at"
