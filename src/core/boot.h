/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/facts.h"

/*
 * What a boot begins with, and what a module option or a word of the kernel
 * command line needs to be seen by it.
 */

enum image_age {
	IMAGE_UNKNOWN, /* no image was found, or no time could be read */
	IMAGE_OLDER,   /* than the file: it has no copy of it, or an old one */
	IMAGE_NEWER,   /* built since, so what was to be copied is in it */
};

/* The initramfs against our file of module options, as it is now. */
enum image_age boot_image_age(const struct facts *facts);

/*
 * The command that builds the initramfs with this tool for this kernel, as
 * words that end with NULL; NULL when there is no tool, or an unknown one.
 * kernel NULL: for every kernel that there is.
 */
const char *const *boot_rebuild_words(struct arena *arena, const char *tool,
				      const char *kernel);

/* What to do for a word of the command line ("nvme.poll_queues=2"), as a
 * request without a period; by what this host boots with. */
const char *boot_argument(struct arena *arena, const struct facts *facts,
			  const char *word);

/*
 * The commands that build the initramfs of each kernel of an image, to be run
 * inside it, behind "; ": every one names its kernel, for the one that runs
 * is that of the build machine.  NULL: no tool that is known.
 */
const char *boot_image_rebuild(struct arena *arena, const struct facts *facts);
