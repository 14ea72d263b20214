# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# As many namespaces as QEMU's drives have: status, plan, apply, verify and
# rollback of all of them.  Topology namespaces.  udevd does not run: its
# workers would be all that is measured.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

wanted=256

cat >/run/many.ini <<'INI'
[profile]
summary = Of each namespace three values

[drives]
queue.scheduler = mq-deadline
queue.nr_requests = 300
queue.read_ahead_kb = 0
INI

all_there()
{
	set -- /sys/class/block/nvme0n*/queue/nr_requests
	[ $# -eq $wanted ]
}

# values - of all disks, one line each.
values()
{
	(cd /sys/class/block && grep -H '' nvme0n*/queue/scheduler \
		nvme0n*/queue/{nr_requests,read_ahead_kb,max_sectors_kb,wbt_lat_usec})
}

# timed SENTENCE COMMAND... - the guest's seconds are told.
timed()
{
	local start=$SECONDS

	check_status "$1" 0 "${@:2}"
	printf 'ok: %s: %d namespaces in %d s\n' "$1" $wanted \
		$((SECONDS - start))
	[ $((SECONDS - start)) -lt 240 ] || fail "$1 took minutes"
}

modprobe nvme
guest_wait 120 all_there || fail "not $wanted namespaces: $(dmesg | tail -n 3)"
before=$(values)
check "they have none, as nvme.ko leaves them" $wanted \
	"$(grep -c ':\[none\]' <<<"$before")"
timed status "$NVMETUNE" status
timed plan "$NVMETUNE" plan --profile /run/many.ini
timed apply "$NVMETUNE" apply --profile /run/many.ini
check_match "all were changed" "*$((wanted * 3 + 2)) changed, 0 refused, 0 failed*" \
	"$output"
check "each has the scheduler" $wanted "$(values | grep -c '\[mq-deadline\]')"
check "each has the depth" $wanted "$(values | grep -c '/nr_requests:300$')"
check "each has the read-ahead" $wanted "$(values | grep -c '/read_ahead_kb:0$')"
timed verify "$NVMETUNE" verify
timed rollback "$NVMETUNE" rollback
check_same "all values are those before" "$before" "$(values)"
