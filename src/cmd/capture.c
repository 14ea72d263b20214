/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "cmd/command_list.h"
#include "cmd/context.h"
#include "probe/probe.h"
#include "sys/record.h"
#include "write/file.h"
#include "write/raw.h"
#include "json/facts_json.h"
#include "json/redact.h"

/* A link or a device is not for us to replace. */
static int check_plain(const struct sysroot *root, struct arena *arena,
		       const char *path, struct err *err)
{
	mode_t mode;

	if (sysroot_link_name(root, arena, path + 1) ||
	    (sysroot_mode(root, path + 1, &mode) == 0 && !S_ISREG(mode)))
		return err_set(err, -EEXIST,
			       "%s: there is something that is no plain file",
			       path);
	return 0;
}

/* The file as a whole or not at all: a bug report is never half a host. */
static int put_file(struct context *ctx, const char *name, const char *text,
		    struct err *err)
{
	_cleanup_sysroot_ struct sysroot *root = NULL;
	const char *path;
	int r = context_path(ctx, name, &path, err);

	if (r == 0)
		r = sysroot_open("/", &root, err);
	if (r == 0)
		r = check_plain(root, ctx->arena, path, err);
	if (r == 0)
		r = file_put(root, path, text, FILE_MODE_DEFAULT, err);
	return r;
}

/* What a saved host or a tree counts stands still. */
static bool has_samples(const struct context *ctx)
{
	return !ctx->options.facts && sysroot_is_live(ctx->root) &&
	       ctx->facts->ctrls.n;
}

static void take_samples(struct context *ctx)
{
	struct timespec second = { .tv_sec = 1 };
	const struct counters *before =
		probe_counters(ctx->root, ctx->facts, ctx->arena);

	while (nanosleep(&second, &second) < 0 && errno == EINTR)
		continue;
	probe_samples(before, probe_counters(ctx->root, ctx->facts, ctx->arena),
		      ctx->arena, ctx->facts);
}

/* Secrets as they stand in files; what no text holds is searched as bytes. */
static void redact_record(struct context *ctx, struct record *record)
{
	struct redaction *redaction = redaction_new(ctx->arena, ctx->facts);

	VEC_EACH(&record->seen, struct seen, it) {
		char *bytes;

		if (it->kind != SEEN_FILE)
			continue;
		bytes = arena_alloc(ctx->arena, it->n + 1);
		memcpy(bytes, it->bytes, it->n);
		if (memchr(bytes, '\0', it->n)) {
			redaction_bytes(redaction, bytes, it->n);
			it->bytes = bytes;
			continue;
		}
		it->bytes = redaction_text(redaction, bytes);
		it->n = strlen(it->bytes);
	}
}

static int capture_raw(struct context *ctx, struct err *err)
{
	struct record record = { .arena = ctx->arena };
	const char *dir;
	int r = context_path(ctx, ctx->options.raw, &dir, err);

	if (r == 0)
		r = context_root(ctx, err);
	if (r < 0)
		return EXIT_FAILED;
	sysroot_set_record(ctx->root, &record);
	r = context_facts(ctx, err);
	sysroot_set_record(ctx->root, NULL);
	if (r < 0)
		return EXIT_FAILED;
	if (ctx->options.redact)
		redact_record(ctx, &record);
	r = raw_write(&record, ctx->root, ctx->arena, dir, err);
	return r < 0 ? EXIT_FAILED : EXIT_DONE;
}

static int capture(struct context *ctx, int argc, char **argv, struct err *err)
{
	const char *output = ctx->options.output;
	struct strbuf text;
	int r;

	if (argc > 0)
		return command_usage(
			&command_capture, err,
			"\"%s\": a whole host is saved, not a drive", argv[0]);
	if (ctx->options.raw && (ctx->options.facts || ctx->options.dmesg))
		return command_usage(
			&command_capture, err,
			"--raw saves what is read from a host, which --facts and --dmesg replace");
	if (ctx->options.raw)
		return capture_raw(ctx, err);
	r = context_facts(ctx, err);
	if (r < 0)
		return EXIT_FAILED;
	if (has_samples(ctx))
		take_samples(ctx);
	if (ctx->options.redact)
		facts_redact(ctx->arena, ctx->facts);
	strbuf_init(&text, ctx->arena);
	facts_to_json(ctx->facts, &text);
	if (output) {
		r = put_file(ctx, output, text.text, err);
		return r < 0 ? EXIT_FAILED : EXIT_DONE;
	}
	out_write(&text);
	return EXIT_DONE;
}

static const struct opt opts[] = {
	{ .name = "output",
	  .letter = 'o',
	  OPT_TO(TEXT, output),
	  .arg = "FILE",
	  .help = "write to FILE instead of stdout" },
	{ .name = "raw",
	  OPT_TO(TEXT, raw),
	  .arg = "DIR",
	  .help = "save the files that were read, as a tree for --sysroot DIR",
	  .excludes = "output" },
	{ .name = "redact",
	  OPT_TO(FLAG, redact),
	  .help = "replace serial numbers, host names and the like" },
	OPT_FACTS,
	OPT_SYSROOT,
	OPT_DMESG,
	OPT_END,
};

const struct command command_capture = {
	.name = "capture",
	.summary = "save the facts of this host as JSON",
	.opts = opts,
	.run = capture,
	.details =
		"With --facts FILE, status and plan work from it on any machine.  The live host\n"
		"is read twice, a second apart, so that rates are saved, too.  Look at the file\n"
		"before you give it to others, and see --redact.",
};
