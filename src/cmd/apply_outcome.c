/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/apply_outcome.h"

#include "base/parse.h"
#include "cmd/apply_run.h"
#include "cmd/needed.h"
#include "cmd/out.h"
#include "cmd/plan_hash.h"
#include "cmd/plan_text.h"
#include "json/plan_json.h"
#include "json/write.h"

/* Is a parameter of nvme_core among what waits for a reload? */
static bool asks_core(const struct context *ctx)
{
	VEC_EACH(&ctx->plan->changes, const struct change, it)
		if (it->needs & NEED_RELOAD &&
		    text_has_prefix(it->key, "module.nvme_core."))
			return true;
	return false;
}

/* What is left of the plan's needs; a trial leaves nothing behind. */
static unsigned int needs_left(const struct context *ctx,
			       const struct execute_result *result)
{
	unsigned int needs = ctx->options.trial ? 0 : apply_needs(ctx);

	if (result->rebuilt)
		needs &= ~(unsigned int)NEED_INITRAMFS;
	if (result->regenerated)
		needs &= ~(unsigned int)NEED_GRUB;
	if (result->reloaded && (result->core_reloaded || !asks_core(ctx)))
		needs &= ~(unsigned int)NEED_RELOAD;
	return needs;
}

static void put_needs(const struct context *ctx,
		      const struct execute_result *result, struct strbuf *out)
{
	const struct needed needed = {
		.needs = needs_left(ctx, result),
		.command = needed_rebuild(ctx->arena, ctx->facts),
		.units = plan_restarts(ctx->arena, ctx->plan),
	};

	needed_put(out, &needed);
}

static void put_trial(const struct apply_outcome *outcome, struct strbuf *out)
{
	const unsigned int id = outcome->confirm.trial_id;

	if (id)
		strbuf_printf(
			out,
			"trial %u: everything is as before; \"nvmetune history show %u\" keeps what was measured\n",
			id, id);
	else
		strbuf_puts(out, "nothing to try: no value was changed\n");
}

static void put_page(const struct context *ctx,
		     const struct apply_outcome *outcome, struct strbuf *out)
{
	const struct execute_result *result = &outcome->result;

	if (outcome->confirms)
		confirm_put(&outcome->confirm, out);
	if (ctx->options.dry_run)
		strbuf_puts(out, "dry run: nothing was written\n");
	else if (ctx->options.trial)
		put_trial(outcome, out);
	else if (result->id == 0 && outcome->confirms &&
		 confirm_has_rejected(&outcome->confirm))
		strbuf_puts(out, "nothing is kept: the host is as before\n");
	else if (result->id == 0)
		strbuf_printf(
			out,
			"nothing to do: the %s is as profile %s wants it\n",
			ctx->options.image ? "image" : "host",
			ctx->plan->profile);
	else
		strbuf_printf(
			out,
			"transaction %u: %u changed, %u refused, %u failed; \"nvmetune rollback\" takes it back\n",
			result->id, result->changed, result->refused,
			result->failed);
	if (outcome->has_boots) {
		provisional_put(ctx, &outcome->boots, out);
		strbuf_puts(
			out,
			"after the reboot: \"nvmetune confirm --resume\"\n");
	}
	put_needs(ctx, result, out);
}

static void put_needs_json(struct json_writer *json, unsigned int needs)
{
	static const struct {
		enum need need;
		const char *name;
	} names[] = {
		{ NEED_INITRAMFS, "initramfs" }, { NEED_RELOAD, "reload" },
		{ NEED_GRUB, "grub" },		 { NEED_REBOOT, "reboot" },
		{ NEED_RESTART, "restart" },
	};

	json_begin_array(json, "needs");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (needs & names[i].need)
			json_put_text(json, NULL, names[i].name);
	json_end(json);
}

static void put_json(const struct context *ctx,
		     const struct apply_outcome *outcome, struct strbuf *out)
{
	const struct execute_result *result = &outcome->result;
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
	put_needs_json(&json, needs_left(ctx, result));
	if (outcome->confirms) {
		json_begin_object(&json, "confirm");
		confirm_to_json(&outcome->confirm, false, &json);
		json_end(&json);
	}
	if (outcome->has_boots) {
		json_begin_object(&json, "boots");
		provisional_to_json(ctx->arena, &outcome->boots, &json);
		json_end(&json);
	}
	json_end(&json);
}

/* What would be done is a plan, and what was done none. */
static bool shows_plan(const struct context *ctx,
		       const struct apply_outcome *outcome)
{
	return ctx->options.dry_run && !outcome->confirms;
}

static void put_raw(const struct context *ctx,
		    const struct apply_outcome *outcome, struct strbuf *out)
{
	const struct execute_result *result = &outcome->result;

	if (shows_plan(ctx, outcome))
		plan_put_raw(out, ctx->plan);
	else
		strbuf_printf(out, "%u\t%u\t%u\t%u\n", result->id,
			      result->changed, result->refused, result->failed);
}

static int exit_code(const struct context *ctx,
		     const struct apply_outcome *outcome)
{
	const struct execute_result *result = &outcome->result;

	if (result->failed)
		return EXIT_FAILED;
	if (outcome->confirms && !ctx->options.dry_run &&
	    confirm_has_rejected(&outcome->confirm))
		return EXIT_NOT_KEPT;
	if (!ctx->options.detailed_exitcode)
		return EXIT_DONE;
	if (needs_left(ctx, result))
		return EXIT_NEEDED;
	if (ctx->options.dry_run)
		return apply_has_work(ctx) ? EXIT_DIFFERS : EXIT_DONE;
	return result->changed ? EXIT_DIFFERS : EXIT_DONE;
}

int apply_finish(const struct context *ctx, const struct apply_outcome *outcome)
{
	struct strbuf out;

	strbuf_init(&out, ctx->arena);
	switch (ctx->format) {
	case OUT_TABLE:
		put_page(ctx, outcome, &out);
		break;
	case OUT_JSON:
		if (shows_plan(ctx, outcome))
			plan_to_json(ctx->plan, ctx->facts, &out);
		else
			put_json(ctx, outcome, &out);
		break;
	case OUT_RAW:
		put_raw(ctx, outcome, &out);
		break;
	}
	out_write(&out);
	return exit_code(ctx, outcome);
}
