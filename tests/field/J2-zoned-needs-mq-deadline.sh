#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# none is refused on a zoned namespace where the kernel does not keep its writes in
# order, and our rule never sets it there, since the next kernel may not.
. tests/field/lib.sh

host kv-zoned
profile <<-END
	[drives]
	queue.scheduler = none
END
plan
change queue.scheduler@nvme0n1 '.verdict == "cannot" and .want == null and
	(.reason | contains("zoned (host-managed)") and
		contains("only mq-deadline keeps writes in order"))'
file $rules | grep -q 'ATTR{queue/zoned}=="none".*ATTR{queue/scheduler}="none"' ||
	fail "the rule does not spare zoned namespaces"
nvmetune apply --dry-run --strict --facts "$facts" --profile "$profile"
[ "$rc" != 0 ] || fail "strict takes it"
# The kernel shows its plugging of zone writes: live it may be had.
edit '.zone_write_plugging = true'
plan
change queue.scheduler@nvme0n1 '.verdict == "change" and
	.persistence == "cannot"'
file $rules | grep -q 'ATTR{queue/zoned}=="none".*ATTR{queue/scheduler}="none"' ||
	fail "the rule does not spare zoned namespaces"
# mq-deadline is what such a namespace needs, on any kernel.
profile <<-END
	[drives]
	queue.scheduler = mq-deadline
END
host kv-zoned
plan
verdict queue.scheduler@nvme0n1 keep
