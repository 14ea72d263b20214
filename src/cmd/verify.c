/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/open_txn.h"
#include "cmd/table.h"
#include "core/boot.h"
#include "core/owner.h"
#include "core/runner.h"
#include "write/state.h"
#include "json/write.h"

enum finding_kind {
	FINDING_DRIFT,	 /* not as applied */
	FINDING_PENDING, /* applied in this boot, true after a reload */
};

struct finding {
	enum finding_kind kind;
	const char *what; /* a change's id, or a file */
	const char *now;
	const char *applied;
	const char *why; /* who did it, or what is missing */
};

struct findings {
	struct context *ctx;
	VEC(struct finding) items;
	size_t nr_drift;
	size_t nr_conflicts; /* of these: what apply cannot repair */
	size_t nr_lost;	     /* pending, but for no reload or reboot */
};

static struct finding *add(struct findings *findings, enum finding_kind kind,
			   const char *what)
{
	struct finding *it = vec_add(findings->ctx->arena, &findings->items);

	it->kind = kind;
	it->what = what;
	findings->nr_drift += kind == FINDING_DRIFT;
	return it;
}

static const char *culprits(struct arena *arena, const struct change *change)
{
	struct strbuf sb;

	if (change->origin == ORIGIN_RETURN)
		return change->reason;
	if (change->set_by.n == 0)
		return "no udev rule or option says so: set by hand, or by a program";
	strbuf_init(&sb, arena);
	VEC_EACH(&change->set_by, const char *, it)
		strbuf_printf(&sb, "%s%s", sb.len ? "; " : "set by ", *it);
	return sb.text;
}

static bool is_this_boot(const struct findings *findings)
{
	const struct applied *applied = findings->ctx->applied;

	return applied && applied->boot_id &&
	       text_equal(applied->boot_id, findings->ctx->facts->boot_id);
}

/* Known to be one; a user may not read the journals. */
static bool is_later_boot(const struct findings *findings)
{
	const struct applied *applied = findings->ctx->applied;

	return applied && applied->boot_id && findings->ctx->facts->boot_id &&
	       !is_this_boot(findings);
}

/* What keeps something written from being used: in the file that holds it, in
 * an earlier boot, and in this one. */
struct waiting {
	const char *missing;
	const char *old;
	const char *now;
};

static struct waiting waiting_for_boot(const struct change *change)
{
	const bool is_old = change->needs & NEED_GRUB;

	return (struct waiting){
		.missing = "its word is not in " OWNER_WORDS,
		.old = is_old ?
			       "pending since an earlier boot: grub.cfg is perhaps older than the word" :
			       "pending since an earlier boot, though grub.cfg was made since: a later file of grub.d or another entry keeps it from being used",
		.now = is_old ?
			       "written: true after \"update-grub\" and a reboot" :
			       "true after a reboot",
	};
}

static struct waiting waiting_for_load(const struct findings *findings,
				       const struct change *change)
{
	const bool is_old = boot_image_age(findings->ctx->facts) == IMAGE_OLDER;

	return (struct waiting){
		.missing = "its line in modprobe.d is not there",
		.old = change->needs & NEED_INITRAMFS ?
			       "pending since an earlier boot: an old initramfs or another option keeps it from being used" :
			       "pending since an earlier boot, though the initramfs was built since: another option keeps it from being used",
		.now = is_old ?
			       "written, but the initramfs is older: rebuild it, then reload the module or reboot" :
			       "true after a reload of the module or a reboot",
	};
}

static struct waiting waiting_for_restart(const struct findings *findings,
					  const struct change *change)
{
	return (struct waiting){
		.missing = "our drop-in of its unit is not there",
		.old = "pending since an earlier boot: something else starts it in another way",
		.now = arena_printf(findings->ctx->arena,
				    "true after a restart of %s",
				    change->restart),
	};
}

static struct waiting waiting_of(const struct findings *findings,
				 const struct change *change)
{
	if (change->restart)
		return waiting_for_restart(findings, change);
	return change->persistence == PERSIST_WORD ?
		       waiting_for_boot(change) :
		       waiting_for_load(findings, change);
}

/* What waits for a reload or a boot since this boot is as it was left. */
static void look_at_later(struct findings *findings,
			  const struct change *change)
{
	const struct waiting waiting = waiting_of(findings, change);
	struct finding *it;

	if (change->persistence == PERSIST_CANNOT) {
		it = add(findings, FINDING_DRIFT, change->id);
		it->why = change->persist_reason;
		findings->nr_conflicts++;
	} else if (!change->pending) {
		add(findings, FINDING_DRIFT, change->id)->why = waiting.missing;
	} else if (is_later_boot(findings)) {
		add(findings, FINDING_DRIFT, change->id)->why = waiting.old;
	} else {
		add(findings, FINDING_PENDING, change->id)->why = waiting.now;
	}
}

/* As the plan said it would be; nobody is to be sought.  A boot that it did
 * not outlive is over, and what is missing now is missing for good. */
