/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json/fio_read.h"

#include <errno.h>
#include <string.h>

#include "base/err.h"
#include "base/parse.h"
#include "json/read.h"

static uint64_t count_of(const struct json_node *object, const char *key)
{
	int64_t value = 0;

	(void)json_member_int(object, key, &value);
	return value > 0 ? (uint64_t)value : 0;
}

static double real_of(const struct json_node *object, const char *key)
{
	const struct json_node *node = json_member(object, key);

	if (node && node->kind == JSON_REAL)
		return node->real;
	return node && node->kind == JSON_INT ? (double)node->number : 0;
}

/* 0 also for what no count can be: C leaves open what a cast makes of it. */
static uint64_t whole(double value)
{
	return value >= 0 && value < 0x1p64 ? (uint64_t)value : 0;
}

/* A bucket of fio's, "13376": 27. */
static void add_bin(struct histogram *h, const struct json_node *bin)
{
	uint64_t ns;

	if (bin->kind != JSON_INT || bin->number <= 0 ||
	    parse_u64(bin->key, &ns) < 0)
		return;
	h->buckets[histogram_bucket(ns)] += (uint64_t)bin->number;
	h->count += (uint64_t)bin->number;
}

static struct histogram *latency_of(struct arena *arena,
				    const struct json_node *read)
{
	struct histogram *h = ARENA_NEW(arena, struct histogram);
	const struct json_node *lat = json_member(read, "lat_ns");
	const struct json_node *bins = json_member(lat, "bins");

	if (!bins || bins->kind != JSON_OBJECT)
		return h;
	VEC_EACH(&bins->children, const struct json_node, it)
		add_bin(h, it);
	h->min_ns = count_of(lat, "min");
	h->max_ns = count_of(lat, "max");
	h->sum_ns = whole(real_of(lat, "mean") * (double)h->count);
	return h;
}

/* Lines of warnings may come before it. */
static int parse(struct arena *arena, const char *text, size_t len,
		 struct json_node *ret, struct err *err)
{
	const char *begin = memchr(text, '{', len);

	if (!begin)
		return err_set(err, -EBADMSG, "no JSON");
	return json_parse(arena, begin, len - (size_t)(begin - text), ret, err);
}

int fio_slice_from_json(struct arena *arena, const char *text, size_t len,
			struct bench_slice *ret, struct err *err)
{
	struct bench_slice slice = { 0 };
	const struct json_node *jobs, *job, *read;
	struct json_node root;
	uint64_t ms;
	int r = parse(arena, text, len, &root, err);

	if (r < 0)
		return err_context(err, "fio");
	jobs = json_member(&root, "jobs");
	if (!jobs || jobs->kind != JSON_ARRAY || jobs->children.n != 1)
		return err_set(err, -EBADMSG, "fio told of no job");
	job = &jobs->children.items[0];
	read = json_member(job, "read");
	ms = count_of(read, "runtime");
	if (count_of(job, "error"))
		return err_set(err, -EBADMSG, "fio failed: %s",
			       strerror((int)count_of(job, "error")));
	slice.ios = count_of(read, "total_ios");
	if (ms == 0 || slice.ios == 0)
		return err_set(err, -EBADMSG, "fio read nothing");
	slice.elapsed_ns = ms * 1000000;
	slice.iops = whole((double)slice.ios * 1000 / (double)ms + 0.5);
	slice.cpu_ns =
		whole((real_of(job, "usr_cpu") + real_of(job, "sys_cpu")) /
		      100 * (double)count_of(job, "job_runtime") * 1e6);
	slice.latency = latency_of(arena, read);
	*ret = slice;
	return 0;
}
