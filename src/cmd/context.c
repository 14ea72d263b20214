/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/context.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/parse.h"
#include "cmd/profile_check.h"
#include "core/owner.h"
#include "core/runner.h"
#include "knobs/knob_list.h"
#include "probe/probe.h"
#include "render/files.h"
#include "sys/profile_file.h"
#include "write/history.h"
#include "json/facts_json.h"

#define FACTS_LIMIT ((size_t)64 << 20)

void context_init(struct context *ctx)
{
	memset(ctx, 0, sizeof(*ctx));
	ctx->arena = arena_new();
}

void context_done(struct context *ctx)
{
	sysroot_close(ctx->root);
	arena_free(ctx->arena);
	memset(ctx, 0, sizeof(*ctx));
}

int context_options(struct context *ctx, struct err *err)
{
	const char *format = ctx->options.format;

	ctx->color = out_wants_color() && !ctx->options.no_color;
	ctx->width = out_width();
	if (format && out_format_parse(format, &ctx->format) < 0)
		return err_set(err, -EINVAL,
			       "--format \"%s\" is not table, json or raw",
			       format);
	return 0;
}

int context_root(struct context *ctx, struct err *err)
{
	const char *path = ctx->options.sysroot ? ctx->options.sysroot : "/";

	if (ctx->root)
		return 0;
	if (ctx->options.image)
		return sysroot_open_image(ctx->options.image, &ctx->root, err);
	return sysroot_open(path, &ctx->root, err);
}

/* Each problem is one line; the error that stays has a code and no words. */
static int tell_problems(const struct problems *problems, int code,
			 struct err *err)
{
	VEC_EACH(&problems->lines, const char *, it)
		out_note("%s", *it);
	*err = (struct err){ .code = code };
	return code;
}

static int read_stdin(struct context *ctx, struct strbuf *sb, struct err *err)
{
	char block[65536];
	size_t n;

	strbuf_init(sb, ctx->arena);
	while ((n = fread(block, 1, sizeof(block), stdin)) > 0) {
		strbuf_put(sb, block, n);
		if (sb->len > FACTS_LIMIT)
			return err_errno(err, -EFBIG, "standard input");
	}
	return ferror(stdin) ? err_errno(err, -EIO, "standard input") : 0;
}

int context_path(struct context *ctx, const char *name, const char **ret,
		 struct err *err)
{
	char here[4096];

	if (name[0] == '/') {
		*ret = name;
		return 0;
	}
	if (!getcwd(here, sizeof(here)))
		return err_errno(err, -errno, "current folder");
	*ret = arena_printf(ctx->arena, "%s/%s", here, name);
	return 0;
}

static int read_named(struct context *ctx, const char *name, struct strbuf *sb,
		      struct err *err)
{
	_cleanup_sysroot_ struct sysroot *root = NULL;
	const char *path;
	char *text;
	int r = context_path(ctx, name, &path, err);

	if (r < 0)
		return r;
	r = sysroot_open("/", &root, err);
	if (r < 0)
		return r;
	r = sysroot_read_file(root, ctx->arena, path + 1, FACTS_LIMIT, &text);
	if (r < 0)
		return err_errno(err, r, "%s", name);
	strbuf_init(sb, ctx->arena);
	strbuf_puts(sb, text);
	return 0;
}

static int load_facts(struct context *ctx, const char *name,
		      struct facts *facts, struct err *err)
{
	struct strbuf text;
	int r;

	r = strcmp(name, "-") == 0 ? read_stdin(ctx, &text, err) :
				     read_named(ctx, name, &text, err);
	if (r < 0)
		return r;
	r = facts_from_json(ctx->arena, text.text, text.len, facts, err);
	return r < 0 ? err_context(err, "%s: not a saved host", name) : 0;
}

static int probe(struct context *ctx, struct facts *facts, struct err *err)
{
	const struct probe_options options = {
		.dmesg_file = ctx->options.dmesg,
		.min_cpus = ctx->options.min_cpus,
	};
	int r = context_root(ctx, err);

	return r < 0 ? r :
		       probe_host(ctx->root, knobs_all(), &options, ctx->arena,
				  facts, err);
}

int context_facts(struct context *ctx, struct err *err)
{
	const char *file = ctx->options.facts;
	struct facts *facts;
	int r;

	if (ctx->facts)
		return 0;
	if (file && ctx->options.image)
		return err_set(err, -EINVAL,
			       "--facts and --root exclude each other");
	facts = ARENA_NEW(ctx->arena, struct facts);
	r = file ? load_facts(ctx, file, facts, err) : probe(ctx, facts, err);
	if (r == 0)
		ctx->facts = facts;
	return r;
}

/* The profile that was applied last, from the facts: a saved host has its
 * own. */
static const char *applied_ini(struct context *ctx)
{
	VEC_EACH(&ctx->facts->own_files, const struct own_file, it)
		if (text_equal(it->path, OWNER_APPLIED))
			return it->content;
	return NULL;
}

const struct profile *context_previous(struct context *ctx)
{
	struct problems problems = { .arena = ctx->arena };
	struct profile *profile = ARENA_NEW(ctx->arena, struct profile);
	const char *text = applied_ini(ctx);

	if (!text ||
	    profile_read(ctx->arena, knobs_all(), "applied", OWNER_APPLIED,
			 text, strlen(text), profile, &problems) < 0)
		return NULL;
	return profile;
}

static int name_the_profiles(struct context *ctx, struct err *err)
{
	struct profile_list list = { 0 };
	struct strbuf names;
	int r;

	r = profile_list(ctx->root, ctx->arena, knobs_all(), &list, err);
	if (r < 0)
		return r;
	strbuf_init(&names, ctx->arena);
	VEC_EACH(&list.items, const struct profile_entry, it)
		strbuf_printf(&names, "%s%s", names.len ? ", " : "", it->name);
	return err_set(
		err, -ENOENT,
		"no profile was applied here yet; --profile NAME chooses one: %s",
		names.len ? names.text : "there are none");
}

