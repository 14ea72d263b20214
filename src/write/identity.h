/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/target.h"

/*
 * Who is behind a sysfs folder now.  Names, numbers and even PCI addresses
 * move between boots and over a re-probe, so what was planned or recorded for
 * a target is written only where its identity is found.
 */

struct arena;
struct sysroot;

/*
 * 0 when target->dir leads to the target with that very identity; -ENODEV
 * when nothing is there, -ESTALE when somebody else is.
 */
int identity_check(const struct sysroot *root, struct arena *arena,
		   const struct target *target);

/* Of -ESTALE, in words: "another drive has this name now". */
const char *identity_stale(const struct target *target);

/*
 * The recorded target under today's name, all strings in the arena.  -ENODEV:
 * it is not in this host now.  -ENOTUNIQ: several disks answer to the
 * identity and none of them has the recorded name.
 */
int identity_find(const struct sysroot *root, struct arena *arena,
		  const struct target *recorded, struct target *ret);

/*
 * The same for many targets on a host that does not change meanwhile: each
 * drive is asked who it is once, so that twice the drives are twice the work
 * also after a boot that gave all of them other names.
 */
struct identities;
struct identities *identities_new(const struct sysroot *root,
				  struct arena *arena);
int identities_find(struct identities *all, const struct target *recorded,
		    struct target *ret);
