/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "core/value.h"

/*
 * One sysfs attribute, as text; or one feature of a drive, which is found as
 * "feature/08" below the controller's folder (write/feature.h).  Nothing here
 * allocates but the page of a command: it is called between the first write
 * and the commit.
 *
 * A value is what the attribute would be written with: of a list like
 * "[none] mq-deadline" the word in brackets, otherwise the whole text.
 */

struct err;
struct sysroot;

/* Negative errno; -EBADMSG when it is longer than any value. */
int attr_read(const struct sysroot *root, const char *path,
	      char ret[VALUE_TEXT_SIZE]);

/*
 * One write; while the kernel is busy with the queue it is tried again, for
 * half a second.
 */
int attr_write(const struct sysroot *root, const char *path, const char *text);
/* The same; err gets why, in words and without the path. */
int attr_write_told(const struct sysroot *root, const char *path,
		    const char *text, struct err *err);

/*
 * Write a number that the attribute may show already while the hardware has
 * another: one less first.  Under scheduler none, nr_requests after a round
 * trip through another scheduler is such a one (block/blk-mq.c,
 * blk_mq_update_nr_requests() up to 7.3).
 */
int attr_write_nudged(const struct sysroot *root, const char *path,
		      const char *text);

/*
 * The kernel or the drive does not do this: not supported, not changeable,
 * no such attribute, no interrupt vector left on those CPUs, no such drive any
 * more.  Others are failures.
 */
bool attr_is_refusal(int code);

/* Of reading: the attribute or its drive is not there.  Others mean that it
 * cannot be told what it holds. */
bool attr_is_gone(int code);
