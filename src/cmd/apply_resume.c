/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/apply_resume.h"

#include <errno.h>

#include "cmd/apply_run.h"
#include "write/history.h"
#include "json/write.h"

static void put_page(const struct execute_result *result, struct strbuf *out)
{
	if (result->id == 0)
		strbuf_puts(out, "nothing to resume: no transaction is open\n");
	else
		strbuf_printf(
			out,
			"transaction %u is finished: %u changed, %u refused, %u failed; \"nvmetune verify\" tells what still waits for a reload or a reboot\n",
			result->id, result->changed, result->refused,
			result->failed);
}

static void put_json(const struct execute_result *result, const char *profile,
		     struct strbuf *out)
{
	struct json_writer json;

	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", "nvmetune.apply/1");
	json_put_text(&json, "profile", profile);
	json_put_bool(&json, "resumed", result->id != 0);
	if (result->id)
		json_put_uint(&json, "transaction", result->id);
	json_put_uint(&json, "changed", result->changed);
	json_put_uint(&json, "refused", result->refused);
	json_put_uint(&json, "failed", result->failed);
	json_end(&json);
}

static void put(const struct context *ctx, const struct execute_result *result,
		const char *profile)
{
	struct strbuf out;

	strbuf_init(&out, ctx->arena);
	switch (ctx->format) {
	case OUT_TABLE:
		put_page(result, &out);
		break;
	case OUT_JSON:
		put_json(result, profile, &out);
		break;
	case OUT_RAW:
		strbuf_printf(&out, "%u\t%u\t%u\t%u\n", result->id,
			      result->changed, result->refused, result->failed);
		break;
	}
	out_write(&out);
}

/* It is as it was found, and open: rollback is the way on. */
static bool is_to_be_rolled_back(int r)
{
	return r == -EBUSY || r == -ESTALE || r == -EEXIST || r == -EBADMSG;
}

int apply_resume(struct context *ctx, struct err *err)
{
	struct execute_result result = { 0 };
	const struct history_entry *open;
	struct history history;
	int r = history_read(ctx->root, ctx->arena, &history, err);

	if (r < 0)
		return EXIT_FAILED;
	open = history_blocking(&history);
	if (open)
		r = apply_run_on(ctx, open->id, &result, err);
	if (r < 0 && result.undone)
		out_note("transaction %u is undone, the host is as before",
			 result.id);
	if (r < 0)
		return is_to_be_rolled_back(r) && !result.undone ? EXIT_OPEN :
								   EXIT_FAILED;
	put(ctx, &result, open ? open->journal.head.profile : NULL);
	return result.failed ? EXIT_FAILED : EXIT_DONE;
}
