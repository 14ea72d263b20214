/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "write/execute.h"

/*
 * Carry out the steps of a transaction that was begun, or begun and broken
 * off: what is done already is passed over.
 */

struct carry {
	const struct execute_input *input;
	struct arena *arena;
	struct txn *txn;
	const char **paths; /* of the attribute of each step */
	struct execute_result *result;
	struct err *err;
};

/* Takes all the memory that the steps need: nothing is allocated after it. */
void carry_prepare(struct carry *run, const struct step_list *list);

/* The same drives under today's names, which a boot or a reload moves. */
void carry_find_again(struct carry *run);

/* All steps, up to the commit.  On failure some are done, and it is open. */
int carry_steps(struct carry *run);

/* -EINTR when the input's stop says so. */
int carry_check_stop(struct carry *run);

/* Count and tell; step NULL: why says it all. */
void carry_tell(struct carry *run, enum execute_what what,
		const struct step *step, const char *why);
