/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "probe/scan.h"

/* The only sysctl that a knob of ours is about, below proc/sys. */
#define WRITERS_SYSCTL "kernel/numa_balancing"

/* "kernel.numa_balancing", with dots or slashes, "-" in front or not */
bool writers_is_sysctl(const char *key);

/*
 * "/sys/block/nvme0n1/queue/scheduler": the pattern of the device and the
 * attribute.  False for files that are not of a disk, an NVMe controller or
 * subsystem, a PCI function or a CPU.
 */
bool writers_split_path(struct arena *arena, const char *path,
			const char **ret_device, const char **ret_attr);
