/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/profile_file.h"

#include <errno.h>
#include <string.h>

#include "core/runner.h"
#include "sys/profile_lines.h"
#include "sys/profile_search.h"

#define DEEPEST 8U /* a chain of includes */

/* What one load goes through: files, in a chain of includes. */
struct loader {
	const struct sysroot *root;
	struct arena *arena;
	const struct knob_set *knobs;
	struct problems *problems;
	struct profile *profile;
	bool may_include;
	const char *names[DEEPEST]; /* the chain, outermost first */
	unsigned int depth;
};

static void load_bytes(struct loader *loader,
		       const struct profile_bytes *bytes);

static void tell_at(const struct loader *loader, const char *file,
		    unsigned int line, const struct err *err)
{
	problems_add_at(loader->problems, file, line, err);
}

/* "a includes b includes a" */
static const char *chain_text(const struct loader *loader, const char *last)
{
	struct strbuf out;

	strbuf_init(&out, loader->arena);
	for (unsigned int i = 0; i < loader->depth; i++)
		strbuf_printf(&out, "%s includes ", loader->names[i]);
	strbuf_puts(&out, last);
	return out.text;
}

static bool is_loaded(const struct loader *loader, const char *file)
{
	VEC_EACH(&loader->profile->chain, const char *, it)
		if (strcmp(*it, file) == 0)
			return true;
	return false;
}

static int check_include(const struct loader *loader, const char *name,
			 struct err *err)
{
	if (!loader->may_include)
		return err_set(err, -EINVAL,
			       "include: this file stands for itself");
	if (strchr(name, '/'))
		return err_set(
			err, -EINVAL,
			"include: \"%s\" is a path: an include is the name of a profile",
			name);
	for (unsigned int i = 0; i < loader->depth; i++)
		if (strcmp(loader->names[i], name) == 0)
			return err_set(err, -ELOOP,
				       "include goes in a circle: %s",
				       chain_text(loader, name));
	if (loader->depth == DEEPEST)
		return err_set(err, -ELOOP,
			       "include goes more than %u deep: %s", DEEPEST,
			       chain_text(loader, name));
	return 0;
}

/* One that came in by another way already counts where it stands first. */
static int include(struct loader *loader, const struct profile_bytes *from,
		   const char *name, struct err *err)
{
	struct profile_bytes bytes;
	int r = check_include(loader, name, err);

	if (r == 0)
		r = profile_find(loader->root, loader->arena, from->folder,
				 name, &bytes, err);
	if (r == 0 && !is_loaded(loader, bytes.file))
		load_bytes(loader, &bytes);
	return r;
}

static void include_all(struct loader *loader, const struct profile_bytes *from,
			const struct profile_line *line)
{
	const char *text = line->text, *word;
	struct err err;
	size_t n;

	while (word = profile_next_word(&text, &n), n > 0)
		if (include(loader, from, arena_strndup(loader->arena, word, n),
			    &err) < 0)
			tell_at(loader, from->file, line->line, &err);
}

static bool is_heading(const struct profile_line *line)
{
	return line->kind == LINE_HEADING || line->kind == LINE_WRONG_HEADING;
}

/* The line of the same section that has this key already, or NULL. */
static const struct profile_line *find_twin(const struct profile_lines *lines,
					    const struct profile_line *line)
{
	for (const struct profile_line *it = line; it-- > lines->items.items;) {
		if (is_heading(it))
			return NULL;
		if (it->kind == LINE_KEY && strcmp(it->key, line->key) == 0)
			return it;
	}
	return NULL;
}

static int check_twin(const struct profile_lines *lines,
		      const struct profile_line *line, struct err *err)
{
	const struct profile_line *twin = find_twin(lines, line);

	if (!twin)
		return 0;
	return err_set(err, -EEXIST,
		       "%s already stands in line %u of this section",
		       line->key, twin->line);
}

static bool is_profile(const struct profile_line *line)
{
	return line->kind == LINE_HEADING && strcmp(line->text, "profile") == 0;
}

static int take_own_key(struct loader *loader, const struct profile_bytes *from,
			const struct profile_line *line, struct err *err)
{
	bool outermost = loader->depth == 1;

	if (strcmp(line->key, "include") == 0) {
		include_all(loader, from, line);
		return 0;
	}
	if (strcmp(line->key, "summary") != 0)
		return err_set(
			err, -EINVAL,
			"unknown key \"%s\": legal in [profile] are summary and include",
			line->key);
	if (outermost && *line->text)
		loader->profile->summary = line->text;
	return 0;
}

