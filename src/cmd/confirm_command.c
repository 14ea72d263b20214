/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cmd/bench_labels.h"
#include "cmd/calibrate.h"
#include "cmd/command_list.h"
#include "cmd/confirm_shape.h"
#include "cmd/confirm_terms.h"
#include "cmd/drives.h"
#include "cmd/open_txn.h"
#include "cmd/provisional.h"
#include "write/lock.h"

#define MAX_BLOCKS 1000U

static void show(struct calibration *calibration, const struct load *load)
{
	struct context *ctx = calibration->ctx;
	const struct table table = {
		.columns = calibrated_columns,
		.rows = calibration->metrics.items,
		.n = calibration->metrics.n,
		.size = sizeof(struct calibrated),
	};
	struct json_writer json;
	struct strbuf out;

	strbuf_init(&out, ctx->arena);
	switch (ctx->format) {
	case OUT_TABLE:
		calibration_put(calibration, &out);
		break;
	case OUT_JSON:
		json_writer_init(&json, &out, JSON_PAGE);
		json_begin_object(&json, NULL);
		json_put_text(&json, "schema", "nvmetune.calibrate/1");
		bench_labels_to_json(ctx->facts, load, &json);
		calibration_to_json(calibration, &json);
		json_end(&json);
		break;
	case OUT_RAW:
		table_put_raw(&out, &table);
		break;
	}
	out_write(&out);
}

static int calibrate(struct context *ctx, const struct load *load,
		     const struct confirm_terms *terms,
		     const struct confirm_shape *reads, struct err *err)
{
	struct meter meter = { 0 };
	struct calibration calibration = {
		.ctx = ctx,
		.meter = &meter,
		.rule = terms->rule,
	};
	int r = calibration_measure(&calibration, load, reads, err);

	if (r < 0)
		return EXIT_FAILED;
	show(&calibration, load);
	if (calibration.metrics.n == 0) {
		(void)err_set(
			err, -EAGAIN,
			"too few blocks count to tell the noise of this host: calibrate when it is less busy");
		return EXIT_FAILED;
	}
	if (calibration.trial.decision.verdict != DECIDE_CONFIRMED)
		return EXIT_DONE;
	(void)err_set(
		err, -EDOM,
		"the host was found better than itself: by chance (1 of 100 times), or its noise is not what is reckoned with; calibrate again before --confirm is believed");
	return EXIT_FAILED;
}

/* With a command, drives are its own affair. */
static int open_load(struct context *ctx, const struct confirm_shape *reads,
		     int argc, char **argv, struct load *load, struct err *err)
{
	struct drives drives = { 0 };
	struct load_request request = {
		.drives = &drives,
		.in_use = ctx->options.in_use,
		.node = BINDING_NO_NODE,
		.block_bytes = reads->block_bytes,
	};
	int r = context_facts(ctx, err);

	if (r < 0 || ctx->options.workload)
		return r;
	r = drives_resolve(ctx->facts, ctx->root, ctx->arena, argc, argv,
			   &drives, err);
	if (r < 0)
		return r;
	drives_tell(&drives);
	request.facts = ctx->facts;
	r = load_open(ctx->arena, &request, load, err);
	if (r == 0 && load->drives.n == 0)
		r = err_set(err, -ENODEV,
			    "this host has no drive that could be read");
	return r;
}

/* Any of those that say how to measure. */
static bool shapes_load(const struct options *options)
{
	return options->workload || options->passes || options->time ||
	       options->min_effect || options->depth || options->jobs ||
	       options->block || options->metric;
}

static int check_options(const struct context *ctx, int argc, struct err *err)
{
	const struct options *options = &ctx->options;
	uint32_t least = decide_rule_default.looks[0];

	if (options->calibrate == options->resume)
		return command_usage(&command_confirm, err,
				     "what to do: --calibrate or --resume");
	if (options->resume && (argc || shapes_load(options)))
		return command_usage(
			&command_confirm, err,
			"--resume measures as was measured before: it takes no drive, and --profile, --in-use and --seed alone of the options");
	if (options->workload && argc)
		return command_usage(
			&command_confirm, err,
			"--workload reads what it reads: it takes no drive");
	if (options->passes &&
	    (options->passes < least || options->passes > MAX_BLOCKS))
		return command_usage(&command_confirm, err,
				     "--passes %u: legal is %u to %u blocks",
				     options->passes, least, MAX_BLOCKS);
	return EXIT_DONE;
}

static void show_boots(const struct context *ctx,
		       const struct provisional *provisional)
{
	const struct table table = {
		.columns = boot_columns,
		.rows = provisional->boots.items.items,
		.n = provisional->boots.items.n,
		.size = sizeof(struct boot),
	};
	struct json_writer json;
	struct strbuf out;

	strbuf_init(&out, ctx->arena);
	switch (ctx->format) {
	case OUT_TABLE:
		provisional_put(ctx, provisional, &out);
		break;
	case OUT_JSON:
		json_writer_init(&json, &out, JSON_PAGE);
		json_begin_object(&json, NULL);
		provisional_to_json(ctx->arena, provisional, &json);
		json_end(&json);
		break;
	case OUT_RAW:
		table_put_raw(&out, &table);
		break;
	}
	out_write(&out);
}

