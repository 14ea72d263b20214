/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/knob.h"

/*
 * Who decides on the power states of PCIe links, for the knobs that set them.
 */

/* pcie_aspm=off: the kernel leaves what the firmware set, perhaps on. */
bool aspm_is_told_off(const struct facts *facts);
#define ASPM_TOLD_OFF \
	"the kernel was told not to touch ASPM (pcie_aspm=off): what the firmware left stays"

/* The kernel's log says that the firmware did not hand ASPM over;
 * pcie_aspm=force takes it all the same. */
bool aspm_is_firmwares(const struct facts *facts);
#define ASPM_FIRMWARES \
	"the firmware keeps ASPM to itself, says the kernel's log: no link can be set from here"

/* Is this the policy, or what the plan makes of it? */
bool aspm_policy_is(const struct facts *facts, const char *policy);
