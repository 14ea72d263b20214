/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/plan.h"
#include "write/execute.h"

/*
 * The device helper's half that writes: the values of one drive, as the
 * profile that was applied wants them.  No transaction: what was there before
 * is noted in /run, see write/device_notes.h, and gone with the next boot, as
 * the values are.
 */

struct err;
struct sysroot;

/*
 * The transaction that wrote the applied profile which stands now, in *ret; 0:
 * none did, as in a copy of a golden image.  -EBUSY: a transaction is open, and
 * what it works on is not to be touched.  -ENOENT: there is no state at all,
 * since /var is not mounted yet.
 */
int device_standing(const struct sysroot *root, struct arena *arena,
		    unsigned int *ret, struct err *err);

struct device_input {
	const struct sysroot *root;
	const struct plan *plan; /* of plan_input.by_helper */
	unsigned int txn;	 /* of device_standing(); 0: nothing is noted,
				  * for nothing could take it back */
	const char *ctrl_id;
	const char *boot_id;
	/* A value was written, refused, or could not be.  May be NULL. */
	void (*tell)(void *data, const struct execute_event *event);
	void *data;
};

struct device_result {
	unsigned int changed;
	unsigned int refused;
	unsigned int failed;
};

/*
 * 0 also when something failed, which is told and counted: the rest goes on.
 * Otherwise nothing was written at all, since the values of before could not
 * be noted.
 */
int device_set(struct arena *arena, const struct device_input *input,
	       struct device_result *result, struct err *err);
