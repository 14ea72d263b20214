/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "core/facts.h"
#include "core/knob.h"
#include "core/profile.h"
#include "sys/sysroot.h"

/* Facts from the machine below a root; reading only. */

struct probe_options {
	const char *dmesg_file; /* kernel log to read instead of /dev/kmsg */
	bool no_admin;		/* send no command to any drive */
	unsigned int min_cpus; /* of an image: every host has so many; 0: one */
};

/*
 * All of *ret, which belongs to arena.  What cannot be read is absent with
 * its reason, and facts.blind says what could not be seen; a device that
 * fails or vanishes does not spoil the others, and a host without NVMe is
 * facts without controllers.  Fails only where the user named a file that
 * cannot be read.  knobs are those whose values facts.observed gets.
 */
int probe_host(const struct sysroot *root, const struct knob_set *knobs,
	       const struct probe_options *options, struct arena *arena,
	       struct facts *ret, struct err *err);

/*
 * One look at the counters of interrupts, softirqs, CPU time and disks.
 * Belongs to the arena; what could not be read is not in it.
 */
struct counters;
struct counters *probe_counters(const struct sysroot *root,
				const struct facts *facts, struct arena *arena);

/* What happened between two looks, into facts->samples. */
void probe_samples(const struct counters *before, const struct counters *after,
		   struct arena *arena, struct facts *facts);

/*
 * How a controller and its link are now, for the borders of a measurement:
 * one SMART command to a controller that is live, none to any other.  What
 * cannot be read is unknown.
 */
struct health;
void probe_health(const struct sysroot *root, const struct ctrl *ctrl,
		  struct health *ret);

/*
 * The kernel name (nvme0n1, nvme0n1p2) of a node or link below /dev such as
 * /dev/disk/by-id/..., as the udev database knows it.  -ENOENT when it knows
 * none, -EOPNOTSUPP on a root that is not this host's.
 */
int probe_udev_resolve(const struct sysroot *root, struct arena *arena,
		       const char *link, const char **ret, struct err *err);

/*
 * What a name that a person uses for a drive leads to on this root, added to
 * facts.aliases where it is more than the name itself: a link below /dev, a
 * folder behind links.  On the live host also that a folder leads to nothing.
 */
void probe_name(const struct sysroot *root, struct arena *arena,
		struct facts *facts, const char *name);

/* A file that may be ours, added to facts.own_files unless it is there. */
void probe_own_file(const struct sysroot *root, struct arena *arena,
		    struct facts *facts, const char *path);

/* What a plan of this profile asks of its services and wrappers: their files,
 * units, names and drives, added to the facts. */
void probe_runners(const struct sysroot *root, struct arena *arena,
		   struct facts *facts, const struct profile *profile);
