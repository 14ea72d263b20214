#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Every rule that sets the same thing on the drive is listed in its order, and who
# wins is told: ours where no later file disagrees; a file in /etc hides one of its
# name in /usr/lib.
. tests/field/lib.sh

tree two-nodes
rm -rf "${root:?}/etc/udev" "$root/usr/lib/udev"
put usr/lib/udev/rules.d/60-ioschedulers.rules <<-'END'
	ACTION=="add|change", KERNEL=="nvme[0-9]*", ENV{DEVTYPE}=="disk", ATTR{queue/scheduler}="kyber"
END
put etc/udev/rules.d/64-zoned.rules <<-'END'
	ACTION=="add", KERNEL=="nvme*", ENV{DEVTYPE}=="disk", ATTR{queue/zoned}!="none", ATTR{queue/scheduler}="bfq"
	ACTION=="add", KERNEL=="nvme[0-9]*n1", ENV{DEVTYPE}=="disk", ATTR{queue/scheduler}="mq-deadline"
END
profile <<-END
	[drives]
	queue.scheduler = none
END
plan
change queue.scheduler@nvme0n1 '.rules == [
	"/usr/lib/udev/rules.d/60-ioschedulers.rules:1 sets kyber",
	"/etc/udev/rules.d/64-zoned.rules:2 sets mq-deadline"]'
change queue.scheduler@nvme0n1 '.persistence == "udev rule"'
change queue.scheduler@nvme0n1 '.set_by | length == 1 and
	(.[0] | startswith("/etc/udev/rules.d/64-zoned.rules:2: "))'
# That a change event gives the vendor the word once more is told, too.
change queue.scheduler@nvme0n1 '.persist_reason |
	contains("60-ioschedulers.rules:1 then sets kyber")'

# The same rules in a file that sorts behind ours.
mv "$root/usr/lib/udev/rules.d/60-ioschedulers.rules" \
	"$root/usr/lib/udev/rules.d/zz-ioschedulers.rules"
plan
change queue.scheduler@nvme0n1 '.rules[-1] ==
	"/usr/lib/udev/rules.d/zz-ioschedulers.rules:1 sets kyber"'
change queue.scheduler@nvme0n1 '.persistence == "cannot" and (.persist_reason |
	contains("zz-ioschedulers.rules:1 runs after our rule and sets kyber"))'
ask explain queue.scheduler@nvme0n1 "${from[@]}" --profile "$profile"
says "64-zoned.rules:2 sets mq-deadline"
says "zz-ioschedulers.rules:1 runs after our rule and sets kyber"

# Hidden by a file of the same name: /etc wins over /usr/lib.
put etc/udev/rules.d/zz-ioschedulers.rules </dev/null
plan
change queue.scheduler@nvme0n1 '.persistence == "udev rule" and
	.rules == ["/etc/udev/rules.d/64-zoned.rules:2 sets mq-deadline"]'
