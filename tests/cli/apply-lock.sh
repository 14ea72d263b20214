#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# One nvmetune at a time: the other is named, and waited for when asked.
. tests/cli/apply-lib.sh

dir=$TMPDIR/host
host "$dir"
mkdir -p "$dir/var/lib/nvmetune"
lock=$dir/var/lib/nvmetune/lock
echo $$ >"$lock"

exec 9>>"$lock"
flock 9
oltp "$dir"
expect 6; one_line; tells "another nvmetune is running, process $$"
nvmetune rollback --sysroot "$dir"
expect 6; one_line
oltp "$dir" --wait 1
expect 6
oltp "$dir" --dry-run
expect 0
exec 9>&-
flock "$lock" sh -c "touch '$TMPDIR/held'; sleep 2" &
until [ -e "$TMPDIR/held" ]; do sleep 0.05; done
oltp "$dir" --wait 20
expect 0; says "transaction 1"
[ "$(cat "$lock")" != $$ ] || fail "the lock was not signed"
wait

# Whoever may open it may hold it: root alone, for nobody else is to keep
# apply and rollback from their work.
rm "$lock"
(umask 0 && oltp "$dir") || fail "apply"
[ "$(stat -c %a "$lock")" = 600 ] || fail "others may open the lock"

# An image is locked by its own folder, also where nothing was applied yet: the
# apply that holds it may be about to begin.
mkdir "$TMPDIR/image"
exec 9<"$TMPDIR/image"
flock 9
nvmetune rollback --root "$TMPDIR/image"
expect 6; one_line; tells "another nvmetune is running on $TMPDIR/image"
exec 9<&-
nvmetune rollback --root "$TMPDIR/image"
expect 0; says "nothing to do"
[ -z "$(ls -A "$TMPDIR/image")" ] || fail "something was left in the image"

# A lock file that somebody removed is nobody's lock: who waited for it waits
# for the one that took its place.
rm -rf "$dir"
host "$dir"
mkdir -p "$dir/var/lib/nvmetune"
exec 9>>"$lock"
flock 9
"$NVMETUNE" apply --sysroot "$dir" --profile tests/cli/profiles/oltp.ini \
	--wait 2 >"$out" 2>"$err" 9>&- &
# Until it is nvmetune, the shell that starts it has our descriptor.
until [ /proc/$!/exe -ef "$NVMETUNE" ] &&
	[ -n "$(find /proc/$!/fd -lname '*/var/lib/nvmetune/lock')" ]; do
	sleep 0.05
done
rm "$lock"
exec 8>>"$lock"
flock 8
exec 9>&-
doing "apply --wait 2"
wait $!
[ $? = 6 ] || fail "a lock that was removed is a lock"
exec 8>&-
oltp "$dir"
expect 0; says "transaction 1"
