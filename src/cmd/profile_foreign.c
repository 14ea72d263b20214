/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/profile_foreign.h"

#include <string.h>

#include "base/err.h"
#include "base/escape.h"
#include "base/parse.h"
#include "core/foreign.h"
#include "sys/modprobe_conf.h"
#include "sys/udev_rules.h"
#include "json/write.h"

#define MOST_BYTES (1U << 20)

static int read_file(struct context *ctx, const char *name, char **ret,
		     struct err *err)
{
	_cleanup_sysroot_ struct sysroot *root = NULL;
	const char *path;
	int r = context_path(ctx, name, &path, err);

	if (r < 0)
		return r;
	r = sysroot_open("/", &root, err);
	if (r < 0)
		return r;
	r = sysroot_read_file(root, ctx->arena, path + 1, MOST_BYTES, ret);
	return r < 0 ? err_errno(err, r, "%s", name) : 0;
}

/* By its name, else by what stands in it. */
static bool holds_rules(const char *name, const char *text)
{
	if (text_has_suffix(name, ".rules") || text_has_suffix(name, ".conf"))
		return text_has_suffix(name, ".rules");
	return strstr(text, "==\"") || strstr(text, "ATTR{");
}

static void check_rules(struct context *ctx, const char *name, char *text,
			struct problems *findings)
{
	struct foreign_rules rules = { .file = name };
	struct udev_lines lines;

	udev_rules_split(ctx->arena, name, text, &lines);
	VEC_EACH(&lines.rules, struct rule, rule)
		*vec_add(ctx->arena, &rules.lines) = *rule;
	foreign_rules_check(ctx->arena, &rules, ctx->facts, findings);
}

static void check_options(struct context *ctx, const char *name, char *text,
			  struct problems *findings)
{
	struct foreign_options options = { .file = name };
	struct modprobe_conf conf;

	if (!text_has_suffix(name, ".conf"))
		*vec_add(ctx->arena, &findings->lines) = arena_printf(
			ctx->arena,
			"%s:1: the name does not end in .conf: modprobe does not read it",
			name);
	modprobe_conf_parse(ctx->arena, name, text, &conf);
	VEC_EACH(&conf.options, struct module_option, option)
		*vec_add(ctx->arena, &options.options) = *option;
	foreign_options_check(ctx->arena, &options, ctx->facts, findings);
}

static int check_file(struct context *ctx, const char *name,
		      struct problems *findings, struct err *err)
{
	char *text;
	int r = read_file(ctx, name, &text, err);

	if (r < 0)
		return r;
	if (holds_rules(name, text))
		check_rules(ctx, name, text, findings);
	else
		check_options(ctx, name, text, findings);
	return 0;
}

static void put_findings(struct context *ctx, const struct problems *findings)
{
	struct json_writer json;
	struct strbuf out;

	strbuf_init(&out, ctx->arena);
	if (ctx->format == OUT_JSON) {
		json_writer_init(&json, &out, JSON_PAGE);
		json_begin_object(&json, NULL);
		json_put_text(&json, "schema", "nvmetune.foreign/1");
		json_begin_array(&json, "findings");
		VEC_EACH(&findings->lines, const char *, it)
			json_put_text(&json, NULL, *it);
		json_end(&json);
		json_end(&json);
	} else {
		VEC_EACH(&findings->lines, const char *, it) {
			escape_to(&out, *it);
			strbuf_putc(&out, '\n');
		}
	}
	out_write(&out);
}

int profile_foreign(struct context *ctx, int argc, char **argv, struct err *err)
{
	const bool named = ctx->options.facts || ctx->options.sysroot;
	struct problems findings = { .arena = ctx->arena };

	/* Only a host that the user named: a file is often checked elsewhere
	 * than where it is used. */
	if (named && context_facts(ctx, err) < 0)
		return EXIT_FAILED;
	for (int i = 0; i < argc; i++)
		if (check_file(ctx, argv[i], &findings, err) < 0)
			return EXIT_FAILED;
	put_findings(ctx, &findings);
	return findings.lines.n ? EXIT_FAILED : EXIT_DONE;
}
