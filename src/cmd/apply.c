/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "cmd/apply_outcome.h"
#include "cmd/apply_resume.h"
#include "cmd/apply_run.h"
#include "cmd/command_list.h"
#include "cmd/open_txn.h"
#include "cmd/out.h"
#include "cmd/plan_hash.h"
#include "cmd/plan_text.h"
#include "core/users.h"
#include "write/lock.h"

/* --allow-reload where it cannot be: said before anything is done. */
static void tell_no_reload(const struct context *ctx)
{
	const char *user = users_of_drives(ctx->arena, ctx->facts);

	if (ctx->options.allow_reload && user && apply_needs(ctx) & NEED_RELOAD)
		out_note("nvme is not reloaded: %s", user);
}

static int check_image_options(const struct options *options, struct err *err)
{
	if (options->min_cpus_given && !options->image)
		return command_usage(
			&command_apply, err,
			"--min-cpus is a promise about the hosts of an image: add --root DIR");
	if (options->min_cpus_given && options->min_cpus == 0)
		return command_usage(&command_apply, err,
				     "--min-cpus 0: legal is 1 or more");
	if (options->image &&
	    (options->live_only || options->confirm || options->trial ||
	     options->allow_reload || options->update_initramfs ||
	     options->update_grub))
		return command_usage(
			&command_apply, err,
			"--root writes the files of an image: nothing runs there to be changed, measured, reloaded or rebuilt");
	return EXIT_DONE;
}

/* Forgotten, --confirm would leave the change unmeasured and applied. */
static int check_measured(const struct options *options, struct err *err)
{
	const struct {
		const char *name;
		bool given;
	} rows[] = {
		{ "workload", options->workload },
		{ "budget", options->budget },
		{ "min-effect", options->min_effect },
		{ "in-use", options->in_use },
		{ "time", options->time },
		{ "depth", options->depth },
		{ "block", options->block },
		{ "metric", options->metric },
		{ "jobs", options->jobs },
		{ "seed", options->seed_given },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++)
		if (rows[i].given && !options->confirm && !options->trial)
			return command_usage(
				&command_apply, err,
				"--%s says how to measure, and nothing is measured: add --confirm or --trial",
				rows[i].name);
	if (options->trial &&
	    (options->allow_reload || options->update_initramfs ||
	     options->update_grub))
		return command_usage(
			&command_apply, err,
			"--trial puts everything back: there is nothing to reload or to rebuild for");
	return EXIT_DONE;
}

static int check_confirm(const struct options *options, struct err *err)
{
	struct confirm_terms terms;
	struct confirm_shape shape;
	int r = check_measured(options, err);

	if (r != EXIT_DONE)
		return r;
	if (options->confirm && options->confirm[0] &&
	    strcmp(options->confirm, "each") != 0 &&
	    strcmp(options->confirm, "all") != 0)
		return command_usage(
			&command_apply, err,
			"--confirm=%s is not known: legal are each, key by key, and all, the set as a whole",
			options->confirm);
	r = confirm_shape_read(&command_apply, options, &shape, err);
	return r == EXIT_DONE ? confirm_terms_read(&command_apply, options,
						   &terms, err) :
				r;
}

/* What may be wrong with how the options stand together. */
static int check_options(const struct context *ctx, int argc, struct err *err)
{
	const struct options *options = &ctx->options;
	int r = check_image_options(options, err);

	if (r != EXIT_DONE)
		return r;
	if (options->resume && (options->profile || options->confirm ||
				options->trial || options->expect || argc))
		return command_usage(
			&command_apply, err,
			"--resume finishes what was planned: it takes no profile, no --confirm, no --expect and no drive");
	r = check_confirm(options, err);
	if (r != EXIT_DONE)
		return r;
	if (options->live_only &&
	    (options->allow_reload || options->update_initramfs ||
	     options->update_grub))
		return command_usage(
			&command_apply, err,
			"--live-only writes no file, so there is nothing to reload or to rebuild for");
	if (argc && !options->live_only)
		return command_usage(
			&command_apply, err,
			"a drive can be chosen for live changes only, what persists follows the profile: add --live-only");
	return EXIT_DONE;
}

