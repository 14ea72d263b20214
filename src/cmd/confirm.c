/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/confirm.h"

#include <errno.h>
#include <sys/random.h>

#include "bench/compare.h"
#include "cmd/bench_labels.h"
#include "cmd/confirm_columns.h"
#include "cmd/interrupt.h"
#include "json/bench_json.h"

/* Blocks of four slices: enough for a median, short enough to wait for. */
#define BLOCKS 3U

static void add_name(struct arena *arena, struct drives *drives,
		     const char *name)
{
	VEC_EACH(&drives->names, const char *, it)
		if (*it == name)
			return;
	*vec_add(arena, &drives->names) = name;
}

/* The disks that are seen of those that change: of a path its head. */
static struct drives changed_drives(const struct context *ctx)
{
	struct drives drives = { 0 };

	VEC_EACH(&ctx->plan->changes, const struct change, it) {
		const struct ns *ns = facts_ns(ctx->facts, it->target.name);

		if (ns && it->verdict == VERDICT_CHANGE)
			add_name(ctx->arena, &drives,
				 ns->kind == NS_PATH && ns->head ? ns->head :
								   ns->name);
	}
	return drives;
}

int confirm_open(struct context *ctx, struct confirm *ret, struct err *err)
{
	struct drives drives = changed_drives(ctx);
	const struct load_request request = {
		.facts = ctx->facts,
		.drives = &drives,
		.in_use = ctx->options.in_use,
		.node = BINDING_NO_NODE,
	};

	*ret = (struct confirm){ .ctx = ctx };
	if (drives.names.n == 0)
		return 0;
	return load_open(ctx->arena, &request, &ret->load, err);
}

void confirm_close(struct confirm *confirm)
{
	load_close(&confirm->load);
}

bool confirm_is_idle(const struct confirm *confirm)
{
	return confirm->load.drives.n == 0;
}

static int switch_arm(void *data, int which, struct err *err)
{
	const struct confirm *confirm = data;

	if (!confirm->arms)
		return 0;
	return arms_switch(confirm->arms,
			   which == BENCH_BEFORE ? ARM_BEFORE : ARM_AFTER, err);
}

static void show_progress(void *data, const struct bench_progress *progress)
{
	struct confirm *confirm = data;

	progress_tell(&confirm->progress, "slice %u of %u: %llu IOPS",
		      progress->done, progress->total,
		      (unsigned long long)progress->iops);
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

static int place_drives(struct confirm *confirm,
			struct bench_compare_drive *drives, struct err *err)
{
	size_t i = 0;

	VEC_EACH(&confirm->load.drives, const struct load_drive, it) {
		const struct bench_place *place = place_of(&confirm->load, it);

		if (!place)
			return err_set(
				err, -ENOENT,
				"%s cannot be measured: no node has both CPUs and memory of its own",
				it->ns->name);
		drives[i].drive = it->drive;
		drives[i++].binding = place->binding;
	}
	return 0;
}

int confirm_run(struct confirm *confirm, const struct arms *arms,
		struct err *err)
{
	const struct options *options = &confirm->ctx->options;
	struct arena *arena = confirm->ctx->arena;
	size_t n = confirm->load.drives.n;
	struct bench_compare_drive *drives =
		arena_array(arena, n, sizeof(*drives));
	struct bench_compare_config config = {
		.session = bench_session_defaults,
		.drives = drives,
		.nr_drives = n,
		.blocks = options->passes ? options->passes : BLOCKS,
		.arm = switch_arm,
		.data = confirm,
		.progress = show_progress,
		.progress_data = confirm,
	};
	int r = place_drives(confirm, drives, err);

	if (r < 0)
		return r;
	confirm->arms = arms;
	config.session.stop = interrupt_flag();
	(void)getrandom(&config.session.seed, sizeof(uint32_t), GRND_NONBLOCK);
	if (options->time)
		config.session.measure_ms = options->time * 1000;
	progress_init(&confirm->progress);
	r = bench_compare_run(arena, &config, &confirm->result, err);
	progress_done(&confirm->progress);
	confirm->measured = r == 0;
	return r;
}

void confirm_tell_required(struct arena *arena, const struct profile *profile)
{
	const struct section *last = NULL;
	struct strbuf keys;

	VEC_EACH(&profile->sections, const struct section, section)
		if (section->kind == SECTION_CONFIRM)
			last = section;
	if (profile->required.n == 0 || !last)
		return;
	strbuf_init(&keys, arena);
	VEC_EACH(&profile->required, const char *, it)
		strbuf_printf(&keys, "%s%s", keys.len ? ", " : "", *it);
	out_note(
		"%s:%u: [confirm] required = %s has no effect yet: --confirm measures and shows, and every setting stays",
		last->file, last->line, keys.text);
}

static struct table rows_of(const struct confirm *confirm)
{
	return (struct table){
		.columns = confirm_columns,
		.rows = confirm->result.pairs.items,
		.n = confirm->result.pairs.n,
		.size = sizeof(struct bench_pair),
	};
}

void confirm_put(const struct confirm *confirm, struct strbuf *out)
{
	const struct bench_compare *result = &confirm->result;
	const struct table_view view = { .color = confirm->ctx->color,
					 .indent = 2 };
	const struct table table = rows_of(confirm);
	const struct bench_method *method;

	if (!confirm->measured) {
		strbuf_puts(out, "measured  nothing: no value changes\n");
		return;
	}
	method = &result->pairs.items[0].method;
	strbuf_printf(
		out,
		"measured  %u slices of %u.%u s a side in turns, random reads of %u bytes, QD %u x %u jobs, seed %llu\n",
		result->blocks * 2, result->measure_ms / 1000,
		result->measure_ms % 1000 / 100, method->block_bytes,
		method->depth, method->jobs, (unsigned long long)result->seed);
	strbuf_printf(
		out, "          %s\n",
		confirm->arms ?
			"medians, with the least and the most of the slices" :
			"dry run: both sides are the host as it is, they differ by noise alone");
	table_put(out, &table, &view);
}

void confirm_to_json(const struct confirm *confirm, struct json_writer *json)
{
	json_begin_object(json, "confirm");
	json_put_bool(json, "switched", confirm->arms != NULL);
	if (confirm->measured) {
		bench_labels_to_json(confirm->ctx->facts, &confirm->load, json);
		bench_compare_to_json(&confirm->result, json);
	}
	json_end(json);
}
