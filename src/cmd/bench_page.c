/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench_page.h"

#include <errno.h>
#include <stdio.h>
#include <sys/random.h>

#include "base/escape.h"
#include "cmd/bench_fio.h"
#include "cmd/bench_keep.h"
#include "cmd/bench_labels.h"
#include "cmd/bench_share.h"
#include "cmd/bench_steps.h"
#include "cmd/drives.h"
#include "cmd/interrupt.h"
#include "cmd/load_dir.h"
#include "cmd/progress.h"
#include "json/bench_json.h"

static uint64_t a_seed(const struct options *options)
{
	uint32_t seed = 1;

	if (options->seed_given)
		return options->seed;
	/* Small enough to be given again by hand; any number will do. */
	(void)getrandom(&seed, sizeof(seed), GRND_NONBLOCK);
	return seed;
}

static unsigned int or_default(unsigned int given, unsigned int otherwise)
{
	return given ? given : otherwise;
}

const struct bench_place *bench_page_place(const struct bench_page *page,
					   size_t drive)
{
	const struct load *load = &page->load;

	return bench_place_of(load->places.items, load->places.n,
			      load->drives.items[drive].node);
}

static unsigned int most_jobs(const struct bench_page *page)
{
	return or_default(page->ctx->options.jobs, page->mode->usual.jobs);
}

uint32_t bench_page_jobs(const struct bench_page *page, size_t drive)
{
	const struct bench_place *place = bench_page_place(page, drive);
	uint32_t cpus = place->skip ? 1 : cpuset_count(&place->binding.cpus);

	return cpus < most_jobs(page) ? cpus : most_jobs(page);
}

void bench_page_want(struct bench_page *page, const struct bench_want *want)
{
	struct bench_want one = *want;

	if (!one.place)
		one.place = bench_page_place(page, one.drive);
	if (!one.jobs)
		one.jobs = most_jobs(page);
	one.shape.poll = page->ctx->options.poll;
	*vec_add(page->ctx->arena, &page->wants) = one;
}

#define SIZE_MIB 1024U

static int open_load(struct bench_page *page,
		     const struct load_request *request, struct err *err)
{
	struct context *ctx = page->ctx;
	const struct load_dir dir = {
		.dir = ctx->options.dir,
		.size_bytes = (uint64_t)or_default(ctx->options.size, SIZE_MIB)
			      << 20,
		.stop = interrupt_flag(),
	};

	return dir.dir ? load_dir_open(ctx->arena, request, &dir, &page->load,
				       err) :
			 load_open(ctx->arena, request, &page->load, err);
}

/* The drives that are named, or what the folder of --dir lies on: a path, as
 * its name may be one of a drive, too. */
static int find_drives(struct context *ctx, int argc, char **argv,
		       struct drives *ret, struct err *err)
{
	const char *path;
	char *dir;
	int r;

	if (!ctx->options.dir)
		return drives_resolve(ctx->facts, ctx->root, ctx->arena, argc,
				      argv, ret, err);
	r = context_path(ctx, ctx->options.dir, &path, err);
	if (r < 0)
		return r;
	dir = arena_strdup(ctx->arena, path);
	return drives_resolve(ctx->facts, ctx->root, ctx->arena, 1, &dir, ret,
			      err);
}

static unsigned int measure_ms(const struct bench_page *page)
{
	return or_default(page->ctx->options.time, page->mode->usual.seconds) *
	       1000;
}

/* What can be known before minutes of measuring. */
static int look_ahead(struct bench_page *page, struct err *err)
{
	const struct bench_matrix none = {
		.measure_ms = measure_ms(page),
		.together = page->ctx->options.together,
	};

	return bench_keep_look(page, &none, err);
}

static int prepare(struct bench_page *page, int argc, char **argv,
		   struct err *err)
{
	struct context *ctx = page->ctx;
	struct drives drives = { 0 };
	struct load_request request = {
		.drives = &drives,
		.in_use = ctx->options.in_use,
		.node = ctx->options.node_given ? (int64_t)ctx->options.node :
						  BINDING_NO_NODE,
	};
	int r = context_facts(ctx, err);

	if (r == 0)
		r = find_drives(ctx, argc, argv, &drives, err);
	if (r == 0)
		r = look_ahead(page, err);
	if (r < 0)
		return r;
	drives_tell(&drives);
	request.facts = ctx->facts;
	r = open_load(page, &request, err);
	if (r == 0)
		r = look_ahead(page, err);
	return r < 0 ? r : page->mode->cells(page, err);
}

struct talk {
	struct bench_page *page;
	bool keeps; /* the result, and no pilot */
	struct progress progress;
};

