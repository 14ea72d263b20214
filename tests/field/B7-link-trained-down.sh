#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A link below what both of its ends can is a finding with what it is and what it
# could be; a slot with fewer lanes is none; nothing promises that a setting helps.
. tests/field/lib.sh

pci=sys/devices/pci0000:40/0000:40:00.0
tree two-nodes
link() { # of (empty: the port, or /0000:41:00.0), speed, lanes, most speed, lanes
	put "$pci$1/current_link_speed" <<<"$2"
	put "$pci$1/current_link_width" <<<"$3"
	put "$pci$1/max_link_speed" <<<"$4"
	put "$pci$1/max_link_width" <<<"$5"
}
state_is() {
	status
	json "[.drives[] | select(.ctrl == \"nvme0\").link_state] == [\"$1\"]"
}
link /0000:41:00.0 "5.0 GT/s PCIe" 1 "8.0 GT/s PCIe" 4
link "" "5.0 GT/s PCIe" 1 "8.0 GT/s PCIe" 4
state_is trained-down
advises link.trained-down nvme0
json '[.advice[] | select(.id == "link.trained-down" and
	.subject == "nvme0").text][0] |
	startswith("the link runs at 5.0 GT/s x1 of 8.0 GT/s x4 that both ends can") and
	contains("no setting helps")'
json '[.drives[] | select(.ctrl == "nvme0")][0] |
	.link_speed_mts == 5000 and .link_width == 1 and
	.link_max_speed_mts == 8000 and .link_max_width == 4'

# As older kernels spell it.
link /0000:41:00.0 "5 GT/s" 1 "8 GT/s" 4
link "" "5 GT/s" 1 "8 GT/s" 4
state_is trained-down

# One lane by design: the drive has nothing wrong.
link "" "8.0 GT/s PCIe" 1 "8.0 GT/s PCIe" 1
link /0000:41:00.0 "8.0 GT/s PCIe" 1 "8.0 GT/s PCIe" 4
state_is slot-limited
advises link.slot nvme0
json '[.advice[] | select(.id == "link.trained-down" and
	.subject == "nvme0")] == []'

# Not told is not known.
link /0000:41:00.0 Unknown 0 "8.0 GT/s PCIe" 4
status
json '[.drives[] | select(.ctrl == "nvme0").link_state] == [null]'
json '[.drives[] | select(.ctrl == "nvme0").link_speed_mts] == [null]'

link /0000:41:00.0 "8.0 GT/s PCIe" 4 "8.0 GT/s PCIe" 4
link "" "8.0 GT/s PCIe" 4 "8.0 GT/s PCIe" 4
state_is full