static bool is_root_needed(const struct context *ctx)
{
	return sysroot_is_live(ctx->root) && geteuid() != 0 &&
	       !ctx->options.dry_run;
}

static int check_expected(const struct context *ctx, struct err *err)
{
	char sum[HASH_TEXT_SIZE];

	if (!ctx->options.expect)
		return 0;
	plan_hash(ctx->arena, ctx->plan, ctx->facts, sum);
	if (strcmp(sum, ctx->options.expect) == 0)
		return 0;
	return err_set(
		err, -ESTALE,
		"the plan is not the expected one but %s; nothing was changed",
		sum);
}

/* --strict: every refusal is named, and nothing is written. */
static int check_strict(const struct context *ctx, struct err *err)
{
	size_t n = plan_count(ctx->plan, VERDICT_CANNOT);

	if (!ctx->options.strict || n == 0)
		return 0;
	VEC_EACH(&ctx->plan->changes, const struct change, it)
		if (it->verdict == VERDICT_CANNOT)
			out_note("%s: cannot: %s", it->id, it->reason);
	return err_set(
		err, -EOPNOTSUPP,
		"--strict: %zu of the settings cannot be had here; nothing was changed",
		n);
}

static void put_plan(const struct context *ctx)
{
	const struct plan_view view = {
		.plan = apply_shown(ctx),
		.facts = ctx->facts,
		.wide = ctx->options.wide,
		.color = ctx->color,
		.width = ctx->width,
	};
	struct strbuf out;

	if (ctx->format != OUT_TABLE)
		return;
	strbuf_init(&out, ctx->arena);
	plan_put(&out, &view);
	out_write(&out);
}

static int execute(struct context *ctx, struct apply_outcome *outcome,
		   struct err *err)
{
	int r = apply_run(ctx, outcome->confirm.trial_id, &outcome->result,
			  err);

	if (r < 0 && outcome->result.undone)
		out_note("transaction %u is undone, the host is as before",
			 outcome->result.id);
	return r;
}

/* What did not prove itself goes from the profile, and the rest is planned
 * anew on the same facts: everything is as they say again. */
static int plan_the_rest(struct context *ctx, const struct confirm *confirm,
			 struct err *err)
{
	if (!confirm_has_rejected(confirm))
		return 0;
	ctx->profile = confirm_rest(confirm);
	return context_plan_for(ctx, ctx->profile, &ctx->plan, err);
}

static int confirm_plan(struct context *ctx, struct apply_outcome *outcome,
			struct err *err)
{
	struct confirm *confirm = &outcome->confirm;
	int r;

	outcome->confirms = ctx->options.confirm || ctx->options.trial;
	if (!outcome->confirms)
		return 0;
	r = confirm_open(ctx, confirm, err);
	if (r == 0 && !confirm_is_idle(confirm))
		r = ctx->options.dry_run ? confirm_look(confirm, err) :
					   confirm_run(confirm, err);
	confirm_close(confirm);
	if (r == 0 && !ctx->options.dry_run && !ctx->options.trial)
		r = plan_the_rest(ctx, confirm, err);
	return r;
}

/* What it measures is in place already; that it cannot be is no failure. */
static void begin_boots(struct context *ctx, struct apply_outcome *outcome)
{
	const unsigned int id = outcome->result.id;
	struct err err = { 0 };

	if (!outcome->confirms || !id || outcome->result.reloaded ||
	    ctx->options.live_only || !provisional_is_wanted(ctx->plan))
		return;
	if (provisional_begin(ctx, id, &outcome->boots, &err) < 0)
		out_note("what a reboot switches was not measured: %s",
			 err.text);
	else
		outcome->has_boots = true;
}

