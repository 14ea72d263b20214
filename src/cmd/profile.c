/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <limits.h>

#include "base/parse.h"
#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/profile_check.h"
#include "cmd/profile_foreign.h"
#include "cmd/profile_show.h"
#include "cmd/table.h"
#include "knobs/knob_list.h"
#include "sys/profile_file.h"
#include "json/write.h"

static void get_name(const void *row, struct cell *cell)
{
	cell_text(cell, ((const struct profile_entry *)row)->name);
}

static void get_summary(const void *row, struct cell *cell)
{
	const struct profile_entry *entry = row;

	if (entry->nr_errors) {
		cell->tone = TONE_BAD;
		cell_printf(cell, "%zu %s: see \"nvmetune profile check %s\"",
			    entry->nr_errors,
			    entry->nr_errors == 1 ? "mistake" : "mistakes",
			    entry->name);
	} else if (entry->summary) {
		cell_text(cell, entry->summary);
	} else {
		cell_none(cell);
	}
}

static void get_file(const void *row, struct cell *cell)
{
	cell_text(cell, ((const struct profile_entry *)row)->file);
}

static void get_replaces(const void *row, struct cell *cell)
{
	const struct profile_entry *entry = row;

	cell_bool(cell, entry->replaces, entry->replaces ? "yes" : "no");
}

static void get_errors(const void *row, struct cell *cell)
{
	const struct profile_entry *entry = row;

	cell_num(cell, num_known((int64_t)entry->nr_errors));
}

static const struct column list_columns[] = {
	{ "name", "NAME", get_name, COLUMN_KEY, 0 },
	{ "summary", "SUMMARY", get_summary, 0, 0 },
	{ "file", "FILE", get_file, 0, 0 },
	{ "replaces_shipped", "REPLACES", get_replaces, COLUMN_DATA, 0 },
	{ "mistakes", "MISTAKES", get_errors, COLUMN_DATA, 0 },
	{ .name = NULL },
};

static void put_document(struct context *ctx, const char *schema,
			 const struct table *table, struct strbuf *out)
{
	struct json_writer json;

	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", schema);
	table_to_json(&json, "profiles", table, ctx->arena);
	json_end(&json);
}

static int list(struct context *ctx, int argc, char **argv, struct err *err)
{
	const struct table_view view = { .color = ctx->color,
					 .width = ctx->width };
	struct profile_list profiles;
	struct table table = { .columns = list_columns,
			       .size = sizeof(struct profile_entry) };
	struct strbuf out;

	(void)argc;
	(void)argv;
	if (profile_list(ctx->root, ctx->arena, knobs_all(), &profiles, err) <
	    0)
		return EXIT_FAILED;
	table.rows = profiles.items.items;
	table.n = profiles.items.n;
	if (table.n == 0)
		out_note("there are no profiles: neither in " SYSCONF_DIR
			 "/nvmetune/profiles nor in " PROFILE_DIR);
	strbuf_init(&out, ctx->arena);
	switch (ctx->format) {
	case OUT_TABLE:
		table_put(&out, &table, &view);
		break;
	case OUT_JSON:
		put_document(ctx, "nvmetune.profiles/1", &table, &out);
		break;
	case OUT_RAW:
		table_put_raw(&out, &table);
		break;
	}
	out_write(&out);
	return EXIT_DONE;
}

static int show(struct context *ctx, int argc, char **argv, struct err *err)
{
	(void)argc;
	return profile_show(ctx, argv[0], err);
}

static int check(struct context *ctx, int argc, char **argv, struct err *err)
{
	return ctx->options.foreign ? profile_foreign(ctx, argc, argv, err) :
				      profile_check(ctx, argc, argv, err);
}

/* What stands behind "profile". */
struct action {
	const char *name;
	const char *args;
	int least; /* operands */
	int most;
	int (*run)(struct context *ctx, int argc, char **argv, struct err *err);
};

static const struct action actions[] = {
	{ "list", "", 0, 0, list },
	{ "show", " NAME", 1, 1, show },
	{ "check", " NAME...", 1, INT_MAX, check },
};

static int profile(struct context *ctx, int argc, char **argv, struct err *err)
{
	const struct action *action = NULL;

	for (size_t i = 0; i < sizeof(actions) / sizeof(actions[0]); i++)
		if (argc > 0 && text_equal(actions[i].name, argv[0]))
			action = &actions[i];
	if (!action)
		return command_usage(&command_profile, err,
				     "say list, show NAME or check NAME...");
	argc--;
	argv++;
	if (argc < action->least || argc > action->most)
		return command_usage(&command_profile, err,
				     "write \"profile %s%s\"", action->name,
				     action->args);
	if (ctx->options.resolved && action->run != show)
		return command_usage(&command_profile, err,
				     "--resolved goes with show");
	if (ctx->options.foreign && action->run != check)
		return command_usage(&command_profile, err,
				     "--foreign goes with check");
	if (context_root(ctx, err) < 0)
		return EXIT_FAILED;
	return action->run(ctx, argc, argv, err);
}

static const struct opt opts[] = {
	{ .name = "resolved",
	  .letter = 'r',
	  OPT_TO(FLAG, resolved),
	  .help = "show: print every setting that counts, with the file and line it comes from" },
	{ .name = "foreign",
	  OPT_TO(FLAG, foreign),
	  .help = "check: the names are udev rules or modprobe.d files that somebody else wrote" },
	OPTS_READ,
	OPT_END,
};

const struct command command_profile = {
	.name = "profile",
	.args = "list | show NAME | check NAME...",
	.summary = "list, show or check profiles",
	.opts = opts,
	.run = profile,
	.details =
		"A NAME with a \"/\" is a file.  Others are looked for in /etc/nvmetune/profiles,\n"
		"then among the profiles shipped with nvmetune.\n"
		"\n"
		"check reports every mistake with file, line and what is legal.  Module\n"
		"parameters are checked against the host, or --facts FILE.\n"
		"\n"
		"check --foreign FILE... reports what is wrong with udev rules or module options\n"
		"for NVMe drives that somebody else wrote: what they match by mistake, what they\n"
		"miss, and what the kernel ignores.",
};
