#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# An NVMe function that another driver has, or none, is listed as unmanaged with that
# driver; nothing of it is planned and nothing is bound anew.
. tests/field/lib.sh

class=0x010802
tree no-nvme < <(
	for slot in 81 82; do
		dir=sys/devices/pci0000:80/0000:80:00.0/0000:$slot:00.0
		echo "$dir/class | f | $class"
		echo "$dir/driver_override | f | vfio-pci"
		echo "sys/bus/pci/devices/0000:$slot:00.0 | l | ../../../${dir#sys/}"
	done
	echo "sys/devices/pci0000:80/0000:80:00.0/0000:81:00.0/driver | l | ../../../../bus/pci/drivers/vfio-pci"
)
status
json '.unmanaged == [{address: "0000:81:00.0", driver: "vfio-pci"},
	{address: "0000:82:00.0"}] and .drives == []'
page status
says "no NVMe controllers"
says "0000:81:00.0: an NVMe drive, left to vfio-pci"
says "0000:82:00.0: an NVMe drive without a driver"
profile <<-END
	[drives]
	queue.scheduler = none
END
plan
json '.changes == []'
apply
expect 0
[ "$(<"$root/sys/bus/pci/devices/0000:82:00.0/driver_override")" = vfio-pci ] ||
	fail "driver_override was written"
