#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A drive may be named in any of the usual ways; an unknown one is an error.
. tests/cli/lib.sh

names() { # host, arguments: the drives that status shows
	local host=$1
	shift
	nvmetune status --facts "tests/hosts/$host.json" --format json "$@"
	expect 0; silent
	jq -r '[.drives[].name] | join(" ")' "$out"
}
same() { [ "$1" = "$2" ] || fail "\"$1\" is not \"$2\""; }

same "$(names hygon-8node nvme1)" nvme1n1
same "$(names hygon-8node nvme1n1)" nvme1n1
same "$(names hygon-8node /dev/nvme1n1)" nvme1n1
same "$(names hygon-8node nvme1 nvme0)" "nvme0n1 nvme1n1"
address=$(jq -r '.ctrls[1].address' tests/hosts/hygon-8node.json)
same "$(names hygon-8node "$address")" nvme1n1
same "$(names hygon-8node "${address#0000:}")" nvme1n1
same "$(names db-low-latency /var/lib/mysql/)" nvme0n1
same "$(names db-low-latency nvme0n1p2)" nvme0n1
same "$(names oracle-p5510 md0)" "nvme0n1 nvme1n1"
same "$(names oracle-p5510 /u01/oradata)" "nvme0n1 nvme1n1"
same "$(names multipath-2node nvme0n1)" "nvme0n1 nvme0c0n1 nvme0c1n1"
same "$(names namespaces-24 nvme0n7)" nvme0n7

jq '.ctrls[1].address = "10000:e1:00.0"' tests/hosts/hygon-8node.json \
	>"$TMPDIR/vmd.json"
nvmetune status --facts "$TMPDIR/vmd.json" --format json 10000:e1:00.0
expect 0; json '[.drives[].name] == ["nvme1n1"]'

nvmetune status --facts tests/hosts/hygon-8node.json nvme9
expect 1; quiet; one_line
tells "nvme9: no such drive; there are nvme0n1, nvme1n1"
nvmetune status --facts tests/hosts/namespaces-24.json /dev/sda
expect 1; quiet; one_line; tells "and 12 more"
nvmetune status --facts tests/hosts/no-nvme.json nvme0
expect 1; quiet; one_line; tells "there are no NVMe controllers"

nvmetune plan --facts tests/hosts/namespaces-24.json -p oltp --format json nvme0n5
expect 0; json '[.changes[].target.name] | unique == ["nvme0n5"]'

# What stands on drives is named, down to the drives.
tree=$TMPDIR/tree
tests/tools/mkroot tests/roots/two-nodes.tree "$tree"
nvmetune plan --sysroot "$tree" -p oltp --format json /var/lib/pg/base
expect 0; json '[.changes[].target.name] | unique == ["nvme1n1"]'
tells "/var/lib/pg/base: vg-data (LVM) on md0 (raid1) on nvme1n1, sda (no NVMe)"
mkdir -p "$tree/srv" "$tree/var/lib/pg/base"
ln -s /var/lib/pg "$tree/srv/db"
nvmetune plan --sysroot "$tree" -p oltp --format json /srv/db/base /dev/md0
expect 0; json '[.changes[].target.name] | unique == ["nvme1n1"]'
tells "/dev/md0: md0 (raid1) on nvme1n1"
nvmetune plan --sysroot "$tree" -p oltp /run/db
expect 1; one_line; tells "/run/db: is in a file system (tmpfs, mounted on /run)"
