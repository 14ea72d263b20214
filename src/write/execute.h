/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/plan.h"
#include "write/arms.h"
#include "write/restore.h"
#include "write/txn.h"

/*
 * Do what a plan says, as one transaction: all of it or, after a failure or a
 * signal, nothing of it.
 *
 * New files are written beside the old ones first: a full disk or a folder
 * that is read-only is found before the first value changes.  Then come the
 * values in the order of the plan, then the files take their places, each
 * with one rename.  A module is loaded anew at the very end, and then the
 * values of the drives that it brought back are written again.
 */

struct err;
struct knob_set;
struct sysroot;

enum execute_what {
	EXECUTE_DONE,	 /* a value or a file is as planned now */
	EXECUTE_REFUSED, /* the kernel or the drive does not do it: it stays */
	EXECUTE_FAILED,	 /* --keep-going: it stays, and the rest goes on */
};

struct execute_event {
	enum execute_what what;
	const struct step *step; /* NULL: why says it all */
	const char *why;	 /* EXECUTE_REFUSED, EXECUTE_FAILED */
};

struct execute_input {
	const struct sysroot *root;
	const struct plan *plan;
	struct journal_head head; /* see txn_begin() */
	const char *plan_json;
	const char *facts_json;
	bool values;
	bool files;
	bool grub;	/* make grub.cfg anew likewise */
	bool initramfs; /* build it anew when the files are in place */
	bool reload;	/* then load nvme anew, if nobody uses a drive */
	bool keep_going;
	/* Asked before each step; true: undo.  May be NULL. */
	bool (*stop)(void *data);
	void (*tell)(void *data, const struct execute_event *event);
	void (*tell_restore)(void *data, const struct restore_event *event);
	void *data;
};

/* The number that an event adds to. */
unsigned int *execute_count(enum execute_what what, unsigned int *done,
			    unsigned int *refused, unsigned int *failed);

struct execute_result {
	unsigned int id; /* of the transaction; 0: there was nothing to do */
	unsigned int changed; /* values and files */
	unsigned int refused;
	unsigned int failed; /* --keep-going */
	bool rebuilt;	     /* the initramfs */
	bool regenerated;    /* grub.cfg */
	bool reloaded;	     /* nvme */
	bool core_reloaded;  /* nvme_core with it */
	bool undone;	     /* it failed, and all is as before */
};

/*
 * 0: committed, or nothing to do.  A negative errno otherwise: -EINTR when
 * stopped.  result->undone says whether the host is as before; if not, the
 * transaction is open and rollback is the way on.
 */
int execute_plan(struct arena *arena, const struct execute_input *input,
		 struct execute_result *result, struct err *err);

struct execute_trial_input {
	const struct sysroot *root;
	const struct plan *plan;
	struct journal_head head;
	const char *plan_json;
	const char *facts_json;
	/* Called with every value as it was: measures, switching the arms to
	 * and fro as it likes. */
	int (*measure)(void *data, const struct arms *arms, struct err *err);
	/* Asked behind it, also when it failed: the text that is kept beside
	 * the journal as TRIAL_RESULT, or NULL for nothing. */
	const char *(*result)(void *data);
	void (*tell_restore)(void *data, const struct restore_event *event);
	void *data;
};

#define TRIAL_RESULT "confirm.json"

struct execute_trial_result {
	unsigned int id; /* of the transaction; 0: no value would change */
	bool undone;	 /* everything reads as before */
};

/*
 * A transaction that only measures: all that the plan would write is recorded
 * first, and whatever measure does, everything is as before in the end.  No
 * file is written.  After a crash it is open like any other, and rollback
 * takes it back.
 */
int execute_trial(struct arena *arena, const struct execute_trial_input *input,
		  struct execute_trial_result *result, struct err *err);

struct execute_resume_input {
	const struct sysroot *root;
	const struct knob_set *knobs; /* to know what the kernel rounds */
	bool (*stop)(void *data);     /* as above */
	void (*tell)(void *data, const struct execute_event *event);
	void (*tell_restore)(void *data, const struct restore_event *event);
	void *data;
};

/*
 * Carry on with a transaction that a crash left open, in the boot that it
 * began in.  Everything is looked at first: what is neither as it was nor as
 * it is to be is somebody's.  -EBUSY: it is being taken back.  -ESTALE: it is
 * of another boot.  -EEXIST: something was changed since.  With these three
 * nothing was written, and the transaction stays open; otherwise as for
 * execute_plan().
 */
int execute_resume(struct arena *arena,
		   const struct execute_resume_input *input, unsigned int id,
		   struct execute_result *result, struct err *err);