static int resume(struct context *ctx, struct err *err)
{
	_cleanup_close_ int lock = -1;
	struct provisional provisional;
	int r = context_root(ctx, err);

	if (r == 0 && sysroot_is_live(ctx->root) && geteuid() != 0)
		r = err_set(
			err, -EPERM,
			"--resume adds to what transactions remember: only root may");
	if (r == 0)
		r = lock_take(ctx->root, ctx->arena, 0, &lock, err);
	if (r < 0)
		return r == -EBUSY ? EXIT_LOCKED : EXIT_FAILED;
	r = open_txn_check(ctx, false, err);
	if (r < 0)
		return r == -EBUSY ? EXIT_OPEN : EXIT_FAILED;
	if (provisional_resume(ctx, &provisional, err) < 0)
		return EXIT_FAILED;
	show_boots(ctx, &provisional);
	return EXIT_DONE;
}

static int confirm(struct context *ctx, int argc, char **argv, struct err *err)
{
	struct confirm_terms terms;
	struct confirm_shape shape;
	struct load load = { 0 };
	int r = check_options(ctx, argc, err);

	if (r == EXIT_DONE)
		r = confirm_terms_read(&command_confirm, &ctx->options, &terms,
				       err);
	if (r == EXIT_DONE)
		r = confirm_shape_read(&command_confirm, &ctx->options, &shape,
				       err);
	if (r != EXIT_DONE)
		return r;
	if (ctx->options.resume)
		return resume(ctx, err);
	r = open_load(ctx, &shape, argc, argv, &load, err);
	r = r < 0 ? EXIT_FAILED : calibrate(ctx, &load, &terms, &shape, err);
	load_close(&load);
	return r;
}

static const struct opt opts[] = {
	{ .name = "calibrate",
	  OPT_TO(FLAG, calibrate),
	  .help = "measure the host against itself: its noise, and what could be detected" },
	{ .name = "resume",
	  OPT_TO(FLAG, resume),
	  .help = "after a reboot: measure what \"apply --confirm\" could not" },
	OPT_PROFILE,
	OPT_WORKLOAD,
	OPT_MIN_EFFECT,
	{ .name = "passes",
	  OPT_TO(NUMBER, passes),
	  .arg = "N",
	  .help = "number of blocks of four slices (8)" },
	{ .name = "time",
	  OPT_TO(NUMBER, time),
	  .arg = "SECONDS",
	  .help = "length of a slice (2); with --workload its time limit" },
	{ .name = "depth",
	  OPT_TO(NUMBER, depth),
	  .arg = "N",
	  .help = "reads in flight for each job (32)" },
	{ .name = "block",
	  OPT_TO(TEXT, block),
	  .arg = "SIZE",
	  .help = "size of each read (4k)" },
	{ .name = "metric",
	  OPT_TO(TEXT, metric),
	  .arg = "METRIC",
	  .help = "decide by iops, cpu, p99 or mean, not by what a pilot run chooses" },
	{ .name = "jobs",
	  OPT_TO(NUMBER, jobs),
	  .arg = "N",
	  .help = "jobs for each drive, one on a CPU (16)" },
	{ .name = "seed",
	  OPT_TO(NUMBER, seed),
	  .arg = "N",
	  .given = offsetof(struct options, seed_given),
	  .help = "repeat the order of slices of a run" },
	{ .name = "in-use",
	  OPT_TO(FLAG, in_use),
	  .help = "also read drives that are in use" },
	OPT_FORMAT,
	OPT_SYSROOT_WRITE,
	OPT_END,
};

const struct command command_confirm = {
	.name = "confirm",
	.args = "[DRIVE...]",
	.summary =
		"what \"apply --confirm\" could detect; measure after a reboot",
	.opts = opts,
	.run = confirm,
	.details =
		"--calibrate changes nothing: it measures blocks of slices as --confirm does,\n"
		"with the same values on both sides.  SLICES and BLOCKS are the noise of one\n"
		"slice and of a block of four.  LAG-1 near 1 means that the host drifts; blocks\n"
		"cancel that.  WOULD SHOW is the smallest gain that so many blocks detect in four\n"
		"cases of five.  Finding the host no better than itself tests the method.\n"
		"\n"
		"--resume measures this boot, and adds it to the series that \"apply --confirm\"\n"
		"began for settings that only take effect at a reboot.",
	.exits = "6  another nvmetune is running (--resume)\n"
		 "7  a transaction is open (--resume)",
};
