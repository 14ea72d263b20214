#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# root does not do what anyone can write.
. tests/cli/apply-lib.sh
[ "$(id -u)" = 0 ] || skip "only root is careful"

dir=$TMPDIR/host
host "$dir"
mkdir "$TMPDIR/open" "$TMPDIR/sticky" "$TMPDIR/closed"
for folder in open sticky closed; do
	printf '[drives]\nqueue.scheduler = none\n' >"$TMPDIR/$folder/a.ini"
done
chmod 777 "$TMPDIR/open"
chmod 1777 "$TMPDIR/sticky"

nvmetune apply --sysroot "$dir" --profile "$TMPDIR/open/a.ini"
expect 1; one_line; tells "/open: anyone may write it (mode 0777)"; tells chmod
[ ! -e "$dir/etc/nvmetune" ] || fail "something was written"
nvmetune plan --sysroot "$dir" --profile "$TMPDIR/sticky/a.ini"
expect 0
nvmetune plan --sysroot "$dir" --profile "$TMPDIR/closed/a.ini"
expect 0
chmod 666 "$TMPDIR/closed/a.ini"
nvmetune plan --sysroot "$dir" --profile "$TMPDIR/closed/a.ini"
expect 1; one_line; tells "closed/a.ini: anyone may write it (mode 0666)"

# Of a root the folder below it counts, not that of this host.
mkdir -p "$dir/etc/nvmetune/profiles"
cp "$TMPDIR/open/a.ini" "$dir/etc/nvmetune/profiles/own.ini"
nvmetune plan --sysroot "$dir" --profile own
expect 0
chmod 777 "$dir/etc/nvmetune/profiles"
nvmetune plan --sysroot "$dir" --profile own
expect 1; tells "/etc/nvmetune/profiles: anyone may write it"

# Nor what a journal says that anyone could have put there.
rm -rf "$dir"
host "$dir"
oltp "$dir"
expect 0
for folder in var/lib/nvmetune var/lib/nvmetune/txn; do
	for mode in 777 1777; do
		chmod $mode "$dir/$folder"
		for command in history rollback verify "apply --resume"; do
			# shellcheck disable=SC2086 # a command and its option
			nvmetune $command --sysroot "$dir"
			expect 1; one_line
			tells "/$folder: anyone may write it"; tells chmod
		done
		oltp "$dir"
		expect 1; tells "/$folder: anyone may write it"
	done
	chmod 700 "$dir/$folder"
done
nvmetune rollback --sysroot "$dir"
expect 0; says "1 transaction undone"
