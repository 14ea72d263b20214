/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/apply_run.h"

#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "cmd/interrupt.h"
#include "cmd/out.h"
#include "cmd/plan_hash.h"
#include "cmd/restore_text.h"
#include "core/owner.h"
#include "core/users.h"
#include "knobs/knob_list.h"
#include "json/facts_json.h"
#include "json/plan_json.h"

struct apply {
	struct context *ctx;
	const volatile sig_atomic_t *interrupted;
};

static bool wants_values(const struct context *ctx)
{
	return !ctx->options.persist_only && !ctx->options.image;
}

static bool wants_files(const struct context *ctx)
{
	return !ctx->options.live_only;
}

/* What its option asks for, and the plan needs. */
static bool rebuilds(const struct context *ctx)
{
	return ctx->options.update_initramfs &&
	       apply_needs(ctx) & NEED_INITRAMFS;
}

static bool regenerates(const struct context *ctx)
{
	return ctx->options.update_grub && apply_needs(ctx) & NEED_GRUB;
}

/* Also: nobody is seen to use a drive. */
static bool reloads(const struct context *ctx)
{
	return ctx->options.allow_reload && apply_needs(ctx) & NEED_RELOAD &&
	       !users_of_drives(ctx->arena, ctx->facts);
}

static bool stop(void *data)
{
	const struct apply *apply = data;

	return *apply->interrupted != 0;
}

static void tell_done(const struct context *ctx, const struct step *step)
{
	const char *name = step_name(ctx->arena, step);

	if (step->kind == STEP_VALUE)
		out_note("%s: \"%s\" -> \"%s\"", name, step->before,
			 step->left);
	else if (step->kind == STEP_ACTION)
		out_note("%s: %s", name, step_outcome(step));
	else
		out_note("%s: %s", name,
			 step->new_text ? "written" : "removed");
}

static void tell(void *data, const struct execute_event *event)
{
	const struct apply *apply = data;

	switch (event->what) {
	case EXECUTE_DONE:
		tell_done(apply->ctx, event->step);
		break;
	case EXECUTE_REFUSED:
		out_note("%s: it stays as it is", event->why);
		break;
	case EXECUTE_FAILED:
		out_note("%s: going on without it", event->why);
		break;
	}
}

static void tell_restore(void *data, const struct restore_event *event)
{
	(void)data;
	restore_note(event);
}

struct journal_head apply_head(struct context *ctx, const struct plan *plan,
			       const char *plan_sum)
{
	const struct facts *facts = ctx->facts;
	const char *resolved = plan->intents.resolved;
	char *sum = arena_alloc(ctx->arena, HASH_TEXT_SIZE);

	hash_text(resolved, strlen(resolved), sum);
	return (struct journal_head){
		.sudo_user = ctx->options.image ? NULL : getenv("SUDO_USER"),
		.profile = plan->profile,
		.profile_hash = sum,
		.plan_hash = plan_sum,
		.boot_id = facts->boot_id,
		.kernel = facts->kernel,
		.initramfs = facts->initramfs_tool,
		.persist_only = ctx->options.persist_only,
	};
}

int apply_run(struct context *ctx, unsigned int confirmed_by,
	      struct execute_result *result, struct err *err)
{
	struct apply apply = { .ctx = ctx, .interrupted = interrupt_flag() };
	char sum[HASH_TEXT_SIZE];
	struct strbuf plan, facts;

	strbuf_init(&plan, ctx->arena);
	strbuf_init(&facts, ctx->arena);
	plan_to_json(ctx->plan, ctx->facts, &plan);
	facts_to_json(ctx->facts, &facts);
	hash_text(plan.text, plan.len, sum);

	struct execute_input input = {
		.root = ctx->root,
		.plan = ctx->plan,
		.head = apply_head(ctx, ctx->plan, sum),
		.plan_json = plan.text,
		.facts_json = facts.text,
		.values = wants_values(ctx),
		.files = wants_files(ctx),
		.initramfs = rebuilds(ctx),
		.grub = regenerates(ctx),
		.reload = reloads(ctx),
		.keep_going = ctx->options.keep_going,
		.stop = stop,
		.tell = tell,
		.tell_restore = tell_restore,
		.data = &apply,
	};

	input.head.confirmed_by = confirmed_by;
	return execute_plan(ctx->arena, &input, result, err);
}

