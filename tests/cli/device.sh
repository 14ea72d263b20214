#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The device helper sets again what a reset lost and what no rule holds, notes
# what it found, and leaves alone what it must.
. tests/cli/apply-lib.sh

fresh=$TMPDIR/fresh dir=$TMPDIR/host
profile=$TMPDIR/helper.ini
cat >"$profile" <<'INI'
[profile]
summary = What a rule holds, and what only the helper does

[drives]
queue.scheduler = none
queue.nr_requests = max
queue.read_ahead_kb = 0
irq.affinity = local
INI
host "$fresh"
mkdir -p "$fresh"/proc/irq/31/nvme0q0 "$fresh/run"
printf 0-1 >"$fresh/proc/irq/31/smp_affinity_list"
fingerprint "$fresh" >"$TMPDIR/before"

# values DISK: scheduler, depth, read-ahead
values() {
	(cd "$dir/sys/class/block/$1/queue" &&
		echo "$(<scheduler) $(<nr_requests) $(<read_ahead_kb)")
}
vector() { cat "$dir/proc/irq/31/smp_affinity_list"; }
helper() { nvmetune device --sysroot "$dir" "$@"; }
notes() {
	find "$dir/run/nvmetune/device" -type f ! -name '*.lock' -printf '%f\n'
}
as_before() {
	rm -rf "$dir/run/nvmetune"
	fingerprint "$dir" >"$TMPDIR/after"
	diff "$TMPDIR/before" "$TMPDIR/after" || fail "$1"
}
applied() {
	rm -rf "$dir"
	cp -a "$fresh" "$dir"
	nvmetune apply --sysroot "$dir" --profile "$profile"
	expect 0
}
# As after a reset: the kernel's values, but for what it keeps.
reset() {
	printf 128 >"$dir/sys/class/block/$1/queue/read_ahead_kb"
}
# As a drive that has just come: all of them.
fresh_drive() {
	printf mq-deadline >"$dir/sys/class/block/$1/queue/scheduler"
	printf 256 >"$dir/sys/class/block/$1/queue/nr_requests"
	reset "$1"
}

# Nothing applied, nothing done, and no folder made.
cp -a "$fresh" "$dir"
helper nvme0
expect 0; quiet; silent
as_before "without a profile it did something"

# After a reset the drive, and only this drive, is as it was applied.
applied
was=$(values nvme0n1)
[[ $was = 'none '*' 0' ]] || fail "apply left $was"
reset nvme0n1
reset nvme1n1
printf 0-1 >"$dir/proc/irq/31/smp_affinity_list"
helper nvme0
expect 0; quiet
tells 'nvme0n1: queue.read_ahead_kb: from "128" to "0"'
tells 'nvme0q0: irq.affinity: from "0-1" to "2-3"'
[ "$(values nvme0n1)" = "$was" ] || fail "it is $(values nvme0n1), not $was"
[ "$(vector)" = 2-3 ] || fail "the vector is on $(vector)"
[[ $(values nvme1n1) = *' 128' ]] || fail "another drive was touched"
helper nvme0
expect 0; quiet; silent
helper nvme1n1
expect 0; tells 'nvme1n1: queue.read_ahead_kb: from "128" to "0"'
[ "$(notes | wc -l)" = 2 ] || fail "not one note for each controller"

# A disk whose own event udev has yet to see is left to that event.
mkdir -p "$dir/run/udev/data"
reset nvme0n1
helper nvme0
expect 0; silent
helper nvme0n1
expect 0; tells 'nvme0n1: queue.read_ahead_kb: from "128" to "0"'
reset nvme0n1
: >"$dir/run/udev/data/b$(<"$dir/sys/class/block/nvme0n1/dev")"
helper nvme0
expect 0; tells 'nvme0n1: queue.read_ahead_kb: from "128" to "0"'
rm -r "$dir/run/udev"

# What a rule holds is the administrator's between two boots.
printf kyber >"$dir/sys/class/block/nvme0n1/queue/scheduler"
helper nvme0
expect 0; silent
printf none >"$dir/sys/class/block/nvme0n1/queue/scheduler"

