/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/confirm_shape.h"

#include "base/parse.h"

#define MAX_SECONDS 3600U
#define MAX_JOBS 1024U
#define SECTOR 512U

static int check_numbers(const struct command *command,
			 const struct options *options, struct err *err)
{
	const struct {
		const char *name;
		unsigned int value;
		unsigned int max;
	} rows[] = {
		{ "time", options->time, MAX_SECONDS },
		{ "depth", options->depth, BENCH_DEPTH_MAX },
		{ "jobs", options->jobs, MAX_JOBS },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].value > rows[i].max)
			return command_usage(command, err,
					     "--%s %u is above %u",
					     rows[i].name, rows[i].value,
					     rows[i].max);
	return EXIT_DONE;
}

static int read_block(const struct command *command, const char *text,
		      struct confirm_shape *shape, struct err *err)
{
	uint64_t bytes = 0;

	if (text && (parse_size(text, &bytes) < 0 || bytes == 0 ||
		     bytes % SECTOR || bytes > BENCH_BLOCK_MAX))
		return command_usage(
			command, err,
			"--block %s: legal is a multiple of %u bytes up to 16M, such as 8k",
			text, SECTOR);
	shape->block_bytes = (uint32_t)bytes;
	return EXIT_DONE;
}

static int read_metric(const struct command *command,
		       const struct options *options,
		       struct confirm_shape *shape, struct err *err)
{
	shape->has_metric = options->metric;
	if (!options->metric)
		return EXIT_DONE;
	if (options->workload)
		return command_usage(
			command, err,
			"--metric is for reads: a --workload has its own");
	if (bench_metric_parse(options->metric, &shape->metric) < 0 ||
	    shape->metric == BENCH_METRIC_RATE ||
	    shape->metric == BENCH_METRIC_TIME)
		return command_usage(
			command, err,
			"--metric %s: legal are iops, cpu, p99 and mean",
			options->metric);
	return EXIT_DONE;
}

int confirm_shape_read(const struct command *command,
		       const struct options *options, struct confirm_shape *ret,
		       struct err *err)
{
	struct confirm_shape shape = { 0 };
	int r = check_numbers(command, options, err);

	if (r == EXIT_DONE)
		r = read_block(command, options->block, &shape, err);
	if (r == EXIT_DONE)
		r = read_metric(command, options, &shape, err);
	if (r == EXIT_DONE)
		*ret = shape;
	return r;
}
