/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/knob.h"
#include "write/history.h"
#include "write/restore.h"

/*
 * Undo transactions, newest first.  Needs nothing but the journals: it works
 * in a later boot, after a crash, when a drive has gone, and twice.
 */

struct rollback_input {
	const struct sysroot *root;
	/* Undo this one and all that are newer; 1 is "before nvmetune".
	 * 0: down to the one that is open, otherwise the newest that is no
	 * trial, and if that is undone already, nothing. */
	unsigned int down_to;
	bool force;
	const struct knob_set *knobs; /* to know what the kernel rounds */
	/* Asked before each transaction; true: no further one.  One that has
	 * begun is ended.  May be NULL. */
	bool (*stop)(void *data);
	/* A transaction is next.  May be NULL. */
	void (*begin)(void *data, const struct journal *journal);
	void (*tell)(void *data, const struct restore_event *event);
	void *data;
};

struct rollback_result {
	unsigned int newest; /* transaction there is; 0: none at all */
	unsigned int undone; /* how many were, now */
	unsigned int kept;   /* values and files of the newest that an earlier
				rollback left, being in conflict */
	struct restore_count count;
	bool modules;	       /* a file of modprobe.d was put back */
	bool words;	       /* that of grub.d was */
	bool regenerated;      /* and the caller made grub.cfg anew */
	bool rebuilt;	       /* and the caller the initramfs */
	const char *initramfs; /* the tool that builds it, or NULL */
	const char *kernel;    /* for which it was when apply ran, or NULL */
	/* Whose drop-ins were put back: "irqbalance.service", or NULL. */
	const char *units;
};

/*
 * 0 also when there was nothing to do, and with conflicts.  -ENOENT: no such
 * transaction.  -EBADMSG: a journal that is damaged; nothing was written.
 * -EINTR: stopped; what is undone by then is counted in *result.
 */
int rollback_run(struct arena *arena, const struct rollback_input *input,
		 struct rollback_result *result, struct err *err);
