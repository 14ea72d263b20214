/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/plan.h"
#include "write/journal.h"

/*
 * What nvmetune has done to this host, from the journals.
 */

struct err;
struct sysroot;

struct history_entry {
	unsigned int id;
	struct journal journal; /* only when damage is NULL */
	const char *damage;	/* why it cannot be read */
};

struct history {
	VEC(struct history_entry) entries; /* oldest first */
};

/*
 * None where there is no state.  A journal that is damaged is an entry with
 * its damage, not an error.  -EACCES: only root may look.
 */
int history_read(const struct sysroot *root, struct arena *arena,
		 struct history *ret, struct err *err);

/* The transaction that blocks apply until rollback: open, half undone or
 * damaged.  NULL: there is none. */
const struct history_entry *history_blocking(const struct history *history);

/* What a trial measured (write/execute.h, TRIAL_RESULT); *ret_text is NULL
 * where nothing is kept of it. */
int history_trial_result(const struct sysroot *root, struct arena *arena,
			 unsigned int id, char **ret_text, struct err *err);

/* "", or what transactions left; profile is NULL when none stands. */
int applied_from_history(const struct sysroot *root, struct arena *arena,
			 const struct knob_set *knobs, struct applied *ret,
			 struct err *err);

/* The same from a history that was read already. */
void applied_fill(struct arena *arena, const struct history *history,
		  const struct knob_set *knobs, struct applied *ret);