int apply_run_on(struct context *ctx, unsigned int id,
		 struct execute_result *result, struct err *err)
{
	struct apply apply = { .ctx = ctx, .interrupted = interrupt_flag() };
	const struct execute_resume_input input = {
		.root = ctx->root,
		.knobs = knobs_all(),
		.stop = stop,
		.tell = tell,
		.tell_restore = tell_restore,
		.data = &apply,
	};

	return execute_resume(ctx->arena, &input, id, result, err);
}

static bool is_same(const struct plan *plan, const char *path)
{
	VEC_EACH(&plan->files, const struct planned_file, it)
		if (text_equal(it->path, path))
			return it->action == FILE_SAME;
	return false;
}

/* Files alone make it true. */
static bool is_of_file(const struct change *change)
{
	return change->verdict == VERDICT_LATER ||
	       (change->verdict == VERDICT_CHANGE &&
		change->target.kind == TARGET_WRAPPER);
}

/* No file is written: what no file holds already is gone after a boot. */
static void show_live_only(const struct plan *plan, struct change *change)
{
	if (is_of_file(change) && !change->pending) {
		change->verdict = VERDICT_CANNOT;
		change->reason =
			change->target.kind == TARGET_MODULE ?
				"the module reads it from a file, and --live-only writes none" :
				"it is in a file, and --live-only writes none";
		change->needs = 0;
	}
	if (change->persistence == PERSIST_RULE &&
	    !is_same(plan, OWNER_RULES)) {
		change->persistence = PERSIST_CANNOT;
		change->persist_reason = "--live-only writes no rule";
	}
	if (change->persistence == PERSIST_HELPER &&
	    !is_same(plan, OWNER_APPLIED)) {
		change->persistence = PERSIST_CANNOT;
		change->persist_reason =
			"--live-only leaves the device helper the old profile";
	}
}

/* No value is changed: it waits for the rule. */
static void show_persist_only(struct change *change)
{
	if (change->verdict != VERDICT_CHANGE || is_of_file(change) ||
	    change->origin == ORIGIN_EFFECT)
		return;
	change->verdict =
		change->persistence == PERSIST_RULE ||
				change->persistence == PERSIST_HELPER ||
				change->persistence == PERSIST_KERNEL ?
			VERDICT_LATER :
			VERDICT_CANNOT;
	change->reason =
		change->verdict == VERDICT_LATER ?
			"--persist-only changes no value: true when the drive appears again, or after a reboot" :
			"--persist-only changes no value, and nothing sets it later";
}

const struct plan *apply_shown(const struct context *ctx)
{
	struct plan *shown = ARENA_NEW(ctx->arena, struct plan);

	*shown = *ctx->plan;
	if (wants_values(ctx) && wants_files(ctx))
		return shown;
	shown->changes.n = shown->changes.cap = 0;
	shown->changes.items = NULL;
	VEC_EACH(&ctx->plan->changes, const struct change, it) {
		struct change *change = vec_add(ctx->arena, &shown->changes);

		*change = *it;
		if (!wants_files(ctx))
			show_live_only(ctx->plan, change);
		if (ctx->options.persist_only)
			show_persist_only(change);
	}
	if (!wants_files(ctx)) {
		shown->files.n = 0;
		shown->splits.n = 0;
		shown->needs = shown->file_needs = 0;
	}
	return shown;
}

bool apply_has_work(const struct context *ctx)
{
	if (rebuilds(ctx) || regenerates(ctx) || reloads(ctx))
		return true;
	if (wants_values(ctx))
		VEC_EACH(&ctx->plan->changes, const struct change, it)
			if (it->verdict == VERDICT_CHANGE &&
			    it->origin != ORIGIN_EFFECT)
				return true;
	if (wants_files(ctx))
		VEC_EACH(&ctx->plan->files, const struct planned_file, it)
			if (it->action != FILE_SAME)
				return true;
	return false;
}

unsigned int apply_needs(const struct context *ctx)
{
	unsigned int needs = ctx->plan->file_needs;

	if (!wants_files(ctx))
		return 0;
	VEC_EACH(&ctx->plan->changes, const struct change, it)
		if (it->verdict == VERDICT_LATER || it->verdict == VERDICT_KEEP)
			needs |= it->needs;
		else
			needs |= it->needs & NEED_GRUB;
	return needs;
}
