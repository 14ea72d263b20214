/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json/bench_json.h"

static void put_latency(struct json_writer *json, const struct histogram *h)
{
	if (h->count == 0)
		return;
	json_put_uint(json, "mean_ns", histogram_mean(h));
	json_put_uint(json, "p50_ns", histogram_quantile(h, 500000));
	json_put_uint(json, "p95_ns", histogram_quantile(h, 950000));
	json_put_uint(json, "p99_ns", histogram_quantile(h, 990000));
	json_put_uint(json, "p999_ns", histogram_quantile(h, 999000));
	json_put_uint(json, "max_ns", h->max_ns);
}

void bench_histogram_to_json(const struct histogram *h, const char *key,
			     struct json_writer *json)
{
	json_row(json);
	json_begin_array(json, key);
	for (uint32_t i = 0; i < HISTOGRAM_BUCKETS; i++) {
		if (!h->buckets[i])
			continue;
		json_begin_array(json, NULL);
		json_put_uint(json, NULL, histogram_bucket_top(i));
		json_put_uint(json, NULL, h->buckets[i]);
		json_end(json);
	}
	json_end(json);
}

static void put_num(struct json_writer *json, const char *key, struct num num)
{
	if (num.known)
		json_put_int(json, key, num.value);
}

static void put_interrupts(struct json_writer *json,
			   const struct bench_slice *slice)
{
	const int64_t *count = slice->interrupts.counts.items;

	if (!slice->has_interrupts)
		return;
	json_begin_array(json, "interrupts");
	CPUSET_EACH(&slice->interrupts.cpus, cpu) {
		json_begin_array(json, NULL);
		json_put_uint(json, NULL, (uint64_t)cpu);
		json_put_int(json, NULL, *count++);
		json_end(json);
	}
	json_end(json);
}

static void put_host(struct json_writer *json, const struct bench_slice *slice)
{
	if (slice->cpu_source != BENCH_CPU_NONE)
		json_put_uint(json, "run_ns", slice->run_ns);
	json_put_text(json, "cpu_source",
		      bench_cpu_source_name(slice->cpu_source));
	json_put_uint(json, "sleep_ppt", slice->sleep_ppt);
	put_num(json, "steal_ppt", slice->steal_ppt);
	put_num(json, "others_ppt", slice->others_ppt);
	put_num(json, "offline", slice->offline);
	put_num(json, "merges", slice->merges);
	put_num(json, "foreign_ios", slice->foreign_ios);
	put_interrupts(json, slice);
	json_put_text(json, "void", slice->void_why);
}

void bench_slice_to_json(const struct bench_slice *slice,
			 struct json_writer *json)
{
	json_put_uint(json, "sequence", slice->sequence);
	json_put_uint(json, "start_ns", slice->start_ns);
	json_put_uint(json, "elapsed_ns", slice->elapsed_ns);
	json_put_uint(json, "ios", slice->ios);
	json_put_uint(json, "errors", slice->errors);
	json_put_uint(json, "iops", slice->iops);
	json_put_uint(json, "cpu_ns", slice->cpu_ns);
	json_put_uint(json, "switches", slice->switches);
	json_put_uint(json, "involuntary_switches",
		      slice->involuntary_switches);
	json_put_uint(json, "in_flight_milli", slice->in_flight_milli);
	if (slice->held_milli)
		json_put_uint(json, "held_milli", slice->held_milli);
	if (slice->late)
		json_put_uint(json, "late", slice->late);
	put_host(json, slice);
}

static void put_slice(struct json_writer *json, const struct bench_slice *slice)
{
	json_row(json);
	json_begin_object(json, NULL);
	bench_slice_to_json(slice, json);
	put_latency(json, slice->latency);
	json_end(json);
}

static const char *pattern_of(const struct bench_method *method)
{
	static const char *const texts[2][3] = {
		{ "random read", "random write", "random read and write" },
		{ "sequential read", "sequential write",
		  "sequential read and write" },
	};
	size_t kind = method->write_ppt == 0	? 0 :
		      method->write_ppt == 1000 ? 1 :
						  2;

	return texts[method->sequential][kind];
}

static void put_method(struct json_writer *json,
		       const struct bench_method *method)
{
	json_begin_object(json, "method");
	json_put_text(json, "pattern", pattern_of(method));
	if (method->write_ppt)
		json_put_uint(json, "write_ppt", method->write_ppt);
	json_put_text(json, "driver", "kernel");
	json_put_text(json, "engine", method->engine);
	json_put_text(json, "fallback", method->fallback);
	json_put_bool(json, "ring_restricted", method->ring_restricted);
	json_put_bool(json, "fixed_buffers", method->fixed_buffers);
	json_put_bool(json, "fixed_files", method->fixed_files);
	json_put_bool(json, "memory_bound", method->memory_bound);
	json_put_text(json, "memory_why", method->memory_why);
	json_put_uint(json, "jobs", method->jobs);
	json_put_uint(json, "depth", method->depth);
	json_put_uint(json, "block_bytes", method->block_bytes);
	if (method->most_iops)
		json_put_uint(json, "most_iops", method->most_iops);
	json_put_text(json, "batching", method->batch ? "fixed" : "natural");
	if (method->batch)
		json_put_uint(json, "batch", method->batch);
	json_put_bool(json, "polled", method->polled);
	if (method->gap_ns) {
		json_put_uint(json, "gap_ns", method->gap_ns);
		json_put_bool(json, "poisson", method->poisson);
	}
	json_end(json);
}

static void put_ppt(struct json_writer *json, const char *key, int64_t ppt)
{
	if (ppt >= 0)
		json_put_int(json, key, ppt);
}

