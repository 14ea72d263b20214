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

read -ra libs < <(pkg-config --libs liburing numa)
for program in engine series; do
	${CC:-gcc} -std=c11 -D_GNU_SOURCE -O2 -g -Isrc -o "$out/$program" \
		tests/bench/self/$program.c "$build/libnvmetune.a" \
		"${libs[@]}" -lm -pthread
done

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
per_io() { # engine, depth, [device, [most]]
	local a b
	a=$(count "$out/engine" "$1" "$2" $few ${3:+"$3"})
	b=$(count "$out/engine" "$1" "$2" $many ${3:+"$3"})
	awk -F ' restricted=[01] turns=' -v d="$2" -v what="${3:-memory}" \
		-v few=$few -v many=$many -v ir=$((b - a)) '{
		printf "%-12s %5d %9.1f %8.1f   %s\n", what, d,
			ir / (many - few), many / $2, $1
	}' "$out/said"
	if [ -n "${4-}" ] && [ $((b - a)) -gt $(($4 * (many - few))) ]; then
		echo "$1 at depth $2: more than $4 instructions per I/O" >&2
		exit 1
	fi
}

# The same reads by fio, of memory that has a name; fewer, as it takes longer.
fio_few=4000
fio_many=12000
fio_count() { # engine, reads
	count fio --name=self --thread --filename="$named" --rw=randread \
		--bs=4k --ioengine="$1" --iodepth=32 --direct=1 \
		--norandommap --invalidate=0 --size=16M --io_size=1G \
		--number_ios="$2"
}
fio_per_io() { # engine
	local a b
	a=$(fio_count "$1" $fio_few)
	b=$(fio_count "$1" $fio_many)
	awk -v engine="$1" -v n=$((fio_many - fio_few)) -v ir=$((b - a)) \
		-v version="$(fio --version)" 'BEGIN {
		printf "%-12s %5d %9.1f %8s   %s %s\n", "memory", 32, ir / n,
			"", version, engine
	}'
}

# A loop device completes from other threads, as a drive does; memory at once.
loop=
release() {
	[ -z "$loop" ] || losetup -d "$loop"
	rm -rf "$backing" "$named" "$root"
}
root=$(mktemp -d)
backing=$(mktemp -p /dev/shm nvmetune-bench.XXXXXX)
named=$(mktemp -p /dev/shm nvmetune-fio.XXXXXX)
trap release EXIT
if [ "$(id -u)" = 0 ] && truncate -s 64M "$backing"; then
	loop=$(losetup -f --show "$backing" 2>/dev/null) || loop=
fi

# What a reading command costs: instructions, files opened, those opened more
# than once, other programs run.
page() { # name, arguments of nvmetune
	local name=$1 ir
	shift
	ir=$(count "$build/nvmetune" "$@")
	strace -f -qq -e trace=openat,openat2,open,execve -o "$out/strace" \
		"$build/nvmetune" "$@" >"$out/said" 2>/dev/null || true
	# 'openat2(5, "sys/x"' is one file by its folder's number and name.
	sed -nE 's/^[0-9]+ +open(at2?)?\(([^"]*"[^"]*").* = [0-9]+.*/\2/p' \
		"$out/strace" | sort >"$out/opened"
	printf '%-34s %9d %7d %7d %9d\n' "$name" $((ir / 1000)) \
		"$(wc -l <"$out/opened")" "$(uniq -d "$out/opened" | wc -l)" \
		$(($(grep -c 'execve(' "$out/strace") - 1))
}

echo "commands that read"
printf '%-34s %9s %7s %7s %9s\n' "" "1000 ins" opens twice programs
tests/tools/mkroot tests/roots/two-nodes.tree "$root"
page "--version (start-up alone)" --version
page "status, a tree with two drives" status --sysroot "$root"
page "plan, the same tree" plan --sysroot "$root" --profile profiles/oltp.ini
for host in hygon-8node oracle-p5510 namespaces-24; do
	page "plan, saved host $host" plan --facts "tests/hosts/$host.json" \
		--profile profiles/oltp.ini
done
echo

# A tree whose second drive has so many namespaces, none as the profile wants it.
many_namespaces() { # n
	local up=../../devices below=pci0000:20/0000:20:00.0/0000:21:00.0/nvme/nvme1
	local ctrl=$root/sys/devices/$below disk i
	rm -rf "$root"
	tests/tools/mkroot tests/roots/two-nodes.tree "$root"
	rm -rf "$root/etc/nvmetune"
	for ((i = 2; i <= $1; i++)); do
		disk=nvme1n$i
		cp -a "$ctrl/nvme1n1" "$ctrl/$disk"
		echo "$i" >"$ctrl/$disk/nsid"
		printf 'uuid.00000000-0000-4000-8000-%012d\n' "$i" \
			>"$ctrl/$disk/wwid"
		echo "259:$((i + 20))" >"$ctrl/$disk/dev"
		ln -s "$up/$below/$disk" "$root/sys/class/block/$disk"
	done
	for disk in "$root"/sys/class/block/nvme*n*/queue/scheduler; do
		[ ! -w "$disk" ] || printf mq-deadline >"$disk"
	done
}

echo "commands on a host with many namespaces, and what 256 cost more than 32"
printf '%-34s %9s %9s %7s\n' "1000 ins" "32" "256" times
declare -A few_ns
for n in 32 256; do
	many_namespaces "$n"
	for what in plan apply verify rollback; do
		case $what in
		plan | apply) profile=(--profile profiles/oltp.ini) ;;
		*) profile=() ;;
		esac
		ir=$(($(count "$build/nvmetune" "$what" --sysroot "$root" \
			"${profile[@]}") / 1000))
		if [ "$n" = 32 ]; then
			few_ns[$what]=$ir
		else
			awk -v what="$what" -v a="${few_ns[$what]}" -v b="$ir" \
				'BEGIN { printf "%-34s %9d %9d %7.1f\n",
					what, a, b, b / a }'
		fi
	done
done
echo

echo "load engine: 4 KiB random reads, latency of each one counted"
printf '%-12s %5s %9s %8s   %s\n' device depth instr/IO IO/batch engine
per_io uring 32 "" 120
per_io aio 32 "" 110
per_io uring 1
per_io aio 1
if command -v fio >/dev/null; then
	truncate -s 16M "$named"
	fio_per_io io_uring
	fio_per_io libaio
else
	echo "(fio is not installed: not compared)"
fi
if [ -n "$loop" ]; then
	for engine in uring aio; do
		per_io $engine 32 "$loop"
	done
	echo
	"$out/series" "$loop" 20 100 >"$out/noise"
	awk '!/^#/ { n++; for (i = 1; i <= 2; i++) {
			sum[i] += $i; squares[i] += $i * $i } }
	END { for (i = 1; i <= 2; i++) {
			mean = sum[i] / n; off = squares[i] / n - mean * mean
			noise[i] = off > 0 ? 100 * sqrt(off) / mean : 0 }
		printf "noise of this host, %d slices of 0.1 s: ", n
		printf "IOPS %.0f %%, CPU time per read %.0f %%\n",
			noise[1], noise[2] }' "$out/noise"
else
	echo "(a loop device needs root: not measured)"
fi
