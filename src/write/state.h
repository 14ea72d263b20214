/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/arena.h"
#include "base/vec.h"

/*
 * Where nvmetune remembers what it did, for root's eyes only:
 *
 *	/var/lib/nvmetune/txn/0001/plan.json	what was to be done
 *				  facts.json	the host before it
 *				  journal	what was done, see journal.h
 *
 * A numbered folder without a journal is a transaction that never began:
 * nothing was changed in its name.
 */

struct err;
struct sysroot;

#define STATE_DIR "/var/lib/nvmetune"
#define STATE_TXN_DIR STATE_DIR "/txn"
/* What was done to an image is no history of the hosts that boot it. */
#define STATE_IMAGE_DIR STATE_DIR "/image"

/* Which boot this is, below a root. */
#define BOOT_ID "proc/sys/kernel/random/boot_id"

struct txn_ids {
	VEC(unsigned int) ids; /* ascending */
};

/* The folder itself, without any transaction. */
int state_make(const struct sysroot *root, struct arena *arena,
	       struct err *err);

/* Those that began; none when there is no state at all.  -EACCES: only root
 * may look.  -EPERM: anyone may put a journal there, and we are root. */
int state_list(const struct sysroot *root, struct arena *arena,
	       struct txn_ids *ret, struct err *err);

/*
 * A new numbered folder above all others, in *ret_id; numbered folders that
 * never became a transaction are removed.  Only under the lock.
 */
int state_new_txn(const struct sysroot *root, struct arena *arena,
		  unsigned int *ret_id, struct err *err);

/* Remove the numbered folders that never became a transaction, as far as the
 * disk lets us.  Only under the lock. */
int state_drop_unbegun(const struct sysroot *root, struct arena *arena,
		       struct err *err);

/* Remove a folder that never became a transaction. */
void state_drop_txn(const struct sysroot *root, struct arena *arena,
		    unsigned int id);

/* "/var/lib/nvmetune/txn/0001/NAME" */
char *state_path(const struct sysroot *root, struct arena *arena,
		 unsigned int id, const char *name);
