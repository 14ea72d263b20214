#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A measurement is labelled with the IOMMU's mode that it was made under, the host's
# and that of each drive's group.
. tests/field/drives.sh

drives two-nodes nvme0n1
echo DMA | put sys/kernel/iommu_groups/12/type
capture
json '.ctrls[0].iommu_type == "DMA"'
bench --node 0 --format json nvme0n1
expect 0
json '.environment | .iommu == "intel" and .iommu_type == "mixed"'
json '.drives[0].iommu_type == "DMA"'