static void show_progress(void *data, const struct bench_progress *progress)
{
	struct talk *talk = data;
	char from[32] = "";

	if (progress->node >= 0)
		(void)snprintf(from, sizeof(from), " from node %lld",
			       (long long)progress->node);
	progress_tell(&talk->progress, "%u of %u: %s%s%s%s: %llu IOPS",
		      progress->done, progress->total,
		      progress->drive ? progress->drive : "all drives", from,
		      progress->label ? ", " : "",
		      progress->label ? progress->label : "",
		      (unsigned long long)progress->iops);
}

static struct bench_cells_config config_of(struct bench_page *page)
{
	const struct options *options = &page->ctx->options;
	const struct bench_usual *usual = &page->mode->usual;
	size_t n = page->load.drives.n;
	struct bench_matrix_drive *drives =
		arena_array(page->ctx->arena, n, sizeof(*drives));
	struct bench_cells_config config = {
		.session = bench_session_defaults,
		.drives = drives,
		.nr_drives = n,
		.wants = page->wants.items,
		.nr_wants = page->wants.n,
		.together = options->together,
	};

	for (size_t i = 0; i < n; i++) {
		drives[i].drive = page->load.drives.items[i].drive;
		drives[i].node = page->load.drives.items[i].node;
	}
	config.session.seed = a_seed(options);
	config.session.stop = interrupt_flag();
	config.session.root = page->load.root;
	VEC_EACH(&page->wants, const struct bench_want, it)
		if (it->jobs > config.session.jobs)
			config.session.jobs = it->jobs;
	config.session.depth = or_default(options->depth, usual->depth);
	config.session.measure_ms = measure_ms(page);
	return config;
}

static int ready(void *data, const struct bench_matrix *matrix, struct err *err)
{
	struct talk *talk = data;

	return talk->keeps ? bench_keep_look(talk->page, matrix, err) : 0;
}

static int run_cells(struct talk *talk, uint32_t passes,
		     struct bench_matrix *ret, struct err *err)
{
	struct bench_page *page = talk->page;
	struct bench_cells_config config = config_of(page);
	int r;

	config.passes = passes;
	config.ready = ready;
	config.progress = show_progress;
	config.data = talk;
	progress_init(&talk->progress);
	r = bench_cells_run(page->ctx->arena, &config, ret, err);
	progress_done(&talk->progress);
	page->wants.n = 0;
	return r;
}

int bench_page_measure(struct bench_page *page, uint32_t passes,
		       struct bench_matrix *ret, struct err *err)
{
	struct talk talk = { .page = page };

	return run_cells(&talk, passes, ret, err);
}

static int measure(struct bench_page *page, struct err *err)
{
	struct talk talk = { .page = page, .keeps = true };

	return run_cells(&talk,
			 or_default(page->ctx->options.passes,
				    page->mode->usual.passes),
			 &page->matrix, err);
}

static const struct bench_cell *any_cell(const struct bench_page *page)
{
	VEC_EACH(&page->matrix.cells, const struct bench_cell, it)
		if (!it->skipped)
			return it;
	return NULL;
}

/* Where cells differ in it, their columns tell. */
static void put_shape(const struct bench_page *page,
		      const struct bench_method *first, struct strbuf *out)
{
	VEC_EACH(&page->matrix.cells, const struct bench_cell, it)
		if (!it->skipped &&
		    (it->method.block_bytes != first->block_bytes ||
		     it->method.depth != first->depth))
			return;
	strbuf_printf(out, "%s %s of %u bytes, QD %u a job, ",
		      first->sequential ? "sequential" : "random",
		      first->write_ppt ? "reads and writes" : "reads",
		      first->block_bytes, first->depth);
}

static void put_file(const struct bench_page *page, struct strbuf *out)
{
	strbuf_printf(out, "in a file of %llu MiB in ",
		      (unsigned long long)page->load.drives.items[0]
				      .drive.size_bytes >>
			      20);
	escape_to(out, page->ctx->options.dir);
	strbuf_puts(out, ", which is gone now\n");
}

