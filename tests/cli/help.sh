#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every command has help; nothing asked is wrong usage.
. tests/cli/lib.sh

nvmetune help
expect 0; silent; says "Commands:"
mapfile -t commands < <(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$out")
[ ${#commands[@]} -ge 5 ] || fail "only ${#commands[@]} commands"

for command in "${commands[@]}"; do
	nvmetune help "$command"
	expect 0; silent
	says "Usage: nvmetune $command"; says "--help"; says "Exit status:"
	cp "$out" "$TMPDIR/help"
	nvmetune "$command" --help
	expect 0; silent
	cmp -s "$out" "$TMPDIR/help" || fail "--help is not what help says"
	[ "$(awk '{ if (length > n) n = length } END { print n }' "$out")" -le 80 ] ||
		fail "lines of more than 80 columns"
done

nvmetune --help; expect 0; says "Commands:"
nvmetune --version; expect 0; silent
grep -qxE 'nvmetune [0-9.]+' "$out" || fail "no version"
nvmetune; expect 2; quiet; tells "Commands:"
