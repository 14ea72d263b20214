/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "write/journal.h"

/*
 * A journal that is being written: one apply, or the undoing of one.
 *
 *	txn_begin()			every step is on disk
 *	txn_start(), write, txn_done()	for each step; start is durable
 *	txn_commit()
 *
 *	txn_undo(), writes, txn_undone()
 *
 * Memory and disk space for all the lines to come are taken by txn_begin()
 * and, as far as a disk that is full by then has it, by txn_reopen(); from
 * there on nothing here allocates.
 */

struct err;
struct sysroot;

struct txn {
	const struct sysroot *root;
	struct arena *arena;
	struct journal journal;
	int fd;
	struct strbuf line;
};

struct txn_begin_input {
	struct journal_head head; /* but for id, time and uid */
	struct step_list list;
	const char *plan_json;
	const char *facts_json;
};

/*
 * On failure nothing of it is left behind, and nothing has begun.  Step
 * numbers are set here.
 */
int txn_begin(const struct sysroot *root, struct arena *arena,
	      const struct txn_begin_input *input, struct txn **ret,
	      struct err *err);

/* One that was begun before; a torn last line is cut off. */
int txn_reopen(const struct sysroot *root, struct arena *arena, unsigned int id,
	       struct txn **ret, struct err *err);

/* Only its journal, to look at. */
int txn_read(const struct sysroot *root, struct arena *arena, unsigned int id,
	     struct journal *ret, struct err *err);

/* Now, as journals write it: UTC, ISO 8601. */
const char *txn_time(struct arena *arena);

int txn_start(struct txn *txn, struct step *step, struct err *err);
/* left: what the attribute reads now; NULL for files and folders. */
int txn_done(struct txn *txn, struct step *step, const char *left,
	     struct err *err);
int txn_refused(struct txn *txn, struct step *step, const char *why,
		struct err *err);
int txn_commit(struct txn *txn, struct err *err);
int txn_undo(struct txn *txn, bool force, struct err *err);
int txn_undone(struct txn *txn, struct err *err);

void txn_close(struct txn *txn); /* NULL is fine */
void txn_closep(struct txn **txn);
#define _cleanup_txn_ __attribute__((cleanup(txn_closep)))
