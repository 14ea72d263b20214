/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/table.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/escape.h"
#include "json/write.h"

#define GAP 2U
#define NOTHING "-" /* a cell that does not apply */

void cell_none(struct cell *cell)
{
	cell->kind = CELL_NONE;
}

void cell_text(struct cell *cell, const char *text)
{
	if (!text)
		return;
	cell->kind = CELL_TEXT;
	strbuf_puts(&cell->text, text);
}

static void put_args(struct strbuf *sb, const char *fmt, va_list args)
	__attribute__((format(printf, 2, 0)));

static void put_args(struct strbuf *sb, const char *fmt, va_list args)
{
	char text[256];

	(void)vsnprintf(text, sizeof(text), fmt, args);
	strbuf_puts(sb, text);
}

void cell_printf(struct cell *cell, const char *fmt, ...)
{
	va_list args;

	cell->kind = CELL_TEXT;
	va_start(args, fmt);
	put_args(&cell->text, fmt, args);
	va_end(args);
}

void cell_num(struct cell *cell, struct num num)
{
	cell_num_as(cell, num, "%lld", (long long)num.value);
}

void cell_num_as(struct cell *cell, struct num num, const char *fmt, ...)
{
	va_list args;

	if (!num.known)
		return;
	cell->kind = CELL_NUMBER;
	cell->number = num.value;
	va_start(args, fmt);
	put_args(&cell->text, fmt, args);
	va_end(args);
}

void cell_bool(struct cell *cell, bool yes, const char *text)
{
	cell->kind = CELL_BOOL;
	cell->number = yes;
	strbuf_puts(&cell->text, text);
}

static void fill(const struct table *table, size_t row,
		 const struct column *column, struct arena *arena,
		 struct cell *cell)
{
	memset(cell, 0, sizeof(*cell));
	strbuf_init(&cell->text, arena);
	column->get((const char *)table->rows + row * table->size, cell);
}

/* Foreign text is made harmless here, for all tables. */
static char *shown(const struct cell *cell, struct arena *arena)
{
	struct strbuf sb;

	strbuf_init(&sb, arena);
	if (cell->kind == CELL_UNKNOWN)
		strbuf_puts(&sb, "unknown");
	else if (cell->kind == CELL_NONE && cell->text.len == 0)
		strbuf_puts(&sb, NOTHING);
	else
		escape_to(&sb, cell->text.text);
	return sb.text;
}

/* One column, ready for the eye. */
struct strip {
	const struct column *column;
	size_t width;
	char **texts;
	enum tone *tones;
	bool said; /* some row says something */
};

static void strip_fill(struct strip *strip, const struct table *table,
		       struct arena *arena)
{
	struct cell cell;

	strip->width = strlen(strip->column->header);
	strip->texts = arena_array(arena, table->n, sizeof(*strip->texts));
	strip->tones = arena_array(arena, table->n, sizeof(*strip->tones));
	for (size_t i = 0; i < table->n; i++) {
		size_t width;

		fill(table, i, strip->column, arena, &cell);
		strip->texts[i] = shown(&cell, arena);
		strip->tones[i] = cell.tone;
		if (cell.kind == CELL_UNKNOWN)
			strip->tones[i] = TONE_WARN;
		if (cell.kind != CELL_NONE && strip->texts[i][0])
			strip->said = true;
		width = out_columns(strip->texts[i]);
		if (width > strip->width)
			strip->width = width;
	}
}

static void put_cell(struct strbuf *sb, const struct strip *strip,
		     const char *text, enum tone tone, bool last, bool color)
{
	size_t pad = strip->width - out_columns(text);
	bool right = strip->column->flags & COLUMN_RIGHT;

	if (right)
		strbuf_pad(sb, pad);
	strbuf_puts(sb, tone_on(tone, color));
	strbuf_puts(sb, text);
	strbuf_puts(sb, tone_off(tone, color));
	if (!last)
		strbuf_pad(sb, (right ? 0 : pad) + GAP);
}

struct strips {
	VEC(struct strip) items;
};

