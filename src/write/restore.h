/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "write/txn.h"

/*
 * Bring back what a transaction found: after a failure, by rollback, and
 * when a measurement rejects a change.
 *
 * Values are written in the order in which they were applied, since that
 * order is what makes them stick: the scheduler first, since it resets
 * nr_requests, and read_ahead_kb last, since every queue limit resets it.
 * Files come before values, so that no rule applies again what is being
 * taken back.
 */

struct err;
struct sysroot;

enum restore_what {
	RESTORE_DONE,	  /* written, or removed */
	RESTORE_CONFLICT, /* not as we left it: stays as it is */
	RESTORE_GONE,	  /* its drive is not there now, or a boot took it */
	RESTORE_FAILED,
};

struct restore_event {
	enum restore_what what;
	const struct step *step;
	/* What it was found as; NULL for a file that is absent, and when it
	 * could not be read. */
	const char *now;
	const char *why; /* RESTORE_FAILED, RESTORE_GONE: the sentence */
};

struct restore {
	const struct sysroot *root;
	bool force; /* what is in conflict is overwritten */
	void (*tell)(void *data, const struct restore_event *event);
	void *data;
};

struct restore_count {
	unsigned int done;
	unsigned int conflicts;
	unsigned int gone;
	unsigned int failed;
};

/*
 * Everything is looked at before anything is written.  Counts are added to
 * *count.  0 also with conflicts and drives that are gone: the transaction
 * is undone then.  -EIO when something could not be brought back: the
 * transaction stays open, so that it can be tried again; with force it is
 * closed nevertheless, and what failed counts as kept.  Another negative errno
 * when the journal cannot be written: of a transaction that was open everything
 * is brought back all the same, of any other nothing is touched.
 */
int restore_run(const struct restore *restore, struct txn *txn,
		struct restore_count *count, struct err *err);

/*
 * The same for values that no transaction has: those that the device helper
 * wrote.  Steps that are done go back to their before where they still read
 * as they were left; in the middle of its work (JOURNAL_OPEN) also what it may
 * have moved.
 */
void restore_values_of(const struct restore *restore, struct arena *arena,
		       struct journal *notes, struct restore_count *count);
