/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/vec.h"

/*
 * What was read through a root, kept so that a tree can be made of it on which
 * the same reads give the same answers.  A tree alone cannot hold an error
 * or what a drive said, so it has a folder for these.
 */

#define RECORD_DIR "nvmetune.raw"
#define RECORD_ERRORS RECORD_DIR "/errors" /* "13 sys/class/..." a line */

enum seen_kind {
	SEEN_FILE,  /* bytes */
	SEEN_LIST,  /* a folder; bytes holds its names, a NUL behind each */
	SEEN_LINK,  /* the link itself, which leads wherever it does */
	SEEN_PLACE, /* it is there; mode tells what it is */
	SEEN_ERROR, /* why: a positive errno, never ENOENT */
};

struct seen {
	enum seen_kind kind;
	const char *path; /* without leading slash */
	const char *bytes;
	size_t n;
	mode_t mode;
	int why;
};

struct record {
	struct arena *arena;
	VEC(struct seen) seen;
};

/* Each does nothing where record is NULL. */
void record_file(struct record *record, const char *path, const void *bytes,
		 size_t n);
/* Bytes that stand for what was just read there: of a file of which only
 * these are needed, and the rest is nobody's business. */
void record_instead(struct record *record, const char *path, const void *bytes,
		    size_t n);
void record_list(struct record *record, const char *path,
		 const char *const *names, size_t n);
void record_link(struct record *record, const char *path);
void record_place(struct record *record, const char *path, mode_t mode);
/* r is a negative errno. */
void record_error(struct record *record, const char *path, int r);

/* The errors that a tree's own file tells. */
struct kept_error {
	const char *path;
	int why;
};

struct kept_errors {
	VEC(struct kept_error) items; /* sorted by path */
};

/* Lines that are none are left out. */
void kept_errors_parse(struct arena *arena, char *text,
		       struct kept_errors *ret);
/* A negative errno, or 0. */
int kept_errors_find(const struct kept_errors *errors, const char *path);
