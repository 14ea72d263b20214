# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Native multipath: request queues belong to the hidden paths, which move their
# names and never send a uevent.  Topology multipath.  Field cases I1 and I2.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

guest_start_udevd
guest_load_nvme
functions=(/sys/bus/pci/drivers/nvme/0000:*)
functions=("${functions[@]##*/}")
[ ${#functions[@]} -eq 2 ] || fail "not two controllers: ${functions[*]}"

# path PCI - "nvme0c1n1", under today's name
path()
{
	set -- "/sys/bus/pci/devices/$1"/nvme/nvme*/nvme*c*n*
	printf '%s\n' "${1##*/}"
}

queue() # PCI
{
	printf '/sys/block/%s/queue\n' "$(path "$1")"
}

head_disk()
{
	set -- /sys/class/nvme-subsystem/*/nvme*n*
	printf '%s\n' "${1##*/}"
}

# The paths by the address of their controller: their names move.
state()
{
	local pci

	for pci in "${functions[@]}"; do
		guest_queue_values "$(queue "$pci")" "path by $pci"
	done
	guest_queue_values "/sys/block/$(head_disk)/queue" head
	guest_parameters
	guest_files
}

# of_path PCI - what the profile below speaks of
of_path()
{
	local queue

	queue=$(queue "$1")
	echo "$(guest_scheduler "$queue") $(<"$queue/nr_requests")" \
		"$(<"$queue/max_sectors_kb") $(<"$queue/nomerges")"
}

of_head()
{
	echo "$(<"/sys/block/$(head_disk)/queue/max_sectors_kb")" \
		"$(<"/sys/block/$(head_disk)/queue/read_ahead_kb")"
}

cat >/run/paths.ini <<'INI'
[profile]
summary = Values that no path has by itself

[drives]
queue.scheduler = mq-deadline
queue.nr_requests = 512
queue.nomerges = 1
queue.max_sectors_kb = 64
queue.read_ahead_kb = 32
INI
apply=("$NVMETUNE" apply --profile /run/paths.ini --detailed-exitcode)
first=${functions[0]} second=${functions[1]}
wanted='mq-deadline 512 64 1'

echo 700 >"$(queue "$first")/nr_requests"
before=$(state)
unchanged=$(of_path "$second")

echo "# plan"
plan=$("$NVMETUNE" plan --profile /run/paths.ini --format json)
targets() # KEY
{
	jq -r --arg key "$1" '[.changes[] | select(.key == $key and
		.origin == "profile") | .target.name] | sort | join(" ")' \
		<<<"$plan"
}
paths=$(printf '%s\n' "$(path "$first")" "$(path "$second")" | sort |
	tr '\n' ' ')
paths=${paths% }
check "the scheduler is judged on the paths, never on the head" \
	"$paths" "$(targets queue.scheduler)"
check "nr_requests too" "$paths" "$(targets queue.nr_requests)"
check "read-ahead on the head, where the page cache is" \
	"$(head_disk)" "$(targets queue.read_ahead_kb)"
check "the largest request on all of them" \
	"$paths $(head_disk)" "$(targets queue.max_sectors_kb)"
check "nothing can keep them, and the plan says so" "cannot" "$(jq -r \
	'[.changes[] | select(.verdict == "change") | .persistence] |
	 unique | join(" ")' <<<"$plan")"
check_match "with the reason" '*never sees the hidden disk*' "$(jq -r \
	'.changes[] | select(.key == "queue.scheduler") | .persist_reason' \
	<<<"$plan")"

echo "# apply"
check_status "apply" 3 "${apply[@]}"
check "the first path is as wanted" "$wanted" "$(of_path "$first")"
check "the second path is as wanted" "$wanted" "$(of_path "$second")"
check "and the head" "64 32" "$(of_head)"
check_same "the head's scheduler was not written, nor does it tell" \
	"$(grep '^head: scheduler' <<<"$before" || :)" \
	"$(state | grep '^head: scheduler' || :)"
check_status "a second apply has nothing to do" 0 "${apply[@]}"
check_status "verify" 0 "$NVMETUNE" verify

