/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "write/journal.h"

/*
 * Who does something, for the journal, and a line about it for the system's
 * log.  Of an image neither is kept: two builds are the same.
 */

struct sysroot;

#define AUDIT_TIME_SIZE 40

/* Now, as journals write it: UTC, ISO 8601. */
void audit_time(char ret[AUDIT_TIME_SIZE]);

/* What goes into ret is borrowed from the environment and from time. */
void audit_who(const struct sysroot *root, char time[AUDIT_TIME_SIZE],
	       struct journal_who *ret);

/* "alice with sudo", "uid 0"; NULL when it is not known. */
char *audit_name(struct arena *arena, const struct journal_who *who);

/*
 * One line: which transaction, of what profile, by whom, and what came of it.
 * Only the live host has a log; nothing is allocated.
 */
void audit_log(const struct sysroot *root, const struct journal_head *head,
	       const char *fmt, ...) __attribute__((format(printf, 3, 4)));
