/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench_keep.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "cmd/bench_file.h"
#include "cmd/bench_labels.h"
#include "cmd/bench_page.h"
#include "cmd/command_list.h"
#include "write/file.h"
#include "write/folder.h"
#include "write/state.h"
#include "json/bench_json.h"

#define PRIVATE 0700
#define PUBLIC 0755
#define MOST_NAMES 4

const char *bench_date(struct arena *arena)
{
	time_t now = time(NULL);
	struct tm tm = { 0 };
	char text[32] = "";

	if (!gmtime_r(&now, &tm) ||
	    !strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm))
		return NULL;
	return arena_strdup(arena, text);
}

static bool is_plain(char c)
{
	return isalnum((unsigned char)c) || c == '.' || c == '_' || c == '-';
}

static bool is_name(const char *text)
{
	if (!text[0] || text[0] == '.')
		return false;
	for (; *text; text++)
		if (!is_plain(*text))
			return false;
	return true;
}

/* As a path without slashes behind it. */
static int folder_path(struct context *ctx, char **ret, struct err *err)
{
	const char *dir;
	size_t n;
	int r = context_path(ctx, ctx->options.output, &dir, err);

	if (r < 0)
		return r;
	n = strlen(dir);
	while (n > 1 && dir[n - 1] == '/')
		n--;
	*ret = arena_strndup(ctx->arena, dir, n);
	return 0;
}

/* Before minutes of measuring: is there a place for what comes of it? */
static int check_folder(struct bench_page *page, struct err *err)
{
	_cleanup_sysroot_ struct sysroot *root = NULL;
	struct context *ctx = page->ctx;
	char *dir;
	int r = folder_path(ctx, &dir, err);

	if (r == 0)
		r = sysroot_open("/", &root, err);
	if (r == 0)
		r = file_check_new(
			root, arena_printf(ctx->arena, "%s/result", dir), err);
	return r < 0 ? EXIT_FAILED : EXIT_DONE;
}

int bench_keep_check(struct bench_page *page, struct err *err)
{
	const struct options *options = &page->ctx->options;

	if ((options->baseline || options->output) && !page->mode->cells)
		return command_usage(&command_bench, err,
				     "bench %s keeps no result",
				     page->mode->name);
	if ((options->baseline || options->output) && options->result)
		return command_usage(&command_bench, err,
				     "--result is kept already");
	if (options->baseline && !is_name(options->baseline))
		return command_usage(
			&command_bench, err,
			"--baseline \"%s\": a name has letters, digits, \".\", \"_\" and \"-\", and no \".\" in front",
			options->baseline);
	if (options->output && !options->output[0])
		return command_usage(&command_bench, err,
				     "--output names no folder");
	return options->output ? check_folder(page, err) : EXIT_DONE;
}

/* Labels are foreign text, and a file's name is no place for surprises. */
static void put_label(struct strbuf *out, const char *text)
{
	for (; text && *text; text++)
		strbuf_putc(out, is_plain(*text) ? *text : '_');
}

static void put_drives(const struct bench_matrix *matrix, struct strbuf *out)
{
	if (matrix->drives.n > MOST_NAMES) {
		strbuf_printf(out, "%zu_drives", matrix->drives.n);
		return;
	}
	for (size_t i = 0; i < matrix->drives.n; i++) {
		if (i)
			strbuf_putc(out, '+');
		put_label(out, matrix->drives.items[i]);
	}
}

/* "dbhost-nvme0n1-sweep-2026-11-30T190500Z.json" */
static const char *file_name(const struct bench_page *page)
{
	struct strbuf out;

	strbuf_init(&out, page->ctx->arena);
	put_label(&out, page->ctx->facts->hostname ?
				page->ctx->facts->hostname :
				"host");
	strbuf_putc(&out, '-');
	put_drives(&page->matrix, &out);
	strbuf_putc(&out, '-');
	put_label(&out, page->mode->name);
	strbuf_putc(&out, '-');
	for (const char *it = page->date; it && *it; it++)
		if (*it != ':')
			strbuf_putc(&out, *it);
	strbuf_puts(&out, ".json");
	return out.text;
}

static int keep_in_folder(struct bench_page *page, const struct sysroot *root,
			  const char *text, struct err *err)
{
	struct context *ctx = page->ctx;
	const char *path;
	char *dir;
	int r = folder_path(ctx, &dir, err);

	if (r == 0 && !sysroot_exists(root, dir))
		r = folder_make_all(root, ctx->arena, dir, PUBLIC, err);
	if (r < 0)
		return r;
	path = arena_printf(ctx->arena, "%s/%s", dir, file_name(page));
	r = file_put_new(root, path, text, FILE_MODE_DEFAULT, err);
	if (r == 0)
		out_note("the result is in %s", path);
	return r;
}

static bool is_roots(const struct bench_page *page)
{
	return num_or(page->ctx->facts->root, 0) == 1;
}

/* Root's with everything that nvmetune remembers, a user's at his own; NULL:
 * nobody says where that is. */
