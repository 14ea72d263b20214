# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What only a reboot makes true, measured over real reboots: a boot without poll
# queues, one with them, one in which their file got lost, and one after rollback.
# The load is a command that reads a drive, as its runs are short; with "lab.reads"
# on the kernel's command line it is nvmetune's own, which takes minutes.
# Topology two-node, --persistent.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

notes=/var/lib/lab
options=/etc/modprobe.d/nvmetune.conf
poll_queues=/sys/module/nvme/parameters/poll_queues
profile=$notes/poll.ini

put_profile()
{
	cat >"$profile" <<'INI'
[profile]
summary = Poll queues, and nothing else

[host]
module.nvme.poll_queues = 2
INI
}

is_read_by_nvmetune()
{
	grep -qw lab.reads /proc/cmdline
}

# By serial number: names move.
load_options()
{
	local disk=/dev/disk/by-id/nvme-QEMU_NVMe_Ctrl_LAB0

	if is_read_by_nvmetune; then
		measure=(--time 1 --jobs 1 --depth 8 --metric cpu)
		metric=cpu
	else
		measure=(--workload "dd if=$disk of=/dev/null bs=4k count=20 \
iflag=direct status=none")
		metric='time'
	fi
}

splits()
{
	echo "$(guest_split LAB0) $(guest_split LAB1)"
}

# The kernel numbers drives as it finds them.
swap_names()
{
	local first pci other=()

	for pci in "$(guest_pci LAB0)" "$(guest_pci LAB1)"; do
		if [ -e "/sys/bus/pci/devices/$pci/nvme/nvme0" ]; then
			first=$pci
		else
			other+=("$pci")
		fi
	done
	for pci in "$first" "${other[@]}"; do
		echo "$pci" >/sys/bus/pci/drivers/nvme/unbind
	done
	for pci in "${other[@]}" "$first"; do
		echo "$pci" >/sys/bus/pci/drivers/nvme/bind
	done
	guest_wait 30 guest_nvme_ready || fail "the drives did not come back"
	guest_settle
	[ -e "/sys/bus/pci/devices/${other[0]}/nvme/nvme0" ] ||
		fail "the names are as before"
}

# boots ID FILTER - of what the history keeps of the boots of a transaction.
boots()
{
	"$NVMETUNE" history show "$1" --format json | jq -c ".boots | $2"
}

# The first boot of before, and what it takes to go on.
boot_without()
{
	mkdir "$notes"
	put_profile
	guest_coldplug
	guest_state >"$notes/before"
	check "there are no poll queues" "0 4/0/0 4/0/0" \
		"$(<$poll_queues) $(splits)"
	check_status "apply --confirm" 0 "$NVMETUNE" apply \
		--profile "$profile" --confirm "${measure[@]}"
	check_match "the key is provisional" \
		'*module.nvme.poll_queues *PROVISIONAL*' "$output"
	check_match "one boot is measured" \
		'*PROVISIONAL: 1 boot before it measured, none with it*' "$output"
	check_match "it says how to go on" \
		'*after the reboot: "nvmetune confirm --resume"*' "$output"
	check "the option is written" "options nvme poll_queues=2" \
		"$(grep ^options $options)"
	check "nothing is true yet" "0 4/0/0 4/0/0" "$(<$poll_queues) $(splits)"
	check_status "resume in the same boot" 1 "$NVMETUNE" confirm --resume
	check_match "says that a reboot comes first" \
		'*this boot is measured already*reboot first*' "$output"
	check "and one boot remains" 1 "$(boots 1 '.boots | length')"
}

boot_with()
{
	guest_coldplug
	check "the parameter and the queues have arrived" "2 4/0/2 4/0/2" \
		"$(<$poll_queues) $(splits)"
	check "and so says sysfs" 1 "$(cat "$(guest_queue LAB0)/io_poll")"
	check_status "verify" 0 "$NVMETUNE" verify
	! is_read_by_nvmetune || swap_names
	check_status "resume" 0 "$NVMETUNE" confirm --resume
	check_match "the verdict stays provisional" \
		'*PROVISIONAL: * by * %, 1 boot before it, 1 boot with it;*' \
		"$output"
	check_match "with its reason" \
		'*boots differ by themselves, and so few cannot tell*3 of each*' \
		"$output"
	check "it is of another boot" "[\"before\",\"with\"] 2" \
		"$(boots 1 '[.boots[].set]') $(boots 1 \
			'[.boots[].boot_id] | unique | length')"
	check "which is this one" "$(</proc/sys/kernel/random/boot_id)" \
		"$(boots 1 '.boots[1].boot_id' | tr -d '"')"
	check "by the same metric, which is known of both" "\"$metric\" true" \
		"$(boots 1 .metric) $(boots 1 \
			".metric as \$m | all(.boots[]; .[\$m] > 0)")"
	check_status "history" 0 "$NVMETUNE" history show 1
	check_match "shows both boots" \
		'*over boots *poll_queues*2*before*with it*PROVISIONAL: *' \
		"$output"
	# Somebody tidies up.
	rm $options
}

boot_astray()
{
	guest_coldplug
	check "the option did not arrive" "0 4/0/0 4/0/0" \
		"$(<$poll_queues) $(splits)"
	check_status "resume" 0 "$NVMETUNE" confirm --resume
	check_match "tells it, and where it got lost" \
		"*module.nvme.poll_queues = 2 * not in this boot*$options*" \
		"$output"
	check_match "and counts the boot as one without" \
		'*2 boots before it, 1 boot with it*' "$output"
	check_status "rollback" 0 "$NVMETUNE" rollback
	check_match "asks for no initramfs where there is none" \
		'*still needed: a reload of the nvme modules, or a reboot' \
		"$output"
}

boot_after()
{
	guest_coldplug
	check_same "values and files are those before nvmetune" \
		"$(<"$notes/before")" "$(guest_state)"
	check_status "resume with nothing applied" 1 "$NVMETUNE" confirm --resume
	check_match "asks for the profile" \
		'*no profile is applied now*--profile*' "$output"
	# What the kernel shows is what was written, and not what the driver made.
	echo 2 >$poll_queues
	check_status "a parameter that came too late" 1 \
		"$NVMETUNE" confirm --resume --profile "$profile"
	check_match "is neither kind of boot" \
		'*not comparable: nvme?: poll_queues reads 2, and no queue polls*' \
		"$output"
	check_status "history" 0 "$NVMETUNE" history show 1
	check_match "the record outlives the rollback" \
		'*undone*PROVISIONAL: *2 boots before it*' "$output"
}

echo "# boot $GUEST_BOOT"
load_options
case $GUEST_BOOT in
1) boot_without ;;
2) boot_with ;;
3) boot_astray ;;
4)
	boot_after
	exit 0
	;;
esac
guest_reboot
