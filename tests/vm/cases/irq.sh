# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Interrupts on a real kernel: the admin vector of the drive on node 1, which
# the kernel puts on node 0, is moved there and back; those of queues stay; and
# QEMU's drive, which refuses coalescing, is not asked for it.  Topology
# two-node: node 1 has CPUs 2 and 3, and LAB1.  Field cases F1 and F2.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

guest_start_udevd
guest_load_nvme

# vector SERIAL QUEUE - the folder of the queue's interrupt.
vector()
{
	local name folder

	name=$(guest_ctrl "$1")q$2
	for folder in /proc/irq/*/"$name"; do
		dirname "$folder"
	done
}

# all_masks - of every queue of both drives, a line each, by name and not by
# number.
all_masks()
{
	local folder

	for folder in /proc/irq/*/nvme*q*; do
		printf '%s %s\n' "$(basename "$folder")" \
			"$(<"${folder%/*}/smp_affinity_list")"
	done | sort
}

mask()
{
	cat "$(vector "$1" "$2")/smp_affinity_list"
}

cat >/run/irq.ini <<'INI'
[profile]
summary = Interrupts near the drive, several completions each

[drives]
irq.affinity = local
irq.coalescing = 8/100us
INI

admin=$(guest_ctrl LAB1)q0
before=$(all_masks)
check "the kernel put the admin vector of node 1's drive on node 0" \
	0-1 "$(mask LAB1 0)"

echo "# plan"
check_status "plan" 0 "$NVMETUNE" plan --profile /run/irq.ini
check_match "the plan moves it" "*irq.affinity on $admin*2-3*" "$output"
check_match "queue vectors are one line a controller" \
	'*queue vectors are placed by the kernel; each CPU of node 1 has *' \
	"$output"
check_match "the drive's word on coalescing is taken" \
	'*irq.coalescing on *the drive says that it cannot be changed*' \
	"$output"
check_same "planning moved nothing" "$before" "$(all_masks)"

echo "# apply"
check_status "apply" 0 "$NVMETUNE" apply --profile /run/irq.ini
check "the admin vector is on its drive's node" 2-3 "$(mask LAB1 0)"
check "that of the drive on node 0 stayed" 0-1 "$(mask LAB0 0)"
check_same "and nothing else moved" \
	"${before/"$admin 0-1"/"$admin 2-3"}" "$(all_masks)"
check_status "a second apply has nothing to do" 0 \
	"$NVMETUNE" apply --detailed-exitcode
check_status "verify" 0 "$NVMETUNE" verify

echo "# a queue's vector refuses, as the plan says"
if echo 0-3 2>/dev/null >"$(vector LAB1 1)/smp_affinity_list"; then
	fail "the kernel let a managed vector be moved"
fi

echo "# rollback"
check_status "rollback" 0 "$NVMETUNE" rollback
check_same "all vectors are as before" "$before" "$(all_masks)"

echo "# a service that may not write to /proc"
mount --bind /proc/irq /proc/irq
mount -o remount,bind,ro /proc/irq
check_status "apply with a read-only /proc" 1 \
	"$NVMETUNE" apply --profile /run/irq.ini
check_match "it says which it is" '*/proc is mounted read-only here*' "$output"
umount /proc/irq
check_same "and moved nothing" "$before" "$(all_masks)"

echo "# an administrator's own mask comes back exactly"
echo 0 >"$(vector LAB1 0)/smp_affinity_list"
check_status "apply over it" 0 "$NVMETUNE" apply --profile /run/irq.ini
check "it is on the drive's node" 2-3 "$(mask LAB1 0)"
check_status "rollback" 0 "$NVMETUNE" rollback
check "it is where the administrator put it" 0 "$(mask LAB1 0)"

echo "# an offline CPU"
echo 0 >/sys/devices/system/cpu/cpu3/online
check_status "plan" 0 "$NVMETUNE" plan --profile /run/irq.ini
check_match "the admin vector goes to what is left of the node" \
	"*irq.affinity on $admin*+ 2 *" "$output"
check_match "the vectors that sleep are told" \
	'*CPUs are offline*' "$output"
echo 1 >/sys/devices/system/cpu/cpu3/online
