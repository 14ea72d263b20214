#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# 256 namespaces: all commands, and each one's errors by its name; twice the
# drives are twice the calls and no more.
. tests/cli/apply-lib.sh
needs_strace

below=devices/pci0000:20/0000:20:00.0/0000:21:00.0/nvme/nvme1
# many N: the second drive has N namespaces.
many() {
	local ctrl=$dir/sys/$below disk i
	rm -rf "$dir"
	host "$dir"
	for ((i = 2; i <= $1; i++)); do
		disk=nvme1n$i
		cp -a "$ctrl/nvme1n1" "$ctrl/$disk"
		rm -rf "$ctrl/$disk/holders"
		echo "$i" >"$ctrl/$disk/nsid"
		echo "uuid.00000000-0000-4000-8000-$(printf %012d "$i")" \
			>"$ctrl/$disk/wwid"
		echo "259:$((i + 20))" >"$ctrl/$disk/dev"
		ln -s "../../$below/$disk" "$dir/sys/class/block/$disk"
	done
}
swap() { mv "$1" "$1.x" && mv "$2" "$1" && mv "$1.x" "$2"; }
# calls_of ARGUMENT...: how many of all kinds.
calls_of() {
	strace -f -qq -c -o "$TMPDIR/count" "$NVMETUNE" "$@" \
		>"$out" 2>"$err" || fail "nvmetune $*"
	awk '$NF == "total" { print $4 }' "$TMPDIR/count"
}
declare -A count
dir=$TMPDIR/host
profile=tests/cli/profiles/oltp.ini
for n in 64 128 256; do
	many $n
	fingerprint "$dir" >"$TMPDIR/before"
	count[plan$n]=$(calls_of plan --sysroot "$dir" --profile $profile)
	nvmetune capture --sysroot "$dir" -o "$TMPDIR/saved.json"
	count[saved$n]=$(calls_of plan --facts "$TMPDIR/saved.json" \
		--profile $profile --format json)
	json "[.changes[] | select(.verdict == \"change\" and
		.key == \"queue.scheduler\")] | length == $((n + 1))"
	count[apply$n]=$(calls_of apply --sysroot "$dir" --profile $profile)
	grep -q "transaction 1: $(((n + 1) * 2 + 2)) changed" "$out" ||
		fail "not all of $n were changed: $(tail -n 1 "$out")"
	count[verify$n]=$(calls_of verify --sysroot "$dir")
	count[rollback$n]=$(calls_of rollback --sysroot "$dir")
	same_host "$dir" "$TMPDIR/before"
	# A boot that gives all of them other names.
	nvmetune apply --sysroot "$dir" --profile $profile
	for ((i = 2; i < n - i + 2; i++)); do
		swap "$dir/sys/class/block/nvme1n$i" \
			"$dir/sys/class/block/nvme1n$((n - i + 2))"
	done
	count[renamed$n]=$(calls_of rollback --sysroot "$dir")
	grep -q "$(((n + 1) * 2 + 2)) brought back" "$out" ||
		fail "not all of $n were found: $(tail -n 1 "$out")"
done
for command in plan apply verify rollback renamed; do
	small=${count[${command}64]} mid=${count[${command}128]}
	large=${count[${command}256]}
	doing "$command: $small, $mid and $large calls"
	[ "$small" -gt 1000 ] || fail "they were not counted"
	# What 128 more cost against 64 more: twice as much, and a tenth.
	[ $((10 * (large - mid))) -le $((22 * (mid - small))) ] ||
		fail "more than linear"
done

# Of 257 disks two cannot, and five go before they are written: each is told by
# its name, all others are done.
for disk in nvme1n7 nvme1n70; do
	rm "$dir/sys/class/block/$disk/queue/nr_requests"
done
nvmetune apply --sysroot "$dir" --profile $profile --strict
expect 1
[ "$(grep -c "cannot: " "$err")" = 2 ] || fail "not two by name"
tells "queue.nr_requests@nvme1n7: cannot: "
tells "queue.nr_requests@nvme1n70: cannot: "
rm -rf "${dir:?}/var"
paused fdatasync 2 apply --sysroot "$dir" --profile $profile
gone=(nvme1n8 nvme1n9 nvme1n100 nvme1n200 nvme1n256)
for disk in "${gone[@]}"; do
	rm "$dir/sys/class/block/$disk"
done
go_on
expect 0
for disk in "${gone[@]}"; do
	tells "$disk: queue.scheduler: the drive has gone"
done
[ "$(grep -c "queue.scheduler: the drive has gone" "$err")" = 5 ] ||
	fail "not five have gone"
grep -L none "$dir"/sys/class/block/nvme1n*/queue/scheduler >"$TMPDIR/left"
[ ! -s "$TMPDIR/left" ] || fail "not done: $(head -n 3 "$TMPDIR/left")"
nvmetune rollback --sysroot "$dir"
expect 0
grep -L mq-deadline "$dir"/sys/class/block/nvme1n*/queue/scheduler \
	>"$TMPDIR/left"
[ ! -s "$TMPDIR/left" ] || fail "not back: $(head -n 3 "$TMPDIR/left")"
