/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/provisional.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "cmd/calibrate.h"
#include "cmd/command_list.h"
#include "cmd/confirm_shape.h"
#include "core/owner.h"
#include "write/history.h"
#include "write/txn.h"

#define BOOT_NEEDS (NEED_RELOAD | NEED_REBOOT | NEED_GRUB | NEED_INITRAMFS)

/* A restart of a service is no boot: what it starts is not what we measure. */
static bool is_of_boot(const struct change *change)
{
	return change->verdict == VERDICT_LATER &&
	       change->origin == ORIGIN_PROFILE && change->needs & BOOT_NEEDS &&
	       change->knob->evidence != EVIDENCE_NONE;
}

bool provisional_is_wanted(const struct plan *plan)
{
	VEC_EACH(&plan->changes, const struct change, it)
		if (is_of_boot(it))
			return true;
	return false;
}

static void take_changes(struct context *ctx, struct provisional *provisional)
{
	VEC_EACH(&ctx->plan->changes, const struct change, it)
		if (is_of_boot(it))
			*vec_add(ctx->arena, &provisional->changes) =
				(struct provisional_change){
					.id = it->id,
					.want = provisional_want(ctx->arena,
								 it),
				};
}

/* Whose drive it is, whatever it is called after the next boot. */
static const char *drive_text(struct context *ctx,
			      const struct load_drive *drive,
			      const struct bench_method *method)
{
	const struct ctrl *ctrl = facts_ns_ctrl(ctx->facts, drive->ns);
	const char *name = drive->ns->wwid;

	if (!name)
		name = ctrl && ctrl->serial ? ctrl->serial : drive->ns->name;
	/* Of a drive in use; free, its figures are of another kind. */
	return method->most_iops ?
		       arena_printf(ctx->arena, "%s at %u a second at most",
				    name, method->most_iops) :
		       name;
}

