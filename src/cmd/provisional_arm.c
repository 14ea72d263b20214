/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>

#include "base/parse.h"
#include "cmd/out.h"
#include "cmd/provisional.h"

const char *provisional_want(struct arena *arena, const struct change *change)
{
	struct strbuf out;

	strbuf_init(&out, arena);
	value_to_text(&change->want, &out);
	return out.text;
}

static const struct change *find_change(struct context *ctx,
					const struct plan *plan,
					const struct provisional_change *of)
{
	const struct change *change = plan_find(plan, of->id);

	return change && text_equal(provisional_want(ctx->arena, change),
				    of->want) ?
		       change :
		       NULL;
}

/* The file that is not as the profile has it; NULL: all are. */
static const char *other_file(const struct plan *plan)
{
	VEC_EACH(&plan->files, const struct planned_file, it)
		if (it->action != FILE_SAME)
			return it->path;
	return NULL;
}

/*
 * A boot without a setting is a boot of before, whatever the reason; but who
 * has applied it, and started anew to measure it, expects the other kind.
 */
void provisional_tell_astray(struct context *ctx,
			     const struct provisional *provisional)
{
	const struct profile *applied = context_previous(ctx);
	struct err ignored = { 0 };
	struct plan *plan;

	if (!applied || context_plan_for(ctx, applied, &plan, &ignored) < 0)
		return;
	VEC_EACH(&provisional->changes, const struct provisional_change, it) {
		const struct change *change = find_change(ctx, plan, it);
		const char *file = other_file(plan);

		if (!change || change->verdict != VERDICT_LATER)
			continue;
		out_note(
			"%s = %s is applied and not in this boot, which counts as one before it: %s%s; see \"nvmetune verify\"",
			it->id, it->want,
			file && !change->pending ? file : "it is written",
			file && !change->pending ?
				" is not as apply wrote it" :
				", and did not reach what was loaded");
	}
}

/* The kernel shows what was written, also where the driver had no ear for it
 * any more. */
static int check_polled(struct context *ctx, struct err *err)
{
	VEC_EACH(&ctx->plan->advice, const struct advice, it)
		if (text_equal(it->id, "poll.half-applied"))
			return err_set(err, -EXDEV, "not comparable: %s: %s",
				       it->subject, it->text);
	return 0;
}

int provisional_find_arm(struct context *ctx,
			 const struct provisional *provisional, int *ret,
			 struct err *err)
{
	const char *before = NULL, *with = NULL;

	VEC_EACH(&provisional->changes, const struct provisional_change, it) {
		const struct change *change = find_change(ctx, ctx->plan, it);

		if (!change)
			return err_set(
				err, -ESTALE,
				"transaction %u measures %s = %s, which profile %s does not ask for: name its profile with --profile",
				provisional->id, it->id, it->want,
				ctx->plan->profile);
		if (change->verdict == VERDICT_KEEP)
			with = it->id;
		else
			before = it->id;
	}
	if (before && with)
		return err_set(
			err, -EXDEV,
			"not comparable: %s is as wanted in this boot and %s is not, see \"nvmetune verify\"",
			with, before);
	*ret = with ? BENCH_AFTER : BENCH_BEFORE;
	return check_polled(ctx, err);
}
