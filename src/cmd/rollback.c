/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/rollback.h"

#include <errno.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/interrupt.h"
#include "cmd/needed.h"
#include "cmd/restore_text.h"
#include "core/owner.h"
#include "core/plan.h"
#include "knobs/knob_list.h"
#include "write/exec.h"
#include "write/lock.h"
#include "write/state.h"
#include "json/write.h"

struct run {
	const volatile sig_atomic_t *interrupted;
};

/* A host that is half as before is nobody's wish: one transaction at a time. */
static bool stop(void *data)
{
	const struct run *run = data;

	return *run->interrupted != 0;
}

static void tell_begin(void *data, const struct journal *journal)
{
	(void)data;
	out_note("undoing transaction %u, profile %s%s%s", journal->head.id,
		 journal->head.profile, journal->head.time ? ", of " : "",
		 journal->head.time ? journal->head.time : "");
}

static void tell(void *data, const struct restore_event *event)
{
	(void)data;
	restore_note(event);
}

static void put_result(const struct rollback_result *result, struct strbuf *out)
{
	const struct restore_count *count = &result->count;

	strbuf_printf(out, "%u %s undone: %u brought back", result->undone,
		      result->undone == 1 ? "transaction" : "transactions",
		      count->done);
	if (count->conflicts)
		strbuf_printf(out, ", %u kept since somebody changed them",
			      count->conflicts);
	if (count->gone)
		strbuf_printf(out, ", %u not here now", count->gone);
	if (count->failed)
		strbuf_printf(out, ", %u failed", count->failed);
	strbuf_putc(out, '\n');
}

/* Of a host where no tool was found only its own file tells. */
static bool has_initramfs(struct context *ctx,
			  const struct rollback_result *result)
{
	struct err ignored = { 0 };

	return result->initramfs || ctx->options.image ||
	       context_facts(ctx, &ignored) < 0 || ctx->facts->initramfs;
}

/* In an image nothing runs that could be loaded or started anew. */
static unsigned int needs_of(struct context *ctx,
			     const struct rollback_result *result)
{
	const bool rebuild = result->modules && !result->rebuilt &&
			     has_initramfs(ctx, result);
	const unsigned int needs =
		(result->modules ? NEED_RELOAD : 0) |
		(rebuild ? NEED_INITRAMFS : 0) |
		(result->words && !result->regenerated ? NEED_GRUB : 0) |
		(result->words ? NEED_REBOOT : 0) |
		(result->units ? NEED_RESTART : 0);

	return ctx->options.image ? needs & NEED_INITRAMFS : needs;
}

static bool comes_from_image(const struct context *ctx)
{
	return !ctx->options.image &&
	       sysroot_exists(ctx->root, STATE_IMAGE_DIR) &&
	       sysroot_exists(ctx->root, OWNER_APPLIED);
}

static void put_page(struct context *ctx, const struct rollback_result *result,
		     struct strbuf *out)
{
	if (result->undone)
		put_result(result, out);
	else if (result->newest == 0)
		strbuf_puts(
			out,
			comes_from_image(ctx) ?
				"nothing to do: what nvmetune keeps here came with the image; another apply here replaces it\n" :
				"nothing to do: nvmetune has changed nothing here\n");
	else if (result->kept)
		strbuf_printf(
			out,
			"nothing to do: transaction %u is undone; %u of its changes were kept, --force overwrites them\n",
			result->newest, result->kept);
	else
		strbuf_printf(
			out,
			"nothing to do: transaction %u, the newest, is undone already\n",
			result->newest);
	const struct needed needed = {
		.needs = needs_of(ctx, result),
		.command = needed_initramfs(ctx->arena, result->initramfs,
					    result->kernel),
		.units = result->units,
	};

	needed_put(out, &needed);
}

static void put_json(struct context *ctx, const struct rollback_result *result,
		     struct strbuf *out)
{
	struct json_writer json;

	json_writer_init(&json, out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", "nvmetune.rollback/1");
	json_put_uint(&json, "newest", result->newest);
	json_put_uint(&json, "undone", result->undone);
	json_put_uint(&json, "restored", result->count.done);
	json_put_uint(&json, "conflicts", result->count.conflicts);
	json_put_uint(&json, "gone", result->count.gone);
	json_put_uint(&json, "failed", result->count.failed);
	json_begin_array(&json, "needs");
	if (needs_of(ctx, result) & NEED_INITRAMFS)
		json_put_text(&json, NULL, "initramfs");
	if (needs_of(ctx, result) & NEED_RELOAD)
		json_put_text(&json, NULL, "reload");
	if (needs_of(ctx, result) & NEED_GRUB)
		json_put_text(&json, NULL, "grub");
	if (needs_of(ctx, result) & NEED_REBOOT)
		json_put_text(&json, NULL, "reboot");
	if (needs_of(ctx, result) & NEED_RESTART)
		json_put_text(&json, NULL, "restart");
	json_end(&json);
	json_end(&json);
}

static void put(struct context *ctx, const struct rollback_result *result)
{
	struct strbuf out;

	strbuf_init(&out, ctx->arena);
	switch (ctx->format) {
	case OUT_TABLE:
		put_page(ctx, result, &out);
		break;
	case OUT_JSON:
		put_json(ctx, result, &out);
		break;
	case OUT_RAW:
		strbuf_printf(&out, "%u\t%u\t%u\t%u\t%u\n", result->undone,
			      result->count.done, result->count.conflicts,
			      result->count.gone, result->count.failed);
		break;
	}
	out_write(&out);
}

static int rebuild(const struct context *ctx, struct rollback_result *result,
		   struct err *err)
{
	int r = exec_rebuild_initramfs(ctx->root, ctx->arena, result->initramfs,
				       result->kernel, err);