# But a depth that is the kernel's own again was lost, as 5.10 does at a reset;
# any other is somebody's.
cp -a "$dir" "$dir.kept"
rm -rf "$dir"
cp -a "$fresh" "$dir"
printf '[profile]\nsummary = A depth\n[drives]\nqueue.scheduler = mq-deadline\nqueue.nr_requests = 300\n' \
	>"$TMPDIR/depth.ini"
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/depth.ini"
expect 0
[[ $(values nvme0n1) = 'mq-deadline 300 '* ]] || fail "it is $(values nvme0n1)"
printf 200 >"$dir/sys/class/block/nvme0n1/queue/nr_requests"
helper nvme0
expect 0; silent
printf 256 >"$dir/sys/class/block/nvme0n1/queue/nr_requests"
helper nvme0
expect 0; tells 'nvme0n1: queue.nr_requests: from "256" to "300"'
printf none >"$dir/sys/class/block/nvme0n1/queue/scheduler"
printf 1023 >"$dir/sys/class/block/nvme0n1/queue/nr_requests"
helper nvme0
expect 0; silent
printf mq-deadline >"$dir/sys/class/block/nvme0n1/queue/scheduler"
printf 300 >"$dir/sys/class/block/nvme0n1/queue/nr_requests"
nvmetune rollback --sysroot "$dir"
expect 0
as_before "the depth did not come back"
rm -rf "$dir"
mv "$dir.kept" "$dir"

# The journal has the older values of before; the notes go with it.
reset nvme0n1
helper nvme0
expect 0
nvmetune rollback --sysroot "$dir"
expect 0
[ -z "$(notes)" ] || fail "notes are left: $(notes)"
as_before "rollback did not bring back what the helper set"
helper nvme0
expect 0; silent

# A drive that comes after apply: only the notes know what it had.
late() {
	rm -rf "$dir"
	cp -a "$fresh" "$dir"
	mv "$dir/sys/class/nvme/nvme1" "$dir/sys/class/block/nvme1n1" \
		"$TMPDIR"
	nvmetune apply --sysroot "$dir" --profile "$profile"
	expect 0
	mv "$TMPDIR/nvme1" "$dir/sys/class/nvme/"
	mv "$TMPDIR/nvme1n1" "$dir/sys/class/block/"
	helper nvme1n1
	expect 0; tells 'nvme1n1: queue.read_ahead_kb: from "128" to "0"'
}
late
# The first value that was found counts, whatever a reset led to since.
printf 64 >"$dir/sys/class/block/nvme1n1/queue/read_ahead_kb"
helper nvme1
expect 0; tells 'from "64" to "0"'
nvmetune rollback --sysroot "$dir"
expect 0; tells 'nvme1n1: queue.read_ahead_kb: back to "128"'
as_before "the drive that came late is not as it came"

late
printf 4096 >"$dir/sys/class/block/nvme1n1/queue/read_ahead_kb"
nvmetune rollback --sysroot "$dir"
expect 1
tells 'was "128", nvmetune left "0", now it is "4096": kept'
nvmetune rollback --sysroot "$dir" --force
expect 0
as_before "--force did not overwrite it"

# A second profile over the first: each takes back its own.
late
sed 's/read_ahead_kb = 0/read_ahead_kb = 32/' "$profile" >"$TMPDIR/second.ini"
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/second.ini"
expect 0
reset nvme1n1
helper nvme1
expect 0; tells 'from "128" to "32"'
nvmetune rollback --sysroot "$dir"
expect 0
[[ $(values nvme1n1) = *' 0' ]] || fail "the first profile's is $(values nvme1n1)"
nvmetune rollback --sysroot "$dir" --all
expect 0
as_before "not as before both"

# One that came under the second profile knows nothing of the first: rolled back
# to that, it has its own values until its next event, and verify tells.
rm -rf "$dir"
cp -a "$fresh" "$dir"
mv "$dir/sys/class/nvme/nvme1" "$dir/sys/class/block/nvme1n1" "$TMPDIR"
for each in "$profile" "$TMPDIR/second.ini"; do
	nvmetune apply --sysroot "$dir" --profile "$each"
	expect 0
