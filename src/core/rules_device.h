/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/facts.h"
#include "core/rules.h"

/* Devices as udev rules see them, as far as the facts know them. */
void rules_device_of_ns(struct arena *arena, const struct facts *facts,
			const struct ns *ns, struct rule_device *ret);
void rules_device_of_ctrl(struct arena *arena, const struct ctrl *ctrl,
			  struct rule_device *ret);
/* Its PCI function; bound: at the event that says it has its driver. */
void rules_device_of_function(struct arena *arena, const struct ctrl *ctrl,
			      bool bound, struct rule_device *ret);
void rules_device_of_subsystem(struct arena *arena, const struct facts *facts,
			       const struct subsystem *subsystem,
			       struct rule_device *ret);
/* "cpu0" */
void rules_device_of_cpu(struct arena *arena, const char *name,
			 struct rule_device *ret);

/*
 * A device of which only the name is known, for rules that were written for
 * another host: nvme0 is a controller, nvme0n1 and sda are disks, nvme0n1p1
 * and sda1 partitions.  bare: a disk without the attributes of a request
 * queue, such as an older kernel has, or the head of a multipath drive.
 */
void rules_device_named(struct arena *arena, const char *name, bool bare,
			struct rule_device *ret);

/* "nvme0n1p1", "sda1" */
bool rules_name_is_partition(const char *name);

/* Every rule of the facts but those of our own file. */
void rules_of_facts(struct arena *arena, const struct facts *facts,
		    struct rule_set *ret);
