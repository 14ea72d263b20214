/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/workload.h"

#include <errno.h>
#include <sys/wait.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/parse.h"
#include "bench/throughput.h"

/* As a shell says that there is no such command, or that it cannot run. */
#define STATUS_CANNOT_RUN 126
#define STATUS_NO_COMMAND 127

static int check_end(const struct workload_run *run, struct err *err)
{
	int status = run->status;

	if (run->timed_out)
		return err_set(
			err, -EIO,
			"the workload was ended: it took longer than %u s",
			run->limit_ms / 1000);
	if (WIFSIGNALED(status))
		return err_set(err, -EIO, "the workload ended by signal %d",
			       WTERMSIG(status));
	switch (WEXITSTATUS(status)) {
	case 0:
		return 0;
	case STATUS_NO_COMMAND:
		return err_set(
			err, -EIO,
			"the workload ended with status %d: there is no such command",
			STATUS_NO_COMMAND);
	case STATUS_CANNOT_RUN:
		return err_set(
			err, -EIO,
			"the workload ended with status %d: the command cannot run",
			STATUS_CANNOT_RUN);
	default:
		return err_set(err, -EIO, "the workload ended with status %d",
			       WEXITSTATUS(status));
	}
}

static const char *said(struct arena *arena, bool has,
			const struct throughput *figure)
{
	const struct workload_metric metric = { WORKLOAD_FIGURE,
						has ? figure->name : "" };

	return has ? workload_metric_text(arena, &metric) : "no figure";
}

int workload_judge(struct arena *arena, const struct workload_run *run,
		   struct workload_metric *metric, double *ret, struct err *err)
{
	struct throughput figure = { .name = "" };
	bool has;
	int r = check_end(run, err);

	if (r < 0)
		return r;
	has = throughput_find(arena, run->output, &figure);
	if (metric->measure == WORKLOAD_UNKNOWN)
		*metric = (struct workload_metric){ has ? WORKLOAD_FIGURE :
							  WORKLOAD_TIME,
						    figure.name };
	if (metric->measure == WORKLOAD_TIME) {
		*ret = (double)run->elapsed_ns / 1e9;
		return 0;
	}
	if (!has || !text_equal(figure.name, metric->name))
		return err_set(
			err, -EIO,
			"the workload printed %s where its first run printed %s",
			said(arena, has, &figure),
			workload_metric_text(arena, metric));
	*ret = figure.value;
	return 0;
}

const char *workload_metric_text(struct arena *arena,
				 const struct workload_metric *metric)
{
	switch (metric->measure) {
	case WORKLOAD_FIGURE:
		return metric->name[0] ?
			       arena_printf(arena, "\"%s\"", metric->name) :
			       "a number alone on its last line";
	case WORKLOAD_TIME:
		return "the time until it ends";
	case WORKLOAD_UNKNOWN:
		break;
	}
	return "nothing yet";
}