done
mv "$TMPDIR/nvme1" "$dir/sys/class/nvme/"
mv "$TMPDIR/nvme1n1" "$dir/sys/class/block/"
helper nvme1
expect 0; tells 'queue.read_ahead_kb: from "128" to "32"'
nvmetune rollback --sysroot "$dir"
expect 0
[[ $(values nvme1n1) = *' 128' ]] || fail "it is $(values nvme1n1)"
nvmetune verify --sysroot "$dir"
expect 3; says "queue.read_ahead_kb@nvme1n1"
helper nvme1
expect 0; tells 'queue.read_ahead_kb: from "128" to "0"'
nvmetune rollback --sysroot "$dir" --all
expect 0; tells 'queue.read_ahead_kb: back to "128"'
as_before "not as before both"

# A second profile that does not speak of it returns it, and can be taken back.
late
grep -v read_ahead_kb "$profile" >"$TMPDIR/second.ini"
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/second.ini"
expect 0
[[ $(values nvme1n1) = *' 128' ]] || fail "it was not returned"
nvmetune apply --sysroot "$dir" --detailed-exitcode
expect 0
nvmetune plan --sysroot "$dir"
! grep -q read_ahead "$out" || fail "it is still in the plan"
nvmetune rollback --sysroot "$dir"
expect 0
[[ $(values nvme1n1) = *' 0' ]] || fail "the first profile's is $(values nvme1n1)"
nvmetune rollback --sysroot "$dir" 1
expect 0
as_before "not as before both"

# It keeps out of the way.
applied
reset nvme0n1
exec 9>>"$dir/var/lib/nvmetune/lock"
flock 9
helper nvme0
expect 0; one_line; tells "nvme0: left alone: another nvmetune is running"
exec 9>>"$dir/run/nvmetune/device/nvme0.lock"
flock 9
helper nvme0
expect 1; one_line; tells "cannot lock"
exec 9>&-
# apply waits for a helper that is at work, and not the other way round.
flock "$dir/run/nvmetune/device/nvme0.lock" sh -c \
	"touch '$TMPDIR/held'; sleep 2" &
until [ -e "$TMPDIR/held" ]; do sleep 0.05; done
nvmetune apply --sysroot "$dir"
expect 0; says "1 changed"
wait
reset nvme0n1
sed -i '$d' "$dir/var/lib/nvmetune/txn/0002/journal"
helper nvme0
expect 0; one_line; tells "nvme0: left alone: transaction 2 is open"
[[ $(values nvme0n1) = *' 128' ]] || fail "it was touched nevertheless"

applied
reset nvme0n1
for state in new resetting connecting deleting dead; do
	echo $state >"$dir/sys/class/nvme/nvme0/state"
	helper nvme0
	expect 0; silent
done
echo live >"$dir/sys/class/nvme/nvme0/state"
[[ $(values nvme0n1) = *' 128' ]] || fail "it was touched nevertheless"
mv "$dir/var" "$TMPDIR/unmounted"
helper nvme0
expect 0; silent
mv "$TMPDIR/unmounted" "$dir/var"
for name in nvme7 nvme0n7 nvme0c3n1; do
	helper $name
	expect 0; silent
done
for name in nvme nvme0p1 nvme0n1p1 sda ../nvme0 nvme0/../nvme1 'nvme0 ' ''; do
	helper "$name"
	expect 2
done
helper nvme0 nvme1
expect 2

# A file that is not ours, or not only ours, is not acted upon.
ini=$dir/etc/nvmetune/applied.ini
cp "$ini" "$TMPDIR/good.ini"
refused() { # words
	helper nvme0
	expect 1; one_line; tells "nvme0: $1"
	[[ $(values nvme0n1) = *' 128' ]] || fail "it was touched nevertheless"
	cp "$TMPDIR/good.ini" "$ini"
}
sed -i 1d "$ini"
refused "/etc/nvmetune/applied.ini: was not written by nvmetune"
printf '[drives]\nqueue.read_ahead_kb = 0; rm -rf /\n\033[31mx' >>"$ini"
refused "/etc/nvmetune/applied.ini:"
printf '\000' >>"$ini"
refused "/etc/nvmetune/applied.ini:"
truncate -s 2M "$ini"
refused "/etc/nvmetune/applied.ini:"
chmod 666 "$ini"
refused "/etc/nvmetune/applied.ini: others than root may write to it"
chmod 644 "$ini"
helper nvme0
expect 0; tells 'nvme0n1: queue.read_ahead_kb'