static void put_method(const struct bench_page *page, struct strbuf *out)
{
	const struct bench_matrix *matrix = &page->matrix;
	const struct bench_cell *cell = any_cell(page);
	const struct bench_method *method = cell ? &cell->method : NULL;

	if (!method)
		return;
	put_shape(page, method, out);
	strbuf_printf(out, "%u pass%s of %u.%u s%s, seed %llu\n",
		      matrix->passes, matrix->passes == 1 ? "" : "es",
		      matrix->measure_ms / 1000,
		      matrix->measure_ms % 1000 / 100,
		      matrix->together ? ", all drives at once" : "",
		      (unsigned long long)matrix->seed);
	strbuf_printf(out, "%s%s, ", method->engine,
		      method->polled ? ", polled" : "");
	if (page->ctx->options.dir)
		put_file(page, out);
	else
		strbuf_printf(out, "%s\n",
			      method->ring_restricted ?
				      "the kernel refuses all but reads" :
				      "read-only by its descriptor alone");
	if (cell->summary.confidence_ppt)
		strbuf_printf(
			out,
			"the median lies within LOW and HIGH with %lld %% confidence\n",
			(long long)(cell->summary.confidence_ppt + 5) / 10);
	if (page->ceiling)
		strbuf_printf(
			out,
			"the ring alone turns over %llu requests a second on a CPU\n",
			(unsigned long long)page->ceiling);
	if (method->fallback)
		strbuf_printf(out, "%s\n", method->fallback);
	if (method->memory_why)
		strbuf_printf(out, "%s\n", method->memory_why);
	strbuf_putc(out, '\n');
}

static struct table rows_table(struct bench_page *page)
{
	VEC_EACH(&page->matrix.cells, const struct bench_cell, it)
		*vec_add(page->ctx->arena, &page->rows) =
			(struct bench_row){ &page->matrix, it,
					    page->ctx->facts };
	return (struct table){
		.columns = page->mode->columns,
		.rows = page->rows.items,
		.n = page->rows.n,
		.size = sizeof(struct bench_row),
	};
}

static void put_page(const struct bench_page *page, const struct table *table,
		     struct strbuf *out)
{
	const struct table_view view = { .color = page->ctx->color,
					 .width = page->ctx->width };

	if (table->n == 0) {
		strbuf_puts(out, page->ctx->facts->ctrls.n ?
					 "no drive to read\n" :
					 "no NVMe controllers\n");
		return;
	}
	put_method(page, out);
	table_put(out, table, &view);
	strbuf_putc(out, '\n');
	if (page->mode->put)
		page->mode->put(page, out);
	bench_fio_put(page, out);
	if (page->against) {
		strbuf_puts(out, "\nagainst the baseline ");
		escape_to(out, page->ctx->options.baseline);
		strbuf_puts(out, ":\n");
		bench_steps_put(page->against, out);
	}
}

void bench_page_json(const struct bench_page *page, struct strbuf *out)
{
	struct json_writer json;

	strbuf_init(out, page->ctx->arena);
	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", BENCH_SCHEMA);
	json_put_text(&json, "mode", page->mode->name);
	json_put_text(&json, "date", page->date);
	bench_labels_to_json(page->ctx->facts, &page->load, &json);
	if (page->ctx->options.dir && page->load.drives.n) {
		json_put_text(&json, "dir", page->ctx->options.dir);
		json_put_uint(&json, "file_bytes",
			      page->load.drives.items[0].drive.size_bytes);
	}
	if (page->ceiling)
		json_put_uint(&json, "ceiling_per_cpu", page->ceiling);
	bench_matrix_to_json(&page->matrix, &json);
	if (page->mode->json)
		page->mode->json(page, &json);
	bench_fio_to_json(page, &json);
	if (page->against) {
		json_put_text(&json, "baseline", page->ctx->options.baseline);
		bench_steps_to_json(page->against, &json);
	}
	json_end(&json);
}

static void show(struct bench_page *page)
{
	const struct table table = rows_table(page);
	struct strbuf out;

	strbuf_init(&out, page->ctx->arena);
	switch (page->ctx->format) {
	case OUT_TABLE:
		put_page(page, &table, &out);
		break;
	case OUT_JSON:
		bench_page_json(page, &out);
		break;
	case OUT_RAW:
		table_put_raw(&out, &table);
		break;
	}
	out_write(&out);
}

static uint64_t errors_of(const struct bench_page *page)
{
	uint64_t errors = 0;

	VEC_EACH(&page->matrix.cells, const struct bench_cell, it)
		errors += it->summary.errors;
	return errors;
}

int bench_page_run(struct bench_page *page, int argc, char **argv,
		   struct err *err)
{
	struct err kept = { 0 };
	int r = prepare(page, argc, argv, err);

	if (r == 0 && page->load.drives.n)
		r = measure(page, err);
	if (r == 0)
		r = bench_fio_run(page, err);
	load_close(&page->load);
	if (r < 0)
		return EXIT_FAILED;
	bench_share_judge(page);
	if (page->mode->mark)
		page->mode->mark(page);
	page->date = bench_date(page->ctx->arena);
	r = bench_keep(page, &kept);
	show(page);
	if (errors_of(page)) {
		(void)err_set(err, -EIO, "%llu reads failed",
			      (unsigned long long)errors_of(page));
		return EXIT_FAILED;
	}
	*err = kept;
	return r < 0 ? EXIT_FAILED : EXIT_DONE;
}
