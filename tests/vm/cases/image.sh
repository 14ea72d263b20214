# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# An image that was tuned offline boots tuned: no nvmetune runs before verify.
# Topology two-node, --persistent.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

image=/var/lib/lab/image

# What a build makes: a root with this kernel, and nothing of ours.
build_image()
{
	local dir host=kernel/drivers/nvme/host

	dir=lib/modules/$(uname -r)
	mkdir -p "$image/etc" "$image/usr/lib" "$image/$dir/$host"
	cp /usr/lib/os-release "$image/usr/lib/"
	cp -a "/$dir/$host"/nvme*.ko* "$image/$dir/$host/"
	cp -a "/$dir"/modules.{order,builtin*} "$image/$dir/"
	depmod -b "$image" "$(uname -r)" 2>/dev/null
	cat >/var/lib/lab/fleet.ini <<'INI'
[profile]
summary = A fleet

[drives]
queue.scheduler = mq-deadline
queue.read_ahead_kb = 64

[drives lab]
match.serial = LAB1
queue.read_ahead_kb = 256

[host]
module.nvme.poll_queues = 2
INI
}

first_boot()
{
	build_image
	check_status "more queues than are certain" 1 "$NVMETUNE" apply \
		--root "$image" --profile /var/lib/lab/fleet.ini
	check "nothing was written" "" "$(ls "$image/etc")"
	check_status "apply to the image" 0 "$NVMETUNE" apply --root "$image" \
		--profile /var/lib/lab/fleet.ini --min-cpus 4
	check "the builder is as before" "" \
		"$(find /etc -name '*nvmetune*')"
	cp -a "$image/etc/." /etc/
	cp -a "$image/var/lib/nvmetune" /var/lib/
	guest_reboot
}

second_boot()
{
	local one two

	guest_coldplug
	one=$(guest_queue LAB0)
	two=$(guest_queue LAB1)
	check_status "verify on the first boot" 0 "$NVMETUNE" verify
	check_match "it says so" "*no drift: all is as profile fleet was applied*" \
		"$output"
	check "the rule acted" "mq-deadline mq-deadline" \
		"$(guest_scheduler "$one") $(guest_scheduler "$two")"
	check "and each drive has its own" "64 256" \
		"$(<"$one/read_ahead_kb") $(<"$two/read_ahead_kb")"
	check "the option acted" "4/0/2 4/0/2" \
		"$(guest_split LAB0) $(guest_split LAB1)"
	check_status "the clone has no history" 0 "$NVMETUNE" rollback
	check_match "it says whose it is" "*came with the image*" "$output"
	check_status "the clone's own apply" 0 "$NVMETUNE" apply --profile base
	check_status "and its rollback" 0 "$NVMETUNE" rollback
	check "is back at the image's" "mq-deadline 64" \
		"$(guest_scheduler "$one") $(<"$one/read_ahead_kb")"
	check_status "verify" 0 "$NVMETUNE" verify
}

case $GUEST_BOOT in
1) first_boot ;;
2) second_boot ;;
esac
