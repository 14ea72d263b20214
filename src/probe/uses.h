/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/use.h"
#include "sys/sysroot.h"

/*
 * Users of disks that facts do not tell of.  Each looks once for all n disks
 * and adds what it finds; what cannot be read is not found.
 */

/* Loop devices that stand on them, and what nvmet gives to other hosts. */
void probe_uses_stacked(const struct sysroot *root, struct arena *arena,
			const struct facts *facts, struct uses *all, size_t n);

/*
 * Mounts of other mount namespaces, for the disks whose held[] says that
 * somebody claims them; there USE_HELD is added where it stays unknown who
 * that is.
 */
void probe_uses_elsewhere(const struct sysroot *root, struct arena *arena,
			  const bool *held, struct uses *all, size_t n);

/* Programs other than this one that have a device of theirs open. */
void probe_uses_open(const struct sysroot *root, struct arena *arena,
		     struct uses *all, size_t n);