/* A profile with mistakes: those that only the host shows are told too. */
static void check_on_host(struct context *ctx, const struct profile *profile,
			  struct problems *problems)
{
	struct err ignored = { 0 };

	if (context_facts(ctx, &ignored) == 0)
		profile_check_host(ctx->arena, ctx->facts, profile, problems);
}

static int read_profile(struct context *ctx, struct profile *profile,
			struct err *err)
{
	struct problems problems = { .arena = ctx->arena };
	const char *name = ctx->options.profile;
	const char *text, *from;
	int r;

	if (name) {
		r = profile_load(ctx->root, ctx->arena, knobs_all(), name,
				 profile, &problems);
		if (r == -EINVAL)
			check_on_host(ctx, profile, &problems);
		return r < 0 ? tell_problems(&problems, r, err) : 0;
	}
	r = context_facts(ctx, err);
	if (r < 0)
		return r;
	text = applied_ini(ctx);
	if (!text)
		return name_the_profiles(ctx, err);
	from = owner_profile(ctx->arena, text);
	r = profile_read(ctx->arena, knobs_all(), from ? from : "applied",
			 OWNER_APPLIED, text, strlen(text), profile, &problems);
	return r < 0 ? tell_problems(&problems, r, err) : 0;
}

static int find_profile(struct context *ctx, struct err *err)
{
	struct profile *profile;
	int r;

	if (ctx->profile)
		return 0;
	r = context_root(ctx, err);
	if (r < 0)
		return r;
	profile = ARENA_NEW(ctx->arena, struct profile);
	r = read_profile(ctx, profile, err);
	if (r == 0)
		ctx->profile = profile;
	return r;
}

/* A saved host does not bring its journals along. */
int context_applied(struct context *ctx, struct err *err)
{
	struct applied *applied;
	int r;

	if (ctx->applied || ctx->options.facts)
		return 0;
	r = context_facts(ctx, err);
	if (r < 0)
		return r;
	applied = ARENA_NEW(ctx->arena, struct applied);
	r = applied_from_history(ctx->root, ctx->arena, knobs_all(), applied,
				 err);
	if (r == -EACCES) {
		*err = (struct err){ 0 };
		*vec_add(ctx->arena, &ctx->facts->blind) =
			"what nvmetune changed here before: only root may look";
		return 0;
	}
	if (r == 0)
		ctx->applied = applied;
	return r;
}

/* What the profile, or an earlier one, may have of its own on this root. */
static void look_at_runners(struct context *ctx)
{
	enum section_kind kind;
	const char *name;

	if (ctx->options.facts)
		return;
	probe_runners(ctx->root, ctx->arena, ctx->facts, ctx->profile);
	if (!ctx->applied)
		return;
	VEC_EACH(&ctx->applied->files, const struct own_file, it)
		if (runner_of_path(ctx->arena, it->path, &kind, &name))
			probe_own_file(ctx->root, ctx->arena, ctx->facts,
				       it->path);
}

/* A plan of some drives has no services and wrappers: what is there of theirs
 * is no leftover. */
static void drop_runners(struct arena *arena, struct plan *plan)
{
	enum section_kind kind;
	const char *name;
	size_t n = 0;

	VEC_EACH(&plan->files, const struct planned_file, it)
		if (!runner_of_path(arena, it->path, &kind, &name))
			plan->files.items[n++] = *it;
	plan->files.n = n;
}

int context_plan_for(struct context *ctx, const struct profile *profile,
		     struct plan **ret, struct err *err)
{
	struct problems problems = { .arena = ctx->arena };
	const struct plan_input input = {
		.facts = ctx->facts,
		.profile = profile,
		.knobs = knobs_all(),
		.applied = ctx->applied,
		.only.names = ctx->only.names.items,
		.only.n = ctx->only.names.n,
	};
	struct plan *plan = ARENA_NEW(ctx->arena, struct plan);
	int r = plan_build(ctx->arena, &input, plan, &problems);

	if (r < 0)
		return tell_problems(&problems, r, err);
	render_files(ctx->arena, ctx->facts, ctx->applied, plan);
	if (ctx->only.names.n)
		drop_runners(ctx->arena, plan);
	*ret = plan;
	return 0;
}

int context_plan_live(struct context *ctx, int nr_drives, char **drives,
		      struct err *err)
{
	int r = context_plan(ctx, nr_drives, drives, err);
	size_t n = 0;

	if (r < 0 || nr_drives == 0)
		return r;
	VEC_EACH(&ctx->plan->files, const struct planned_file, it)
		if (it->action == FILE_SAME)
			ctx->plan->files.items[n++] = *it;
	ctx->plan->files.n = n;
	ctx->plan->file_needs = 0;
	return 0;
}

int context_plan(struct context *ctx, int nr_drives, char **drives,
		 struct err *err)
{
	int r;

	if (ctx->plan)
		return 0;
	r = find_profile(ctx, err);
	if (r == 0)
		r = context_facts(ctx, err);
	if (r == 0)
		r = context_applied(ctx, err);
	if (r == 0)
		r = drives_resolve(ctx->facts,
				   ctx->options.facts ? NULL : ctx->root,
				   ctx->arena, nr_drives, drives, &ctx->only,
				   err);
	if (r < 0)
		return r;
	look_at_runners(ctx);
	drives_tell(&ctx->only);
	return context_plan_for(ctx, ctx->profile, &ctx->plan, err);
}
