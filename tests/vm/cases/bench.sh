# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Measuring on real nvme.ko: the matrix of drives and nodes, all at once, the
# engine's fall back, drives in use, bound commands, other modes, fio beside it.  Figures of an emulated
# drive mean nothing and are not looked at.  Topology two-node.  Field cases N1
# and N4.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

guest_load_nvme
before=$(guest_state)
disk0=$(basename "$(dirname "$(guest_queue LAB0)")")
disk1=$(basename "$(dirname "$(guest_queue LAB1)")")

echo "# matrix"
check_status "the matrix as a table" 0 \
	"$NVMETUNE" bench --time 1 --passes 2 --seed 7
# shellcheck disable=SC2154 # check_status sets it
table=$(tr -s ' ' <<<"$output")
check_match "LAB0 is near node 0" "*$disk0 0 local 2 *$disk0 1 remote 2 *" "$table"
check_match "LAB1 is near node 1" "*$disk1 0 remote 2 *$disk1 1 local 2 *" "$table"
check_match "the kernel refuses writes on the rings" \
	'*the kernel refuses all but reads*' "$output"
check_match "the cost of the remote node is told" \
	"*$disk1: local/remote *(node 1 over node 0)*" "$output"

matrix=$("$NVMETUNE" bench --time 1 --passes 2 --format json 2>/dev/null)
query() # jq's filter
{
	jq -r "$1" <<<"$matrix"
}
check "four cells of two slices each, none with an error" "4 2 0" "$(query \
	'[(.cells | length), (.cells[0].slices | length),
	  ([.cells[].errors] | add)] | join(" ")')"
check "jobs are the CPUs of a node" "2 2 2 2" \
	"$(query '[.cells[].method.jobs] | join(" ")')"
check "memory was bound" true "$(query '[.cells[].method.memory_bound] | all')"
check "the local cell is the measure" 1000 \
	"$(query '.cells[] | select(.drive == "'"$disk1"'" and .local) |
		.of_local_ppt')"
check "the environment is in the result" "$(uname -r)" \
	"$(query .environment.kernel)"
check "and so is the scheduler of each drive" \
	"$(guest_scheduler "$(guest_queue LAB0)")" \
	"$(query '.drives[0].knobs["queue.scheduler"]')"
check "reads were in flight as many as Little's law allows" true \
	"$(query '[.cells[].slices[].in_flight_milli |
		. > 16000 and . < 80000] | all')"

echo "# together"
check_status "all drives at once" 0 \
	"$NVMETUNE" bench --together --time 1 --passes 1
check_match "with their total" '*all drives: * IOPS*' "$output"

echo "# in use"
mkswap "/dev/$disk0" >/dev/null
swapon "/dev/$disk0"
check_status "a drive in use is refused" 1 "$NVMETUNE" bench --time 1 "$disk0"
check_match "with who uses it" "*$disk0 is in use by swap on $disk0*" "$output"
check_status "and left out when it was not named" 0 \
	"$NVMETUNE" bench --time 1 --passes 1 --format raw
check_match "which is said" "*$disk0 is in use*left out*" "$output"
# Whether an emulated drive then lets its users wait too long is not asked here.
output=$("$NVMETUNE" bench --time 1 --passes 1 --in-use --node 0 "$disk0" 2>&1) ||
	:
check_match "unless that is wanted, and then gently" \
	"*$disk0 is in use by swap on $disk0: at most * reads*" "$output"
swapoff "/dev/$disk0"

echo "# other modes"
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

echo "# writes, in a file of its own"
mkfs.ext4 -q "/dev/$disk0"
mkdir -p /run/data
mount "/dev/$disk0" /run/data
check_status "a scenario that writes" 0 "$NVMETUNE" bench scenario db-8k \
	--dir /run/data --size 16 --time 1 --passes 3
check_match "in a file that is gone" '*file of 16 MiB in /run/data, which is gone*' \
	"$output"
check "nothing is left of it" lost+found "$(ls -A /run/data)"
umount /run/data

if command -v fio >/dev/null; then
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
fi

if [ -e /proc/sys/kernel/io_uring_disabled ]; then
	echo "# without io_uring"
	echo 2 >/proc/sys/kernel/io_uring_disabled
	check_status "bench goes on with aio" 0 \
		"$NVMETUNE" bench --time 1 --passes 1 --node 1 "$disk1"
	check_match "and says why" '*aio*io_uring is not permitted here*' \
		"$output"
	echo 0 >/proc/sys/kernel/io_uring_disabled
fi

echo "# run"
# shellcheck disable=SC2016 # for the shell that is run
bound=$("$NVMETUNE" run "$disk1" -- sh -c 'grep -h Cpus_allowed_list \
	/proc/self/status; grep -m 1 bind: /proc/self/numa_maps')
check_match "a command runs on the CPUs and memory of the drive's node" \
	"*$(cat /sys/devices/system/node/node1/cpulist)*bind:1*" "$bound"
check_status "its exit status is passed on" 42 \
	"$NVMETUNE" run "$disk1" -- sh -c 'exit 42'
check_status "two drives of two nodes are refused" 1 \
	"$NVMETUNE" run "$disk0" "$disk1" -- true
echo 0 >/sys/devices/system/cpu/cpu3/online
check_match "an offline CPU is left out" "*	2" \
	"$("$NVMETUNE" run "$disk1" -- grep Cpus_allowed_list /proc/self/status)"
echo 1 >/sys/devices/system/cpu/cpu3/online

check_same "measuring changed nothing" "$before" "$(guest_state)"
