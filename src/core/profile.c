/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/profile.h"

#include <assert.h>
#include <errno.h>
#include <string.h>

#include "base/nearest.h"
#include "base/parse.h"
#include "core/runner.h"

#define LONGEST_NAME 64U

struct heading {
	const char *word;
	enum section_kind kind;
	bool takes_name;
};

static const struct heading headings[] = {
	{ "drives", SECTION_DRIVES, true },
	{ "host", SECTION_HOST, false },
	{ "confirm", SECTION_CONFIRM, false },
	{ "service", SECTION_SERVICE, true },
	{ "wrapper", SECTION_WRAPPER, true },
};

#define LEGAL_HEADINGS \
	"[profile], [drives], [drives NAME], [host], [service UNIT], [wrapper NAME] and [confirm]"

const char *section_kind_word(enum section_kind kind)
{
	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		if (headings[i].kind == kind)
			return headings[i].word;
	return "";
}

bool profile_name_is_legal(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz"
				"ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-");

	return n > 0 && n <= LONGEST_NAME && !name[n] && name[0] != '.';
}

const char *profile_next_word(const char **text, size_t *ret_n)
{
	const char *word = *text + strspn(*text, " \t,");

	*ret_n = strcspn(word, " \t,");
	*text = word + *ret_n;
	return word;
}

static int unknown_heading(const char *heading, const char *word,
			   struct err *err)
{
	static const char *const legal[] = { "profile", "drives",  "host",
					     "confirm", "service", "wrapper" };
	const char *near =
		nearest_name(word, legal, sizeof(legal) / sizeof(legal[0]));

	if (near)
		return err_set(
			err, -EINVAL,
			"unknown section [%s]: legal are %s; did you mean [%s]?",
			heading, LEGAL_HEADINGS, near);
	return err_set(err, -EINVAL, "unknown section [%s]: legal are %s",
		       heading, LEGAL_HEADINGS);
}

static int check_name(const struct heading *known, const char *name,
		      struct err *err)
{
	if (runner_has_section(known->kind))
		return runner_check_name(known->kind, name, err);
	if (*name && !known->takes_name)
		return err_set(err, -EINVAL,
			       "[%s %s]: write [%s], without a name",
			       known->word, name, known->word);
	if (*name && !profile_name_is_legal(name))
		return err_set(
			err, -EINVAL,
			"[%s %s]: a name is made of letters, digits, \".\", \"_\" and \"-\"",
			known->word, name);
	return 0;
}

/* A heading that stands twice in one file is a slip, not a wish. */
static int check_twice(const struct profile *profile,
		       const struct profile_source *at, enum section_kind kind,
		       const char *name, const char *heading, struct err *err)
{
	VEC_EACH(&profile->sections, struct section, it)
		if (it->kind == kind && strcmp(it->name, name) == 0 &&
		    strcmp(it->file, at->file) == 0)
			return err_set(err, -EEXIST,
				       "[%s] already stands in line %u",
				       heading, it->line);
	return 0;
}

static int parse_heading(struct arena *arena, const struct profile *profile,
			 const struct profile_source *at, const char *heading,
			 struct section *ret, struct err *err)
{
	size_t n = strcspn(heading, " \t");
	const char *word = arena_strndup(arena, heading, n);
	const char *name = heading + n + strspn(heading + n, " \t");
	const struct heading *known = NULL;
	int r;

	for (size_t i = 0; i < sizeof(headings) / sizeof(headings[0]); i++)
		if (strcmp(headings[i].word, word) == 0)
			known = &headings[i];
	if (!known)
		return unknown_heading(heading, word, err);
	r = check_name(known, name, err);
	if (r == 0)
		r = check_twice(profile, at, known->kind, name, heading, err);
	if (r < 0)
		return r;
	*ret = (struct section){
		.kind = known->kind,
		.name = arena_strdup(arena, name),
		.profile = at->profile,
		.file = at->file,
		.line = at->line,
	};
	return 0;
}

bool profile_section(struct arena *arena, struct profile *profile,
		     const struct profile_source *at, const char *heading,
		     struct problems *problems)
{
	struct section section;
	struct err err;

	if (parse_heading(arena, profile, at, heading, &section, &err) < 0) {
		problems_add_at(problems, at->file, at->line, &err);
		return false;
	}
	*vec_add(arena, &profile->sections) = section;
	return true;
}

static enum section_kind home_of(const struct knob *knob)
{
	if (knob->scope == SCOPE_RUNNER)
		return strcmp(knob->name, "service") == 0 ? SECTION_SERVICE :
							    SECTION_WRAPPER;
	return knob_is_host_wide(knob) ? SECTION_HOST : SECTION_DRIVES;
}

