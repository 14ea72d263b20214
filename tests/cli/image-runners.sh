#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Services and wrappers of an image: written where the profile names a node, and
# a clone finds nothing to complain about; refused with the reason where only a
# drive is named.
. tests/cli/image-lib.sh

dir=$TMPDIR/host profile=$TMPDIR/run.ini
host "$dir" # as a root it is an image: its sys and proc are the builder's
mkdir -p "$dir"/{boot,usr/lib/systemd/system,usr/bin,usr/local/bin}
touch "$dir/usr/lib/systemd/system/"{db,idle}.service
fingerprint "$dir" >"$TMPDIR/before"
unit=$dir/etc/systemd/system/db.service.d/50-nvmetune.conf
script=$dir/usr/local/bin/near
cat >"$profile" <<-END
	[profile]
	summary = Runners of a fleet
	[service db.service]
	numa = 1
	[service idle.service]
	drive = /srv/data
	[service memory.service]
	numa = 0
	memory = keep
	[wrapper near]
	numa = 0
	memory = bind
	[wrapper disk]
	drive = nvme0
END
nvmetune plan --root "$dir" --profile "$profile" --format json
expect 0
json '[.changes[] | [.id, .verdict]] == [
	["service@db.service", "later"], ["service@idle.service", "cannot"],
	["service@memory.service", "cannot"], ["wrapper@near", "later"],
	["wrapper@disk", "cannot"]]'
json '[.changes[1, 4].reason | startswith("an image has no drive whose node could be known")] | all'
json '.changes[2].reason | endswith("memory = keep cannot be had")'
json '.needs == []'
nvmetune apply --root "$dir" --profile "$profile"
expect 0
[ "$(stat -c %a "$unit" "$script" | tr '\n' ' ')" = "644 755 " ] ||
	fail "modes are $(stat -c %a "$unit" "$script")"
grep -v '^#\|^$' "$unit" | diff - <(printf '%s\n' '[Service]' 'CPUAffinity=' \
	'CPUAffinity=numa' 'NUMAPolicy=preferred' 'NUMAMask=' 'NUMAMask=1') ||
	fail "the drop-in differs"
grep -q '^exec numactl --cpunodebind=0 --membind=0 "$@"$' "$script" ||
	fail "no command in the script"
sh -n "$script" || fail "no script for a shell"
if command -v systemd-analyze >/dev/null; then
	mkdir -p "$TMPDIR/units/db.service.d"
	printf '[Service]\nExecStart=/bin/true\n' >"$TMPDIR/units/db.service"
	cp "$unit" "$TMPDIR/units/db.service.d/"
	systemd-analyze verify "$TMPDIR/units/db.service" >"$TMPDIR/said" 2>&1
	! grep -q "50-nvmetune.conf" "$TMPDIR/said" || fail "$(<"$TMPDIR/said")"
fi
nvmetune plan --root "$dir" --profile "$profile" --export systemd
expect 0; says "CPUAffinity=numa"
nvmetune apply --root "$dir" --profile "$profile"
expect 0; says "nothing to do"

# On a clone: as applied, and another apply keeps what came with the image.
nvmetune verify --sysroot "$dir"
expect 0; says "no drift"
says "pending  /usr/local/bin/disk"; says 'the image could not know it: "nvmetune apply" writes it here'
nvmetune plan --sysroot "$dir" --format json
json '[.changes[] | select(.id == "wrapper@near") | .verdict] == ["keep"]'
json '[.files[] | select(.path | test("db.service|near")) | .action] |
	unique == ["same"]'
# Another node is written in the host's own way.
sed -i 's/numa = 0/numa = 1/' "$profile"
nvmetune apply --sysroot "$dir" --profile "$profile"
expect 0
grep -q '^exec numactl --physcpubind=2-3 --membind=1 "$@"$' "$script" ||
	fail "the script is $(grep exec "$script")"
nvmetune rollback --sysroot "$dir"
expect 0
grep -q cpunodebind=0 "$script" || fail "the image's script is not back"
nvmetune rollback --root "$dir"
expect 0
same_host "$dir" "$TMPDIR/before"
