# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Measuring on real nvme.ko: the matrix of drives and nodes, all at once, the
# engine's fall back, drives in use, bound commands.  Figures of an emulated
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
