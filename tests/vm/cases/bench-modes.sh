# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Modes of bench beside the matrix on real nvme.ko: what follows from sweeps and
# sizes, results against a baseline, writes into a file, and fio, which must put
# the cells of the matrix in the same order.  Topology two-node.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

guest_load_nvme
before=$(guest_state)
disk0=$(basename "$(dirname "$(guest_queue LAB0)")")
disk1=$(basename "$(dirname "$(guest_queue LAB1)")")

query() # jq's filter
{
	jq -r "$1" <<<"$matrix"
}

echo "# modes"
result=$("$NVMETUNE" bench sweep --per-core-qd 8 --time 1 --passes 1 \
	--format json "$disk1" 2>/dev/null)
check "a sweep over the CPUs of the drive's node" "1 2" \
	"$(jq -r '[.cells[].method.jobs] | join(" ")' <<<"$result")"
check "it says how that scales" 1 "$(jq '.scaling | length' <<<"$result")"
check "all tasks are counted, to the nanosecond" "schedstat true" "$(jq -r \
	'[.cells[0].slices[0].cpu_source, .cells[0].cores_per_100k_milli > 0] |
	join(" ")' <<<"$result")"
check_status "an open loop" 0 "$NVMETUNE" bench rate --rate 500 --time 1 \
	--passes 1 --jobs 1 "$disk1"
check_status "sizes, where they split, and lists" 0 \
	"$NVMETUNE" bench sizes --time 1 --passes 1 --depth 4 "$disk1"
check_match "the limit of the queue is told" "*$disk1: requests split above \
$(cat "/sys/block/$disk1/queue/max_sectors_kb") KiB*" "$output"
check_match "lists were made for the larger reads" \
	'*device/pools: * blocks for lists ever before, * after*' "$output"
check_status "what a ring does at all" 0 "$NVMETUNE" bench ceiling
for run in saved compared; do
	check_status "a baseline is $run" 0 "$NVMETUNE" bench scenario latency \
		--baseline lab --time 1 --passes 1 "$disk1"
done
check_match "the second run stands against the first" \
	'*against the baseline lab:*not evidence*' "$output"

echo "# a result on a FAT, which has neither links nor modes"
# put OFFSET BYTES, as printf's format: what tells a floppy of 1.44 MB from zeroes.
put()
{
	# shellcheck disable=SC2059 # a format
	printf "$2" | dd of=/run/fat bs=1 seek="$1" conv=notrunc status=none
}
modprobe -a loop vfat
truncate -s 1440K /run/fat
put 0 '\353\074\220mkfs.fat\0\2\1\1\0\2\340\0\100\13\360\11\0\22\0\2'
put 510 '\125\252'
put 512 '\360\377\377'
put 5120 '\360\377\377'
mkdir -p /run/stick
mount -t vfat -o loop /run/fat /run/stick
: >/run/stick/a
complaint=$(ln /run/stick/a /run/stick/b 2>&1) || :
check_match "there are no links" '*Operation not permitted' "$complaint"
rm /run/stick/a
check_status "the result is kept there" 0 "$NVMETUNE" bench scenario latency \
	-o /run/stick --time 1 --passes 1 "$disk1"
check "whole, and nothing beside it" "scenario 1" \
	"$(jq -r .mode /run/stick/*.json) $(find /run/stick -type f | wc -l)"
umount /run/stick

echo "# writes, in a file of its own"
mkfs.ext4 -qF "/dev/$disk0"
mkdir -p /run/data
mount "/dev/$disk0" /run/data
check_status "a scenario that writes" 0 "$NVMETUNE" bench scenario db-8k \
	--dir /run/data --size 16 --time 1 --passes 3
check_match "in a file that is gone" '*file of 16 MiB in /run/data, which is gone*' \
	"$output"
check "nothing is left of it" lost+found "$(ls -A /run/data)"
umount /run/data

echo "# the same cells by fio"
# One drive is held back, for both alike, so that there is an order.
mkdir -p /run/cgroup
mount -t cgroup2 cgroup /run/cgroup
echo +io >/run/cgroup/cgroup.subtree_control
mkdir /run/cgroup/slow
echo "$(cat "/sys/block/$disk0/dev") riops=200" >/run/cgroup/slow/io.max
matrix=$(sh -c 'echo $$ >/run/cgroup/slow/cgroup.procs && exec "$@"' - \
	"$NVMETUNE" bench --engine fio --time 2 --passes 2 --depth 8 \
	--jobs 1 --format json)
check "fio read all four cells" 4 "$(query .crosscheck.cells)"
check "both engines find the same order" "true true" "$(query \
	'[.cells[] | {slow: (.drive == "'"$disk0"'"), iops, fio: .fio.iops}] |
	[([.[] | select(.slow) | .iops] | max) <
		([.[] | select(.slow | not) | .iops] | min),
	([.[] | select(.slow) | .fio] | max) <
		([.[] | select(.slow | not) | .fio] | min)] | join(" ")')"
check "and those pairs of cells are found to agree" true \
	"$(query '.crosscheck.agreeing >= 4')"
echo "engine overhead, nvmetune's for 1000 of fio's:" \
	"$(query '.crosscheck | "IOPS \(.iops_least_ppt) to \(
	.iops_most_ppt), CPU time of an I/O \(.cpu_ppt)"')"
rmdir /run/cgroup/slow
umount /run/cgroup

check_same "measuring changed nothing" "$before" "$(guest_state)"
