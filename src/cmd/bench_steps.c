/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench_steps.h"

#include "base/escape.h"
#include "cmd/bench_columns.h"

static void put_latency(const char *what, uint64_t before_ns, uint64_t after_ns,
			struct strbuf *out)
{
	if (before_ns && after_ns)
		strbuf_printf(out, "; %s %llu.%llu us, then %llu.%llu", what,
			      (unsigned long long)(before_ns / 1000),
			      (unsigned long long)(before_ns % 1000 / 100),
			      (unsigned long long)(after_ns / 1000),
			      (unsigned long long)(after_ns % 1000 / 100));
}

/* What goes through the kernel against what goes past it. */
static void put_path(const struct bench_step *step, struct strbuf *out)
{
	long long percent = (step->kernel_ppt + 5) / 10;

	if (step->kernel_ppt < 0)
		return;
	strbuf_printf(out, "; through the kernel %lld %%", percent);
	if (percent <= 100)
		strbuf_printf(
			out,
			": its path costs %lld %% against a driver in user space",
			100 - percent);
}

static void put_step(const struct bench_step *step, struct strbuf *out)
{
	escape_to(out, step->drive);
	if (step->node >= 0)
		strbuf_printf(out, " from node %lld", (long long)step->node);
	if (step->label) {
		strbuf_puts(out, ", ");
		escape_to(out, step->label);
	}
	strbuf_printf(out, ": %llu IOPS before, %llu after: ",
		      (unsigned long long)step->before,
		      (unsigned long long)step->after);
	bench_ratio_text(step->ppt, out);
	put_path(step, out);
	put_latency("mean", step->before_mean_ns, step->after_mean_ns, out);
	put_latency("p99", step->before_p99_ns, step->after_p99_ns, out);
	if (!step->spread)
		strbuf_puts(
			out,
			"; of a single slice: how far the next one is off nobody knows");
	else if (!step->apart)
		strbuf_puts(
			out,
			"; the spreads overlap: no difference to talk about");
	strbuf_putc(out, '\n');
}

static void latency_to_json(const char *before_key, uint64_t before_ns,
			    const char *after_key, uint64_t after_ns,
			    struct json_writer *json)
{
	if (!before_ns || !after_ns)
		return;
	json_put_uint(json, before_key, before_ns);
	json_put_uint(json, after_key, after_ns);
}

void bench_steps_put(const struct bench_steps *steps, struct strbuf *out)
{
	VEC_EACH(&steps->items, const struct bench_step, it)
		put_step(it, out);
	strbuf_puts(
		out,
		"one run each: not evidence, as the host drifts between them; apply --confirm measures in blocks\n");
}

void bench_steps_to_json(const struct bench_steps *steps,
			 struct json_writer *json)
{
	json_begin_array(json, "against");
	VEC_EACH(&steps->items, const struct bench_step, it) {
		json_begin_object(json, NULL);
		json_put_text(json, "drive", it->drive);
		if (it->node >= 0)
			json_put_int(json, "node", it->node);
		json_put_text(json, "label", it->label);
		json_put_uint(json, "before_iops", it->before);
		json_put_uint(json, "after_iops", it->after);
		json_put_int(json, "iops_ppt", it->ppt);
		if (it->kernel_ppt >= 0)
			json_put_int(json, "kernel_ppt", it->kernel_ppt);
		latency_to_json("before_mean_ns", it->before_mean_ns,
				"after_mean_ns", it->after_mean_ns, json);
		latency_to_json("before_p99_ns", it->before_p99_ns,
				"after_p99_ns", it->after_p99_ns, json);
		json_put_bool(json, "apart", it->apart);
		json_end(json);
	}
	json_end(json);
}
