#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check.sh: everything that "make check" runs, in order, from the top folder.
#
# A step that passes is one line; one that fails shows its output, and the
# steps after it still run.  The last line counts test cases and steps:
# "N passed, N failed".  Any failure is exit 1.  Logs stay in build/check.
#
# A test program or script finds in its environment
#	NVMETUNE	the binary to test, an absolute path
#	SANITIZED	set when that binary has sanitizers (slow, larger)
# and reports in one of three ways: TAP lines ("ok 1 - name"), a last line
# "N passed, N failed", or its exit status alone.  77 is a skip.
set -uo pipefail
export LC_ALL=C.UTF-8

top=$PWD
logs=$top/build/check
tools=tests/tools
make=${MAKE:-make}
jobs=$(nproc)
# The makes below are separate ones, each with its own variables.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES MAKELEVEL NVMETUNE SANITIZED
mkdir -p "$logs"
rm -f "$logs"/*.log
passed=0
failed=0
skipped=0
trap 'echo; echo "check: interrupted" >&2; exit 130' INT TERM

start() { # title
	title=$1
	printf '  %-50s' "$title"
	log=$logs/${1//[^a-zA-Z0-9]/-}.log
	since=$EPOCHREALTIME
	: >"$log"
}

# Ends the line that start began: a word, a count or a reason, and the time.
finish() { # word, note
	local us=$((${EPOCHREALTIME/./} - ${since/./}))
	printf '%-4s %6d.%d s%s\n' "$1" $((us / 1000000)) \
		$((us / 100000 % 10)) "${2:+  $2}"
}

# Ends a line and shows the log without the names of files that compiled.  Its
# end is kept for the end of the run: of a long one that is often all that is left.
fail() { # note
	finish FAIL "${1-}"
	grep -vE '^  (CC|AR|LINK)  ' "$log" | sed 's/^/    | /' >"$logs/shown"
	cat "$logs/shown"
	{
		echo "  $title"
		tail -n 40 "$logs/shown"
	} >>"$logs/failed.log"
}

step() { # title, command...
	start "$1"
	shift
	if "$@" >"$log" 2>&1 </dev/null; then
		passed=$((passed + 1))
		finish ok
	else
		failed=$((failed + 1))
		fail
		return 1
	fi
}

skip() { # title, reason
	start "$1"
	skipped=$((skipped + 1))
	finish skip "$2"
}

# cmocka writes "not ok 2 # SKIP name", TAP wants "ok 2 - name # SKIP why".
skip_line='^(not )?ok .*# skip'

# Adds one program's cases to good, bad and none; its output is in $out.
count() { # exit status
	local g b s
	s=$(grep -ciE "$skip_line" "$out")
	g=$(grep -viE "$skip_line" "$out" | grep -cE '^ok( |$)')
	b=$(grep -viE "$skip_line" "$out" | grep -cE '^not ok( |$)')
	if [ $((g + b + s)) = 0 ]; then
		read -r g b < <(sed -nE \
			's/^([0-9]+) passed, ([0-9]+) failed.*/\1 \2/p' "$out" |
			tail -n 1) || true
		: "${g:=0}" "${b:=0}"
	fi
	if [ "$1" = 77 ]; then
		s=$((s + 1))
		echo "# SKIP $program: $(tail -n 1 "$out")" >>"$logs/skipped.log"
	elif [ "$1" != 0 ] && [ "$b" = 0 ]; then
		b=1 # it crashed, timed out or said nothing
		echo "exit status $1" >>"$out"
	elif [ "$1" = 0 ] && [ $((g + b + s)) = 0 ]; then
		g=1
	fi
	good=$((good + g)) bad=$((bad + b)) none=$((none + s))
	[ "$b" = 0 ] || { echo "$program:"; grep -vE '^ok( |$)' "$out"; } >>"$log"
	grep -iE "$skip_line" "$out" >>"$logs/skipped.log"
}

# Runs programs that each report test cases.
suite() { # title, program...
	local good=0 bad=0 none=0 out=$logs/program.log program rc
	start "$1"
	shift
	for program in "$@"; do
		if [ ! -x "$program" ]; then
			echo "$program: not built" >>"$log"
			bad=$((bad + 1))
			continue
		fi
		CMOCKA_MESSAGE_OUTPUT=TAP timeout -k 5 300 "$program" \
			>"$out" 2>&1 </dev/null
		rc=$?
		count $rc
	done
	rm -f "$out"
	passed=$((passed + good))
	failed=$((failed + bad))
	skipped=$((skipped + none))
	if [ "$bad" = 0 ]; then
		finish ok "$good tests${none:+$([ "$none" = 0 ] ||
			echo ", $none skipped")}"
	else
		fail "$good passed, $bad failed"
		return 1
	fi
}

