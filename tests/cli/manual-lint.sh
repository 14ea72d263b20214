#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# mandoc finds nothing wrong with the manual pages.
. tests/cli/lib.sh
command -v mandoc >/dev/null || skip "no mandoc"

pages=0
for source in docs/man/*.in; do
	page=$TMPDIR/$(basename "$source" .in)
	docs/man/make-page "$NVMETUNE" 0.1 "$source" >"$page" ||
		fail "docs/man/make-page $source failed"
	mandoc -Tlint -Wwarning "$page" || fail "$source: see above"
	pages=$((pages + 1))
done
[ $pages = 3 ] || fail "$pages pages, not 3"

# It would have found something.
printf '.TH X 5 2026-11-30\n.SH NAME\n.nonsense\n' >"$TMPDIR/wrong.5"
! mandoc -Tlint -Wwarning "$TMPDIR/wrong.5" >/dev/null ||
	fail "mandoc takes a page that is wrong"
