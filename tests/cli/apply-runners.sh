#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# Services and wrappers: a drop-in and a script are written, verified, changed,
# taken away when the profile has them no more, and taken back to the byte.
. tests/cli/apply-lib.sh

dir=$TMPDIR/host
host "$dir"
unit=$dir/etc/systemd/system/postgresql.service.d/50-nvmetune.conf
template=$dir/etc/systemd/system/redis@.service.d/50-nvmetune.conf
script=$dir/usr/local/bin/near-data
mkdir -p "$dir/usr/lib/systemd/system" "$dir/usr/bin" "$dir/run/systemd/units"
touch "$dir/usr/lib/systemd/system/"{postgresql,idle,redis@}.service
printf '[Service]\nExecStart=/bin/true\n' \
	>"$dir/usr/lib/systemd/system/postgresql.service"
touch "$dir/usr/bin/psql"
# What systemd shows of a unit that runs, and what a capture says of its age:
# times of a tree say nothing.
running() { # UNIT
	ln -sfn 7b3f "$dir/run/systemd/units/invocation:$1"
}
restarted() { # UNIT, 0 or 1
	mkdir -p "$dir/nvmetune.raw/restarted"
	echo "$2" >"$dir/nvmetune.raw/restarted/$1"
}
running postgresql.service
restarted postgresql.service 0
fingerprint "$dir" >"$TMPDIR/before"

profile() { # lines: a profile of these, and nothing else
	printf '%s\n' '[profile]' 'summary = Runners' "$@" >"$TMPDIR/run.ini"
}
profile '[service postgresql.service]' 'drive = /var/lib/pg/base' \
	'[service idle.service]' 'drive = nvme1' 'memory = bind' \
	'[wrapper near-data]' 'drive = /srv/data base'

nvmetune plan --sysroot "$dir" --profile "$TMPDIR/run.ini" --format json
expect 0
json '[.changes[] | [.id, .verdict, .target.kind, .persistence, .restart]] == [
	["service@postgresql.service", "later", "service", "unit drop-in",
	 "postgresql.service"],
	["service@idle.service", "later", "service", "unit drop-in", null],
	["wrapper@near-data", "change", "wrapper", "script", null]]'
json '.changes[0].note == "/var/lib/pg/base: vg-data (LVM) on md0 (raid1) on nvme1n1, sda (no NVMe); node 0"'
json '.changes[2].note == "/srv/data base: nvme0n1p1; node 1"'
json '.needs == ["restart"]'

nvmetune apply --sysroot "$dir" --profile "$TMPDIR/run.ini"
expect 0
says "still needed: a restart of postgresql.service"
[ "$(stat -c %a "$unit" "$script" | tr '\n' ' ')" = "644 755 " ] ||
	fail "modes are $(stat -c %a "$unit" "$script")"
grep -v '^#\|^$' "$unit" | diff - <(printf '%s\n' '[Service]' 'CPUAffinity=' \
	'CPUAffinity=0-1' 'NUMAPolicy=preferred' 'NUMAMask=' 'NUMAMask=0') ||
	fail "the drop-in differs"
grep -q '^exec numactl --physcpubind=2-3 --preferred=1 "$@"$' "$script" ||
	fail "no command in the script"
sh -n "$script" || fail "no script for a shell"

nvmetune verify --sysroot "$dir"
expect 0
says "pending  service@postgresql.service"
[ "$(grep -c pending "$out")" = 2 ] || fail "more is pending than that"
nvmetune apply --sysroot "$dir"
expect 0
says "nothing to do"
restarted postgresql.service 1
nvmetune plan --sysroot "$dir" --format json
json '[.changes[] | .verdict] == ["keep", "keep", "keep"]'
json '.needs == []'
restarted postgresql.service 0

# A plan of a drive does not take them for leftovers.
nvmetune plan --sysroot "$dir" nvme0
expect 0; ! grep -q "postgresql\|near-data" "$out" || fail "they are to go"
nvmetune verify --sysroot "$dir" nvme0
expect 0; says "no drift"

# By hand is told, and never overwritten.
cp "$unit" "$TMPDIR/unit"
echo 'CPUAffinity=3' >>"$unit"
nvmetune verify --sysroot "$dir"
expect 3
says "drift    /etc/systemd/system/postgresql.service.d/50-nvmetune.conf"
profile '[wrapper near-data]' 'numa = 0' 'memory = keep'
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/run.ini"
expect 1
tells "changed by hand"
cp "$TMPDIR/unit" "$unit"

# A drop-in of somebody else that has the last word is told with its line.
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/run.ini"
expect 0
nvmetune rollback --sysroot "$dir"
expect 0
late=$dir/etc/systemd/system/postgresql.service.d/90-mine.conf
printf '[Service]\n# the DBA\nCPUAffinity=3\nNice=1\n' >"$late"
nvmetune verify --sysroot "$dir"
expect 3
says "drift  service@postgresql.service"
says "/etc/systemd/system/postgresql.service.d/90-mine.conf:3 comes after our drop-in and says CPUAffinity=3"
! grep -q "repairs it" "$out" || fail "apply is said to repair it"
nvmetune plan --sysroot "$dir"
says "90-mine.conf:3 comes after our drop-in"
# One before ours, or that says the same, is none.
printf '[Service]\nCPUAffinity=0-1\n' >"$late"
nvmetune verify --sysroot "$dir"
expect 0
mv "$late" "${late%/*}/10-mine.conf"
sed -i s/0-1/3/ "${late%/*}/10-mine.conf"
nvmetune verify --sysroot "$dir"
expect 0
rm "${late%/*}/10-mine.conf"

