/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cmd/out.h"
#include "core/facts.h"

/*
 * One list of columns, three outputs: an aligned table, JSON objects with
 * typed members, tab separated lines.  A column carries the function that
 * fills its cell, so a new column is one row.
 *
 * What is not known reads "unknown" and is null in JSON; what does not apply
 * reads "-" and is left out of JSON.
 */

struct json_writer;

enum cell_kind {
	CELL_UNKNOWN, /* as a cell begins */
	CELL_NONE,    /* does not apply; text, if any, instead of "-" */
	CELL_TEXT,    /* text, which may be foreign */
	CELL_NUMBER,  /* number; text is how a person reads it */
	CELL_BOOL,    /* number is 0 or 1; text as above */
};

struct cell {
	enum cell_kind kind;
	enum tone tone;
	int64_t number;
	struct strbuf text;
	const char *data; /* CELL_TEXT: what JSON and raw get; NULL: text */
};

void cell_none(struct cell *cell);
void cell_text(struct cell *cell, const char *text); /* NULL: unknown */
void cell_printf(struct cell *cell, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void cell_num(struct cell *cell, struct num num);
/* A number that reads as fmt says; an unknown one stays unknown. */
void cell_num_as(struct cell *cell, struct num num, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));
void cell_bool(struct cell *cell, bool yes, const char *text);

enum column_flags {
	COLUMN_RIGHT = 1 << 0,	  /* numbers: aligned at their end */
	COLUMN_DATA = 1 << 1,	  /* for JSON and raw only */
	COLUMN_NOT_JSON = 1 << 2, /* joins what other columns hold */
	COLUMN_KEY = 1 << 3,	  /* names the row: in every view */
	COLUMN_OWN = 1 << 4,	  /* differs from row to row by its nature */
	/* Left out of a table where no row says anything. */
	COLUMN_SPARSE = 1 << 5,
	/* Sentences: folded below their rows where a line is too short. */
	COLUMN_TEXT = 1 << 6,
};

struct column {
	const char *name;   /* JSON member */
	const char *header; /* of the table */
	void (*get)(const void *row, struct cell *cell);
	unsigned int flags;
	unsigned int group; /* tables too wide for a page are split */
};

struct table {
	const struct column *columns; /* ends with a row without name */
	const void *rows;
	size_t n;
	size_t size; /* of one row */
};

struct table_view {
	bool color;
	unsigned int group;  /* of the columns to show; 0: all */
	unsigned int indent; /* spaces in front of each line */
	unsigned int width;  /* of a line; 0: no limit */
};

/*
 * Nothing at all when there are no rows.  A table that is wider than a line
 * goes on below itself, behind an empty line and the key columns again.
 */
void table_put(struct strbuf *sb, const struct table *table,
	       const struct table_view *view);
/* Lines of all columns, tab separated, without a header. */
void table_put_raw(struct strbuf *sb, const struct table *table);
/* An array of objects, one on a line, all columns. */
void table_to_json(struct json_writer *json, const char *key,
		   const struct table *table, struct arena *arena);
/* The members of one row, into the object that is open. */
void table_row_to_json(struct json_writer *json, const struct table *table,
		       const void *row, struct arena *arena);

/*
 * Only the columns in which rows differ, behind the key; ends with a row
 * without name.  Nothing but keys: no row differs.
 */
const struct column *table_differing(const struct table *table,
				     struct arena *arena);

/* "3.84 TB", "512 GB": powers of 1000, as drives are sold. */
void size_to_text(uint64_t bytes, struct strbuf *out);