/* "queue.*" of "queue.scheduler", as far as the dot. */
static const char *family_of(struct arena *arena, const struct knob *knob)
{
	const char *dot = strchr(knob->name, '.');

	if (!dot)
		return knob->name;
	return arena_printf(arena, "%.*s%s", (int)(dot + 1 - knob->name),
			    knob->name, dot[1] ? "*" : "MODULE.PARAMETER");
}

/* What a section of this kind speaks of: the keys themselves are too many for
 * a line. */
static const char *legal_keys(struct arena *arena, const struct knob_set *knobs,
			      enum section_kind kind)
{
	struct strbuf out;

	strbuf_init(&out, arena);
	for (size_t i = 0; i < knobs->n; i++) {
		const struct knob *knob = knobs->items[i];
		const char *family = family_of(arena, knob);

		if (kind == SECTION_CONFIRM ? knob->scope == SCOPE_RUNNER :
					      home_of(knob) != kind)
			continue;
		if (!strstr(out.text, family))
			strbuf_printf(&out, "%s%s", out.len ? ", " : "",
				      family);
	}
	strbuf_puts(&out, ", see \"nvmetune explain\"");
	return out.text;
}

/* "scheduler" for queue.scheduler, "nvme.poll_queues" for module.nvme....: the
 * family was forgotten. */
static const char *with_family(struct arena *arena,
			       const struct knob_set *knobs, const char *key)
{
	for (size_t i = 0; i < knobs->n; i++) {
		const char *name = knobs->items[i]->name;
		const char *dot = strchr(name, '.');

		if (dot && strcmp(dot + 1, key) == 0)
			return name;
		if (dot && !dot[1] &&
		    (text_has_prefix(key, "nvme.") ||
		     text_has_prefix(key, "nvme_core.")))
			return arena_printf(arena, "%s%s", name, key);
	}
	return NULL;
}

static int unknown_key(struct arena *arena, const struct knob_set *knobs,
		       enum section_kind kind, const char *key, struct err *err)
{
	const char *near = knob_set_nearest(knobs, key);

	if (strcmp(key, "summary") == 0 || strcmp(key, "include") == 0)
		return err_set(err, -EINVAL, "%s belongs into [profile]", key);
	if (strcmp(key, "required") == 0)
		return err_set(err, -EINVAL, "%s belongs into [confirm]", key);
	if (!near)
		near = with_family(arena, knobs, key);
	if (near)
		return err_set(err, -EINVAL,
			       "unknown key \"%s\"; did you mean %s?", key,
			       near);
	return err_set(err, -EINVAL, "unknown key \"%s\": legal are %s", key,
		       legal_keys(arena, knobs, kind));
}

/* The section's setting of this key, or a new one.  NULL: the section speaks
 * of it by itself, which counts for more than what another knob implies. */
static struct setting *place_for(struct arena *arena, struct section *section,
				 const struct setting *setting)
{
	VEC_EACH(&section->settings, struct setting, it) {
		if (strcmp(it->key, setting->key) != 0)
			continue;
		if (it->implied)
			return it;
		if (setting->implied)
			return NULL;
	}
	return vec_add(arena, &section->settings);
}

static void put_setting(struct arena *arena, struct section *section,
			const struct setting *setting)
{
	struct setting *place = place_for(arena, section, setting);

	if (place)
		*place = *setting;
}

static void put_members(struct arena *arena, struct section *section,
			const struct knob_set *knobs,
			const struct setting *setting)
{
	const char *const *name = setting->knob->members;

	for (; name && *name; name++) {
		struct setting member = *setting;

		member.key = *name;
		member.knob = knob_set_find(knobs, *name, &member.param);
		member.implied = true;
		if (member.knob)
			put_setting(arena, section, &member);
	}
}

static int add_setting(struct arena *arena, struct section *section,
		       const struct knob_set *knobs,
		       const struct profile_source *at, const char *key,
		       const char *text, struct err *err)
{
	struct setting setting = {
		.key = arena_strdup(arena, key),
		.text = arena_strdup(arena, text),
		.file = at->file,
		.line = at->line,
	};
	int r;

	setting.knob = knob_set_find(knobs, setting.key, &setting.param);
	if (!setting.knob)
		return unknown_key(arena, knobs, section->kind, key, err);
	if (setting.knob->scope == SCOPE_RUNNER)
		return err_set(
			err, -EINVAL,
			"%s is no key: write a section of its own, [%s NAME]",
			key, key);
	if (home_of(setting.knob) != section->kind)
		return err_set(err, -EINVAL, "%s belongs into [%s]", key,
			       section_kind_word(home_of(setting.knob)));
	if (!*text)
		return err_set(err, -EINVAL,
			       "%s has no value: \"keep\" leaves it as it is",
			       key);
	r = knob_parse(setting.knob, setting.param, text, &setting.asked, err);
	if (r < 0)
		return r;
	put_setting(arena, section, &setting);
	put_members(arena, section, knobs, &setting);
	return 0;
}

