#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Rules are for drives on PCIe only, and a subsystem's policy for subsystems of
# disks; a vendor's rules for its fabric are neither found fault with nor taken
# for those of a local drive.
. tests/field/lib.sh

# A local drive beside one over TCP.
host kv-fixed-rule '.ctrls = [.ctrls[0], (.ctrls[0] | { name: "nvme7",
	model: "NetApp ONTAP Controller", serial: "FAB1", nqn: "nqn.1992-08.x:1",
	subsystem: "nvme-subsys7", cntlid: 1, transport: "tcp", state: "live",
	address: "traddr=192.0.2.7,trsvcid=4420" })] |
	.namespaces = [.namespaces[0], (.namespaces[0] | . + { name: "nvme7n1",
	ctrl: "nvme7", subsystem: "nvme-subsys7", wwid: "uuid.7", dev: "259:70",
	mounts: [] })] |
	.observed += [.observed[] | select(.target == "nvme0n1") |
	.target = "nvme7n1"] |
	.subsystems = [{ name: "nvme-subsys0", type: "nvm", iopolicy: "numa" },
	{ name: "nvme-subsys7", type: "discovery", iopolicy: "numa" }] |
	.rules = [{ file: "/usr/lib/udev/rules.d/71-vendor.rules", line: 2,
	text: ("ACTION!=\"remove\", SUBSYSTEM==\"nvme-subsystem\", " +
	"ATTR{subsystype}==\"nvm\", ATTR{model}==\"NetApp ONTAP Controller\", " +
	"ATTR{iopolicy}=\"queue-depth\""), attr: "iopolicy", value: "queue-depth" }]'
profile <<-END
	[drives]
	queue.scheduler = mq-deadline
	queue.rq_affinity = 2
	power.apst = off
	[host]
	subsystem.iopolicy = round-robin
END
plan
json '[.changes[].target.name | select(startswith("nvme7"))] == []'
json '[.changes[] | select(.key == "subsystem.iopolicy").target.name] ==
	["nvme-subsys0"]'
change queue.rq_affinity@nvme0n1 '.persistence == "udev rule"'
change queue.scheduler@nvme0n1 '.verdict == "change" and
	.persistence == "udev rule"'
file $rules >"$TMPDIR/90-nvmetune.rules"
awk '/ATTR{(queue|power|device).*}="/ && !/ATTRS{transport}=="pcie"/ { exit 1 }' \
	"$TMPDIR/90-nvmetune.rules" || fail "a rule for any transport"
grep -qF 'ATTR{subsystype}!="nvm"' "$TMPDIR/90-nvmetune.rules" ||
	fail "discovery subsystems are not left out"

cat >"$TMPDIR/71-vendor.rules" <<-'END'
	ACTION!="remove", SUBSYSTEM=="nvme-subsystem", ATTR{subsystype}=="nvm", ATTR{model}=="NetApp ONTAP Controller", ATTR{iopolicy}="queue-depth"
	ACTION=="add", SUBSYSTEM=="nvme", ATTR{transport}=="tcp", ATTR{ctrl_loss_tmo}="-1"
END
lint "$TMPDIR/71-vendor.rules"
expect 0
quiet
