/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>

#include "base/nearest.h"
#include "base/parse.h"
#include "cmd/bench_fio.h"
#include "cmd/bench_keep.h"
#include "cmd/bench_mode.h"
#include "cmd/bench_page.h"
#include "cmd/command_list.h"

#define MAX_PASSES 1000U
#define MAX_SECONDS 3600U
#define MAX_JOBS 1024U
#define MAX_MIB (1U << 24)
#define MAX_RATE 100000000U

#define POINTER(id) &bench_mode_##id,
static const struct bench_mode *const modes[] = { BENCH_MODE_LIST(POINTER) };
#undef POINTER

#define NR_MODES (sizeof(modes) / sizeof(modes[0]))

static int check_ranges(const struct options *options, struct err *err)
{
	const struct {
		const char *name;
		unsigned int value;
		unsigned int max;
	} rows[] = {
		{ "passes", options->passes, MAX_PASSES },
		{ "time", options->time, MAX_SECONDS },
		{ "depth", options->depth, BENCH_DEPTH_MAX },
		{ "jobs", options->jobs, MAX_JOBS },
		{ "per-core-qd", options->per_core_qd, BENCH_DEPTH_MAX },
		{ "total-qd", options->total_qd, BENCH_DEPTH_MAX },
		{ "rate", options->rate, MAX_RATE },
		{ "size", options->size, MAX_MIB },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].value > rows[i].max)
			return command_usage(&command_bench, err,
					     "--%s %u is above %u",
					     rows[i].name, rows[i].value,
					     rows[i].max);
	return 0;
}

static bool takes(const struct bench_mode *mode, const char *option)
{
	for (const char *const *it = mode->own; it && *it; it++)
		if (text_equal(*it, option))
			return true;
	return false;
}

/* Options that some modes take and others do not. */
static int check_own(const struct bench_mode *mode,
		     const struct options *options, struct err *err)
{
	const struct {
		const char *name;
		bool given;
	} rows[] = {
		{ "together", options->together },
		{ "result", options->result },
		{ "facts", options->facts },
		{ "per-core-qd", options->per_core_qd },
		{ "total-qd", options->total_qd },
		{ "rate", options->rate },
		{ "dir", options->dir },
		{ "size", options->size },
	};

	if (options->facts && !options->result)
		return command_usage(
			&command_bench, err,
			"--facts goes with --result: a saved host cannot be read");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!rows[i].given || takes(mode, rows[i].name))
			continue;
		for (size_t j = 0; j < NR_MODES; j++)
			if (takes(modes[j], rows[i].name))
				return command_usage(&command_bench, err,
						     "--%s goes with bench %s",
						     rows[i].name,
						     modes[j]->name);
	}
	return 0;
}

/* Drives are mostly called something else. */
static bool may_be_mode(const char *word)
{
	return !text_has_prefix(word, "nvme") && !strpbrk(word, "/:");
}

/* A first word that is no drive was perhaps to be a mode. */
static void name_modes(struct context *ctx, const char *word, struct err *err)
{
	const char *no_drive =
		arena_printf(ctx->arena, "%s: no such drive; ", word);
	const char *names[NR_MODES];
	const char *there, *near;
	struct strbuf all;

	if (!may_be_mode(word) || !text_has_prefix(err->text, no_drive))
		return;
	there = arena_strdup(ctx->arena, err->text + strlen(no_drive));
	strbuf_init(&all, ctx->arena);
	for (size_t i = 0; i < NR_MODES; i++) {
		names[i] = modes[i]->name;
		strbuf_printf(&all, "%s%s", i ? ", " : "", names[i]);
	}
	near = nearest_name(word, names, NR_MODES);
	if (near)
		(void)err_set(
			err, -ENOENT,
			"%s: neither a mode (did you mean \"%s\"?) nor a drive; %s",
			word, near, there);
	else
		(void)err_set(err, -ENOENT,
			      "%s: neither a mode (%s) nor a drive; %s", word,
			      all.text, there);
}

static const struct bench_mode *mode_of(int *argc, char ***argv)
{
	for (size_t i = 0; i<NR_MODES && * argc> 0; i++) {
		if (!text_equal(modes[i]->name, (*argv)[0]))
			continue;
		(*argc)--;
		(*argv)++;
		return modes[i];
	}
	return modes[0];
}

static int bench(struct context *ctx, int argc, char **argv, struct err *err)
{
	char *const *words = argv;
	struct bench_page page = { .ctx = ctx, .mode = mode_of(&argc, &argv) };
	int r = check_ranges(&ctx->options, err);

	if (r == 0)
		r = check_own(page.mode, &ctx->options, err);
	if (r == 0)
		r = bench_keep_check(&page, err);
	if (r == 0)
		r = bench_fio_check(&page, err);
	if (r == 0 && page.mode->operands)
		r = page.mode->operands(&page, &argc, &argv, err);
	if (r)
		return r;
	if (page.mode->instead && (!page.mode->cells || ctx->options.result))
		return page.mode->instead(&page, argc, argv, err);
	r = bench_page_run(&page, argc, argv, err);
	if (r == EXIT_FAILED && argc > 0 && argv == words)
		name_modes(ctx, words[0], err);
	return r;
}