/* Files of an image have the labels that this machine gives them, if any. */
static void tell_labels(const struct context *ctx)
{
	if (ctx->options.image &&
	    sysroot_exists(ctx->root, "etc/selinux/config"))
		out_note(
			"the image has SELinux, and the files written have none of its labels: let its relabel step run after this (setfiles, or /.autorelabel)");
}

/* A rule is a program of root's, and so is a wrapper. */
static void tell_owner(const struct context *ctx)
{
	if (ctx->options.image && geteuid() != 0)
		out_note(
			"the files written belong to uid %u, who builds here: on a host that boots the image that user could change what root does; give them to root when it is packed",
			(unsigned int)geteuid());
}

/* The plan is shown and may be carried out. */
static int carry_out(struct context *ctx, struct apply_outcome *outcome,
		     struct err *err)
{
	int r = confirm_plan(ctx, outcome, err);

	if (r == 0 && !ctx->options.dry_run && !ctx->options.trial &&
	    apply_has_work(ctx))
		r = execute(ctx, outcome, err);
	if (r == 0)
		begin_boots(ctx, outcome);
	if (r == 0 && outcome->result.id) {
		tell_labels(ctx);
		tell_owner(ctx);
	}
	return r == 0 ? apply_finish(ctx, outcome) : EXIT_FAILED;
}

/* Everything from the lock on. */
static int apply_locked(struct context *ctx, int argc, char **argv,
			struct err *err)
{
	struct apply_outcome outcome = { 0 };
	int r = open_txn_check(ctx, ctx->options.dry_run, err);

	if (r == -EBUSY)
		return EXIT_OPEN;
	if (r == 0)
		r = context_plan_live(ctx, argc, argv, err);
	if (r == 0)
		r = check_expected(ctx, err);
	if (r < 0)
		return EXIT_FAILED;
	put_plan(ctx);
	tell_no_reload(ctx);
	r = check_strict(ctx, err);
	return r < 0 ? EXIT_FAILED : carry_out(ctx, &outcome, err);
}

static int apply(struct context *ctx, int argc, char **argv, struct err *err)
{
	_cleanup_close_ int lock = -1;
	int r = check_options(ctx, argc, err);

	if (r != EXIT_DONE)
		return r;
	r = context_root(ctx, err);
	if (r == 0 && !sysroot_is_live(ctx->root) &&
	    (ctx->options.update_initramfs || ctx->options.update_grub ||
	     ctx->options.allow_reload))
		r = err_set(
			err, -EOPNOTSUPP,
			"--update-initramfs, --update-grub and --allow-reload are for the running host, not for a tree");
	if (r == 0 && is_root_needed(ctx))
		r = err_set(err, -EPERM,
			    "apply changes the host: only root may");
	if (r < 0)
		return EXIT_FAILED;
	if (!ctx->options.dry_run) {
		r = lock_take(ctx->root, ctx->arena, ctx->options.wait, &lock,
			      err);
		if (r < 0)
			return r == -EBUSY ? EXIT_LOCKED : EXIT_FAILED;
	}
	return ctx->options.resume ? apply_resume(ctx, err) :
				     apply_locked(ctx, argc, argv, err);
}

