/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "probe/probe.h"

/*
 * Facts of one controller, for the device helper: what its settings depend on
 * and nothing else, so that the cost does not grow with the host.
 */

/*
 * ctrl is "nvme0".  disk: only this disk of it (and, under native multipath,
 * the hidden path or the head that belongs to it); NULL: all that udev
 * has seen, for each of the others sends an event of its own.  Of the knobs
 * the scopes decide what is looked at: the drive is sent commands only where
 * one is of SCOPE_CTRL.  Of a controller that is not there the facts have
 * none.
 */
void probe_drive(const struct sysroot *root, const struct knob_set *knobs,
		 const char *ctrl, const char *disk, struct arena *arena,
		 struct facts *ret);

/* Can it be a controller's or a disk's name (nvme0, nvme0n1, nvme0c0n1)? */
bool probe_drive_name(const char *name, bool *ret_is_disk);

/* The controllers of such a name: itself, a disk's own, those of all paths
 * of a head.  None: it is not there. */
void probe_drive_ctrls(const struct sysroot *root, struct arena *arena,
		       const char *name, struct names *ret);

/*
 * Of the disks of its subsystem that are seen already, through whatever
 * controller: to how many this one has its path, and to how many none (yet).
 * A path that comes later sends no event.
 */
struct drive_paths {
	unsigned int there;
	unsigned int missing;
};

struct drive_paths probe_drive_paths(const struct sysroot *root,
				     struct arena *arena, const char *ctrl);

/*
 * How far the kernel is with a disk's queue.  Before 5.15 it tells of a disk
 * first and makes the queue then (device_add_disk() in block/genhd.c); while it
 * does, attributes are there that cannot be written yet.  The disk's folder
 * "integrity" follows the queue, on each kernel that is built with it.
 */
enum drive_queue {
	DRIVE_QUEUE_GONE,    /* there is no such disk (any more) */
	DRIVE_QUEUE_MISSING, /* to come */
	DRIVE_QUEUE_BEGUN,   /* or whole, where nothing can follow it */
	DRIVE_QUEUE_WHOLE,
};

enum drive_queue probe_drive_queue(const struct sysroot *root,
				   struct arena *arena, const char *disk);
