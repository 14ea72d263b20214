#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The manual pages speak of every knob, every advice, every command and option.
. tests/cli/lib.sh

page() { # FILE: as roff would show it, without roff
	docs/man/make-page "$NVMETUNE" 0.1 "docs/man/$1.in" >"$TMPDIR/$1" ||
		fail "docs/man/make-page $1 failed"
	! grep -qE '^@.*@$|@VERSION@' "$TMPDIR/$1" || fail "$1: a part is missing"
	sed -e 's/^\\&//' -e 's/\\f[BIR]//g' -e 's/\\-/-/g' -e "s/\\\\(aq/'/g" \
		-e 's/\\(dq/"/g' -e 's/\\(ti/~/g' -e 's/\\e/\\/g' \
		"$TMPDIR/$1" >"$TMPDIR/$1.text"
}
holds() { # FILE, whole line
	grep -qxF -e "$2" "$TMPDIR/$1.text" || fail "$1 does not hold: $2"
}

page nvmetune.8
page nvmetune-knobs.5
page nvmetune-advice.7

# Each label and sentence that "explain" shows.
nvmetune explain --format raw; expect 0
while IFS=$'\t' read -r name kind _; do
	case $kind in
	knob) file=nvmetune-knobs.5 ;;
	advice) file=nvmetune-advice.7 ;;
	*) fail "$name: kind $kind" ;;
	esac
	holds $file ".SS \"$name\""
	"$NVMETUNE" explain "$name" --format raw >"$TMPDIR/topic" || fail "$name"
	while IFS=$'\t' read -r label text; do
		[ "$label" = "$kind" ] || holds $file "$text"
		case $label in
		effect | cost | source | evidence) holds $file "$label" ;;
		esac
	done <"$TMPDIR/topic"
done <"$out"

# Each option, and the word for its value.
nvmetune help; expect 0
mapfile -t commands < <(sed -n '/^Commands:/,/^$/s/^  \([a-z]*\) .*/\1/p' "$out")
[ ${#commands[@]} -ge 10 ] || fail "only ${#commands[@]} commands"
for command in "${commands[@]}"; do
	nvmetune help "$command"; expect 0
	grep -qE "^\.SS \"$command( |\"\$)" "$TMPDIR/nvmetune.8.text" ||
		fail "nvmetune.8 does not speak of $command"
	sed -n "/^\.SS \"${command}[ \"]/,/^\.S[SH] \"*[a-zE]/p" \
		"$TMPDIR/nvmetune.8.text" >"$TMPDIR/section"
	sed -n '/^\.SH OPTIONS/,/^\.SH EXIT/p' "$TMPDIR/nvmetune.8.text" \
		>>"$TMPDIR/section"
	while read -r option; do
		grep -qxF -e "$option" "$TMPDIR/section" ||
			fail "nvmetune.8: $command: no $option"
	done < <(sed -nE '/^Options:/,/^$/s/^ {2,6}(-.*)$/\1/p' "$out" |
		sed 's/  .*//')
done

# Each file that is ours.
while read -r path; do
	grep -qF -e "$path" "$TMPDIR/nvmetune.8.text" ||
		fail "nvmetune.8 does not speak of $path"
done < <(sed -nE 's|^#define OWNER_[A-Z]+ "(/etc/[^"]+)".*|\1|p' src/core/owner.h)

nvmetune manual; expect 2; quiet; tells "commands | options | knobs | advice"
nvmetune manual nonsense; expect 2; quiet; tells 'no part "nonsense"'