static void collect(struct strips *strips, struct arena *arena,
		    const struct table *table, unsigned int group)
{
	for (const struct column *it = table->columns; it->name; it++) {
		struct strip strip = { .column = it };

		if (it->flags & COLUMN_DATA ||
		    (group && it->group != group && !(it->flags & COLUMN_KEY)))
			continue;
		strip_fill(&strip, table, arena);
		if (strip.said || !(it->flags & COLUMN_SPARSE))
			*vec_add(arena, &strips->items) = strip;
	}
}

static bool is_key(const struct strip *strip)
{
	return strip->column->flags & COLUMN_KEY;
}

/* Behind the columns from there on that fit into width beside the keys; one
 * does in any case. */
static size_t part_end(const struct strips *strips, size_t width, size_t from)
{
	size_t used = 0, n = 0;

	VEC_EACH(&strips->items, const struct strip, it)
		used += is_key(it) ? it->width + GAP : 0;
	for (size_t i = from; i < strips->items.n; i++) {
		const struct strip *it = &strips->items.items[i];

		if (is_key(it))
			continue;
		used += it->width;
		if (n++ && used > width)
			return i;
		used += GAP;
	}
	return strips->items.n;
}

static size_t count_parts(const struct strips *strips, size_t width)
{
	size_t n = 0, from = 0;

	do {
		from = part_end(strips, width, from);
		n++;
	} while (from < strips->items.n);
	return n;
}

/* The least width that needs no more parts: none holds a column or two that
 * just did not fit into the one before. */
static size_t even_width(const struct strips *strips, size_t width)
{
	const size_t parts = count_parts(strips, width);

	while (width && count_parts(strips, width - 1) == parts)
		width--;
	return width;
}

/* One line of the keys and of [from, end); row 0 is the header. */
static void put_row(struct strbuf *sb, const struct strips *strips, size_t from,
		    size_t end, size_t row, const struct table_view *view)
{
	const struct strip *last = NULL;

	strbuf_pad(sb, view->indent);
	for (size_t i = 0; i < end; i++)
		if (i >= from || is_key(&strips->items.items[i]))
			last = &strips->items.items[i];
	for (size_t i = 0; i < end; i++) {
		const struct strip *it = &strips->items.items[i];

		if (i >= from || is_key(it))
			put_cell(sb, it,
				 row ? it->texts[row - 1] : it->column->header,
				 row ? it->tones[row - 1] : TONE_STRONG,
				 it == last, view->color);
	}
	strbuf_putc(sb, '\n');
}

/* Takes the sentences out of *strips. */
static void set_apart(struct strips *strips, struct strips *sentences,
		      struct arena *arena)
{
	size_t n = 0;

	VEC_EACH(&strips->items, const struct strip, it) {
		if (it->column->flags & COLUMN_TEXT)
			*vec_add(arena, &sentences->items) = *it;
		else
			strips->items.items[n++] = *it;
	}
	strips->items.n = n;
}

static void put_sentences(struct strbuf *sb, const struct strips *sentences,
			  size_t row, const struct table_view *view)
{
	const unsigned int indent = view->indent + 2 * GAP;

	VEC_EACH(&sentences->items, const struct strip, it) {
		if (strcmp(it->texts[row - 1], NOTHING) == 0)
			continue;
		strbuf_pad(sb, indent);
		strbuf_puts(sb, tone_on(it->tones[row - 1], view->color));
		out_folded(sb, it->texts[row - 1], indent, view->width);
		strbuf_puts(sb, tone_off(it->tones[row - 1], view->color));
		strbuf_putc(sb, '\n');
	}
}

void table_put(struct strbuf *sb, const struct table *table,
	       const struct table_view *view)
{
	struct strips strips = { 0 }, sentences = { 0 };
	size_t width = SIZE_MAX, from = 0;

	if (table->n == 0)
		return;
	collect(&strips, sb->arena, table, view->group);
	if (view->width)
		width = view->width > view->indent ?
				view->width - view->indent :
				0;
	if (count_parts(&strips, width) > 1)
		set_apart(&strips, &sentences, sb->arena);
	if (count_parts(&strips, width) > 1)
		width = even_width(&strips, width);
	do {
		size_t end = part_end(&strips, width, from);

		if (from)
			strbuf_putc(sb, '\n');
		for (size_t row = 0; row <= table->n; row++) {
			put_row(sb, &strips, from, end, row, view);
			if (row && end == strips.items.n)
				put_sentences(sb, &sentences, row, view);
		}
		from = end;
	} while (from < strips.items.n);
}

