/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench_steps.h"

#include "base/escape.h"
#include "cmd/bench_columns.h"

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
	strbuf_puts(
		out,
		step->apart ?
			"\n" :
			"; the spreads overlap: no difference to talk about\n");
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
		json_put_bool(json, "apart", it->apart);
		json_end(json);
	}
	json_end(json);
}
