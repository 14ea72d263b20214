/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench_file.h"
#include "cmd/bench_mode.h"
#include "cmd/bench_steps.h"
#include "cmd/command_list.h"
#include "json/bench_json.h"

/* Two saved results need no host. */
static int instead(struct bench_page *page, int argc, char **argv,
		   struct err *err)
{
	struct context *ctx = page->ctx;
	struct saved_text before, after;
	struct bench_steps steps;
	struct json_writer json;
	struct strbuf out;

	if (argc != 2)
		return command_usage(&command_bench, err,
				     "write \"bench compare BEFORE AFTER\"");
	if (ctx->format == OUT_RAW)
		return command_usage(&command_bench, err,
				     "compare has no --format raw");
	if (bench_file_read(ctx, argv[0], &before, err) < 0 ||
	    bench_file_read(ctx, argv[1], &after, err) < 0 ||
	    bench_against(ctx->arena, &before, &after, &steps, err) < 0)
		return EXIT_FAILED;
	strbuf_init(&out, ctx->arena);
	if (ctx->format == OUT_JSON) {
		json_writer_init(&json, &out, JSON_PAGE);
		json_begin_object(&json, NULL);
		json_put_text(&json, "schema", BENCH_SCHEMA);
		bench_steps_to_json(&steps, &json);
		json_end(&json);
	} else {
		bench_steps_put(&steps, &out);
	}
	out_write(&out);
	return EXIT_DONE;
}

const struct bench_mode bench_mode_compare = {
	.name = "compare",
	.instead = instead,
};