# So are permissions, which apply puts right, and rollback as they were.
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/run.ini"
expect 0
nvmetune rollback --sysroot "$dir"
expect 0
chmod 644 "$script"
chmod 666 "$unit"
nvmetune verify --sysroot "$dir"
expect 3
says "not everybody may run it: its mode is 0644, not 0755"
says "others than root may write it: its mode is 0666, not 0644"
nvmetune apply --sysroot "$dir"
expect 0
[ "$(stat -c %a "$unit" "$script" | tr '\n' ' ')" = "644 755 " ] ||
	fail "modes are $(stat -c %a "$unit" "$script")"
nvmetune verify --sysroot "$dir"
expect 0
nvmetune rollback --sysroot "$dir"
expect 0
[ "$(stat -c %a "$unit" "$script" | tr '\n' ' ')" = "666 644 " ] ||
	fail "modes before were others"
chmod 644 "$unit"
chmod 755 "$script"

# What only the profile before had goes, folder and all.
nvmetune plan --sysroot "$dir" --profile "$TMPDIR/run.ini"
says "only the profile applied before had it: our drop-in goes"
says "remove    /etc/systemd/system/idle.service.d/50-nvmetune.conf"
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/run.ini"
expect 0
[ ! -e "$unit" ] || fail "the drop-in is still there"
grep -q '^exec numactl --physcpubind=2-3 "$@"$' "$script" &&
	fail "the script is not written anew"
grep -q '^exec numactl --physcpubind=0-1 "$@"$' "$script" ||
	fail "the script has other CPUs"
nvmetune verify --sysroot "$dir"
expect 0
nvmetune rollback --sysroot "$dir"
expect 0
cmp "$TMPDIR/unit" "$unit" || fail "the drop-in did not come back"
nvmetune rollback --sysroot "$dir" --all
expect 0
tells "postgresql.service"
same_host "$dir" "$TMPDIR/before"

# A template stands for its instances, each of which is to be restarted.
running redis@6379.service
restarted redis@.service 0
profile '[service redis@.service]' 'numa = 1'
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/run.ini"
expect 0
says "a restart of redis@*.service"
[ -e "$template" ] || fail "no drop-in for the template"
nvmetune plan --sysroot "$dir" --format json
json '.changes[0].pending'
restarted redis@.service 1
nvmetune plan --sysroot "$dir" --format json
json '.changes[0].verdict == "keep"'
nvmetune rollback --sysroot "$dir"
expect 0

# A command's name is not taken; a file that is not ours stays.
profile '[wrapper psql]' 'drive = nvme0'
nvmetune plan --sysroot "$dir" --profile "$TMPDIR/run.ini"
expect 0
says "there is a command of this name already, /usr/bin/psql"
mkdir -p "${script%/*}"
printf '#!/bin/sh\necho mine\n' >"$script"
profile '[wrapper near-data]' 'drive = nvme0'
nvmetune plan --sysroot "$dir" --profile "$TMPDIR/run.ini"
says "conflict  /usr/local/bin/near-data: the file is not nvmetune's"
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/run.ini"
expect 1
grep -q mine "$script" || fail "somebody's script is gone"
rm "$script"

# --live-only writes no file, so there is nothing for it to do.
profile '[service postgresql.service]' 'drive = nvme0' '[wrapper near-data]' \
	'drive = nvme0'
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/run.ini" --live-only
expect 0
says "cannot    service postgresql.service"
says "cannot    wrapper near-data"
[ ! -e "$unit" ] || fail "--live-only wrote a drop-in"
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/run.ini" --persist-only
expect 0
[ -e "$unit" ] && [ -x "$script" ] || fail "--persist-only wrote no file"
nvmetune rollback --sysroot "$dir"
expect 0

# Drives of several nodes: the profile says what to do.
profile '[service a.service]' 'drive = /srv/both' '[service b.service]' \
	'drive = /srv/both' 'nodes = union' 'memory = bind' \
	'[service c.service]' 'drive = /srv/both' 'numa = 1' \
	'[service d.service]' 'drive = /nowhere'
sed -i 's|^42 .*|& \n60 29 0:77 / /srv/both rw - btrfs /dev/nvme0n1p2 rw|' \
	"$dir/proc/self/mountinfo"
mkdir -p "$dir/sys/fs/btrfs/11/devices/"{nvme0n1p2,nvme1n1}
nvmetune plan --sysroot "$dir" --profile "$TMPDIR/run.ini" --format json
expect 0
json '[.changes[] | .verdict] == ["cannot", "later", "later", "cannot"]'
json '.changes[0].reason == "its drives are on nodes 0-1: nodes = union in the section takes all of them, numa = N one"'
json '[.changes[1, 2] | .want] == ["CPUs 0-3, memory of nodes 0-1", "CPUs 2-3, memory of node 1 preferred"]'
json '.changes[3].reason | startswith("/nowhere: no such drive")'
json '[.files[] | select(.action == "create") | .path | select(contains("systemd"))] | length == 2'
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/run.ini" --strict
expect 1
tells "service@a.service: cannot"