# Damaged notes: nothing is written that could not be taken back.
reset nvme0n1
echo x >>"$dir/run/nvmetune/device/$(notes)"
echo y >>"$dir/run/nvmetune/device/$(notes)"
helper nvme0
expect 1; tells "is damaged"
[[ $(values nvme0n1) = *' 128' ]] || fail "it was touched nevertheless"
nvmetune rollback --sysroot "$dir"
expect 1; tells "is damaged"

# What the kernel refuses is told; what fails is a failure.
applied
reset nvme0n1
chmod 444 "$dir/sys/class/block/nvme0n1/queue/read_ahead_kb"
[ -w "$dir/sys/class/block/nvme0n1/queue/read_ahead_kb" ] || {
	helper nvme0
	expect 0; tells "queue.read_ahead_kb: cannot write"
}

# The plan says who keeps what: nobody, until the rule and its program are there.
rm -rf "$dir"
cp -a "$fresh" "$dir"
sed -i s/none/mq-deadline/ "$profile" # whose depth the kernel would not give
keeper() { # KEY
	nvmetune plan --sysroot "$dir" --profile "$profile" --format json
	expect 0
	jq -r --arg key "$1" '[.changes[] | select(.key == $key and
		.origin == "profile" and .verdict != "keep") | .persistence] |
		unique | join(" ")' "$out"
}
rules=$dir/usr/lib/udev/rules.d
[ "$(keeper queue.nr_requests)" = cannot ] || fail "not installed, and kept"
says "and the device helper's rule is not installed"
cp udev/91-nvmetune-device.rules "$rules/"
[ "$(keeper queue.nr_requests)" = cannot ] || fail "no program, and kept"
mkdir -p "$dir/usr/bin" && touch "$dir/usr/bin/nvmetune"
for key in queue.nr_requests irq.affinity; do
	[ "$(keeper $key)" = "device helper" ] || fail "$key: $(keeper $key)"
done
[ "$(keeper queue.read_ahead_kb)" = "udev rule" ] || fail "read-ahead"
ln -s /dev/null "$dir/etc/udev/rules.d/91-nvmetune-device.rules"
[ "$(keeper queue.nr_requests)" = cannot ] || fail "masked, and kept"
rm "$dir/etc/udev/rules.d/91-nvmetune-device.rules"
nvmetune apply --sysroot "$dir" --profile "$profile" --live-only --dry-run
expect 0; says "--live-only leaves the device helper the old profile"
nvmetune plan --sysroot "$dir" --profile "$profile"
expect 0; says "kept by the device helper"
nvmetune apply --sysroot "$dir" --profile "$profile"
expect 0
nvmetune verify --sysroot "$dir"
expect 0
# Lost, and the helper did not run: drift, with the way to repair it.
printf 0-1 >"$dir/proc/irq/31/smp_affinity_list"
nvmetune verify --sysroot "$dir"
expect 3
says 'the device helper has not set it since; "nvmetune device nvme0" does'
helper nvme0
expect 0
nvmetune verify --sysroot "$dir"
expect 0

# Native multipath: the queue is the path's, which udev never sees.
rm -rf "$dir"
tests/tools/mkroot tests/roots/multipath.tree "$dir" || fail "mkroot"
rm -rf "$dir/etc/nvmetune"
for path in nvme0c0n1 nvme0c1n1; do
	printf none >"$dir/sys/class/block/$path/queue/scheduler"
done
nvmetune apply --sysroot "$dir" --profile "$profile"
expect 0
both() { echo "$(scheduler "$dir" nvme0c0n1) $(scheduler "$dir" nvme0c1n1)"; }
[ "$(both)" = "mq-deadline mq-deadline" ] || fail "apply: $(both)"
back() {
	printf none >"$dir/sys/class/block/nvme0c0n1/queue/scheduler"
	printf none >"$dir/sys/class/block/nvme0c1n1/queue/scheduler"
}
back
helper nvme1
expect 0
[ "$(both)" = "none mq-deadline" ] || fail "helper of one path: $(both)"
back
helper nvme0n1
expect 0
[ "$(both)" = "mq-deadline mq-deadline" ] || fail "helper of the head: $(both)"
back
helper nvme0c0n1
expect 0
[ "$(both)" = "mq-deadline none" ] || fail "helper of a path's disk: $(both)"