void table_put_raw(struct strbuf *sb, const struct table *table)
{
	struct cell cell;

	for (size_t i = 0; i < table->n; i++) {
		const char *gap = "";

		for (const struct column *it = table->columns; it->name; it++) {
			fill(table, i, it, sb->arena, &cell);
			strbuf_puts(sb, gap);
			gap = "\t";
			if (cell.kind == CELL_NUMBER)
				strbuf_printf(sb, "%lld",
					      (long long)cell.number);
			else if (cell.kind == CELL_BOOL)
				strbuf_puts(sb, cell.number ? "yes" : "no");
			else if (cell.data)
				escape_to(sb, cell.data);
			else
				strbuf_puts(sb, shown(&cell, sb->arena));
		}
		strbuf_putc(sb, '\n');
	}
}

static void cell_to_json(struct json_writer *json, const char *key,
			 const struct cell *cell)
{
	switch (cell->kind) {
	case CELL_UNKNOWN:
		json_put_null(json, key);
		break;
	case CELL_NONE:
		break;
	case CELL_TEXT:
		json_put_text(json, key,
			      cell->data ? cell->data : cell->text.text);
		break;
	case CELL_NUMBER:
		json_put_int(json, key, cell->number);
		break;
	case CELL_BOOL:
		json_put_bool(json, key, cell->number != 0);
		break;
	}
}

void table_row_to_json(struct json_writer *json, const struct table *table,
		       const void *row, struct arena *arena)
{
	const struct table one = { .columns = table->columns,
				   .rows = row,
				   .n = 1,
				   .size = table->size };
	struct cell cell;

	for (const struct column *it = one.columns; it->name; it++) {
		if (it->flags & COLUMN_NOT_JSON)
			continue;
		fill(&one, 0, it, arena, &cell);
		cell_to_json(json, it->name, &cell);
	}
}

void table_to_json(struct json_writer *json, const char *key,
		   const struct table *table, struct arena *arena)
{
	json_begin_array(json, key);
	for (size_t i = 0; i < table->n; i++) {
		json_row(json);
		json_begin_object(json, NULL);
		table_row_to_json(json, table,
				  (const char *)table->rows + i * table->size,
				  arena);
		json_end(json);
	}
	json_end(json);
}

static bool differs(const struct table *table, const struct column *column,
		    struct arena *arena)
{
	struct cell first, cell;

	fill(table, 0, column, arena, &first);
	for (size_t i = 1; i < table->n; i++) {
		fill(table, i, column, arena, &cell);
		if (cell.kind != first.kind || cell.number != first.number ||
		    strcmp(cell.text.text, first.text.text) != 0)
			return true;
	}
	return false;
}

const struct column *table_differing(const struct table *table,
				     struct arena *arena)
{
	VEC(struct column) kept = { 0 };

	for (const struct column *it = table->columns; it->name; it++) {
		if (it->flags & COLUMN_KEY ||
		    (table->n > 1 && !(it->flags & COLUMN_OWN) &&
		     differs(table, it, arena)))
			*vec_add(arena, &kept) = *it;
	}
	(void)vec_add(arena, &kept);
	return kept.items;
}

static uint64_t rounded(uint64_t number, uint64_t unit)
{
	return number / unit + (number % unit >= (unit + 1) / 2);
}

void size_to_text(uint64_t bytes, struct strbuf *out)
{
	static const char *const units[] = { "B",  "kB", "MB", "GB",
					     "TB", "PB", "EB" };
	uint64_t unit = 1;
	uint64_t hundredths;
	size_t i = 0;

	for (; bytes / unit >= 1000; unit *= 1000)
		i++;
	if (i == 0 || bytes / unit >= 100) {
		strbuf_printf(out, "%llu %s",
			      (unsigned long long)rounded(bytes, unit),
			      units[i]);
		return;
	}
	hundredths = rounded(bytes, unit / 100);
	strbuf_printf(out, "%llu.%02llu %s",
		      (unsigned long long)(hundredths / 100),
		      (unsigned long long)(hundredths % 100), units[i]);
}
