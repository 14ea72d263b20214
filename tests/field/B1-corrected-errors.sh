#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Corrected PCIe errors of a drive and of the port above it are its, a warning
# that points at the link and at ASPM; those of other devices are not.
. tests/field/lib.sh

tree two-nodes
put dmesg <<-END
	pcieport 0000:40:00.0: AER: Multiple Corrected error message received from 0000:41:00.0
	pcieport 0000:40:00.0: AER: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)
	pcieport 0000:40:00.0:   device [8086:a330] error status/mask=00000001/00002000
	pcieport 0000:40:00.0:    [ 0] RxErr
	nvme 0000:41:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)
	nvme 0000:41:00.0:   device [144d:a808] error status/mask=00000001/0000e000
	pcieport 0000:00:1c.5: AER: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)
	ath10k_pci 0000:3a:00.0: PCIe Bus Error: severity=Corrected, type=Data Link Layer, (Transmitter ID)
	ath10k_pci 0000:3a:00.0: PCIe Bus Error: severity=Corrected, type=Data Link Layer, (Transmitter ID)
END
capture --dmesg "$root/dmesg"
json '[.log[] | select(.kind == "aer")] ==
	[{ kind: "aer", device: "nvme0", count: 2 }]'
status --dmesg "$root/dmesg"
advises link.errors nvme0
json '[.advice[] | select(.id == "link.errors" and .subject == "nvme0")][0] |
	.severity == "warning" and (.text | contains("power.aspm = off"))'

# The kernel's counters, where it has them, are of each function by nature.
find "$root" -name 'aer_dev_*' -delete
put sys/class/nvme/nvme0/device/aer_dev_correctable <<-END
	RxErr 57
	BadTLP 0
	TOTAL_ERR_COR 57
END
status
advises link.errors nvme0
json '[.advice[] | select(.id == "link.errors")] | length == 1'
json '[.advice[] | select(.id == "link.errors")][0].text |
	contains("57 corrected, 0 not")'
