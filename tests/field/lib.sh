# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the field cases share, on top of tests/cli/lib.sh.  A case takes a host,
# changes what the case is about, writes a profile, and asks the program:
#
#	host NAME [FILTER]	from tests/hosts/NAME.json, through jq's FILTER
#	edit FILTER		the same host, through jq's FILTER
#	tree NAME [< LINES]	a root from tests/roots/NAME.tree, and more LINES
#				of that kind; $root is the folder
#	put PATH [< TEXT]	a file below $root, instead of what is there
#	profile < SECTIONS	$profile, without its heading
#
#	plan, status, capture	as JSON, of that host; exit 0 and no complaint
#	page plan, page status	as a person sees it
#	apply, rollback, verify	on $root; the exit status is left in $rc
#	refused RULE FILE ...	nvmetune ..., whose writes to FILE do what
#				strace's RULE says: error=EPERM, retval=1
#	lint FILE		profile check --foreign
#	check			profile check $profile
#
# and then, of the JSON that came:
#
#	json FILTER		jq's FILTER is true
#	change ID FILTER	the same of one change of a plan
#	verdict ID WORD		its verdict
#	file PATH		prints what a plan wants in a file
#	advises ID SUBJECT	this advice is given
#	advises_not ID		it is not, of no subject
# shellcheck shell=bash disable=SC2034 # variables that cases use
. tests/cli/lib.sh

facts=$TMPDIR/facts.json
root=$TMPDIR/root
profile=$TMPDIR/case.ini
rules=/etc/udev/rules.d/90-nvmetune.rules
from=()

filter_into() { # FILTER, file
	jq "$1" "$2" >"$TMPDIR/filtered" || fail "jq cannot: $1"
	mv "$TMPDIR/filtered" "$facts"
}

host() {
	from=(--facts "$facts")
	filter_into "${2:-.}" "tests/hosts/$1.json"
}

edit() { filter_into "$1" "$facts"; }

tree() {
	from=(--sysroot "$root")
	cp "tests/roots/$1.tree" "$TMPDIR/manifest" || fail "no tree $1"
	[ -t 0 ] || cat >>"$TMPDIR/manifest"
	rm -rf "$root"
	tests/tools/mkroot "$TMPDIR/manifest" "$root" || fail "mkroot"
	rm -rf "$root/etc/nvmetune" # the tree's is not of ours
}

put() {
	mkdir -p "$root/$(dirname "$1")"
	rm -f "${root:?}/$1"
	cat >"$root/$1"
}

profile() {
	{ printf '[profile]\nsummary = A case\n\n' && cat; } >"$profile"
}

ask() { # command, arguments
	nvmetune "$@"
	expect 0
	silent
}

plan() {
	ask plan "${from[@]}" --profile "$profile" --format json "$@"
	json '.schema == "nvmetune.plan/1"'
}

status() {
	ask status "${from[@]}" --format json "$@"
	json '.schema == "nvmetune.status/1"'
}

capture() {
	ask capture "${from[@]}" "$@"
	json '.schema == "nvmetune.facts/1"'
}

page() { # plan or status, arguments
	local command=$1
	shift
	[ "$command" != plan ] || set -- --profile "$profile" "$@"
	ask "$command" "${from[@]}" "$@"
}

apply() { nvmetune apply --sysroot "$root" --profile "$profile" "$@"; }
rollback() { nvmetune rollback --sysroot "$root" "$@"; }
verify() { nvmetune verify --sysroot "$root" "$@"; }
refused() {
	local rule=$1 file=$2
	shift 2
	strace -o /dev/null -e inject=write:error=EIO:when=99 true \
		2>/dev/null || skip "no strace that may inject"
	# The leak checker cannot work below strace.
	export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
	ran="$* (writes to $file: $rule)"
	strace -f -o "$TMPDIR/trace" -P "$file" \
		-e inject=write,pwrite64:"$rule" "$NVMETUNE" "$@" \
		>"$out" 2>"$err"
	rc=$?
	grep -q INJECTED "$TMPDIR/trace" || fail "nothing was written to $file"
}

lint() { nvmetune profile check --foreign "$@"; }
check() { nvmetune profile check "${from[@]}" "$profile"; }

change() {
	jq -e --arg id "$1" "[.changes[] | select(.id == \$id)] |
		length == 1 and (.[0] | $2)" "$out" >/dev/null 2>"$TMPDIR/jq" ||
		fail "change $1: not so: $2 $(cat "$TMPDIR/jq")" \
			"$(jq -c --arg id "$1" '.changes[] | select(.id == $id)' "$out")"
}

verdict() { change "$1" ".verdict == \"$2\""; }

file() {
	jq -r --arg path "$1" '.files[] | select(.path == $path) | .want // ""' \
		"$out"
}

advises() {
	jq -e --arg id "$1" --arg subject "$2" 'any(.advice[];
		.id == $id and .subject == $subject)' "$out" >/dev/null ||
		fail "no advice $1 about $2: $(jq -c .advice "$out")"
}

advises_not() {
	jq -e --arg id "$1" 'all(.advice[]; .id != $id)' "$out" >/dev/null ||
		fail "advice $1 is given: $(jq -c .advice "$out")"
}