static int compare_texts(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Drives by their own names, as they may be found in another order. */
static const char *load_text(struct context *ctx, const struct load *load,
			     const struct meter *meter)
{
	const struct bench_method *methods = meter->team.methods;
	const size_t n = load->drives.n;
	const char **drives = arena_array(ctx->arena, n, sizeof(*drives));
	struct strbuf out;

	strbuf_init(&out, ctx->arena);
	strbuf_puts(&out, meter_text(meter));
	if (!meter->is_workload)
		strbuf_printf(&out, " by %s", methods->engine);
	for (size_t i = 0; i < n; i++)
		drives[i] =
			drive_text(ctx, &load->drives.items[i], &methods[i]);
	qsort(drives, n, sizeof(*drives), compare_texts);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(&out, "%s%s", i ? ", " : " on ", drives[i]);
	return out.text;
}

static int measure(struct context *ctx, const struct load *load,
		   const struct confirm_shape *reads,
		   struct provisional *provisional, struct boot *boot,
		   struct err *err)
{
	struct meter meter = { 0 };
	struct calibration calibration = {
		.ctx = ctx,
		.meter = &meter,
		.rule = decide_rule_default,
	};
	int r = calibration_measure(&calibration, load, reads, err);

	if (r < 0)
		return r;
	if (provisional->boots.items.n == 0)
		provisional->boots.metric = calibration.trial.metric;
	boot->load = load_text(ctx, load, &meter);
	for (int i = 0; i < BENCH_METRICS; i++)
		boot->metrics[i] = calibration_median(&calibration.trial,
						      (enum bench_metric)i);
	return boots_add(ctx->arena, &provisional->boots, boot, err);
}

/* With a command, drives are its own affair. */
static int measure_boot(struct context *ctx, int which,
			struct provisional *provisional, struct err *err)
{
	struct boot boot = {
		.boot_id = ctx->facts->boot_id,
		.kernel = ctx->facts->kernel,
		.time = txn_time(ctx->arena),
		.which = which,
	};
	const struct drives all = { 0 };
	const struct load_request request = {
		.facts = ctx->facts,
		.drives = &all,
		.in_use = ctx->options.in_use,
		.node = BINDING_NO_NODE,
	};
	struct load load = { 0 };
	struct confirm_shape shape = { 0 };
	int r = boots_check(&provisional->boots, &boot, err);

	if (r == 0 && confirm_shape_read(&command_confirm, &ctx->options,
					 &shape, err) != EXIT_DONE)
		r = -EINVAL;
	if (r == 0 && !boot.boot_id)
		r = err_set(
			err, -ENODATA,
			"which boot this is cannot be told: /proc/sys/kernel/random/boot_id is not there");
	if (r == 0 && !ctx->options.workload)
		r = load_open(ctx->arena, &request, &load, err);
	if (r == 0 && !ctx->options.workload && load.drives.n == 0)
		r = err_set(err, -ENODEV, "no drive could be read");
	if (r == 0)
		r = measure(ctx, &load, &shape, provisional, &boot, err);
	load_close(&load);
	return r;
}

/* The newest transaction that has boots, with an id below limit. */
static int find_newest(struct context *ctx, unsigned int limit,
		       struct provisional *ret, bool *ret_has, struct err *err)
{
	struct history history;
	int r = history_read(ctx->root, ctx->arena, &history, err);

	*ret_has = false;
	for (size_t i = history.entries.n; r == 0 && !*ret_has && i-- > 0;)
		if (history.entries.items[i].id < limit)
			r = provisional_read(ctx->root, ctx->arena,
					     history.entries.items[i].id, ret,
					     ret_has, err);
	return r;
}

static bool has_same_changes(const struct provisional *a,
			     const struct provisional *b)
{
	if (a->changes.n != b->changes.n)
		return false;
	for (size_t i = 0; i < a->changes.n; i++)
		if (!text_equal(a->changes.items[i].id,
				b->changes.items[i].id) ||
		    !text_equal(a->changes.items[i].want,
				b->changes.items[i].want))
			return false;
	return true;
}

/* This boot may have been measured then; and where it does not compare with
 * the boots before, it is the first of a new row. */
static int measure_first(struct context *ctx, struct provisional *provisional,
			 struct err *err)
{
	int r = measure_boot(ctx, BENCH_BEFORE, provisional, err);

	if (r == -EEXIST)
		*err = (struct err){ 0 };
	if (r == -EEXIST)
		return 0;
	if (r != -EXDEV)
		return r;
	out_note("%s: counting anew", err->text);
	*err = (struct err){ 0 };
	memset(&provisional->boots, 0, sizeof(provisional->boots));
	return measure_boot(ctx, BENCH_BEFORE, provisional, err);
}

int provisional_begin(struct context *ctx, unsigned int id,
		      struct provisional *ret, struct err *err)
{
	const struct options *options = &ctx->options;
	struct provisional now = {
		.id = id,
		.workload = options->workload,
		.block = options->block,
		.time = options->time,
		.depth = options->depth,
		.jobs = options->jobs,
		.passes = options->passes,
	};
	struct provisional before = { 0 };
	bool has = false;
	int r = find_newest(ctx, id, &before, &has, err);

	if (r < 0)
		return r;
	take_changes(ctx, &now);
	if (has && has_same_changes(&now, &before))
		now.boots = before.boots;
	r = measure_first(ctx, &now, err);
	if (r == 0)
		r = provisional_write(ctx->root, ctx->arena, &now, err);
	*ret = now;
	return r;
}

/* Whose changes are taken back stays to be measured, but says no more what
 * they were. */
static int read_plan(struct context *ctx, const struct provisional *provisional,
		     struct err *err)
{
	int r = context_facts(ctx, err);

	if (r == 0 && !ctx->options.profile &&
	    !sysroot_exists(ctx->root, OWNER_APPLIED))
		r = err_set(
			err, -ENOENT,
			"no profile is applied now: for a boot without what transaction %u measures, name its profile with --profile",
			provisional->id);
	return r < 0 ? r : context_plan(ctx, 0, NULL, err);
}

/* All boots are measured alike. */
static void take_options(struct options *options,
			 const struct provisional *provisional)
{
	options->workload = provisional->workload;
	options->block = provisional->block;
	options->time = (unsigned int)provisional->time;
	options->depth = (unsigned int)provisional->depth;
	options->jobs = (unsigned int)provisional->jobs;
	options->passes = (unsigned int)provisional->passes;
}

int provisional_resume(struct context *ctx, struct provisional *ret,
		       struct err *err)
{
	bool has = false;
	int which = BENCH_BEFORE;
	int r = find_newest(ctx, UINT32_MAX, ret, &has, err);

	if (r == 0 && !has)
		r = err_set(
			err, -ENOENT,
			"nothing to resume: no \"apply --confirm\" left anything to a reboot that can be measured");
	if (r == 0)
		r = read_plan(ctx, ret, err);
	if (r == 0)
		r = provisional_find_arm(ctx, ret, &which, err);
	if (r < 0)
		return r;
	take_options(&ctx->options, ret);
	r = measure_boot(ctx, which, ret, err);
	if (r == 0)
		r = provisional_write(ctx->root, ctx->arena, ret, err);
	if (r == 0 && which == BENCH_BEFORE)
		provisional_tell_astray(ctx, ret);
	return r;
}
