/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cmd/apply_run.h"
#include "cmd/command_list.h"
#include "cmd/needed.h"
#include "cmd/open_txn.h"
#include "cmd/out.h"
#include "cmd/plan_hash.h"
#include "cmd/plan_text.h"
#include "write/lock.h"
#include "json/write.h"

/* What may be wrong with how the options stand together. */
static int check_options(const struct context *ctx, int argc, struct err *err)
{
	const struct options *options = &ctx->options;

	if (argc && !options->live_only)
		return command_usage(
			&command_apply, err,
			"a drive can be chosen for live changes only, what persists follows the profile: add --live-only");
	return EXIT_DONE;
}

static bool is_root_needed(const struct context *ctx)
{
	return sysroot_is_live(ctx->root) && geteuid() != 0 &&
	       !ctx->options.dry_run;
}

static int check_expected(const struct context *ctx, struct err *err)
{
	char sum[HASH_TEXT_SIZE];

	if (!ctx->options.expect)
		return 0;
	plan_hash(ctx->arena, ctx->plan, ctx->facts, sum);
	if (strcmp(sum, ctx->options.expect) == 0)
		return 0;
	return err_set(
		err, -ESTALE,
		"the plan is not the expected one but %s; nothing was changed",
		sum);
}

/* --strict: every refusal is named, and nothing is written. */
static int check_strict(const struct context *ctx, struct err *err)
{
	size_t n = plan_count(ctx->plan, VERDICT_CANNOT);

	if (!ctx->options.strict || n == 0)
		return 0;
	VEC_EACH(&ctx->plan->changes, const struct change, it)
		if (it->verdict == VERDICT_CANNOT)
			out_note("%s: cannot: %s", it->id, it->reason);
	return err_set(
		err, -EOPNOTSUPP,
		"--strict: %zu of the settings cannot be had here; nothing was changed",
		n);
}

static void put_plan(const struct context *ctx)
{
	const struct plan_view view = {
		.plan = ctx->plan,
		.facts = ctx->facts,
		.wide = ctx->options.wide,
		.color = ctx->color,
		.width = ctx->width,
	};
	struct strbuf out;

	if (ctx->format != OUT_TABLE)
		return;
	strbuf_init(&out, ctx->arena);
	plan_put(&out, &view);
	out_write(&out);
}

static void put_needs(const struct context *ctx, struct strbuf *out)
{
	unsigned int needs = apply_needs(ctx);

	if (needs)
		needed_put(out,
			   needs & NEED_INITRAMFS ?
				   needed_initramfs(ctx->arena,
						    ctx->facts->initramfs_tool,
						    ctx->facts->kernel) :
				   NULL);
}

static void put_page(const struct context *ctx,
		     const struct execute_result *result, struct strbuf *out)
{
	if (ctx->options.dry_run)
		strbuf_puts(out, "dry run: nothing was written\n");
	else if (result->id == 0)
		strbuf_printf(
			out,
			"nothing to do: the host is as profile %s wants it\n",
			ctx->plan->profile);
	else
		strbuf_printf(
			out,
			"transaction %u: %u changed, %u refused, %u failed; \"nvmetune rollback\" takes it back\n",
			result->id, result->changed, result->refused,
			result->failed);
	put_needs(ctx, out);
}

static void put_json(const struct context *ctx,
		     const struct execute_result *result, struct strbuf *out)
{
	unsigned int needs = apply_needs(ctx);
	struct json_writer json;
	char sum[HASH_TEXT_SIZE];

	plan_hash(ctx->arena, ctx->plan, ctx->facts, sum);
	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", "nvmetune.apply/1");
	json_put_text(&json, "profile", ctx->plan->profile);
	json_put_text(&json, "plan_hash", sum);
	json_put_bool(&json, "dry_run", ctx->options.dry_run);
	if (result->id)
		json_put_uint(&json, "transaction", result->id);
	json_put_uint(&json, "changed", result->changed);
	json_put_uint(&json, "refused", result->refused);
	json_put_uint(&json, "failed", result->failed);
	json_begin_array(&json, "needs");
	if (needs & NEED_INITRAMFS)
		json_put_text(&json, NULL, "initramfs");
	if (needs & NEED_RELOAD)
		json_put_text(&json, NULL, "reload");
	json_end(&json);
	json_end(&json);
}

static void put_raw(const struct execute_result *result, struct strbuf *out)
{
	strbuf_printf(out, "%u\t%u\t%u\t%u\n", result->id, result->changed,
		      result->refused, result->failed);
}

static int exit_code(const struct context *ctx,
		     const struct execute_result *result)
{
	if (result->failed)
		return EXIT_FAILED;
	if (!ctx->options.detailed_exitcode)
		return EXIT_DONE;
	if (apply_needs(ctx))
		return EXIT_NEEDED;
	if (ctx->options.dry_run)
		return apply_has_work(ctx) ? EXIT_DIFFERS : EXIT_DONE;
	return result->changed ? EXIT_DIFFERS : EXIT_DONE;
}

