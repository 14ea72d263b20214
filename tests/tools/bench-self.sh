#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# bench-self.sh BUILD: what nvmetune itself costs, in user-space instructions
# counted by valgrind's callgrind.  Counts repeat to a few in ten thousand on
# any machine, however busy; times would not, and nothing here asserts one.
#
# Per I/O: the slope between two runs that differ only in how many reads they
# make, so that start and end cancel out.  The clock is read in the vdso, which
# callgrind does not see: about 25 ns, once or twice for each batch.
set -euo pipefail
export LC_ALL=C

[ $# = 1 ] || { echo "usage: bench-self.sh BUILD" >&2; exit 2; }
build=$1
out=$build/bench-self
mkdir -p "$out"

${CC:-gcc} -std=c11 -D_GNU_SOURCE -O2 -g -Isrc -o "$out/engine" \
	tests/bench/self/engine.c "$build/libnvmetune.a" \
	$(pkg-config --libs liburing) -pthread

# Instructions of a whole run; what the program printed goes to $out/said.
count() { # command...
	valgrind --tool=callgrind --callgrind-out-file="$out/callgrind" "$@" \
		>"$out/said" 2>"$out/valgrind" || {
		cat "$out/said" "$out/valgrind" >&2
		exit 1
	}
	awk '/^(summary|totals):/ { print $2; exit }' "$out/callgrind"
}

few=20000
many=80000
per_io() { # engine, depth, [device]
	local a b first
	a=$(count "$out/engine" "$1" "$2" $few ${3:+"$3"})
	first=$(sed -E 's/.*turns=//' "$out/said")
	b=$(count "$out/engine" "$1" "$2" $many ${3:+"$3"})
	awk -v e="$1" -v d="$2" -v what="${3:-memory}" -v n=$((many - few)) \
		-v ir=$((b - a)) -v first="$first" '
	{
		split($0, part, " restricted=")
		turns = $0
		sub(/.*turns=/, "", turns)
		printf "%-12s %5d %9.1f %8.1f   %s\n", what, d, ir / n,
			n / (turns - first), part[1]
	}' "$out/said"
}

# A loop device completes from other threads, as a drive does; memory at once.
loop=
release() {
	[ -z "$loop" ] || losetup -d "$loop"
	rm -f "$backing"
}
backing=$(mktemp -p /dev/shm nvmetune-bench.XXXXXX)
trap release EXIT
if [ "$(id -u)" = 0 ] && truncate -s 64M "$backing"; then
	loop=$(losetup -f --show "$backing" 2>/dev/null) || loop=
fi

echo "load engine: 4 KiB random reads, latency of each one counted"
printf '%-12s %5s %9s %8s   %s\n' device depth instr/IO IO/batch engine
for depth in 32 1; do
	for engine in uring aio; do
		per_io $engine $depth
	done
done
if [ -n "$loop" ]; then
	for engine in uring aio; do
		per_io $engine 32 "$loop"
	done
else
	echo "(a loop device needs root: not measured)"
fi
