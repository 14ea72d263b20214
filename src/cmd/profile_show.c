/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/profile_show.h"

#include <string.h>

#include "cmd/table.h"
#include "knobs/knob_list.h"
#include "sys/profile_file.h"
#include "sys/profile_search.h"
#include "json/write.h"

#define SCHEMA "nvmetune.profile/1"

/* One setting in its section. */
struct row {
	const struct section *section;
	const struct setting *setting;
	bool overridden; /* by a later section, on every drive */
};

struct rows {
	VEC(struct row) items;
};

static void get_section(const void *at, struct cell *cell)
{
	const struct section *section = ((const struct row *)at)->section;

	cell_printf(cell, "%s%s%s", section_kind_word(section->kind),
		    *section->name ? " " : "", section->name);
}

static void get_key(const void *at, struct cell *cell)
{
	cell_text(cell, ((const struct row *)at)->setting->key);
}

static void get_value(const void *at, struct cell *cell)
{
	cell_text(cell, ((const struct row *)at)->setting->text);
}

static void get_file(const void *at, struct cell *cell)
{
	cell_text(cell, ((const struct row *)at)->setting->file);
}

static void get_line(const void *at, struct cell *cell)
{
	cell_num(cell, num_known(((const struct row *)at)->setting->line));
}

static void get_overridden(const void *at, struct cell *cell)
{
	bool yes = ((const struct row *)at)->overridden;

	cell_bool(cell, yes, yes ? "yes" : "no");
}

/* The same cells in JSON, but for the section: there it is the parent. */
static const struct column columns[] = {
	{ "section", "SECTION", get_section, COLUMN_NOT_JSON, 0 },
	{ "key", "KEY", get_key, 0, 0 },
	{ "value", "VALUE", get_value, 0, 0 },
	{ "overridden", "OVERRIDDEN", get_overridden, 0, 0 },
	{ "file", "FILE", get_file, 0, 0 },
	{ "line", "LINE", get_line, COLUMN_RIGHT, 0 },
	{ .name = NULL },
};

static struct table table_of(const struct rows *rows)
{
	return (struct table){
		.columns = columns,
		.rows = rows->items.items,
		.n = rows->items.n,
		.size = sizeof(struct row),
	};
}

static void add_row(struct context *ctx, const struct profile *profile,
		    const struct section *section,
		    const struct setting *setting, struct rows *ret)
{
	bool overridden = profile_is_shadowed(profile, section, setting);

	if (setting->implied || (overridden && ctx->options.resolved))
		return;
	*vec_add(ctx->arena, &ret->items) = (struct row){
		.section = section,
		.setting = setting,
		.overridden = overridden,
	};
}

static void add_rows(struct context *ctx, const struct profile *profile,
		     const struct section *section, struct rows *ret)
{
	VEC_EACH(&section->settings, const struct setting, it)
		add_row(ctx, profile, section, it, ret);
	VEC_EACH(&section->keys, const struct setting, it)
		add_row(ctx, profile, section, it, ret);
}

static void put_match(struct json_writer *json, const struct match *match)
{
	json_begin_array(json, "match");
	VEC_EACH(&match->terms, const struct match_term, it) {
		json_row(json);
		json_begin_object(json, NULL);
		json_put_text(json, "key", match_key_name(it->key));
		json_put_text(json, "pattern", it->pattern);
		json_put_bool(json, "negated", it->negated);
		json_end(json);
	}
	json_end(json);
}

static void put_section(struct context *ctx, struct json_writer *json,
			const struct profile *profile,
			const struct section *section)
{
	struct rows rows = { 0 };
	struct table table;

	add_rows(ctx, profile, section, &rows);
	table = table_of(&rows);
	json_begin_object(json, NULL);
	json_put_text(json, "kind", section_kind_word(section->kind));
	json_put_text(json, "name", *section->name ? section->name : NULL);
	json_put_text(json, "profile", section->profile);
	json_put_text(json, "file", section->file);
	json_put_uint(json, "line", section->line);
	if (section->kind == SECTION_DRIVES)
		put_match(json, &section->match);
	table_to_json(json, "settings", &table, ctx->arena);
	json_end(json);
}

static void put_json(struct context *ctx, const struct profile *profile,
		     struct strbuf *out)
{
	struct json_writer json;

	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", SCHEMA);
	json_put_text(&json, "name", profile->name);
	json_put_text(&json, "file", profile->file);
	json_put_text(&json, "summary", profile->summary);
	json_put_bool(&json, "resolved", ctx->options.resolved);
	json_begin_array(&json, "chain");
	VEC_EACH(&profile->chain, const char *, it)
		json_put_text(&json, NULL, *it);
	json_end(&json);
	json_begin_array(&json, "sections");
	VEC_EACH(&profile->sections, const struct section, it)
		if (it->kind != SECTION_CONFIRM)
			put_section(ctx, &json, profile, it);
	json_end(&json);
	json_begin_array(&json, "required");
	VEC_EACH(&profile->required, const char *, it)
		json_put_text(&json, NULL, *it);
	json_end(&json);
	json_end(&json);
}

static void put_raw(struct context *ctx, const struct profile *profile,
		    struct strbuf *out)
{
	struct rows rows = { 0 };
	struct table table;

	VEC_EACH(&profile->sections, const struct section, it)
		add_rows(ctx, profile, it, &rows);
	table = table_of(&rows);
	table_put_raw(out, &table);
}

/*
 * The file itself, with its comments.  It was read without a mistake, so
 * there is nothing in it that a terminal would obey.
 */
static int put_file(struct context *ctx, const char *name, struct strbuf *out,
		    struct err *err)
{
	struct profile_bytes bytes;
	int r = profile_find(ctx->root, ctx->arena, NULL, name, &bytes, err);

	if (r == 0)
		strbuf_put(out, bytes.text, bytes.n);
	return r;
}

static int put(struct context *ctx, const char *name,
	       const struct profile *profile, struct strbuf *out,
	       struct err *err)
{
	switch (ctx->format) {
	case OUT_JSON:
		put_json(ctx, profile, out);
		return 0;
	case OUT_RAW:
		put_raw(ctx, profile, out);
		return 0;
	case OUT_TABLE:
		break;
	}
	if (!ctx->options.resolved)
		return put_file(ctx, name, out, err);
	profile_to_text(profile, true, out);
	return 0;
}

int profile_show(struct context *ctx, const char *name, struct err *err)
{
	struct problems problems = { .arena = ctx->arena };
	struct profile profile;
	struct strbuf out;

	if (profile_load(ctx->root, ctx->arena, knobs_all(), name, &profile,
			 &problems) < 0) {
		VEC_EACH(&problems.lines, const char *, it)
			out_note("%s", *it);
		return EXIT_FAILED;
	}
	strbuf_init(&out, ctx->arena);
	if (put(ctx, name, &profile, &out, err) < 0)
		return EXIT_FAILED;
	out_write(&out);
	return EXIT_DONE;
}