static int finish(const struct context *ctx,
		  const struct execute_result *result)
{
	struct strbuf out;

	strbuf_init(&out, ctx->arena);
	switch (ctx->format) {
	case OUT_TABLE:
		put_page(ctx, result, &out);
		break;
	case OUT_JSON:
		put_json(ctx, result, &out);
		break;
	case OUT_RAW:
		put_raw(result, &out);
		break;
	}
	out_write(&out);
	return exit_code(ctx, result);
}

static int execute(struct context *ctx, struct execute_result *result,
		   struct err *err)
{
	int r = apply_run(ctx, result, err);

	if (r < 0 && result->undone)
		out_note("transaction %u is undone, the host is as before",
			 result->id);
	return r;
}

/* Everything from the lock on. */
static int apply_locked(struct context *ctx, int argc, char **argv,
			struct err *err)
{
	struct execute_result result = { 0 };
	int r = open_txn_check(ctx, err);

	if (r == -EBUSY)
		return EXIT_OPEN;
	if (r == 0)
		r = context_plan(ctx, argc, argv, err);
	if (r == 0)
		r = check_expected(ctx, err);
	if (r < 0)
		return EXIT_FAILED;
	put_plan(ctx);
	r = check_strict(ctx, err);
	if (r == 0 && !ctx->options.dry_run && apply_has_work(ctx))
		r = execute(ctx, &result, err);
	return r < 0 ? EXIT_FAILED : finish(ctx, &result);
}

static int apply(struct context *ctx, int argc, char **argv, struct err *err)
{
	_cleanup_close_ int lock = -1;
	int r = check_options(ctx, argc, err);

	if (r != EXIT_DONE)
		return r;
	r = context_root(ctx, err);
	if (r == 0 && is_root_needed(ctx))
		r = err_set(err, -EPERM,
			    "apply changes the host: only root may");
	if (r < 0)
		return EXIT_FAILED;
	if (!ctx->options.dry_run) {
		r = lock_take(ctx->root, ctx->arena, ctx->options.wait, &lock,
			      err);
		if (r < 0)
			return r == -EBUSY ? EXIT_LOCKED : EXIT_FAILED;
	}
	return apply_locked(ctx, argc, argv, err);
}

static const struct opt opts[] = {
	OPT_PROFILE,
	{ .name = "dry-run",
	  .letter = 'n',
	  OPT_TO(FLAG, dry_run),
	  .help = "show what would be done, write nothing anywhere" },
	{ .name = "live-only",
	  OPT_TO(FLAG, live_only),
	  .help = "change values, write no files: gone after a reboot",
	  .excludes = "persist-only" },
	{ .name = "persist-only",
	  OPT_TO(FLAG, persist_only),
	  .help = "write files, change no values: true after a reboot" },
	{ .name = "expect",
	  OPT_TO(TEXT, expect),
	  .arg = "HASH",
	  .help = "only if the plan is exactly the one that was reviewed" },
	{ .name = "strict",
	  OPT_TO(FLAG, strict),
	  .help = "fail before the first write if anything cannot be had" },
	{ .name = "keep-going",
	  OPT_TO(FLAG, keep_going),
	  .help = "a change that fails does not undo the others" },
	{ .name = "wait",
	  OPT_TO(NUMBER, wait),
	  .arg = "SECONDS",
	  .given = offsetof(struct options, wait_given),
	  .help = "wait so long for another nvmetune to end" },
	{ .name = "detailed-exitcode",
	  OPT_TO(FLAG, detailed_exitcode),
	  .help = "exit 3 when something was changed, 4 when a reload or reboot is missing" },
	{ .name = "wide",
	  .letter = 'w',
	  OPT_TO(FLAG, wide),
	  .help = "show what stays, and the text of the files, in full" },
	OPT_FORMAT,
	OPT_SYSROOT,
	OPT_END,
};

const struct command command_apply = {
	.name = "apply",
	.args = "[DRIVE...]",
	.summary = "make this host equal a profile, now and after a reboot",
	.opts = opts,
	.run = apply,
	.details =
		"Shows the plan and carries it out as one transaction: all of it, or after a\n"
		"failure or an interrupt nothing of it.  \"nvmetune rollback\" takes it back, also\n"
		"after a reboot.  A second apply finds nothing to do.",
	.exits = "3  something was changed (--detailed-exitcode)\n"
		 "4  a reload or a reboot is missing (--detailed-exitcode)\n"
		 "6  another nvmetune is at work\n"
		 "7  a transaction is open: \"nvmetune rollback\" first",
};
