/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/plan.h"
#include "write/journal.h"

/*
 * From a plan to the steps of a transaction: values in the order of the plan,
 * then folders and files, then actions.  The host is looked at once more, and
 * nothing is written.
 */

struct sysroot;

struct steps_input {
	const struct sysroot *root;
	const struct plan *plan;
	bool values;	/* not with --persist-only */
	bool files;	/* not with --live-only */
	bool initramfs; /* built anew behind the files */
	bool grub;	/* grub.cfg likewise */
	/*
	 * nvme.ko is loaded anew at the end: what the drives have already
	 * is lost by that, so it is written again.
	 */
	bool reload;
	/* Leave out what is in conflict instead of failing. */
	bool keep_going;
	/* Told of what is left out, with a sentence.  -ENODEV: its drive has
	 * gone, which fails nothing else.  May be NULL. */
	void (*left_out)(void *data, int code, const char *sentence);
	void *data;
};

/*
 * -EEXIST: a file is not ours or was changed by hand.  -ESTALE: the host is
 * not as the plan saw it.  -EROFS, -EACCES: a file cannot be written.
 */
int steps_from_plan(struct arena *arena, const struct steps_input *input,
		    struct step_list *ret, struct err *err);

/*
 * What each step's attribute is to read when plan, which wants less than the
 * one that the steps are of, is all that is done: the texts of an arm, see
 * arms.h.  NULL: the kernel's own value stands, or it is no value.
 */
const char **steps_wanted(struct arena *arena, const struct step_list *list,
			  const struct plan *plan);

/* The attribute's path for today. */
char *step_path(struct arena *arena, const struct step *step);