	if (r < 0)
		return r;
	out_note("initramfs: rebuilt");
	result->rebuilt = true;
	return 0;
}

static int regenerate(const struct context *ctx, struct rollback_result *result,
		      struct err *err)
{
	int r = exec_update_grub(ctx->root, ctx->arena, err);

	if (r < 0)
		return r;
	out_note("grub.cfg: made anew");
	result->regenerated = true;
	return 0;
}

static int undo(struct context *ctx, unsigned int down_to, struct err *err)
{
	struct run run = { .interrupted = interrupt_flag() };
	const struct rollback_input input = {
		.root = ctx->root,
		.down_to = down_to,
		.force = ctx->options.force,
		.knobs = knobs_all(),
		.stop = stop,
		.begin = tell_begin,
		.tell = tell,
		.data = &run,
	};
	struct rollback_result result;
	int r = rollback_run(ctx->arena, &input, &result, err);

	if (r == 0 && result.modules && ctx->options.update_initramfs)
		r = rebuild(ctx, &result, err);
	if (r == 0 && result.words && ctx->options.update_grub)
		r = regenerate(ctx, &result, err);
	if (r == 0 || result.undone)
		put(ctx, &result);
	if (r == 0 && result.count.conflicts)
		r = -EEXIST;
	return r < 0 ? EXIT_FAILED : EXIT_DONE;
}

static int parse_id(const struct context *ctx, int argc, char **argv,
		    unsigned int *ret, struct err *err)
{
	if (argc > 1)
		return command_usage(&command_rollback, err,
				     "\"%s\" is one argument too many",
				     argv[1]);
	if (argc == 1 && ctx->options.all)
		return command_usage(
			&command_rollback, err,
			"--all and a transaction exclude each other");
	*ret = ctx->options.all ? 1 : 0;
	if (argc == 1 && (parse_uint(argv[0], ret) < 0 || *ret == 0))
		return command_usage(
			&command_rollback, err,
			"\"%s\" is no transaction; \"nvmetune history\" lists them",
			argv[0]);
	return EXIT_DONE;
}

/* In a tree that has no state none is made for a lock; elsewhere the lock is
 * no part of it, and an apply that is about to begin has it. */
static bool has_lock(const struct context *ctx)
{
	return sysroot_is_live(ctx->root) || ctx->options.image ||
	       sysroot_exists(ctx->root, STATE_DIR);
}

static int rollback(struct context *ctx, int argc, char **argv, struct err *err)
{
	_cleanup_close_ int lock = -1;
	unsigned int down_to;
	int r = parse_id(ctx, argc, argv, &down_to, err);

	if (r != EXIT_DONE)
		return r;
	r = context_root(ctx, err);
	if (r == 0 &&
	    (ctx->options.update_initramfs || ctx->options.update_grub) &&
	    !sysroot_is_live(ctx->root))
		r = err_set(
			err, -EOPNOTSUPP,
			"--update-initramfs, --update-grub: only the running host's is rebuilt, not that of a tree");
	if (r == 0 && sysroot_is_live(ctx->root) && geteuid() != 0)
		r = err_set(err, -EPERM,
			    "rollback changes the host: only root may");
	if (r < 0)
		return EXIT_FAILED;
	if (has_lock(ctx)) {
		r = lock_take(ctx->root, ctx->arena, ctx->options.wait, &lock,
			      err);
		if (r < 0)
			return r == -EBUSY ? EXIT_LOCKED : EXIT_FAILED;
	}
	return undo(ctx, down_to, err);
}

static const struct opt opts[] = {
	{ .name = "all", OPT_TO(FLAG, all), .help = "undo every transaction" },
	{ .name = "force",
	  OPT_TO(FLAG, force),
	  .help = "also overwrite what somebody changed since" },
	{ .name = "update-initramfs",
	  OPT_TO(FLAG, update_initramfs),
	  .help = "rebuild the initramfs if a module option was removed" },
	{ .name = "update-grub",
	  OPT_TO(FLAG, update_grub),
	  .help = "rebuild grub.cfg if the kernel command line changes" },
	{ .name = "wait",
	  OPT_TO(NUMBER, wait),
	  .arg = "SECONDS",
	  .given = offsetof(struct options, wait_given),
	  .help = "wait up to SECONDS for another nvmetune to end" },
	OPT_FORMAT,
	OPT_SYSROOT_WRITE,
	OPT_IMAGE,
	OPT_END,
};

const struct command command_rollback = {
	.name = "rollback",
	.args = "[TRANSACTION]",
	.summary = "undo what apply did",
	.opts = opts,
	.run = rollback,
	.details =
		"Undoes the newest transaction, or the one that is open.  A TRANSACTION, numbered\n"
		"as in \"nvmetune history\", is undone together with all newer ones.  What somebody\n"
		"changed since is kept and reported.  A second rollback does nothing.  After an\n"
		"interrupt it finishes the transaction that it is undoing, and stops.",
	.exits = "6  another nvmetune is running",
};