static int add_key(struct arena *arena, struct section *section,
		   const struct profile_source *at, const char *key,
		   const char *text, struct err *err)
{
	int r = runner_check_key(key, text, err);

	if (r == 0)
		*vec_add(arena, &section->keys) = (struct setting){
			.key = arena_strdup(arena, key),
			.text = arena_strdup(arena, text),
			.file = at->file,
			.line = at->line,
		};
	return r;
}

static int add_match(struct arena *arena, struct section *section,
		     const char *key, const char *text, struct err *err)
{
	struct match_term term;
	int r;

	if (section->kind != SECTION_DRIVES || !*section->name)
		return err_set(
			err, -EINVAL,
			"%s belongs into a section with a name: [drives NAME]",
			key);
	r = match_term_parse(arena, key + strlen("match."), text, &term, err);
	if (r < 0)
		return r;
	*vec_add(arena, &section->match.terms) = term;
	return 0;
}

static bool is_required(const struct profile *profile, const char *key)
{
	VEC_EACH(&profile->required, const char *, it)
		if (strcmp(*it, key) == 0)
			return true;
	return false;
}

static int add_required(struct arena *arena, struct profile *profile,
			const struct knob_set *knobs, const char *key,
			struct err *err)
{
	const char *param;
	const struct knob *knob = knob_set_find(knobs, key, &param);

	if (!knob)
		return unknown_key(arena, knobs, SECTION_CONFIRM, key, err);
	if (knob->evidence == EVIDENCE_NONE)
		return err_set(
			err, -EINVAL,
			"%s has no effect that can be measured, so confirm cannot require it",
			key);
	if (!is_required(profile, key))
		*vec_add(arena, &profile->required) = key;
	return 0;
}

/* Each wrong name of the list is a line of its own. */
static void add_confirm(struct arena *arena, struct profile *profile,
			const struct knob_set *knobs,
			const struct profile_source *at, const char *key,
			const char *text, struct problems *problems)
{
	const char *word;
	struct err err;
	size_t n;

	if (strcmp(key, "required") != 0) {
		(void)err_set(
			&err, -EINVAL,
			"unknown key \"%s\": legal in [confirm] is required",
			key);
		problems_add_at(problems, at->file, at->line, &err);
		return;
	}
	while (word = profile_next_word(&text, &n), n > 0)
		if (add_required(arena, profile, knobs,
				 arena_strndup(arena, word, n), &err) < 0)
			problems_add_at(problems, at->file, at->line, &err);
}

void profile_key(struct arena *arena, struct profile *profile,
		 const struct knob_set *knobs, const struct profile_source *at,
		 const char *key, const char *text, struct problems *problems)
{
	struct section *section;
	struct err err;
	int r;

	assert(profile->sections.n > 0);
	section = &profile->sections.items[profile->sections.n - 1];
	if (runner_has_section(section->kind)) {
		r = add_key(arena, section, at, key, text, &err);
	} else if (text_has_prefix(key, "match.")) {
		r = add_match(arena, section, key, text, &err);
	} else if (section->kind == SECTION_CONFIRM) {
		add_confirm(arena, profile, knobs, at, key, text, problems);
		return;
	} else {
		r = add_setting(arena, section, knobs, at, key, text, &err);
	}
	if (r < 0)
		problems_add_at(problems, at->file, at->line, &err);
}

static bool speaks_of(const struct section *section, const struct ctrl *ctrl,
		      const struct ns *ns)
{
	switch (section->kind) {
	case SECTION_DRIVES:
		return match_holds(&section->match, ctrl, ns);
	case SECTION_HOST:
		return true;
	case SECTION_CONFIRM:
	case SECTION_SERVICE:
	case SECTION_WRAPPER:
		return false;
	}
	return false;
}

const struct setting *profile_effective(const struct profile *profile,
					const char *key,
					const struct ctrl *ctrl,
					const struct ns *ns)
{
	for (size_t i = profile->sections.n; i-- > 0;) {
		const struct section *section = &profile->sections.items[i];

		VEC_EACH(&section->settings, const struct setting, it)
			if (strcmp(it->key, key) == 0 &&
			    speaks_of(section, ctrl, ns))
				return it;
	}
	return NULL;
}