static const char *baseline_folder(struct bench_page *page)
{
	struct arena *arena = page->ctx->arena;
	const char *state = getenv("XDG_STATE_HOME");
	const char *home = getenv("HOME");

	if (is_roots(page))
		return STATE_DIR "/baselines";
	if (state && state[0] == '/')
		return arena_printf(arena, "%s/nvmetune/baselines", state);
	if (home && home[0] == '/')
		return arena_printf(arena, "%s/.local/state/nvmetune/baselines",
				    home);
	return NULL;
}

static int save_baseline(struct bench_page *page, const struct sysroot *root,
			 const char *dir, const char *path, const char *text,
			 struct err *err)
{
	struct arena *arena = page->ctx->arena;
	int r = is_roots(page) ? state_make(root, arena, err) : 0;

	if (r == 0)
		r = folder_make_all(root, arena, dir, PRIVATE, err);
	if (r == 0)
		r = file_put_new(root, path, text, FILE_MODE_DEFAULT, err);
	if (r == 0)
		out_note("baseline \"%s\" is saved in %s",
			 page->ctx->options.baseline, path);
	return r;
}

/* Of the baseline; dir is where it lies. */
static int baseline_path(struct bench_page *page, const char **ret_dir,
			 const char **ret, struct err *err)
{
	const char *dir = baseline_folder(page);

	if (!dir)
		return err_set(
			err, -ENOENT,
			"no place for a baseline: neither HOME nor XDG_STATE_HOME is set");
	*ret_dir = dir;
	*ret = arena_printf(page->ctx->arena, "%s/%s.json", dir,
			    page->ctx->options.baseline);
	return 0;
}

/* What will be kept, as far as it is known. */
static struct saved_text planned(const struct bench_page *page,
				 const struct bench_matrix *matrix)
{
	struct arena *arena = page->ctx->arena;
	struct bench_matrix empty = *matrix;
	struct json_writer json;
	struct strbuf out;

	empty.cells.items =
		arena_array(arena, matrix->cells.n, sizeof(*empty.cells.items));
	for (size_t i = 0; i < matrix->cells.n; i++) {
		empty.cells.items[i] = matrix->cells.items[i];
		empty.cells.items[i].summary = (struct bench_summary){
			.latency = ARENA_NEW(arena, struct histogram),
		};
	}
	strbuf_init(&out, arena);
	json_writer_init(&json, &out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", BENCH_SCHEMA);
	json_put_text(&json, "mode", page->mode->name);
	bench_labels_to_json(page->ctx->facts, &page->load, &json);
	bench_matrix_to_json(&empty, &json);
	json_end(&json);
	return (struct saved_text){ "what is to be measured", out.text,
				    out.len };
}

int bench_keep_look(struct bench_page *page, const struct bench_matrix *matrix,
		    struct err *err)
{
	_cleanup_sysroot_ struct sysroot *root = NULL;
	struct saved_text before, after;
	const char *dir, *path;
	int r;

	if (!page->ctx->options.baseline)
		return 0;
	r = baseline_path(page, &dir, &path, err);
	if (r == 0)
		r = sysroot_open("/", &root, err);
	if (r < 0)
		return r;
	if (!sysroot_exists(root, path))
		return file_check_new(root, path, err);
	after = planned(page, matrix);
	r = bench_file_read(page->ctx, path, &before, err);
	return r < 0 ? r :
		       bench_against_planned(page->ctx->arena, &before, &after,
					     err);
}

static int compare_with(struct bench_page *page, const char *path,
			const struct strbuf *text, struct err *err)
{
	struct arena *arena = page->ctx->arena;
	struct bench_steps *steps = ARENA_NEW(arena, struct bench_steps);
	struct saved_text before;
	const struct saved_text after = {
		.name = "this result",
		.text = text->text,
		.len = text->len,
	};
	int r = bench_file_read(page->ctx, path, &before, err);

	if (r == 0)
		r = bench_against(arena, &before, &after, steps, err);
	if (r == 0)
		page->against = steps;
	return r;
}

static int keep_baseline(struct bench_page *page, const struct sysroot *root,
			 const struct strbuf *text, struct err *err)
{
	const char *dir, *path;
	int r = baseline_path(page, &dir, &path, err);

	if (r < 0)
		return r;
	return sysroot_exists(root, path) ?
		       compare_with(page, path, text, err) :
		       save_baseline(page, root, dir, path, text->text, err);
}

int bench_keep(struct bench_page *page, struct err *err)
{
	const struct options *options = &page->ctx->options;
	_cleanup_sysroot_ struct sysroot *root = NULL;
	struct strbuf text;
	int r;

	if (!options->output && !options->baseline)
		return 0;
	if (page->matrix.cells.n == 0)
		return err_set(err, -ENODATA,
			       "nothing was measured that could be kept");
	r = sysroot_open("/", &root, err);
	if (r < 0)
		return r;
	bench_page_json(page, &text);
	if (options->output)
		r = keep_in_folder(page, root, text.text, err);
	if (r == 0 && options->baseline)
		r = keep_baseline(page, root, &text, err);
	return r;
}
