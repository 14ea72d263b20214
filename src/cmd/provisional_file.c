/* SPDX-License-Identifier: GPL-2.0-or-later */
/* boots.json, written and read. */
#include <errno.h>
#include <math.h>

#include "base/err.h"
#include "base/parse.h"
#include "cmd/provisional.h"
#include "write/file.h"
#include "write/state.h"
#include "json/read.h"

#define BOOTS_FILE "boots.json"
#define BOOTS_SCHEMA "nvmetune.boots/1"
#define PRIVATE_MODE 0600

static const char *arm_name(int which)
{
	return which == BENCH_BEFORE ? "before" : "with";
}

/* "time" is when it was measured. */
static const char *member_name(enum bench_metric metric)
{
	return metric == BENCH_METRIC_TIME ? "seconds" :
					     bench_metric_name(metric);
}

static void put_boot(struct json_writer *json, const struct boot *boot)
{
	json_begin_object(json, NULL);
	json_put_text(json, "boot_id", boot->boot_id);
	json_put_text(json, "time", boot->time);
	json_put_text(json, "kernel", boot->kernel);
	json_put_text(json, "set", arm_name(boot->which));
	json_put_text(json, "load", boot->load);
	for (int i = 0; i < BENCH_METRICS; i++)
		if (!isnan(boot->metrics[i]))
			json_put_real(json, member_name((enum bench_metric)i),
				      boot->metrics[i], 6);
	json_end(json);
}

static void put_result(struct json_writer *json,
		       const struct boots_result *result)
{
	json_begin_object(json, "result");
	json_put_text(json, "verdict", decide_verdict_name(DECIDE_PROVISIONAL));
	json_put_uint(json, "boots_before", result->n[BENCH_BEFORE]);
	json_put_uint(json, "boots_with", result->n[BENCH_AFTER]);
	if (!isnan(result->effect)) {
		json_put_int(json, "effect_ppm", decide_ppm(result->effect));
		json_put_bool(json, "apart", result->apart);
		json_put_uint(json, "chance", result->chance);
	}
	json_end(json);
}

void provisional_to_json(struct arena *arena,
			 const struct provisional *provisional,
			 struct json_writer *json)
{
	struct boots_result result;

	json_put_text(json, "schema", BOOTS_SCHEMA);
	json_begin_array(json, "changes");
	VEC_EACH(&provisional->changes, const struct provisional_change, it) {
		json_row(json);
		json_begin_object(json, NULL);
		json_put_text(json, "id", it->id);
		json_put_text(json, "want", it->want);
		json_end(json);
	}
	json_end(json);
	json_put_text(json, "metric",
		      bench_metric_name(provisional->boots.metric));
	json_put_text(json, "workload", provisional->workload);
	json_put_text(json, "block", provisional->block);
	json_put_int(json, "slice_seconds", provisional->time);
	json_put_int(json, "depth", provisional->depth);
	json_put_int(json, "jobs", provisional->jobs);
	json_put_int(json, "passes", provisional->passes);
	json_begin_array(json, "boots");
	VEC_EACH(&provisional->boots.items, const struct boot, it)
		put_boot(json, it);
	json_end(json);
	boots_judge(arena, &provisional->boots, &result);
	put_result(json, &result);
}

int provisional_write(const struct sysroot *root, struct arena *arena,
		      const struct provisional *provisional, struct err *err)
{
	struct json_writer json;
	struct strbuf out;

	strbuf_init(&out, arena);
	json_writer_init(&json, &out, JSON_PAGE);
	json_begin_object(&json, NULL);
	provisional_to_json(arena, provisional, &json);
	json_end(&json);
	return file_put(root,
			state_path(root, arena, provisional->id, BOOTS_FILE),
			out.text, PRIVATE_MODE, err);
}

static double member_real(const struct json_node *object, const char *key)
{
	const struct json_node *node = json_member(object, key);

	if (node && node->kind == JSON_REAL)
		return node->real;
	return node && node->kind == JSON_INT ? (double)node->number : NAN;
}

static int take_boot(const struct json_node *node, struct boot *boot)
{
	const char *set = json_member_text(node, "set");

	boot->boot_id = json_member_text(node, "boot_id");
	boot->time = json_member_text(node, "time");
	boot->kernel = json_member_text(node, "kernel");
	boot->load = json_member_text(node, "load");
	boot->which = text_equal(set, arm_name(BENCH_AFTER)) ? BENCH_AFTER :
							       BENCH_BEFORE;
	for (int i = 0; i < BENCH_METRICS; i++)
		boot->metrics[i] =
			member_real(node, member_name((enum bench_metric)i));
	return set && boot->boot_id && boot->load ? 0 : -EBADMSG;
}

static int take_lists(struct arena *arena, const struct json_node *root,
		      struct provisional *ret)
{
	const struct json_node *changes = json_member(root, "changes");
	const struct json_node *boots = json_member(root, "boots");

	if (!changes || !boots)
		return -EBADMSG;
	VEC_EACH(&changes->children, const struct json_node, it) {
		struct provisional_change *change =
			vec_add(arena, &ret->changes);

		change->id = json_member_text(it, "id");
		change->want = json_member_text(it, "want");
		if (!change->id || !change->want)
			return -EBADMSG;
	}
	VEC_EACH(&boots->children, const struct json_node, it)
		if (take_boot(it, vec_add(arena, &ret->boots.items)) < 0)
			return -EBADMSG;
	return 0;
}

static int take(struct arena *arena, const struct json_node *root,
		struct provisional *ret)
{
	const char *metric = json_member_text(root, "metric");

	if (!text_equal(json_member_text(root, "schema"), BOOTS_SCHEMA) ||
	    !metric || bench_metric_parse(metric, &ret->boots.metric) < 0)
		return -EBADMSG;
	ret->workload = json_member_text(root, "workload");
	ret->block = json_member_text(root, "block");
	(void)json_member_int(root, "slice_seconds", &ret->time);
	(void)json_member_int(root, "depth", &ret->depth);
	(void)json_member_int(root, "jobs", &ret->jobs);
	(void)json_member_int(root, "passes", &ret->passes);
	return take_lists(arena, root, ret);
}

int provisional_read(const struct sysroot *root, struct arena *arena,
		     unsigned int id, struct provisional *ret, bool *ret_has,
		     struct err *err)
{
	const char *path = state_path(root, arena, id, BOOTS_FILE);
	struct provisional found = { .id = id };
	struct json_node node;
	unsigned int mode;
	char *text;
	size_t size;
	int r = file_read_bytes(root, arena, path, FILE_SIZE_LIMIT, &text,
				&size, &mode, err);

	*ret_has = false;
	if (r < 0 || !text)
		return r;
	r = json_parse(arena, text, size, &node, err);
	if (r < 0)
		return err_context(err, "%s", path);
	if (take(arena, &node, &found) < 0)
		return err_set(err, -EBADMSG, "%s: damaged, or not \"%s\"",
			       path, BOOTS_SCHEMA);
	*ret = found;
	*ret_has = true;
	return 0;
}
