# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# What must end with a clear line and a host as it was: no rights, read-only
# and full file systems, impossible profiles, a kill in the middle.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

guest_leftover_rule
guest_start_udevd
guest_load_nvme
before=$(guest_state)

# refused SENTENCE COMMAND... - fails with 1 and leaves the host alone.
refused()
{
	check_status "$1" 1 "${@:2}"
	[ -n "$output" ] || fail "$1: not a word"
	check_same "$1: the host is as before" "$before" "$(guest_state)"
}

apply=("$NVMETUNE" apply --profile oltp)
nobody=(setpriv --reuid=65534 --regid=65534 --clear-groups)

echo "# not root"
check_status "status without root" 0 "${nobody[@]}" "$NVMETUNE" status
check_status "plan without root" 0 \
	"${nobody[@]}" "$NVMETUNE" plan --profile oltp
refused "apply without root" "${nobody[@]}" "${apply[@]}"
check "it took one line" 1 "$(wc -l <<<"$output")"

echo "# read-only /etc"
mount --bind /etc /etc
mount -o remount,bind,ro /etc
refused "apply with a read-only /etc" "${apply[@]}"
umount /etc
check_status "rollback after it" 0 "$NVMETUNE" rollback

echo "# read-only /sys"
mount -o remount,bind,ro /sys
refused "apply with a read-only /sys" "${apply[@]}"
mount -o remount,bind,rw /sys
check_status "rollback after it" 0 "$NVMETUNE" rollback

echo "# no space for the journal"
mkdir -p /var/lib/nvmetune
mount -t tmpfs -o size=64k tmpfs /var/lib/nvmetune
head -c 64k /dev/zero >/var/lib/nvmetune/fill 2>/dev/null || :
refused "apply with a full disk" "${apply[@]}"
umount /var/lib/nvmetune

echo "# a queue count that keeps nvme.ko from loading"
cat >/run/too-many.ini <<'INI'
[profile]
summary = More poll queues than CPUs

[host]
module.nvme.poll_queues = 4096
INI
refused "a profile with poll_queues = 4096" \
	"$NVMETUNE" apply --profile /run/too-many.ini
check_match "it names file and line" '*too-many.ini:5*' "$output"

echo "# kill -9 between two writes"
# The journal grows by a line before each write: stop when it has so many more.
killed=0
for more in 1 2 3 4; do
	set -- /var/lib/nvmetune/txn/[0-9]*
	[ -e "$1" ] || set --
	journal=$(printf '/var/lib/nvmetune/txn/%04d/journal' $(($# + 1)))
	"${apply[@]}" >/run/apply.log 2>&1 &
	pid=$!
	first=0
	while kill -0 "$pid" 2>/dev/null; do
		[ -f "$journal" ] || continue
		mapfile -t lines <"$journal"
		# It appears whole, with a line for each step.
		[ "$first" -gt 0 ] || first=${#lines[@]}
		[ "${#lines[@]}" -lt "$((first + more))" ] || break
	done
	kill -9 "$pid" 2>/dev/null || :
	status=0
	wait "$pid" 2>/dev/null || status=$?
	if [ "$status" -eq 137 ]; then
		killed=$((killed + 1))
		check_status "apply is blocked by the open transaction" 7 \
			"${apply[@]}"
	fi
	check_status "rollback after the kill" 0 "$NVMETUNE" rollback
	check_same "the host is as before" "$before" "$(guest_state)"
done
[ "$killed" -gt 0 ] || fail "apply always ended before it could be killed"
