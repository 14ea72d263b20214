/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "sys/sysroot.h"
#include "write/journal.h"

/*
 * What the device helper found before it wrote, for rollback: one file for
 * each controller and each transaction whose applied.ini it followed,
 *
 *	/run/nvmetune/device/0003-2c26b46b68ffc68f
 *
 * in the journal's format, every step of it done; without a commit at the end
 * the helper was at work, or was cut off there.  A boot forgets both the values
 * and the notes.
 */

struct err;

#define DEVICE_DIR "/run/nvmetune/device"
#define DEVICE_DIR_MODE 0700

/* ctrl_id: the controller's identity, of which the name has a hash. */
char *device_notes_path(struct arena *arena, unsigned int txn,
			const char *ctrl_id);

/* No steps when there is no such file.  -EBADMSG: it is damaged. */
int device_notes_read(const struct sysroot *root, struct arena *arena,
		      const char *path, struct journal *ret, struct err *err);
int device_notes_write(const struct sysroot *root, struct arena *arena,
		       const char *path, struct journal *notes,
		       struct err *err);

struct device_notes_file {
	unsigned int txn;
	const char *path;
};

struct device_notes_list {
	VEC(struct device_notes_file) files; /* newest transaction first */
};

void device_notes_list(const struct sysroot *root, struct arena *arena,
		       struct device_notes_list *ret);

/* The same attribute of the same target, whatever it is called today? */
bool device_notes_same(const struct step *a, const struct step *b);
