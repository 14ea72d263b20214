/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/meter.h"

#include <errno.h>

#include "base/err.h"
#include "base/escape.h"
#include "cmd/interrupt.h"

/* Until a command has run once, nobody knows how long it takes. */
#define FIRST_LIMIT_MS (10U * 60 * 1000)
/* And then: far off, by its own measure. */
#define LATER_TIMES 4
#define LATER_MORE_MS 10000

static int open_workload(const struct meter_request *request,
			 struct meter *meter, struct err *err)
{
	unsigned int seconds = request->options->time;
	struct workload_run run;
	double value;
	int r;

	meter->is_workload = true;
	meter->workload = (struct workload){
		.command = request->options->workload,
		.limit_ms = seconds ? seconds * 1000 : FIRST_LIMIT_MS,
		.stop = interrupt_flag(),
	};
	r = workload_measure(meter->arena, &meter->workload, &run, &value, err);
	if (r < 0)
		return r;
	meter->slice_ms = (uint32_t)(run.elapsed_ns / 1000000) + 1;
	meter->metric = meter->workload.metric.measure == WORKLOAD_TIME ?
				BENCH_METRIC_TIME :
				BENCH_METRIC_RATE;
	if (!seconds)
		meter->workload.limit_ms =
			meter->slice_ms * LATER_TIMES + LATER_MORE_MS;
	return 0;
}

/* A drive's own node where it is known and has CPUs, otherwise the first
 * place from which anything can be measured. */
static const struct bench_place *place_of(const struct load *load,
					  const struct load_drive *drive)
{
	const struct bench_place *first = NULL;

	VEC_EACH(&load->places, const struct bench_place, it) {
		if (it->skip)
			continue;
		if (it->node == drive->node)
			return it;
		if (!first)
			first = it;
	}
	return first;
}

static int seat_drives(const struct load *load, struct bench_seat *seats,
		       struct err *err)
{
	VEC_EACH(&load->drives, const struct load_drive, it) {
		const struct bench_place *place = place_of(load, it);

		if (!place)
			return err_set(
				err, -ENOENT,
				"%s cannot be measured: no node has both CPUs and memory of its own",
				it->ns->name);
		seats->drive = it->drive;
		seats++->binding = place->binding;
	}
	return 0;
}

static int open_team(const struct meter_request *request, struct meter *meter,
		     struct err *err)
{
	const struct options *options = request->options;
	size_t n = request->load->drives.n;
	struct bench_seat *seats = arena_array(meter->arena, n, sizeof(*seats));
	int r = seat_drives(request->load, seats, err);

	meter->session = bench_session_defaults;
	meter->session.seed = request->seed;
	meter->session.root = request->root;
	meter->session.stop = interrupt_flag();
	if (options->time)
		meter->session.measure_ms = options->time * 1000;
	if (request->measure_ms)
		meter->session.measure_ms = request->measure_ms;
	if (request->settle_ms)
		meter->session.settle_ms = request->settle_ms;
	if (options->depth)
		meter->session.depth = options->depth;
	if (options->jobs)
		meter->session.jobs = options->jobs;
	meter->slice_ms = meter->session.settle_ms + meter->session.measure_ms;
	return r < 0 ? r :
		       bench_team_open(&meter->team, meter->arena,
				       &meter->session, request->shape, seats,
				       n, err);
}

int meter_open(struct arena *arena, const struct meter_request *request,
	       struct meter *ret, struct err *err)
{
	*ret = (struct meter){ .arena = arena };
	return request->options->workload ? open_workload(request, ret, err) :
					    open_team(request, ret, err);
}

void meter_close(struct meter *meter)
{
	bench_team_close(&meter->team);
}

void meter_configure(const struct meter *meter,
		     struct bench_trial_config *config)
{
	config->nr_cells = meter->team.n;
	config->jobs = meter->team.jobs;
	if (meter->is_workload)
		config->metric = meter->metric;
}

int meter_measure(struct meter *meter, struct bench_slice *cells,
		  struct err *err)
{
	return bench_team_measure(&meter->team, cells, err);
}

/* A run that failed may be the next one's good luck. */
int meter_figure(struct meter *meter, double *ret, struct err *err)
{
	struct workload_run run;
	int r = workload_measure(meter->arena, &meter->workload, &run, ret,
				 err);

	return r == -EIO ? -EPROTO : r;
}

char *meter_text(const struct meter *meter)
{
	const struct bench_method *method = meter->team.methods;
	struct strbuf out;

	strbuf_init(&out, meter->arena);
	if (meter->is_workload) {
		strbuf_puts(&out, "runs of \"");
		escape_to(&out, meter->workload.command);
		strbuf_printf(&out, "\", by %s",
			      workload_metric_text(meter->arena,
						   &meter->workload.metric));
		return out.text;
	}
	strbuf_printf(
		&out,
		"slices of %u.%u s, random reads of %u bytes, QD %u x %u jobs",
		meter->session.measure_ms / 1000,
		meter->session.measure_ms % 1000 / 100, method->block_bytes,
		method->depth, method->jobs);
	if (method->fallback)
		strbuf_printf(&out, ", by %s as %s", method->engine,
			      method->fallback);
	return out.text;
}
