#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the active profile of tuned sets, or one that it includes, is told before it
# overrides; what helps is a profile of tuned, not a rule; a tuned that does not
# run overrides nothing.
. tests/field/lib.sh

tree two-nodes
rm -rf "${root:?}/etc/udev" "$root/usr/lib/udev"
runs=sys/fs/cgroup/system.slice/tuned.service/cgroup.procs
put $runs <<<4711
put etc/tuned/active_profile <<<vendor-desktop
put usr/lib/tuned/profiles/vendor-desktop/tuned.conf <<-END
	[main]
	summary=A desktop
	include=vendor-common
	[sysfs]
	/sys/block/nvme*/queue/rq_affinity=2
END
put usr/lib/tuned/profiles/vendor-common/tuned.conf <<-END
	[main]
	summary=All of ours
	[disk]
	elevator=kyber
	readahead=4096
END
profile <<-END
	[drives]
	queue.scheduler = none
	queue.rq_affinity = 1
	queue.read_ahead_kb = 4096
END
plan
change queue.scheduler@nvme0n1 '.persistence == "cannot" and (.persist_reason |
	contains("tuned profile vendor-desktop (/usr/lib/tuned/profiles/vendor-common/tuned.conf:4), which sets kyber"))'
change queue.rq_affinity@nvme0n1 '.persistence == "cannot" and (.persist_reason |
	contains("/usr/lib/tuned/profiles/vendor-desktop/tuned.conf:5), which sets 2"))'
# What it sets as wanted is no rival.
change queue.read_ahead_kb@nvme0n1 '.persistence == "udev rule"'
advises writer.tuned host
json '[.advice[] | select(.id == "writer.tuned").text][0] |
	contains("include=vendor-desktop") and contains("[disk] elevator=none")'

# What it says comes true.
mkdir -p "$root/etc/tuned/vendor-desktop-nvme"
put etc/tuned/vendor-desktop-nvme/tuned.conf <<-END
	[main]
	include=vendor-desktop
	[disk]
	elevator=none
	[sysfs]
	/sys/block/nvme*/queue/rq_affinity=1
END
put etc/tuned/active_profile <<<vendor-desktop-nvme
plan
change queue.scheduler@nvme0n1 '.persistence == "udev rule"'
change queue.rq_affinity@nvme0n1 '.persistence == "udev rule"'
advises_not writer.tuned

put etc/tuned/active_profile <<<vendor-desktop
put $runs </dev/null
plan
change queue.scheduler@nvme0n1 '.persistence == "udev rule"'
advises_not writer.tuned
