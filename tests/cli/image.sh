#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# apply and rollback --root: files only, nothing of the machine that builds.
. tests/cli/apply-lib.sh

# image DIR: the root of a system that does not run.
image() {
	mkdir -p "$1"/{etc,usr/lib,usr/sbin,var/lib,proc,sys/class/nvme/nvme0}
	printf 'ID=debian\nPRETTY_NAME="Debian GNU/Linux 12"\n' \
		>"$1/usr/lib/os-release"
	mkdir -p "$1"/lib/modules/{9.9.0-lab,9.10.0-lab}
	echo kernel/drivers/nvme/host/nvme.ko \
		>"$1/lib/modules/9.9.0-lab/modules.builtin"
	: >"$1/lib/modules/9.10.0-lab/modules.builtin"
	: >"$1/usr/sbin/update-initramfs"
	# What a build has mounted here is the builder's.
	echo builder >"$1/sys/class/nvme/nvme0/model"
	echo nvme.poll_queues=8 >"$1/proc/cmdline"
}

profile=$TMPDIR/fleet.ini
cat >"$profile" <<'INI'
[profile]
summary = A fleet
[drives]
queue.scheduler = none
queue.nr_requests = max
[drives old]
match.model = OLD*
queue.nr_requests = 512
[host]
kernel.numa_balancing = 0
INI

one=$TMPDIR/one
image "$one"
fingerprint "$one" >"$TMPDIR/before"

nvmetune plan --root "$one" --profile "$profile"
expect 0
says "profile fleet on an image of Debian GNU/Linux 12 with kernels 9.9.0-lab, 9.10.0-lab"
says "queue.scheduler on drives"
says "only on drives with model OLD*"
says "kernel.numa_balancing on host"
! grep -q builder "$out" || fail "the builder's drive is in the plan"
nvmetune plan --root "$one" --profile "$profile" --format json
json '[.changes[] | select(.verdict == "later") | .id] == [
	"queue.scheduler@drives", "queue.nr_requests@drives:old",
	"kernel.numa_balancing@host"]'
same_host "$one" "$TMPDIR/before"
[ ! -e "$one/var/lib/nvmetune" ] || fail "plan left something"

# What differs from drive to drive, the device helper finds out where it is.
helped=$TMPDIR/helped
image "$helped"
mkdir -p "$helped"/usr/bin "$helped"/usr/lib/udev/rules.d
: >"$helped/usr/bin/nvmetune"
cp udev/91-nvmetune-device.rules "$helped/usr/lib/udev/rules.d/"
nvmetune plan --root "$helped" --profile "$profile" --format json
json '.changes[] | select(.id == "queue.nr_requests@drives") |
	.verdict == "later" and .persistence == "device helper"'

nvmetune apply --root "$one" --profile "$profile" --dry-run
expect 0; says "dry run: nothing was written"
same_host "$one" "$TMPDIR/before"

nvmetune apply --root "$one" --profile "$profile" --detailed-exitcode
expect 3
says "transaction 1: 3 changed, 0 refused, 0 failed"
grep -q 'ATTRS{model}=="OLD\*"' "$one/etc/udev/rules.d/90-nvmetune.rules" ||
	fail "the rule for old drives"
[ ! -e "$one/run/nvmetune.lock" ] && [ ! -e "$one/var/lib/nvmetune/lock" ] ||
	fail "a lock was left in the image"
[ ! -e "$one/var/lib/nvmetune/txn" ] || fail "a clone would have a history"
[ "$(stat -c %a "$one/etc/udev/rules.d/90-nvmetune.rules")" = 644 ] ||
	fail "the mode of the rules"
nvmetune apply --root "$one" --profile "$profile" --detailed-exitcode
expect 0; says "nothing to do: the image is as profile fleet wants it"

# Two builds are one, whoever made them, wherever and when.
two=$TMPDIR/deep/er/two
image "$two"
sleep 1
SUDO_USER=somebody nvmetune apply --root "$two" --profile "$profile"
expect 0
diff -r "$one" "$two" >"$TMPDIR/diff" || fail "two builds differ"

nvmetune history --root "$one"
expect 0; says fleet
nvmetune history --sysroot "$one"
expect 0; ! grep -q fleet "$out" || fail "the host has the image's history"
nvmetune rollback --sysroot "$one"
expect 0; says "came with the image"
nvmetune verify --sysroot "$one"
expect 0; says "no drift"

nvmetune rollback --root "$one"
expect 0; says "1 transaction undone"
same_host "$one" "$TMPDIR/before"
nvmetune rollback --root "$one"
expect 0; says "nothing to do"

# Links of an image stay inside of it.
outside=$TMPDIR/outside
mkdir -p "$outside/rules.d" "$outside/nvmetune"
three=$TMPDIR/three
image "$three"
mkdir -p "$three/etc/modprobe.d"
ln -s "$outside" "$three/etc/udev"
ln -s ../../../../../../../../../../../../.."$outside/nvmetune" \
	"$three/etc/nvmetune"
ln -s "$outside" "$three/var/lib/nvmetune"
nvmetune apply --root "$three" --profile "$profile"
[ "$rc" -ne 0 ] || [ -e "$three$outside/rules.d/90-nvmetune.rules" ] ||
	fail "the rules are nowhere"
[ -z "$(find "$outside" -type f)" ] || fail "something was written outside"

# What no host promises, and what no image can do.
mkdir -p "$one/boot"
nvmetune apply --root "$one" --profile "$profile" --live-only
expect 2; tells "--root writes the files of an image"
nvmetune apply --root "$one" --profile "$profile" --allow-reload
expect 2
nvmetune apply --profile "$profile" --min-cpus 4
expect 2; tells "add --root DIR"
nvmetune apply --root / --profile "$profile"
expect 1; tells "is the running host"
nvmetune apply --root "$TMPDIR/nowhere" --profile "$profile"
expect 1; tells "nowhere"

# Text for a configuration that is kept elsewhere.
nvmetune plan --root "$one" --profile "$profile" --export udev
expect 0; says 'ATTR{queue/scheduler}="none"'
! grep -q applied.ini "$out" ||
	fail "exported rules that wait for a file which is not exported"
nvmetune plan --root "$one" --profile "$profile" --export sysctl
expect 0; says "kernel.numa_balancing = 0"
nvmetune plan --root "$one" --profile "$profile" --export modprobe
expect 0; [ ! -s "$out" ] || fail "options that nobody asked for"
nvmetune plan --root "$one" --profile "$profile" --export nix
expect 1; tells 'is not udev, modprobe, sysctl, systemd or cmdline'

# A copy by hard links has its own history, too.
origin=$TMPDIR/origin
image "$origin"
nvmetune apply --root "$origin" --profile "$profile"
expect 0
cp -al "$origin" "$TMPDIR/linked"
find "$origin" -type f -exec sha256sum {} + >"$TMPDIR/origin.sums"
nvmetune rollback --root "$TMPDIR/linked"
expect 0; says "1 transaction undone"
sha256sum --quiet -c "$TMPDIR/origin.sums" || fail "the other one was changed"
nvmetune history --root "$TMPDIR/linked" --format json
json '[.transactions[].state] == ["undone"]'
