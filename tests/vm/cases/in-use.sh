# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Whoever uses a drive is named before the first read of it, on partitions of
# a real nvme.ko.  Topology two-node.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

guest_load_nvme
disk=$(basename "$(dirname "$(guest_queue LAB0)")")
other=$(basename "$(dirname "$(guest_queue LAB1)")")
addpart "/dev/$disk" 1 2048 131072
addpart "/dev/$disk" 2 133120 131072
guest_settle
p1=${disk}p1 p2=${disk}p2
mkfs.ext4 -q "/dev/$p1"
mkswap "/dev/$p2" >/dev/null
mkdir -p /mnt/a /mnt/b

# reads - how many the drive has done so far.
reads()
{
	awk '{ print $1 }' "/sys/block/$disk/stat"
}

# refused SENTENCE WORDS [DRIVE] - bench and apply --confirm name the user and
# have read nothing, nor changed anything.
refused()
{
	local drive=${3-$disk} before

	before=$(reads)
	check_status "$1" 1 "$NVMETUNE" bench --time 1 --passes 1 --jobs 1 \
		--node 0 "$drive"
	check_match "$1: named" "*$disk is in use by $2*: see --in-use" "$output"
	# udev and the kernel may look at a new disk, not 500 times in passing.
	[ $(($(reads) - before)) -lt 500 ] || fail "$1: it was read"
}

# ready COMMAND... - in the background; it says "ready" when it is, and lives
# until its pid in $user is killed.
ready()
{
	local pipe

	# Its standard error would keep the guest's output open for ever.
	coproc USER_OF { exec "$@" 2>/dev/null; }
	# shellcheck disable=SC2153
	user=$USER_OF_PID pipe=${USER_OF[0]}
	read -r -t 60 _ <&"$pipe" || fail "$*: does not get ready"
}

gone()
{
	kill "$user"
	wait "$user" 2>/dev/null || :
}

echo "# nobody"
check_status "a drive that nobody uses is read" 0 "$NVMETUNE" bench --time 1 \
	--passes 1 --jobs 1 --node 0 "$disk"

echo "# mounts"
mount "/dev/$p1" /mnt/a
refused "the disk of a mounted partition" "/mnt/a"
ln -s "/dev/$p1" /run/link
refused "a link to a mounted partition" "/mnt/a" /run/link
check_status "the other partition by name" 1 "$NVMETUNE" bench "/dev/$p2"
check_match "is on the same disk" "*$disk is in use by /mnt/a*" "$output"
umount /mnt/a
# shellcheck disable=SC2016 # for the shell that is run
ready unshare -m sh -c 'mount "$1" /mnt/b; echo ready; exec sleep 1000' \
	sh "/dev/$p1"
refused "a mount of another namespace" \
	"/mnt/b in the mount namespace of sleep (pid $user)"
gone

echo "# swap"
swapon "/dev/$p2"
refused "swap on a partition" "swap on $p2"
swapoff "/dev/$p2"

echo "# what stands on it"
modprobe loop
loop=$(losetup -f --show "/dev/$p1")
refused "a loop device on a partition" "${loop#/dev/} on /dev/$p1"
losetup -d "$loop"
guest_wait 60 sh -c "! [ -e /sys/block/${loop#/dev/}/loop/backing_file ]" ||
	fail "$loop stays"
modprobe dm_mod
dmsetup create lab --table "0 65536 linear /dev/$p2 0"
refused "dm on a partition" "dm-*"
dmsetup remove lab

echo "# nvmet"
modprobe nvmet
mountpoint -q /sys/kernel/config ||
	mount -t configfs configfs /sys/kernel/config
target=/sys/kernel/config/nvmet/subsystems/nqn.lab:one
mkdir "$target" "$target/namespaces/1"
echo "/dev/$p2" >"$target/namespaces/1/device_path"
check_status "a namespace that is not enabled uses nothing" 0 "$NVMETUNE" \
	bench --time 1 --passes 1 --jobs 1 --node 0 "$disk"
echo 1 >"$target/namespaces/1/enable"
refused "a partition that nvmet gives away" \
	"the NVMe target nqn.lab:one with /dev/$p2"
echo 0 >"$target/namespaces/1/enable"
rmdir "$target/namespaces/1" "$target"

echo "# programs"
# shellcheck disable=SC2016
ready bash -c 'exec 7<"$1"; echo ready; exec sleep 1000' bash "/dev/$p2"
refused "a program that has a partition open" \
	"sleep (pid $user), which has $p2 open"
echo mq-deadline >"$(guest_queue LAB0)/scheduler"
check_status "confirm says so before it changes anything" 1 "$NVMETUNE" apply \
	--profile oltp --live-only --confirm "$disk"
check_match "with the name" "*sleep (pid $user), which has $p2 open*" "$output"
check "and has changed nothing" mq-deadline \
	"$(guest_scheduler "$(guest_queue LAB0)")"
[ ! -e /var/lib/nvmetune ] || fail "a refused confirm left a journal"
echo none >"$(guest_queue LAB0)/scheduler"
gone

echo "# names"
: >/dev/nvme7n1
check_status "a file where a drive was meant" 1 "$NVMETUNE" bench /dev/nvme7n1
check_match "is no drive" "*nvme7n1*" "$output"
rm /dev/nvme7n1
check_status "a mistyped name" 1 "$NVMETUNE" bench /dev/nvme0n77
[ ! -e /dev/nvme0n77 ] || fail "a file was made in /dev"

echo "# in use all the same"
mount "/dev/$p1" /mnt/a
check_status "with --in-use" 0 "$NVMETUNE" bench --time 1 --passes 1 --jobs 1 \
	--node 0 --in-use --format json "$disk"
check_match "its users are named, and the limit" \
	"*$disk is in use by /mnt/a: at most 2000 reads and 64 MiB a second*" \
	"$output"
echo 0 >"/sys/block/$disk/queue/iostats"
check_status "users who cannot be watched are not disturbed" 1 "$NVMETUNE" \
	bench --in-use "$disk"
check_match "with the reason" "*$disk: how long its users wait cannot be seen*" \
	"$output"
echo 1 >"/sys/block/$disk/queue/iostats"
printf '[drives]\nqueue.iostats = 0\n' >/run/blind.ini
check_status "confirm does not try what would hide them" 0 "$NVMETUNE" apply \
	--profile /run/blind.ini --live-only --confirm --in-use "$disk"
check_match "but applies it, and says why" \
	"*queue.iostats NOT MEASURABLE kept *$disk is in use by /mnt/a*" \
	"$(tr -s ' \n' ' ' <<<"$output")"
check "it counts no more" 0 "$(<"/sys/block/$disk/queue/iostats")"
check_status "rollback" 0 "$NVMETUNE" rollback
check "it counts again" 1 "$(<"/sys/block/$disk/queue/iostats")"
umount /mnt/a

echo "# afterwards"
check_status "nobody is left on it" 0 "$NVMETUNE" bench --time 1 --passes 1 \
	--jobs 1 --node 0 "$disk" "$other"