# All tests against what lies in one build folder.
suites() { # build folder, note for the title
	local folder programs
	export NVMETUNE=$top/$1/nvmetune
	for folder in tests/*/; do
		folder=${folder%/}
		programs=()
		for source in "$folder"/test_*.c; do
			[ ! -e "$source" ] || programs+=("$top/$1/${source%.c}")
		done
		[ ${#programs[@]} = 0 ] ||
			suite "${folder#tests/} tests$2" "${programs[@]}"
	done
	for folder in golden field ns fuzz; do
		[ ! -x tests/$folder/run ] ||
			suite "$folder tests$2" "tests/$folder/run"
	done
	! compgen -G 'tests/cli/*.sh' >/dev/null ||
		suite "command line tests$2" $tools/run-cli.sh
	unset NVMETUNE
}

compile() { # variables and goals
	"$make" -j"$jobs" -k --no-print-directory WERROR=1 "$@"
}

layers() {
	$tools/check-layers.sh src build
}

# Other versions lay out some lines differently, so only 14 is asked.
format() {
	local tool=clang-format
	! command -v clang-format-14 >/dev/null || tool=clang-format-14
	if ! $tool --version | grep -q 'version 14\.'; then
		skip "layout (clang-format)" "version 14 decides, this is another"
		return
	fi
	step "layout (clang-format)" formatted $tool
}

formatted() { # clang-format
	local wrong
	wrong=$(find src tests -name '*.[ch]' -print0 |
		xargs -0 -P "$jobs" -n 64 "$1" --dry-run 2>&1 |
		sed -nE 's/^([^:]+):.*code should be clang-formatted.*/\1/p' |
		sort -u)
	[ -z "$wrong" ] || echo "\"make format\" lays these out anew:" "$wrong"
	[ -z "$wrong" ]
}

# cppcheck does not know __typeof__ or who releases a _cleanup_ variable (leaks
# are found by the sanitized run), and takes a buffer that a callee fills for one
# that it reads (ctuuninitvar) and a count of 0 for a null pointer.
lint() {
	mkdir -p build/cppcheck
	cppcheck --quiet --std=c11 --inline-suppr --error-exitcode=1 -j "$jobs" \
		--enable=warning,performance,portability \
		--cppcheck-build-dir=build/cppcheck -Isrc -D_GNU_SOURCE \
		'-D__typeof__(x)=void *' --suppress=missingIncludeSystem \
		--suppress=ctuuninitvar --suppress=memleak \
		--suppress=resourceLeak \
		--suppress=nullPointerRedundantCheck src
}

# SC2154: variables of a sourced file, whose path shellcheck cannot know.
scripts() {
	local file scripts rc=0
	mapfile -t scripts < <(grep -rlIE -m 1 --exclude-dir=roots \
		--exclude-dir=hosts '^#!/bin/(ba)?sh' .ci docs tests)
	for file in "${scripts[@]}"; do
		bash -n "$file" || rc=1
	done
	shellcheck -S warning -e SC2154 "${scripts[@]}" || rc=1
	return $rc
}

step "build with gcc" compile all tests
suites build ""
step "links in the documents" $tools/check-links.sh README.md docs
step "every field case has its test" $tools/field-cases.sh
suite "the layer checker's own tests" $tools/check-layers-test.sh
step "layers" layers
step "a toy knob, advice and command" \
	env NVMETUNE="$top/build/nvmetune" $tools/run-cli.sh $tools/toy.sh
format
step "cppcheck" lint
# The analyzer has its own, better idea of what is not initialised.
step "gcc -fanalyzer" compile objs BUILD=build/analyze \
	PRELUDE="-include tests/tools/analyze.h" \
	CFLAGS="-O2 -g -fanalyzer -Wno-maybe-uninitialized"
step "shell scripts" scripts
# One build is clang's and the sanitized one: the warnings do not depend on what
# the optimiser does, and the tests then run as two compilers see them.
step "build with clang and sanitizers" compile BUILD=build/sanitize CC=clang \
	HARDENING= CFLAGS="-O1 -g -fno-omit-frame-pointer \
	-fsanitize=address,undefined -fno-sanitize-recover=all" all tests
export SANITIZED=1
export ASAN_OPTIONS=exitcode=99:detect_stack_use_after_return=1
export UBSAN_OPTIONS=exitcode=99:print_stacktrace=1
suites build/sanitize ", sanitized"

[ "$skipped" = 0 ] || {
	echo "$skipped skipped"
	[ ! -s "$logs/skipped.log" ] || sed 's/.*# /  # /' "$logs/skipped.log" | sort -u
}
[ "$failed" = 0 ] || {
	echo "failed:"
	cat "$logs/failed.log"
}
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
