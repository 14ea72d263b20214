/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/plan_export.h"
#include "cmd/plan_hash.h"
#include "cmd/plan_text.h"
#include "json/plan_json.h"

static void put_page(const struct context *ctx, struct strbuf *out)
{
	const struct plan_view view = {
		.plan = ctx->plan,
		.facts = ctx->facts,
		.wide = ctx->options.wide,
		.color = ctx->color,
		.width = ctx->width,
	};
	char hash[HASH_TEXT_SIZE];

	plan_put(out, &view);
	if (!plan_has_work(ctx->plan))
		return;
	plan_hash(ctx->arena, ctx->plan, ctx->facts, hash);
	strbuf_printf(out, "to apply exactly this: --expect %s\n", hash);
}

static bool is_pending(const struct plan *plan)
{
	VEC_EACH(&plan->changes, const struct change, it)
		if (it->pending)
			return true;
	return false;
}

static int exit_code(const struct context *ctx)
{
	if (!ctx->options.detailed_exitcode)
		return EXIT_DONE;
	if (plan_has_work(ctx->plan))
		return EXIT_DIFFERS;
	return is_pending(ctx->plan) ? EXIT_NEEDED : EXIT_DONE;
}

static int plan(struct context *ctx, int argc, char **argv, struct err *err)
{
	struct strbuf out;
	int r = context_plan_live(ctx, argc, argv, err);

	if (r < 0)
		return EXIT_FAILED;
	strbuf_init(&out, ctx->arena);
	if (ctx->options.export) {
		if (plan_export(&out, ctx->plan, ctx->options.export, err) < 0)
			return EXIT_FAILED;
		out_write(&out);
		return EXIT_DONE;
	}
	switch (ctx->format) {
	case OUT_TABLE:
		put_page(ctx, &out);
		break;
	case OUT_JSON:
		plan_to_json(ctx->plan, ctx->facts, &out);
		break;
	case OUT_RAW:
		plan_put_raw(&out, ctx->plan);
		break;
	}
	out_write(&out);
	return exit_code(ctx);
}

static const struct opt opts[] = {
	OPT_PROFILE,
	{ .name = "wide",
	  .letter = 'w',
	  OPT_TO(FLAG, wide),
	  .help = "also show what stays as it is, and the files in full" },
	{ .name = "detailed-exitcode",
	  OPT_TO(FLAG, detailed_exitcode),
	  .help = "exit 3 if there is something to do, 4 if only a reload, reboot or restart is needed" },
	{ .name = "export",
	  OPT_TO(TEXT, export),
	  .arg = "KIND",
	  .help = "print only the text for your own configuration: udev, modprobe, sysctl, systemd or cmdline" },
	OPTS_READ,
	OPT_IMAGE,
	OPT_MIN_CPUS,
	OPT_END,
};

const struct command command_plan = {
	.name = "plan",
	.args = "[DRIVE...]",
	.summary = "show what a profile would change, and why",
	.opts = opts,
	.run = plan,
	.details =
		"Nothing is written.  Each line begins with a verdict: \"change\" is made at once;\n"
		"\"later\" is written at once and takes effect after a reload, reboot or restart;\n"
		"\"pending\" was written by an earlier apply; \"cannot\" stays, with the reason;\n"
		"\"return\" restores what only the profile applied before had set; \"effect\" is a\n"
		"change that the kernel makes by itself.  The hash for --expect is the SHA-256 of\n"
		"the output of --format json.",
	.exits =
		"3  there is something to do (with --detailed-exitcode)\n"
		"4  only a reload, reboot or restart is needed (with --detailed-exitcode)",
};