echo "# status"
check_status "status" 0 "$NVMETUNE" status
table=$(tr -s ' ' <<<"$output")
for pci in "$first" "$second"; do
	check_match "a path is shown below its head, with its controller" \
		"*$(head_disk) QEMU*"$'\n'" $(path "$pci") path by nvme*" "$table"
	check_match "and has scheduler, depth, queues of its own" \
		"*"$'\n'" $(path "$pci") mq-deadline 512 4/0/0 *" "$table"
done
check_match "the head has none of them" "*"$'\n'"$(head_disk) - - - *" "$table"
check "and no node: its paths are on two" "0 1 null" "$("$NVMETUNE" status \
	--format json | jq -r '[.drives[].node] | sort | reverse |
		[.[] | tostring] | sort | join(" ")')"

echo "# one path comes back"
guest_rebind_path()
{
	guest_unbind_pci "$1"
	guest_bind_pci "$1"
}
guest_rebind_path "$second"
check "it lost what nothing keeps" "$unchanged" "$(of_path "$second")"
check "the other path did not" "$wanted" "$(of_path "$first")"
check_status "verify names it" 3 "$NVMETUNE" verify
check_match "under its name" "*queue.scheduler@$(path "$second")*" "$output"
check_status "apply repairs it" 3 "${apply[@]}"
check "it is as wanted again" "$wanted" "$(of_path "$second")"
check_status "verify after the repair" 0 "$NVMETUNE" verify
check_status "rollback of both" 0 "$NVMETUNE" rollback --all
check_same "values and files are those before nvmetune" "$before" "$(state)"

echo "# the paths change names"
check_status "apply" 3 "${apply[@]}"
old=$(path "$first")
guest_unbind_pci "$first"
guest_unbind_pci "$second"
[ "${old#*c0}" = "$old" ] || set -- "$second" "$first"
[ "${old#*c0}" != "$old" ] || set -- "$first" "$second"
echo "$1" >/sys/bus/pci/drivers/nvme/bind
guest_bind_pci "$2"
[ "$(path "$first")" != "$old" ] || fail "$old: is still the name"
# As a script of the administrator might, for nvmetune cannot yet.
for pci in "${functions[@]}"; do
	queue=$(queue "$pci")
	echo mq-deadline >"$queue/scheduler"
	echo 512 >"$queue/nr_requests"
	echo 1 >"$queue/nomerges"
	echo 64 >"$queue/max_sectors_kb"
done
echo 64 >"/sys/block/$(head_disk)/queue/max_sectors_kb"
echo 32 >"/sys/block/$(head_disk)/queue/read_ahead_kb"
check_status "verify knows them under their new names" 0 "$NVMETUNE" verify
check_status "rollback" 0 "$NVMETUNE" rollback
check_same "each path has its own value of before" "$before" "$(state)"

echo "# one path has gone"
check_status "apply" 3 "${apply[@]}"
guest_unbind_pci "$second"
check_status "status with one path" 0 "$NVMETUNE" status
check_match "shows the one that is left" "*$(path "$first") *" "$output"
check_status "verify with one path" 0 "$NVMETUNE" verify
check_status "rollback without it" 0 "$NVMETUNE" rollback
check_match "tells which is not here" '*not in this host now*' "$output"
guest_bind_pci "$second"
check_same "values and files are those before nvmetune" "$before" "$(state)"

echo "# what the kernel gives by itself needs no keeper"
echo mq-deadline >"$(queue "$first")/scheduler"
before=$(state)
check "the plan says that the kernel keeps it" "kernel default" \
	"$("$NVMETUNE" plan --profile oltp --format json | jq -r '[.changes[] |
		select(.origin == "profile") |
		select(.key | startswith("queue.")) | .persistence] |
		unique | join(" ")')"
check_status "apply" 0 "$NVMETUNE" apply --profile oltp
check "the scheduler is off the path" none \
	"$(guest_scheduler "$(queue "$first")")"
guest_rebind_path "$first"
check_status "verify after the path came back" 0 "$NVMETUNE" verify
check_status "rollback" 0 "$NVMETUNE" rollback
check_same "the administrator's scheduler is back" "$before" "$(state)"