static const struct opt opts[] = {
	{ .name = "together",
	  OPT_TO(FLAG, together),
	  .help = "matrix: all drives at once, each from its own node" },
	{ .name = "per-core-qd",
	  OPT_TO(NUMBER, per_core_qd),
	  .arg = "N",
	  .help = "sweep: over 1, 2, 4 ... all CPUs, each with N in flight",
	  .excludes = "total-qd" },
	{ .name = "total-qd",
	  OPT_TO(NUMBER, total_qd),
	  .arg = "N",
	  .help = "sweep: over CPUs that share N in flight" },
	{ .name = "dir",
	  OPT_TO(TEXT, dir),
	  .arg = "DIR",
	  .help = "scenario: in a new file in DIR, where writes are allowed" },
	{ .name = "size",
	  OPT_TO(NUMBER, size),
	  .arg = "MIB",
	  .help = "size of that file (default 1024; at most half of the free space)" },
	{ .name = "rate",
	  OPT_TO(NUMBER, rate),
	  .arg = "N",
	  .help = "rate: reads a second (default: 70 % of a closed loop's)" },
	{ .name = "node",
	  OPT_TO(NUMBER, node),
	  .arg = "N",
	  .given = offsetof(struct options, node_given),
	  .help = "read only from this node" },
	{ .name = "time",
	  OPT_TO(NUMBER, time),
	  .arg = "SECONDS",
	  .help = "length of a slice (default 2; scenario 5)" },
	{ .name = "passes",
	  OPT_TO(NUMBER, passes),
	  .arg = "N",
	  .help = "slices of each cell (default 6)" },
	{ .name = "jobs",
	  OPT_TO(NUMBER, jobs),
	  .arg = "N",
	  .help = "jobs at most, one on a CPU (default: matrix and rate 16, others 1)" },
	{ .name = "depth",
	  OPT_TO(NUMBER, depth),
	  .arg = "N",
	  .help = "I/Os in flight for each job (default 32)" },
	{ .name = "seed",
	  OPT_TO(NUMBER, seed),
	  .arg = "N",
	  .given = offsetof(struct options, seed_given),
	  .help = "repeat offsets and order of a run" },
	{ .name = "in-use",
	  OPT_TO(FLAG, in_use),
	  .help = "also read drives that are in use, at a limited rate" },
	{ .name = "poll",
	  OPT_TO(FLAG, poll),
	  .help = "poll for completions (needs nvme.poll_queues)",
	  .excludes = "engine" },
	{ .name = "engine",
	  OPT_TO(TEXT, engine),
	  .arg = "fio",
	  .help = "have fio read the same cells as a check" },
	{ .name = "output",
	  .letter = 'o',
	  OPT_TO(TEXT, output),
	  .arg = "DIR",
	  .help = "also save the result as DIR/HOST-DRIVE-MODE-DATE.json" },
	{ .name = "baseline",
	  OPT_TO(TEXT, baseline),
	  .arg = "NAME",
	  .help = "save the result as NAME, or compare with the one saved as NAME" },
	{ .name = "result",
	  OPT_TO(TEXT, result),
	  .arg = "FILE",
	  .help = "judge a result saved with --format json instead of measuring" },
	OPT_FACTS,
	OPT_FORMAT,
	OPT_END,
};

const struct command command_bench = {
	.name = "bench",
	.args = "[MODE] [DRIVE...]",
	.summary = "measure how fast each drive is read, and from where",
	.opts = opts,
	.run = bench,
	.details =
		"Measures the drives that are named, or the largest disk of each that is not in\n"
		"use.  Modes:\n"
		"  matrix         from each NUMA node (the default)\n"
		"  sweep          over queue depths 1 to 256, or over CPUs; finds the knee\n"
		"  scenario NAME  max-iops, latency, mixed-read-shape, db-8k or sequential\n"
		"  sizes          reads of 4 KiB to 1 MiB: where they are split or need lists\n"
		"  rate           an open loop: latency at a given rate\n"
		"  ceiling        no drive: how many requests a ring handles on a CPU\n"
		"  compare A B    two saved results, before and after\n"
		"\n"
		"Drives are only read: they are opened read-only, on rings that the kernel\n"
		"restricts to reads where it can.  Only a scenario with --dir writes, into a new\n"
		"file.  IOPS is the median of the slices; the true median lies between LOW and\n"
		"HIGH with the confidence given; SPREAD is the highest less the lowest slice; OF\n"
		"LOCAL compares with the drive's own node.",
};