/* What [profile] says; parents come in here, before any line of this file. */
static void take_header(struct loader *loader, const struct profile_bytes *from,
			const struct profile_lines *lines)
{
	const struct profile_line *header = NULL;
	bool inside = false;
	struct err err;

	VEC_EACH(&lines->items, const struct profile_line, line) {
		if (is_heading(line)) {
			inside = is_profile(line) && !header;
			if (is_profile(line) && header) {
				(void)err_set(
					&err, -EEXIST,
					"[profile] already stands in line %u",
					header->line);
				tell_at(loader, from->file, line->line, &err);
			}
			if (inside)
				header = line;
			continue;
		}
		if (!inside || line->kind != LINE_KEY)
			continue;
		if (check_twin(lines, line, &err) < 0 ||
		    take_own_key(loader, from, line, &err) < 0)
			tell_at(loader, from->file, line->line, &err);
	}
}

static void take_key(struct loader *loader, const struct profile_source *at,
		     const struct profile_lines *lines,
		     const struct profile_line *line)
{
	struct err err;

	if (check_twin(lines, line, &err) < 0)
		tell_at(loader, at->file, at->line, &err);
	else
		profile_key(loader->arena, loader->profile, loader->knobs, at,
			    line->key, line->text, loader->problems);
}

static void take_sections(struct loader *loader,
			  const struct profile_bytes *bytes,
			  const struct profile_lines *lines)
{
	struct profile_source at = { .profile = bytes->name,
				     .file = bytes->file };
	bool inside = false;
	struct err err;

	VEC_EACH(&lines->items, const struct profile_line, line) {
		at.line = line->line;
		if (is_heading(line))
			inside = false;
		if (line->kind == LINE_HEADING && !is_profile(line))
			inside = profile_section(loader->arena, loader->profile,
						 &at, line->text,
						 loader->problems);
		else if (line->kind == LINE_KEY && inside)
			take_key(loader, &at, lines, line);
		else if (line->kind == LINE_WRONG ||
			 line->kind == LINE_WRONG_HEADING) {
			(void)err_set(&err, -EINVAL, "%s", line->text);
			tell_at(loader, bytes->file, line->line, &err);
		}
	}
}

/* A broken parent does not hide the mistakes of the profile that includes it:
 * errors are lines of problems, and loading goes on. */
static void load_bytes(struct loader *loader, const struct profile_bytes *bytes)
{
	struct profile_lines lines = { 0 };

	loader->names[loader->depth++] = bytes->name;
	profile_lines_read(loader->arena, bytes, &lines);
	take_header(loader, bytes, &lines);
	*vec_add(loader->arena, &loader->profile->chain) = bytes->file;
	take_sections(loader, bytes, &lines);
	loader->depth--;
}

static int load(struct loader *loader, const struct profile_bytes *bytes,
		struct profile *ret)
{
	size_t before = loader->problems->lines.n;

	*ret = (struct profile){ .name = bytes->name, .file = bytes->file };
	loader->profile = ret;
	load_bytes(loader, bytes);
	runners_check(loader->arena, ret, loader->problems);
	return loader->problems->lines.n > before ? -EINVAL : 0;
}

int profile_load(const struct sysroot *root, struct arena *arena,
		 const struct knob_set *knobs, const char *name_or_path,
		 struct profile *ret, struct problems *problems)
{
	struct loader loader = {
		.root = root,
		.arena = arena,
		.knobs = knobs,
		.problems = problems,
		.may_include = true,
	};
	struct profile_bytes bytes;
	struct err err;
	int r = profile_find(root, arena, NULL, name_or_path, &bytes, &err);

	*ret = (struct profile){ 0 };
	if (r < 0) {
		problems_add(problems, &err);
		return r;
	}
	return load(&loader, &bytes, ret);
}

int profile_read(struct arena *arena, const struct knob_set *knobs,
		 const char *name, const char *file, const char *text, size_t n,
		 struct profile *ret, struct problems *problems)
{
	struct loader loader = {
		.arena = arena,
		.knobs = knobs,
		.problems = problems,
	};
	struct profile_bytes bytes = {
		.name = name,
		.file = file,
		.text = text,
		.n = n,
	};

	return load(&loader, &bytes, ret);
}

int profile_list(const struct sysroot *root, struct arena *arena,
		 const struct knob_set *knobs, struct profile_list *ret,
		 struct err *err)
{
	struct profile_places places;
	int r = profile_places(root, arena, &places, err);

	if (r < 0)
		return r;
	*ret = (struct profile_list){ 0 };
	VEC_EACH(&places.items, const struct profile_place, it) {
		struct problems problems = { .arena = arena };
		struct profile profile = { 0 };

		(void)profile_load(root, arena, knobs, it->name, &profile,
				   &problems);
		*vec_add(arena, &ret->items) = (struct profile_entry){
			.name = it->name,
			.file = it->file,
			.summary = problems.lines.n ? NULL : profile.summary,
			.replaces = it->replaces,
			.nr_errors = problems.lines.n,
		};
	}
	return 0;
}
