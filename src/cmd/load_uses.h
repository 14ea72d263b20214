/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "bench/owners.h"
#include "core/use.h"
#include "sys/sysroot.h"

/*
 * Who uses the disks that are about to be loaded: everything there is to see,
 * which takes a walk through /proc and a second or two of waiting for what
 * others read and write.
 */

struct err;

struct load_look {
	struct arena *arena;
	const struct sysroot *root; /* of the live host */
	const struct facts *facts;
	struct owners *owners; /* NULL: nobody is watched later */
	struct uses *all;      /* of uses_init(), n of them */
	size_t n;
};

/*
 * Adds to each of all.  Also begins to watch those who use one, where owners
 * says so.  -EINTR when interrupted; -ENODEV and the like with a sentence when
 * a disk is not what the facts say.
 */
int load_uses_find(const struct load_look *look, struct err *err);
