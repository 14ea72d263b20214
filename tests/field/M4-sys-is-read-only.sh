#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A read-only /sys is found before the first write and told in one sentence; the
# commands that read work as ever.
# shellcheck disable=SC2034 # what expect and fail of lib.sh read
. tests/field/lib.sh

unshare -Urm true 2>/dev/null || skip "no user namespaces"
tree two-nodes
rm -rf "$root/etc/nvmetune"
profile <<-END
	[drives]
	queue.scheduler = none
END
contained() { # what nvmetune is to do where sys is read-only
	ran="$* (read-only)"
	# shellcheck disable=SC2016 # for the shell in the namespace
	unshare -Urm sh -c 'mount --bind "$0/sys" "$0/sys" &&
		mount -o remount,ro,bind "$0/sys" && exec "$@"' \
		"$root" "$NVMETUNE" "$@" --sysroot "$root" >"$out" 2>"$err"
	rc=$?
}
contained status --format json
expect 0; silent
json '[.drives[].scheduler] == ["mq-deadline", "mq-deadline"]'
contained plan --profile "$profile" --format json
expect 0; silent
json '.summary.change == 2'
contained apply --profile "$profile"
expect 1; one_line
tells "/sys is mounted read-only here"
tells "--persist-only"
[ ! -e "$root/etc/udev/rules.d/90-nvmetune.rules" ] || fail "half of it is done"
[ -z "$(ls "$root/var/lib/nvmetune/txn" 2>/dev/null)" ] ||
	fail "a transaction was begun"
contained apply --profile "$profile" --persist-only
expect 0
[ -e "$root/etc/udev/rules.d/90-nvmetune.rules" ] || fail "no rule"
grep -q mq-deadline "$root/sys/class/block/nvme0n1/queue/scheduler" ||
	fail "a value was changed"
