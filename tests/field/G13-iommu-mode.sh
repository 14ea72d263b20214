#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The type of the drives' IOMMU groups is read; strict is a finding that says what
# it costs and what giving it up gives up, and no plan changes it.
. tests/field/lib.sh

profile <<-END
	include = oltp
END
for name in hygon-8node hygon-8node-strict hygon-8node-passthrough; do
	host $name
	status
	case $name in
	*-strict)
		json '.host.iommu_type == "DMA"'
		advises iommu.strict host
		json '.advice[] | select(.id == "iommu.strict") | .text |
			contains("give up isolation")'
		;;
	*) advises_not iommu.strict ;;
	esac
	plan
	json 'all(.changes[]; (.key + (.asked // "")) | contains("iommu") | not)'
	json 'all(.files[]; (.want // "") | contains("iommu") | not)'
done
nvmetune explain iommu.strict
expect 0
says "Measure first"
says "give up isolation"