static const struct opt opts[] = {
	OPT_PROFILE,
	{ .name = "dry-run",
	  .letter = 'n',
	  OPT_TO(FLAG, dry_run),
	  .help = "show what would be done, write nothing" },
	{ .name = "live-only",
	  OPT_TO(FLAG, live_only),
	  .help = "change values, write no files: lost at a reboot",
	  .excludes = "persist-only" },
	{ .name = "persist-only",
	  OPT_TO(FLAG, persist_only),
	  .help = "write files, change no values: takes effect at a reboot" },
	{ .name = "confirm",
	  OPT_TO(MAYBE, confirm),
	  .arg = "each|all",
	  .help = "measure each setting by itself, or all together, and keep what is shown to be better",
	  .excludes = "persist-only" },
	{ .name = "trial",
	  OPT_TO(FLAG, trial),
	  .help = "only measure, then put everything back",
	  .excludes = "persist-only" },
	OPT_WORKLOAD,
	OPT_BUDGET,
	OPT_MIN_EFFECT,
	{ .name = "in-use",
	  OPT_TO(FLAG, in_use),
	  .help = "with --confirm: also read drives that are in use" },
	{ .name = "time",
	  OPT_TO(NUMBER, time),
	  .arg = "SECONDS",
	  .help = "with --confirm: length of a slice (2)" },
	{ .name = "depth",
	  OPT_TO(NUMBER, depth),
	  .arg = "N",
	  .help = "with --confirm: reads in flight for each job (32)" },
	{ .name = "block",
	  OPT_TO(TEXT, block),
	  .arg = "SIZE",
	  .help = "with --confirm: size of each read (4k)" },
	{ .name = "metric",
	  OPT_TO(TEXT, metric),
	  .arg = "METRIC",
	  .help = "with --confirm: compare iops, cpu, p99 or mean, not what a pilot run chooses" },
	{ .name = "jobs",
	  OPT_TO(NUMBER, jobs),
	  .arg = "N",
	  .help = "with --confirm: jobs for each drive, one on a CPU (16)" },
	{ .name = "seed",
	  OPT_TO(NUMBER, seed),
	  .arg = "N",
	  .given = offsetof(struct options, seed_given),
	  .help = "with --confirm: repeat order and offsets of a run" },
	{ .name = "expect",
	  OPT_TO(TEXT, expect),
	  .arg = "HASH",
	  .help = "apply only if this is the hash that plan printed" },
	{ .name = "strict",
	  OPT_TO(FLAG, strict),
	  .help = "fail before the first write if any setting is \"cannot\"" },
	{ .name = "keep-going",
	  OPT_TO(FLAG, keep_going),
	  .help = "keep the other changes when one fails" },
	{ .name = "allow-reload",
	  OPT_TO(FLAG, allow_reload),
	  .help = "reload the nvme modules for their parameters, if no drive is in use",
	  .excludes = "confirm" },
	{ .name = "update-initramfs",
	  OPT_TO(FLAG, update_initramfs),
	  .help = "rebuild the initramfs if it has to hold a module option" },
	{ .name = "update-grub",
	  OPT_TO(FLAG, update_grub),
	  .help = "rebuild grub.cfg if the kernel command line changes" },
	{ .name = "wait",
	  OPT_TO(NUMBER, wait),
	  .arg = "SECONDS",
	  .given = offsetof(struct options, wait_given),
	  .help = "wait up to SECONDS for another nvmetune to end" },
	{ .name = "detailed-exitcode",
	  OPT_TO(FLAG, detailed_exitcode),
	  .help = "exit 3 if something was changed, 4 if a reload, reboot or restart is needed" },
	{ .name = "resume",
	  OPT_TO(FLAG, resume),
	  .help = "finish the transaction that a crash left open",
	  .excludes = "dry-run" },
	{ .name = "wide",
	  .letter = 'w',
	  OPT_TO(FLAG, wide),
	  .help = "also show what stays as it is, and the files in full" },
	OPT_FORMAT,
	OPT_SYSROOT_WRITE,
	OPT_IMAGE,
	OPT_MIN_CPUS,
	OPT_END,
};

const struct command command_apply = {
	.name = "apply",
	.args = "[DRIVE...]",
	.summary = "make this host match a profile, now and after a reboot",
	.opts = opts,
	.run = apply,
	.details =
		"Shows the plan and carries it out as one transaction: after a failure or an\n"
		"interrupt everything is as before.  \"nvmetune rollback\" undoes it, even after a\n"
		"reboot.  A second apply finds nothing to do.",
	.exits =
		"3  something was changed (with --detailed-exitcode)\n"
		"4  a reload, reboot or restart is needed (with --detailed-exitcode)\n"
		"5  --confirm did not keep everything; --trial would not\n"
		"6  another nvmetune is running\n"
		"7  a transaction is open: \"nvmetune rollback\" first",
};
