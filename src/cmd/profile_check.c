/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/profile_check.h"

#include <string.h>

#include "base/escape.h"
#include "base/parse.h"
#include "cmd/out.h"
#include "core/plan.h"
#include "knobs/knob_list.h"
#include "sys/profile_file.h"
#include "json/write.h"

#define SCHEMA "nvmetune.profile-check/1"

void profile_check_host(struct arena *arena, const struct facts *facts,
			const struct profile *profile,
			struct problems *problems)
{
	const struct plan_input input = {
		.facts = facts,
		.profile = profile,
		.knobs = knobs_all(),
	};
	struct plan plan = { 0 };

	/* The plan itself is of no use here, nor is its success. */
	(void)plan_build(arena, &input, &plan, problems);
}

/* One profile that was checked. */
struct checked {
	const char *name; /* as the user gave it */
	size_t nr_settings;
	struct problems problems;
	struct problems unchecked; /* settings that no host could tell of */
};

static size_t count_settings(const struct profile *profile, bool of_modules)
{
	size_t n = 0;

	VEC_EACH(&profile->sections, const struct section, section) {
		VEC_EACH(&section->settings, const struct setting, it)
			n += !it->implied && (!of_modules || it->param);
		n += of_modules ? 0 : section->keys.n;
	}
	return n;
}

static bool is_known(const struct facts *facts, const struct setting *setting)
{
	VEC_EACH(&facts->modules, struct module, module)
		if (text_has_prefix(setting->param, module->name) &&
		    setting->param[strlen(module->name)] == '.')
			return module->params.n > 0;
	return false;
}

/* Parameters of a module that this host does not have. */
static void list_unchecked(struct context *ctx, const struct profile *profile,
			   struct problems *ret)
{
	VEC_EACH(&profile->sections, const struct section, section)
		VEC_EACH(&section->settings, struct setting, it)
			if (it->param && !it->implied &&
			    it->asked.type != VALUE_KEEP &&
			    !is_known(ctx->facts, it))
				*vec_add(ctx->arena, &ret->lines) = arena_printf(
					ctx->arena,
					"%s:%u: %s is not checked: the kernel of this host has no such module, or tells none of its parameters",
					it->file, it->line, it->key);
}

/* Only what the user named must be readable; the host at hand need not be. */
static int check_on_host(struct context *ctx, const struct profile *profile,
			 struct checked *ret, struct err *err)
{
	bool named = ctx->options.facts || ctx->options.sysroot;
	int r;

	if (!named && count_settings(profile, true) == 0)
		return 0;
	r = context_facts(ctx, err);
	if (r < 0 && named)
		return r;
	if (r < 0) {
		out_note("module parameters are not checked: %s", err->text);
		*err = (struct err){ 0 };
		return 0;
	}
	profile_check_host(ctx->arena, ctx->facts, profile, &ret->problems);
	list_unchecked(ctx, profile, &ret->unchecked);
	return 0;
}

static int check_one(struct context *ctx, const char *name, struct checked *ret,
		     struct err *err)
{
	struct profile profile;
	int r;

	*ret = (struct checked){ .name = name,
				 .problems = { .arena = ctx->arena },
				 .unchecked = { .arena = ctx->arena } };
	r = profile_load(ctx->root, ctx->arena, knobs_all(), name, &profile,
			 &ret->problems);
	ret->nr_settings = count_settings(&profile, false);
	if (r < 0 && !profile.file)
		return 0; /* there is no such file */
	return check_on_host(ctx, &profile, ret, err);
}

static void put_checked(const struct checked *checked, struct strbuf *out)
{
	if (checked->problems.lines.n == 0) {
		escape_to(out, checked->name);
		strbuf_printf(
			out, ": no mistakes in %zu %s\n", checked->nr_settings,
			checked->nr_settings == 1 ? "setting" : "settings");
	}
	VEC_EACH(&checked->problems.lines, const char *, it)
		out_note("%s", *it);
	VEC_EACH(&checked->unchecked.lines, const char *, it)
		out_note("%s", *it);
}

static void put_checked_json(const struct checked *checked,
			     struct json_writer *json)
{
	json_begin_object(json, NULL);
	json_put_text(json, "profile", checked->name);
	json_put_uint(json, "settings", checked->nr_settings);
	json_begin_array(json, "mistakes");
	VEC_EACH(&checked->problems.lines, const char *, it)
		json_put_text(json, NULL, *it);
	json_end(json);
	json_begin_array(json, "unchecked");
	VEC_EACH(&checked->unchecked.lines, const char *, it)
		json_put_text(json, NULL, *it);
	json_end(json);
	json_end(json);
}

static void put_checked_raw(const struct checked *checked, struct strbuf *out)
{
	VEC_EACH(&checked->problems.lines, const char *, it) {
		escape_to(out, checked->name);
		strbuf_putc(out, '\t');
		escape_to(out, *it);
		strbuf_putc(out, '\n');
	}
}

int profile_check(struct context *ctx, int argc, char **argv, struct err *err)
{
	struct json_writer json;
	struct strbuf out;
	size_t nr_mistakes = 0;

	strbuf_init(&out, ctx->arena);
	json_writer_init(&json, &out, JSON_PAGE);
	if (ctx->format == OUT_JSON) {
		json_begin_object(&json, NULL);
		json_put_text(&json, "schema", SCHEMA);
		json_begin_array(&json, "profiles");
	}
	for (int i = 0; i < argc; i++) {
		struct checked checked;

		if (check_one(ctx, argv[i], &checked, err) < 0)
			return EXIT_FAILED;
		nr_mistakes += checked.problems.lines.n;
		if (ctx->format == OUT_JSON)
			put_checked_json(&checked, &json);
		else if (ctx->format == OUT_RAW)
			put_checked_raw(&checked, &out);
		else
			put_checked(&checked, &out);
	}
	if (ctx->format == OUT_JSON) {
		json_end(&json);
		json_end(&json);
	}
	out_write(&out);
	return nr_mistakes ? EXIT_FAILED : EXIT_DONE;
}
