/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/plan_text.h"
#include "cmd/table.h"

static const struct change *row_of(const void *row)
{
	return row;
}

static void get_id(const void *row, struct cell *cell)
{
	cell_text(cell, row_of(row)->id);
}

static void get_verdict(const void *row, struct cell *cell)
{
	cell_text(cell, verdict_name(row_of(row)->verdict));
}

static void put_value(struct cell *cell, const struct value *value)
{
	cell->kind = CELL_TEXT;
	value_to_text(value, &cell->text);
}

static void get_have(const void *row, struct cell *cell)
{
	put_value(cell, &row_of(row)->have);
}

static void get_want(const void *row, struct cell *cell)
{
	put_value(cell, &row_of(row)->want);
}

static void get_persistence(const void *row, struct cell *cell)
{
	cell_text(cell, persistence_name(row_of(row)->persistence));
}

static void get_reason(const void *row, struct cell *cell)
{
	if (row_of(row)->reason)
		cell_text(cell, row_of(row)->reason);
	else
		cell_none(cell);
}

static const struct column columns[] = {
	{ "id", "CHANGE", get_id, COLUMN_KEY, 0 },
	{ "verdict", "VERDICT", get_verdict, 0, 0 },
	{ "have", "HAVE", get_have, 0, 0 },
	{ "want", "WANT", get_want, 0, 0 },
	{ "persistence", "KEPT BY", get_persistence, 0, 0 },
	{ "reason", "REASON", get_reason, 0, 0 },
	{ NULL, NULL, NULL, 0, 0 },
};

void plan_put_raw(struct strbuf *sb, const struct plan *plan)
{
	const struct table table = {
		.columns = columns,
		.rows = plan->changes.items,
		.n = plan->changes.n,
		.size = sizeof(struct change),
	};

	table_put_raw(sb, &table);
}
