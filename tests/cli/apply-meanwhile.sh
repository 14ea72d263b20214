#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What happens while apply or rollback is at work: a drive that goes between
# plan and write, one that is replaced in its slot, one that is reset, a second
# nvmetune, the device helper.  The others get what is their due.
. tests/cli/apply-lib.sh
needs_strace

fresh=$TMPDIR/fresh dir=$TMPDIR/host
host "$fresh"
mkdir -p "$fresh/run"
profile=$TMPDIR/two.ini
cat >"$profile" <<-END
	[profile]
	summary = Of each drive one value and the read-ahead
	[drives]
	queue.nomerges = 2
	queue.read_ahead_kb = 0
END
apply=(apply --sysroot "$dir" --profile "$profile")
# nvme0 comes first; what befalls nvme1 is known to no plan.
one=$(cd "$fresh" && readlink -f sys/class/nvme/nvme1)
one=${one#"$(readlink -f "$fresh")"/}
value() { cat "$dir/sys/class/block/$1/queue/${2:-nomerges}"; }

# The write of the first value, in order of the program's writes.
copy "$fresh" "$dir"
strace -f -y -o "$TMPDIR/calls" -e trace=write "$NVMETUNE" "${apply[@]}" \
	>"$out" 2>"$err" || fail "apply, traced"
first=$(grep ' write(' "$TMPDIR/calls" | grep -n '<[^>]*/queue/nomerges>' |
	head -n 1 | cut -d: -f1)
[ -n "$first" ] || fail "no write of a value"
at_first_write() {
	copy "$fresh" "$dir"
	paused write "$first" "${apply[@]}"
}

# It goes.
at_first_write
mv "$dir/sys/class/nvme/nvme1" "$dir/sys/class/block/nvme1n1" "$TMPDIR"
go_on
expect 0
tells "nvme1n1: queue.nomerges: the drive has gone"
tells 'nvme0n1: queue.read_ahead_kb: "128" -> "0"'
[ "$(value nvme0n1)" = 2 ] || fail "the other was not done"
mv "$TMPDIR/nvme1" "$dir/sys/class/nvme/"
mv "$TMPDIR/nvme1n1" "$dir/sys/class/block/"
[ "$(value nvme1n1)" = 0 ] || fail "it was written to nevertheless"
nvmetune rollback --sysroot "$dir"
expect 0
fingerprint "$fresh" >"$TMPDIR/before"
same_host "$dir" "$TMPDIR/before"

# Another one is in its place, with the same name and address.
replace() {
	printf 'OTHER   ' >"$dir/$one/serial"
	printf 'nqn.2020-01.example:other' >"$dir/$one/subsysnqn"
	printf 'eui.0000000000000042' >"$dir/$one/nvme1n1/wwid"
}
at_first_write
replace
go_on
expect 0
tells "nvme1n1: queue.nomerges: another drive has this name now"
[ "$(value nvme0n1)/$(value nvme1n1)" = 2/0 ] || fail "the wrong one was set"

# The same when it has been applied: not rolled back onto, whatever it has.
copy "$fresh" "$dir"
nvmetune "${apply[@]}"
expect 0
replace
nvmetune rollback --sysroot "$dir"
expect 0
tells "nvme1n1: queue.nomerges: not brought back: it is not in this host now"
says "2 not here now"
[ "$(value nvme0n1)/$(value nvme1n1)" = 0/2 ] || fail "it was rolled back onto"
[ "$(value nvme1n1 read_ahead_kb)" = 0 ] || fail "it was rolled back onto"
[ ! -e "$dir/etc/nvmetune" ] || fail "a file was left"
# Even by force.
nvmetune rollback --sysroot "$dir" --force
expect 0
[ "$(value nvme1n1)" = 2 ] || fail "--force took it for the other drive"

# And when both have changed names the values follow the drives.
copy "$fresh" "$dir"
printf 1 >"$dir/sys/class/block/nvme1n1/queue/nomerges"
nvmetune "${apply[@]}"
expect 0
zero=$(cd "$dir" && readlink -f sys/class/nvme/nvme0)
zero=${zero#"$(readlink -f "$dir")"/}
for file in serial subsysnqn; do
	cp "$dir/$zero/$file" "$TMPDIR/x"
	cp "$dir/$one/$file" "$dir/$zero/$file"
	cp "$TMPDIR/x" "$dir/$one/$file"
done
cp "$dir/$zero/nvme0n1/wwid" "$TMPDIR/x"
cp "$dir/$one/nvme1n1/wwid" "$dir/$zero/nvme0n1/wwid"
cp "$TMPDIR/x" "$dir/$one/nvme1n1/wwid"
nvmetune rollback --sysroot "$dir"
expect 0
[ "$(value nvme0n1)/$(value nvme1n1)" = 1/0 ] || fail "names were followed"

# A reset brings the kernel's value back between two writes: the end is right.
copy "$fresh" "$dir"
last=$(grep ' write(' "$TMPDIR/calls" | grep -n '<[^>]*/queue/' | tail -n 1 |
	cut -d: -f1)
[ "$last" -gt "$first" ] || fail "no later write"
paused write "$last" "${apply[@]}"
printf 128 >"$dir/sys/class/block/nvme0n1/queue/read_ahead_kb"
go_on
expect 0
nvmetune verify --sysroot "$dir"
expect 3; says "queue.read_ahead_kb@nvme0n1"
nvmetune device --sysroot "$dir" nvme0
expect 0; tells 'nvme0n1: queue.read_ahead_kb: from "128" to "0"'
nvmetune verify --sysroot "$dir"
expect 0

# other ARGUMENT...: a second one, while the first waits.
# shellcheck disable=SC2034 # expect reads it
other() {
	doing "$*, while another waits"
	"$NVMETUNE" "$@" >"$TMPDIR/other" 2>&1
	rc=$?
}
# While it is at work: no second one, and a helper that leaves it alone.
for command in apply rollback; do
	copy "$fresh" "$dir"
	nvmetune "${apply[@]}"
	expect 0
	if [ $command = apply ]; then
		printf 0 >"$dir/sys/class/block/nvme0n1/queue/nomerges"
		paused write 3 "${apply[@]}"
	else
		paused fdatasync 1 rollback --sysroot "$dir"
	fi
	fingerprint "$dir" >"$TMPDIR/mid"
	waiting=$paused
	for second in apply rollback; do
		other $second --sysroot "$dir"
		expect 6
		grep -q "another nvmetune is running, process $waiting" \
			"$TMPDIR/other" || fail "$(<"$TMPDIR/other")"
	done
	other device --sysroot "$dir" nvme0
	expect 0
	grep -q "left alone: another nvmetune is running" "$TMPDIR/other" ||
		fail "$(<"$TMPDIR/other")"
	rm -r "$dir/run/nvmetune" # the helper's own lock
	same_host "$dir" "$TMPDIR/mid"
	go_on
	expect 0
done
same_host "$dir" "$TMPDIR/before"

# One that was killed half way through its rollback keeps the helper off, too:
# the profile has gone first.
nvmetune "${apply[@]}"
expect 0
broken "unlinkat:signal=KILL:when=3" rollback --sysroot "$dir"
expect 137
nvmetune history --sysroot "$dir" --format json
json '.transactions[-1].state == "half undone"'
printf 64 >"$dir/sys/class/block/nvme0n1/queue/read_ahead_kb"
nvmetune device --sysroot "$dir" nvme0
expect 0
[ "$(value nvme0n1 read_ahead_kb)" = 64 ] || fail "the helper set it"
printf 0 >"$dir/sys/class/block/nvme0n1/queue/read_ahead_kb"
nvmetune rollback --sysroot "$dir"
expect 0
rm -rf "$dir/run/nvmetune"
same_host "$dir" "$TMPDIR/before"
