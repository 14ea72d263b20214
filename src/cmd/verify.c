/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/parse.h"
#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/open_txn.h"
#include "cmd/table.h"
#include "cmd/verify_find.h"
#include "core/owner.h"
#include "json/write.h"

static const struct finding *row_of(const void *row)
{
	return row;
}

static void get_state(const void *row, struct cell *cell)
{
	bool drift = row_of(row)->kind == FINDING_DRIFT;

	cell_text(cell, drift ? "drift" : "pending");
	cell->tone = drift ? TONE_BAD : TONE_WARN;
}

static void get_what(const void *row, struct cell *cell)
{
	cell_text(cell, row_of(row)->what);
}

static void get_now(const void *row, struct cell *cell)
{
	cell_text(cell, row_of(row)->now);
}

static void get_applied(const void *row, struct cell *cell)
{
	cell_text(cell, row_of(row)->applied);
}

static void get_why(const void *row, struct cell *cell)
{
	cell_text(cell, row_of(row)->why);
}

static const struct column columns[] = {
	{ "state", "STATE", get_state, 0, 0 },
	{ "what", "WHAT", get_what, COLUMN_KEY, 0 },
	{ "now", "NOW", get_now, 0, 0 },
	{ "applied", "APPLIED", get_applied, 0, 0 },
	{ "why", "WHY", get_why, COLUMN_TEXT, 0 },
	{ NULL, NULL, NULL, 0, 0 },
};

/* Without applied.ini there is no plan. */
static const char *profile_name(const struct context *ctx)
{
	return ctx->plan ? ctx->plan->profile : ctx->applied->profile;
}

static void put_page(const struct findings *findings, const struct table *table,
		     struct strbuf *out)
{
	const struct context *ctx = findings->ctx;
	const struct table_view view = { .color = ctx->color,
					 .width = ctx->width };
	const char *profile = profile_name(ctx);
	const size_t pending = findings->items.n - findings->nr_drift;
	const char *until =
		findings->nr_lost ?
			", but for what is pending" :
			", pending until a reload, a restart or a reboot";

	table_put(out, table, &view);
	if (findings->nr_drift)
		strbuf_printf(out,
			      "%zu drifted: not as profile %s was applied%s\n",
			      findings->nr_drift, profile,
			      findings->nr_conflicts ?
				      "" :
				      "; \"nvmetune apply\" repairs it");
	else
		strbuf_printf(out,
			      "no drift: all is as profile %s was applied%s\n",
			      profile, pending ? until : "");
	VEC_EACH(&ctx->facts->blind, const char *, it)
		out_note("not seen: %s", *it);
}

static void put_json(const struct findings *findings, const struct table *table,
		     struct strbuf *out)
{
	struct context *ctx = findings->ctx;
	struct json_writer json;

	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", "nvmetune.verify/1");
	json_put_text(&json, "profile", profile_name(ctx));
	json_put_uint(&json, "drift", findings->nr_drift);
	json_put_uint(&json, "pending", findings->items.n - findings->nr_drift);
	table_to_json(&json, "findings", table, ctx->arena);
	json_end(&json);
}

static void put(const struct findings *findings)
{
	const struct table table = {
		.columns = columns,
		.rows = findings->items.items,
		.n = findings->items.n,
		.size = sizeof(struct finding),
	};
	struct strbuf out;

	strbuf_init(&out, findings->ctx->arena);
	switch (findings->ctx->format) {
	case OUT_TABLE:
		put_page(findings, &table, &out);
		break;
	case OUT_JSON:
		put_json(findings, &table, &out);
		break;
	case OUT_RAW:
		table_put_raw(&out, &table);
		break;
	}
	out_write(&out);
}

/* 1: there is a profile to verify against, 0: none was applied. */
static int has_applied(const struct context *ctx, struct err *err)
{
	VEC_EACH(&ctx->facts->own_files, const struct own_file, it) {
		if (!text_equal(it->path, OWNER_APPLIED))
			continue;
		if (!it->present.known)
			return err_errno(
				err, -(it->present.why ? it->present.why : EIO),
				OWNER_APPLIED ": cannot read");
		return it->content != NULL;
	}
	return 0;
}

static int nothing_applied(struct context *ctx)
{
	struct strbuf out;
	struct json_writer json;

	strbuf_init(&out, ctx->arena);
	if (ctx->format == OUT_TABLE)
		strbuf_puts(
			&out,
			"nothing to verify: no profile has been applied to stay (there is no " OWNER_APPLIED
			")\n");
	if (ctx->format == OUT_JSON) {
		json_writer_init(&json, &out, JSON_PAGE);
		json_begin_object(&json, NULL);
		json_put_text(&json, "schema", "nvmetune.verify/1");
		json_put_null(&json, "profile");
		json_put_uint(&json, "drift", 0);
		json_put_uint(&json, "pending", 0);
		json_begin_array(&json, "findings");
		json_end(&json);
		json_end(&json);
	}
	out_write(&out);
	return EXIT_DONE;
}

/* applied.ini is not there: did a transaction that stands write it? */
static bool was_applied(struct context *ctx)
{
	struct err ignored = { 0 };

	if (context_applied(ctx, &ignored) < 0 || !ctx->applied)
		return false;
	VEC_EACH(&ctx->applied->files, const struct own_file, it)
		if (text_equal(it->path, OWNER_APPLIED))
			return it->content != NULL;
	return false;
}

static int without_applied(struct findings *findings)
{
	struct context *ctx = findings->ctx;
	struct finding *it;

	if (!was_applied(ctx))
		return nothing_applied(ctx);
	it = findings_add(findings, FINDING_DRIFT, OWNER_APPLIED);
	findings->nr_conflicts++;
	it->now = "absent";
	it->applied = "present";
	it->why = arena_printf(
		ctx->arena,
		"somebody removed it since: nothing else can be compared, and the device helper does nothing; \"nvmetune apply --profile %s\" writes it again",
		profile_name(ctx));
	put(findings);
	return EXIT_DIFFERS;
}

static int verify(struct context *ctx, int argc, char **argv, struct err *err)
{
	struct findings findings = { .ctx = ctx };
	int r = context_root(ctx, err);

	/* Between two writes nothing can be told. */
	if (r == 0 && !ctx->options.facts)
		r = open_txn_check(ctx, true, err);
	if (r == -EBUSY)
		return EXIT_OPEN;
	if (r == 0)
		r = context_facts(ctx, err);
	if (r == 0)
		r = has_applied(ctx, err);
	if (r == 0)
		return without_applied(&findings);
	if (r > 0)
		r = context_plan(ctx, argc, argv, err);
	if (r < 0)
		return EXIT_FAILED;
	findings_of_plan(&findings);
	put(&findings);
	return findings.nr_drift ? EXIT_DIFFERS : EXIT_DONE;
}

static const struct opt opts[] = {
	OPTS_READ,
	OPT_END,
};

const struct command command_verify = {
	.name = "verify",
	.args = "[DRIVE...]",
	.summary = "check that the host is still as it was applied",
	.opts = opts,
	.run = verify,
	.details =
		"Compares the host with /etc/nvmetune/applied.ini and the other files that apply\n"
		"wrote, and says who changed what differs.  No difference is what still waits for\n"
		"a reload in the boot in which it was applied, and what a reset lost that nothing\n"
		"can keep.  What a boot did not bring back is a difference.",
	.exits = "3  the host differs from what was applied\n"
		 "7  a transaction is open: \"nvmetune rollback\" first",
};
