# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of bench share, on top of tests/field/drives.sh:
#
#	measure ARGUMENT...	nvmetune bench, with one short slice a cell: a table
#				on stdout, and the same result as JSON in $kept
#	result FILTER		jq's filter is true of that
#
# What it keeps for root goes to $TMPDIR/lib and not to the host's /var/lib.
# shellcheck shell=bash disable=SC2034 # variables that lib.sh uses
. tests/field/drives.sh

mkdir "$TMPDIR/lib"
# measure ARGUMENT...: once, as a table on stdout and kept as JSON in $kept.
measure() {
	ran="bench $*"
	rm -rf "$TMPDIR/kept"
	unshare -m sh -c 'mount --bind "$0" /var/lib && exec "$@"' \
		"$TMPDIR/lib" unshare -m sh -c 'mount --bind "$0/sys" /sys &&
		cp -a /dev/null /dev/urandom "$0/dev" &&
		mount --bind "$0/dev" /dev && exec "$@"' "$root" \
		"$NVMETUNE" bench --time 1 --passes 1 -o "$TMPDIR/kept/" "$@" \
		>"$out" 2>"$err"
	rc=$?
	kept=("$TMPDIR"/kept/*.json)
}
result() { # filter
	jq -e "$1" "${kept[0]}" >/dev/null || fail "result: not so: $1"
}
