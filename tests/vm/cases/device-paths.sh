# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# The device helper and native multipath: a hidden path that comes back, for
# which no event is ever sent, has its scheduler without another apply.  Topology
# multipath.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

cat >/run/paths.ini <<'INI'
[profile]
summary = Values that no path has by itself

[drives]
queue.scheduler = mq-deadline
queue.nr_requests = 512
queue.max_sectors_kb = 64
queue.read_ahead_kb = 32
INI
wanted='mq-deadline 512 64'

guest_install_helper
guest_start_udevd
guest_load_nvme
functions=(/sys/bus/pci/drivers/nvme/0000:*)
functions=("${functions[@]##*/}")
[ ${#functions[@]} -eq 2 ] || fail "not two controllers: ${functions[*]}"
first=${functions[0]} second=${functions[1]}

ctrl() # PCI - "nvme1"
{
	set -- "/sys/bus/pci/devices/$1"/nvme/nvme*
	printf '%s\n' "${1##*/}"
}

queue() # PCI
{
	set -- "/sys/bus/pci/devices/$1"/nvme/nvme*/nvme*c*n*/queue
	printf '%s\n' "$1"
}

head_queue()
{
	set -- /sys/class/nvme-subsystem/*/nvme*n*/queue
	printf '%s\n' "$1"
}

of_path() # PCI
{
	local queue

	queue=$(queue "$1")
	echo "$(guest_scheduler "$queue") $(<"$queue/nr_requests")" \
		"$(<"$queue/max_sectors_kb")"
}

# The paths by the address of their controller: their names move.
state()
{
	local pci

	for pci in "${functions[@]}"; do
		guest_queue_values "$(queue "$pci")" "path by $pci"
	done
	guest_queue_values "$(head_queue)" head
	guest_files
}

is_wanted() # PCI
{
	[ "$(of_path "$1" 2>/dev/null)" = "$wanted" ] &&
		[ "$(<"$(head_queue)/read_ahead_kb")" = 32 ]
}

# has_come SENTENCE PCI
has_come()
{
	guest_wait 30 guest_nvme_ready || fail "$2 did not come back"
	guest_settle
	guest_wait 30 is_wanted "$2" || fail "$1: it is $(of_path "$2")," \
		"the head's read-ahead $(<"$(head_queue)/read_ahead_kb")"
	printf 'ok: %s\n' "$1"
}

before=$(state)
plain=$(of_path "$second")

echo "# plan and apply"
check "the helper keeps what udev cannot reach" "device helper" \
	"$("$NVMETUNE" plan --profile /run/paths.ini --format json | jq -r \
	'[.changes[] | select(.key == "queue.scheduler") | .persistence] |
	 unique | join(" ")')"
check_status "apply" 0 "$NVMETUNE" apply --profile /run/paths.ini
for pci in "${functions[@]}"; do
	check "a path is as wanted" "$wanted" "$(of_path "$pci")"
done

echo "# a path returns"
guest_unbind_pci "$second"
check_status "verify without it" 0 "$NVMETUNE" verify
guest_bind_pci "$second"
has_come "the path that returned is as wanted" "$second"
check "and the other one, still" "$wanted" "$(of_path "$first")"
check_status "verify" 0 "$NVMETUNE" verify

echo "# a path is reset"
echo 1 >"/sys/class/nvme/$(ctrl "$first")/reset_controller"
has_come "the path that was reset is as wanted" "$first"
check_status "verify" 0 "$NVMETUNE" verify

echo "# all paths go, and the disk with them"
guest_unbind_pci "$first"
guest_unbind_pci "$second"
echo "$first" >/sys/bus/pci/drivers/nvme/bind
guest_bind_pci "$second"
has_come "the first path is as wanted" "$first"
has_come "the second path, too" "$second"
check_status "verify" 0 "$NVMETUNE" verify

echo "# rollback"
check_status "rollback" 0 "$NVMETUNE" rollback
check_same "values and files are those before nvmetune" "$before" "$(state)"
guest_unbind_pci "$second"
guest_bind_pci "$second"
check "nothing sets anything any more" "$plain" "$(of_path "$second")"

echo "# a path that comes after apply"
guest_unbind_pci "$second"
check_status "apply" 0 "$NVMETUNE" apply --profile /run/paths.ini
guest_bind_pci "$second"
has_come "the path that came is as wanted" "$second"
check_status "rollback" 0 "$NVMETUNE" rollback
check "it has what the helper found" "$plain" "$(of_path "$second")"
check_same "and all is as before nvmetune" "$before" "$(state)"