static void put_summary(struct json_writer *json,
			const struct bench_summary *summary)
{
	json_put_uint(json, "ios", summary->ios);
	json_put_uint(json, "errors", summary->errors);
	if (summary->first_error)
		json_put_int(json, "first_error", summary->first_error);
	json_put_uint(json, "iops", summary->iops);
	json_put_uint(json, "iops_min", summary->iops_min);
	json_put_uint(json, "iops_max", summary->iops_max);
	json_put_uint(json, "iops_low", summary->iops_low);
	json_put_uint(json, "iops_high", summary->iops_high);
	json_put_int(json, "confidence_ppt", summary->confidence_ppt);
	put_ppt(json, "spread_ppt", summary->spread_ppt);
	put_latency(json, summary->latency);
	json_put_num(json, "cores_per_100k_milli", summary->cores_milli);
	json_put_uint(json, "disturbed", summary->disturbed);
	json_put_bool(json, "cpu_bound", summary->cpu_bound);
	if (summary->little_ppt >= 0)
		json_put_int(json, "little_ppt", summary->little_ppt);
	put_num(json, "zero_pages_ppt", summary->zero_ppt);
	if (summary->writes) {
		json_begin_object(json, "writes");
		json_put_uint(json, "ios", summary->writes->count);
		put_latency(json, summary->writes);
		json_end(json);
	}
}

static void put_check(struct json_writer *json, const struct bench_check *check)
{
	if (!check)
		return;
	json_begin_object(json, "fio");
	json_put_text(json, "command", check->command);
	json_put_uint(json, "ios", check->summary.ios);
	json_put_uint(json, "iops", check->summary.iops);
	json_put_uint(json, "iops_min", check->summary.iops_min);
	json_put_uint(json, "iops_max", check->summary.iops_max);
	put_latency(json, check->summary.latency);
	json_begin_array(json, "slices");
	VEC_EACH(&check->slices, const struct bench_slice, it) {
		json_begin_object(json, NULL);
		json_put_uint(json, "ios", it->ios);
		json_put_uint(json, "elapsed_ns", it->elapsed_ns);
		json_put_uint(json, "iops", it->iops);
		json_put_uint(json, "cpu_ns", it->cpu_ns);
		put_latency(json, it->latency);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}

static void put_cell(struct json_writer *json,
		     const struct bench_matrix *matrix,
		     const struct bench_cell *cell)
{
	json_begin_object(json, NULL);
	json_put_text(json, "drive", matrix->drives.items[cell->drive]);
	json_put_text(json, "label", cell->label);
	if (cell->node >= 0)
		json_put_int(json, "node", cell->node);
	json_put_bool(json, "local", cell->local);
	json_put_text(json, "skipped", cell->skipped);
	if (!cell->skipped) {
		json_put_cpuset(json, "cpus", &cell->cpus);
		put_summary(json, &cell->summary);
		put_ppt(json, "of_local_ppt", cell->of_local_ppt);
		put_ppt(json, "of_link_ppt", cell->of_link_ppt);
		put_ppt(json, "of_ceiling_ppt", cell->of_ceiling_ppt);
		if (cell->at_knee)
			json_put_bool(json, "at_knee", true);
		put_check(json, cell->check);
		put_method(json, &cell->method);
		json_begin_array(json, "slices");
		VEC_EACH(&cell->slices, const struct bench_slice, it)
			put_slice(json, it);
		json_end(json);
		bench_histogram_to_json(cell->summary.latency, "latency_ns",
					json);
	}
	json_end(json);
}

void bench_matrix_to_json(const struct bench_matrix *matrix,
			  struct json_writer *json)
{
	json_put_uint(json, "seed", matrix->seed);
	json_put_uint(json, "passes", matrix->passes);
	json_put_uint(json, "settle_ms", matrix->settle_ms);
	json_put_uint(json, "measure_ms", matrix->measure_ms);
	json_put_bool(json, "together", matrix->together);
	if (matrix->together) {
		json_row(json);
		json_begin_array(json, "total_iops");
		VEC_EACH(&matrix->total_iops, const uint64_t, it)
			json_put_uint(json, NULL, *it);
		json_end(json);
	}
	json_begin_array(json, "cells");
	VEC_EACH(&matrix->cells, const struct bench_cell, it)
		put_cell(json, matrix, it);
	json_end(json);
}

static void put_texts(struct json_writer *json, const char *key,
		      const char *const *texts, size_t n)
{
	if (n == 0)
		return;
	json_begin_array(json, key);
	for (size_t i = 0; i < n; i++)
		json_put_text(json, NULL, texts[i]);
	json_end(json);
}

void cross_nodes_to_json(const struct cross_nodes *nodes,
			 struct json_writer *json)
{
	json_begin_array(json, "cross_node");
	VEC_EACH(&nodes->items, const struct cross_node, it) {
		json_begin_object(json, NULL);
		json_put_text(json, "drive", it->drive);
		json_put_int(json, "local", it->local);
		json_put_int(json, "remote", it->remote);
		json_put_int(json, "kept_ppt", it->kept_ppt);
		json_put_text(json, "verdict", cross_node_name(it->state));
		json_put_text(json, "sibling", it->sibling);
		if (it->sibling)
			json_put_int(json, "sibling_ppt", it->sibling_ppt);
		put_texts(json, "ruled_out", it->ruled_out.items,
			  it->ruled_out.n);
		put_texts(json, "possible", it->possible.items, it->possible.n);
		json_end(json);
	}
	json_end(json);
}
