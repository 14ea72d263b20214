/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench_curves.h"

static void begin(const struct curve *curve, struct json_writer *json)
{
	json_begin_object(json, NULL);
	json_put_text(json, "drive", curve->drive);
	if (curve->node >= 0)
		json_put_int(json, "node", curve->node);
}

static void put_knee(const struct curve *curve, struct json_writer *json)
{
	const struct knee *knee = &curve->knee;

	begin(curve, json);
	json_put_uint(json, "free_depth", knee->free_depth);
	json_put_uint(json, "depth", knee->depth);
	json_put_uint(json, "iops", knee->iops);
	json_put_uint(json, "mean_ns", knee->mean_ns);
	json_put_bool(json, "beyond", knee->beyond);
	json_put_uint(json, "depths", curve->points);
	json_put_uint(json, "depths_by_little", curve->holding);
	json_end(json);
}

static void put_scaling(const struct curve *curve, struct json_writer *json)
{
	const struct scaling *scaling = &curve->scaling;

	begin(curve, json);
	json_put_uint(json, "from_cpus", scaling->from_cpus);
	json_put_uint(json, "to_cpus", scaling->to_cpus);
	json_put_int(json, "kept_ppt", scaling->kept_ppt);
	json_put_bool(json, "flat", scaling->flat);
	json_end(json);
}

void bench_curves_to_json(const struct curves *curves, struct json_writer *json)
{
	json_begin_array(json, "knees");
	VEC_EACH(&curves->items, const struct curve, it)
		if (!it->over_jobs)
			put_knee(it, json);
	json_end(json);
	json_begin_array(json, "scaling");
	VEC_EACH(&curves->items, const struct curve, it)
		if (it->over_jobs)
			put_scaling(it, json);
	json_end(json);
}
