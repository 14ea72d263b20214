# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# A zoned namespace beside an ordinary one.  Before zone write plugging only
# mq-deadline keeps its writes in order: neither apply nor the rule may take it
# away, whatever the profile says.  Topology zoned.  Field case J2.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

# The rule gives both mq-deadline, which an ordinary drive may lose.
guest_leftover_rule
guest_start_udevd
guest_load_nvme
# Once loaded, it is offered for all disks.
modprobe kyber-iosched
queue=$(guest_queue LAB0)
before=$(guest_state)

schedulers()
{
	echo "$(guest_scheduler "$(guest_queue LAB0)")" \
		"$(guest_scheduler "$(guest_queue LAB1)")"
}

plugging=no
! grep -q ' blk_zone_plug_bio$' /proc/kallsyms || plugging=yes
case $(uname -r) in
5.* | 6.[0-9].*) expected=no ;;
*) expected=yes ;;
esac
check "zone write plugging came with 6.10" "$expected" "$plugging"
check "the namespace is zoned" host-managed "$(<"$queue/zoned")"
check "both begin with mq-deadline" "mq-deadline mq-deadline" "$(schedulers)"

# A rule that says none for a zoned drive, in whatever order the keys are,
# would run on any kernel that is booted later.
check_rule()
{
	! grep 'ATTR{queue/scheduler}="none"' \
		/etc/udev/rules.d/90-nvmetune.rules |
		grep -v 'ATTR{queue/zoned}=="none"' ||
		fail "the rule would set none on a zoned drive"
	printf 'ok: the rule spares zoned drives\n'
}

echo "# plan"
disk=$(basename "$(dirname "$queue")")
plan=$("$NVMETUNE" plan --profile oltp --format json)
of_zoned() # KEY MEMBER
{
	jq -r --arg id "$1@$disk" --arg member "$2" \
		'.changes[] | select(.id == $id) | .[$member]' <<<"$plan"
}
if [ $plugging = no ]; then
	check "none is refused for the zoned drive" cannot \
		"$(of_zoned queue.scheduler verdict)"
	check_match "since only mq-deadline keeps its writes in order" \
		'*only mq-deadline keeps writes in order' \
		"$(of_zoned queue.scheduler reason)"
	after='mq-deadline none'
else
	check "none is possible for the zoned drive" change \
		"$(of_zoned queue.scheduler verdict)"
	check "but nothing keeps it, for another kernel may be booted" cannot \
		"$(of_zoned queue.scheduler persistence)"
	after='none none'
fi
check "the rest of the plan goes on" change \
	"$(of_zoned queue.nr_requests verdict)"

echo "# apply"
check_status "apply" 3 "$NVMETUNE" apply --profile oltp --detailed-exitcode
check "each drive has what it may have" "$after" "$(schedulers)"
check "the depth of the zoned drive was set" \
	"$(of_zoned queue.nr_requests want)" "$(<"$queue/nr_requests")"
check_rule
check_status "a second apply has nothing to do" 0 \
	"$NVMETUNE" apply --detailed-exitcode

echo "# hot-plug"
guest_rebind LAB0
guest_rebind LAB1
check "the rule set none on the ordinary drive alone" \
	"mq-deadline none" "$(schedulers)"
check_rule

echo "# rollback"
check_status "apply again" 0 "$NVMETUNE" apply
check_status "rollback of everything" 0 "$NVMETUNE" rollback --all
check_same "values and files are those before nvmetune" \
	"$before" "$(guest_state)"

echo "# a profile that means zoned drives"
cat >/run/zoned.ini <<'INI'
[profile]
summary = none on all, and zoned drives by name

[drives]
queue.scheduler = none

[drives zoned]
match.zoned = !none
queue.scheduler = kyber
queue.nomerges = 1
INI
check_status "apply" 0 "$NVMETUNE" apply --profile /run/zoned.ini
check "its other settings are applied" 1 "$(<"$(guest_queue LAB0)/nomerges")"
guest_rebind LAB0
guest_rebind LAB1
check "no rule takes mq-deadline from the zoned drive" \
	"mq-deadline none" "$(schedulers)"
check "the rule for what is harmless acts" \
	1 "$(<"$(guest_queue LAB0)/nomerges")"
check_status "rollback" 0 "$NVMETUNE" rollback --all
check_same "values and files are those before nvmetune" \
	"$before" "$(guest_state)"
