/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

/*
 * One error, told once.
 *
 * Functions that can fail return 0 or a negative errno.  Where a bare errno
 * would leave the user guessing, the last parameter is a struct err which
 * collects the sentence on the way up: the place that failed says what, each
 * caller that knows more puts its context in front.  Only cmd/ prints it.
 *
 *	return err_set(err, -ERANGE, "%s: %s is above 4294967295", key, text);
 *	...
 *	return err_context(err, "%s:%d", path, line);
 *
 * prints as
 *
 *	nvmetune: latency.ini:12: queue.io_timeout: 0 is below 1
 *
 * The text lives in the struct, so an err needs no release and reporting a
 * failure never allocates.  Foreign bytes are made harmless here, once:
 * control characters and broken UTF-8 become "?".
 */

struct err {
	int code;	/* negative errno, or 0: nothing went wrong */
	char text[512]; /* no trailing period, no newline; cut with "..." */
};

/*
 * All three return err->code, so that failing and saying so is one statement.
 * err may be NULL: the code is returned and the words are lost.
 */
int err_set(struct err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
int err_context(struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* err_set() with ": " and the words for the errno after the sentence. */
int err_errno(struct err *err, int code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
