#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What is for PCIe is planned for transport pcie alone: a fabrics controller has no
# slot, link, vectors or node, and the generated rule spares it.
. tests/field/lib.sh

host two-socket-32cpu '.ctrls += [{name: "nvme3", transport: "fc",
		state: "connecting", model: "NetApp ONTAP Controller",
		nqn: "nqn.1992-08.com.netapp:sn.x", cntlid: 1,
		address: "traddr=nn-0x200:pn-0x201"}, {name: "nvme4",
		transport: "tcp", state: "live", model: "Linux", cntlid: 2,
		nqn: "nqn.x", address: "traddr=192.0.2.7,trsvcid=4420"}] |
	.namespaces += [{name: "nvme4n1", kind: "plain", ctrl: "nvme4",
		has_mq: true, nsid: 1, zoned: "none", wwid: "uuid.x"}]'
profile <<-END
	include = oltp
END
plan
json 'all(.changes[]; .target.name | test("nvme[34]") | not)'
advises_not node.unknown
json 'all(.advice[]; .subject != "nvme4")'
file $rules >"$TMPDIR/rules"
! grep -E 'ATTR\{(queue|power|device/(link|power))[^}]*\}="' "$TMPDIR/rules" |
	grep -v 'ATTRS{transport}=="pcie"' || fail "not only for pcie"
status
json '[.drives[] | select(.ctrl == "nvme3" or .ctrl == "nvme4")] | length == 2
	and all(.[]; (has("node") or has("link_speed_mts") or has("vectors"))
		| not)'

# As sysfs has one: no device, no numa_node, an address that is no slot.
tree odd
capture
json '.ctrls[] | select(.name == "nvme3") | .transport == "tcp" and
	(has("address") or has("node") or has("link") | not)'
# Named in the profile it is meant.
host two-socket-32cpu '.ctrls[0].transport = "tcp"'
profile <<-END
	[drives far]
	match.transport = tcp
	queue.scheduler = mq-deadline
END
plan
verdict queue.scheduler@nvme0n1 change
