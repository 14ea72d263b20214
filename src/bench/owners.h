/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/use.h"

/*
 * The users of drives that are about to be read, watched by the counters of
 * what they use: a partition or what stands on it counts only their requests.
 * Where they use the whole disk its reads are theirs and ours together, and
 * its other requests theirs alone.
 */

struct arena;
struct err;
struct owners;
struct sysroot;

struct owners *owners_new(struct arena *arena, const struct sysroot *root);

/*
 * Watch what is used of a disk; uses is borrowed.  -EOPNOTSUPP with a sentence
 * where the kernel does not count it, so that nobody would see them suffer.
 */
int owners_add(struct owners *owners, const struct facts *facts,
	       const struct uses *uses, struct err *err);

/* What has been counted since owners_add(), before any load, is usual. */
void owners_start(struct owners *owners);

/* During the load; data is the owners.  -EBUSY with a sentence once one of
 * them waits twice as long as usual. */
int owners_look(void *data, struct err *err);
