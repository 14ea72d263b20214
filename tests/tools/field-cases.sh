#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# field-cases.sh [FOLDER]: each case of FOLDER/field-cases.md (default tests) must
# name the tests that hold it, or the reason why there is none.  A test must be
# there and have the case's id in its name or text; a script of FOLDER/field must
# stand in the row of its id.  Prints each id for which that is not so.
set -euo pipefail

top=${1:-tests}
table=$top/field-cases.md
cases=0
wrong=0

wrong() { # id, what
	echo "$1: $2"
	wrong=$((wrong + 1))
}

# Whether a test has the id in its name (a3-what.sh) or as a word of its text.
speaks_of() { # id, path
	local name=${2##*/}
	[[ ${name^^} = "$1"-* ]] || grep -qwF -- "$1" "$2"
}

# A row is "| ID | what happened | `test`, `test` |" or "... | none: why |".
while IFS='|' read -r _ id title held _; do
	id=${id// /}
	[[ $id =~ ^[A-Z][0-9]+$ ]] || continue
	cases=$((cases + 1))
	[ -n "${title// /}" ] || wrong "$id" "no title"
	mapfile -t tests < <(grep -oE '`[^`]+`' <<<"$held" | tr -d '`')
	if [ ${#tests[@]} = 0 ]; then
		[[ $held =~ none:\ [^\ ] ]] ||
			wrong "$id" "no test, and no reason why there is none"
	fi
	for test in "${tests[@]}"; do
		if [ ! -f "$top/$test" ]; then
			wrong "$id" "$test: no such file"
		elif ! speaks_of "$id" "$top/$test"; then
			wrong "$id" "$test does not speak of it"
		fi
	done
done <"$table"

for script in "$top"/field/*-*.sh; do
	name=${script##*/}
	grep -qE "^\| ${name%%-*} \|.*\`field/$name\`" "$table" ||
		wrong "${name%%-*}" "field/$name is not in its row of $table"
	[ -x "$script" ] || wrong "${name%%-*}" "field/$name cannot be run"
done

doubles=$(grep -oE '^\| [A-Z][0-9]+ ' "$table" | sort | uniq -d | tr -d '|\n')
[ -z "$doubles" ] || wrong "$doubles" "more than one row"
[ "$cases" -gt 0 ] || wrong "$table" "no cases"
echo "$cases cases, $wrong wrong"
[ "$wrong" = 0 ]