static void look_at_unkept(struct findings *findings,
			   const struct change *change)
{
	const bool lost = is_later_boot(findings);

	findings->nr_lost += !lost;
	add(findings, lost ? FINDING_DRIFT : FINDING_PENDING, change->id)->why =
		arena_printf(findings->ctx->arena,
			     lost ? "lost since an earlier boot: %s" :
				    "true after another apply: %s",
			     change->persist_reason);
}

/* "nvme0" of its vector "nvme0q0", otherwise the target itself. */
static const char *drive_of(struct arena *arena, const struct change *change)
{
	const char *name = change->target.name;

	return change->target.kind == TARGET_VECTOR ?
		       arena_strndup(arena, name, strcspn(name, "q")) :
		       name;
}

/* The event that it waits for may have come when it had to keep out of the
 * way, or not at all: before 5.18 a reset sends none. */
static void look_at_helpers(struct findings *findings,
			    const struct change *change)
{
	add(findings, FINDING_DRIFT, change->id)->why = arena_printf(
		findings->ctx->arena,
		"the device helper has not set it since; \"nvmetune device %s\" does; %s",
		drive_of(findings->ctx->arena, change),
		culprits(findings->ctx->arena, change));
}

/* A value that differs, and could be changed now. */
static void look_at_value(struct findings *findings,
			  const struct change *change)
{
	const struct applied *applied = findings->ctx->applied;

	if (applied && applied->persist_only && is_this_boot(findings))
		add(findings, FINDING_PENDING, change->id)->why =
			"applied with --persist-only: true after a reboot";
	else if ((change->knob->kept == KEPT_NOT ||
		  change->knob->kept == KEPT_BY_HELPER) &&
		 change->persistence == PERSIST_CANNOT)
		look_at_unkept(findings, change);
	else if (change->persistence == PERSIST_HELPER)
		look_at_helpers(findings, change);
	else
		add(findings, FINDING_DRIFT, change->id)->why =
			culprits(findings->ctx->arena, change);
}

/* Of a service or a wrapper a file that differs is found by itself. */
static void look_at_runner(struct findings *findings,
			   const struct change *change)
{
	if (change->persistence == PERSIST_CANNOT && change->persist_reason) {
		add(findings, FINDING_DRIFT, change->id)->why =
			change->persist_reason;
		findings->nr_conflicts++;
	} else if (change->pending) {
		add(findings, FINDING_PENDING, change->id)->why =
			change->reason;
	}
}

static void look_at_change(struct findings *findings,
			   const struct change *change)
{
	struct arena *arena = findings->ctx->arena;
	const size_t before = findings->items.n;

	if (change->origin == ORIGIN_EFFECT)
		return;
	if (change->knob->kept == KEPT_BY_RUNNER)
		look_at_runner(findings, change);
	else if (change->verdict == VERDICT_LATER)
		look_at_later(findings, change);
	else if (change->verdict == VERDICT_CHANGE)
		look_at_value(findings, change);
	else if (change->verdict == VERDICT_KEEP && change->needs)
		add(findings, FINDING_PENDING, change->id)->why =
			change->reason;
	if (findings->items.n == before)
		return;
	findings->items.items[before].now = value_string(arena, &change->have);
	findings->items.items[before].applied =
		value_string(arena, &change->want);
}

/* An image has no drives: the file of a service or a wrapper near one is for
 * the first apply on a host that was made of it. */
static bool is_left_to_host(const struct findings *findings,
			    const struct planned_file *file)
{
	const struct context *ctx = findings->ctx;
	enum section_kind kind;
	const char *name;

	if (file->action != FILE_CREATE || ctx->options.facts ||
	    !sysroot_exists(ctx->root, STATE_IMAGE_DIR) ||
	    !runner_of_path(ctx->arena, file->path, &kind, &name))
		return false;
	if (ctx->applied)
		VEC_EACH(&ctx->applied->files, const struct own_file, it)
			if (text_equal(it->path, file->path))
				return false;
	return true;
}

static void look_at_file(struct findings *findings,
			 const struct planned_file *file)
{
	struct finding *it;

	if (file->action == FILE_SAME)
		return;
	if (is_left_to_host(findings, file)) {
		it = add(findings, FINDING_PENDING, file->path);
		it->now = "absent";
		it->applied = "present";
		it->why =
			"the image could not know it: \"nvmetune apply\" writes it here";
		findings->nr_lost++;
		return;
	}
	it = add(findings, FINDING_DRIFT, file->path);
	findings->nr_conflicts += file->action == FILE_CONFLICT;
	it->now = file->have ? "changed" : "absent";
	it->applied = file->want ? "present" : "absent";
	it->why = file->reason ? file->reason :
				 "not as nvmetune would write it";
}

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
	it = add(findings, FINDING_DRIFT, OWNER_APPLIED);
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
	VEC_EACH(&ctx->plan->changes, const struct change, change)
		look_at_change(&findings, change);
	VEC_EACH(&ctx->plan->files, const struct planned_file, file)
		look_at_file(&findings, file);
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
