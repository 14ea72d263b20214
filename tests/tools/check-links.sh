#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-links.sh FILE|FOLDER...: each relative link of the Markdown files must
# lead to a file, and its #anchor to a heading of it.
set -euo pipefail

broken=0
links=0
# A heading's anchor: lower case, no punctuation, spaces as hyphens.
anchors() {
	sed -nE 's/^#+ +//p' "$1" | tr 'A-Z ' 'a-z-' | sed 's/[^a-z0-9_-]//g'
}

while read -r file; do
	while read -r link; do
		case $link in *://* | mailto:*) continue ;; esac
		links=$((links + 1))
		path=${link%%#*}
		target=${path:+$(dirname "$file")/}${path:-$file}
		if [ ! -e "$target" ]; then
			echo "$file: $link: no such file"
		elif [[ $link = *'#'* ]] && ! anchors "$target" | grep -qx -- "${link#*#}"; then
			echo "$file: $link: no such heading"
		else
			continue
		fi
		broken=$((broken + 1))
	done < <(grep -oE '\]\([^) ]+\)' "$file" | sed 's/^](//; s/)$//' || true)
done < <(for f in "$@"; do [ ! -e "$f" ] || find "$f" -name '*.md'; done)
echo "$links links, $broken broken"
[ "$broken" = 0 ]
