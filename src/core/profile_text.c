/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/escape.h"
#include "core/runner.h"

/*
 * A profile back to text.  Sections of drives keep their order, since it
 * decides; those that become neighbours and match alike become one, and a
 * heading never stands twice.
 */

struct writer {
	const struct profile *profile;
	struct strbuf *out;
	bool sources;
	const struct section *open; /* whose settings are being written */
	VEC(const char *) names;    /* of sections written so far, "" too */
};

static bool same_term(const struct match_term *a, const struct match_term *b)
{
	return a->key == b->key && a->negated == b->negated &&
	       strcmp(a->pattern, b->pattern) == 0;
}

static bool has_term(const struct match *match, const struct match_term *term)
{
	VEC_EACH(&match->terms, const struct match_term, it)
		if (same_term(it, term))
			return true;
	return false;
}

/*
 * Does wide hold wherever narrow does?  Told by its terms being a part of
 * narrow's.  No transport is an unwritten term too: local PCIe drives only.
 */
static bool covers(const struct match *wide, const struct match *narrow)
{
	if (!match_has_transport(wide) && match_has_transport(narrow))
		return false;
	VEC_EACH(&wide->terms, const struct match_term, it)
		if (!has_term(narrow, it))
			return false;
	return true;
}

static bool same_match(const struct match *a, const struct match *b)
{
	return a->terms.n == b->terms.n && covers(a, b) && covers(b, a);
}

static bool has_key(const struct section *section, const char *key)
{
	VEC_EACH(&section->settings, const struct setting, it)
		if (strcmp(it->key, key) == 0)
			return true;
	VEC_EACH(&section->keys, const struct setting, it)
		if (strcmp(it->key, key) == 0)
			return true;
	return false;
}

/* Does wide speak of all that narrow speaks of? */
static bool speaks_of(const struct section *wide, const struct section *narrow)
{
	if (wide->kind != narrow->kind)
		return false;
	if (runner_has_section(wide->kind))
		return strcmp(wide->name, narrow->name) == 0;
	return covers(&wide->match, &narrow->match);
}

bool profile_is_shadowed(const struct profile *profile,
			 const struct section *section,
			 const struct setting *setting)
{
	const struct section *end =
		profile->sections.items + profile->sections.n;

	for (const struct section *it = section + 1; it < end; it++)
		if (speaks_of(it, section) && has_key(it, setting->key))
			return true;
	return false;
}

static bool is_taken(const struct writer *writer, const char *name)
{
	VEC_EACH(&writer->names, const char *, it)
		if (strcmp(*it, name) == 0)
			return true;
	return false;
}

/* The section's own name where it is free, otherwise one made from it. */
static const char *free_name(const struct writer *writer,
			     const struct section *section)
{
	const char *stem = section->name, *name;

	if (!*stem && is_taken(writer, stem))
		stem = profile_name_is_legal(section->profile) ?
			       section->profile :
			       "all";
	name = stem;
	for (unsigned int i = 2; is_taken(writer, name); i++)
		name = arena_printf(writer->out->arena, "%.50s-%u", stem, i);
	return name;
}

static void put_drives_heading(struct writer *writer,
			       const struct section *section)
{
	const char *name = free_name(writer, section);

	*vec_add(writer->out->arena, &writer->names) = name;
	strbuf_printf(writer->out, "\n[drives%s%s]\n", *name ? " " : "", name);
	VEC_EACH(&section->match.terms, const struct match_term, it)
		strbuf_printf(writer->out, "match.%s = %s%s\n",
			      match_key_name(it->key), it->negated ? "!" : "",
			      it->pattern);
}

static void put_heading(struct writer *writer, const struct section *section)
{
	if (writer->open && writer->open->kind == section->kind &&
	    same_match(&writer->open->match, &section->match))
		return;
	if (section->kind == SECTION_DRIVES)
		put_drives_heading(writer, section);
	else
		strbuf_puts(writer->out, "\n[host]\n");
	writer->open = section;
}

static void put_setting(const struct writer *writer,
			const struct setting *setting)
{
	if (writer->sources) {
		strbuf_puts(writer->out, "; ");
		escape_to(writer->out, setting->file);
		strbuf_printf(writer->out, ":%u\n", setting->line);
	}
	strbuf_printf(writer->out, "%s = %s\n", setting->key, setting->text);
}

static void put_sections(struct writer *writer, enum section_kind kind)
{
	VEC_EACH(&writer->profile->sections, const struct section, section) {
		if (section->kind != kind)
			continue;
		VEC_EACH(&section->settings, const struct setting, it) {
			if (it->implied ||
			    profile_is_shadowed(writer->profile, section, it))
				continue;
			put_heading(writer, section);
			put_setting(writer, it);
		}
	}
}

/* What counts of all sections of one runner, behind one heading. */
static void put_runner(struct writer *writer, const struct runner *runner)
{
	const struct profile *profile = writer->profile;

	strbuf_printf(writer->out, "\n[%s %s]\n",
		      section_kind_word(runner->kind), runner->name);
	VEC_EACH(&profile->sections, const struct section, section) {
		if (section->kind != runner->kind ||
		    strcmp(section->name, runner->name) != 0)
			continue;
		VEC_EACH(&section->keys, const struct setting, it)
			if (!profile_is_shadowed(profile, section, it))
				put_setting(writer, it);
	}
}

static void put_runners(struct writer *writer)
{
	struct runner_list list =
		runners_of(writer->out->arena, writer->profile);

	VEC_EACH(&list.items, const struct runner, it)
		put_runner(writer, it);
}

void profile_to_text(const struct profile *profile, bool sources,
		     struct strbuf *out)
{
	struct writer writer = {
		.profile = profile,
		.out = out,
		.sources = sources,
	};
	const char *comma = "";

	strbuf_puts(out, "[profile]\n");
	if (profile->summary)
		strbuf_printf(out, "summary = %s\n", profile->summary);
	put_sections(&writer, SECTION_DRIVES);
	put_sections(&writer, SECTION_HOST);
	put_runners(&writer);
	if (profile->required.n == 0)
		return;
	strbuf_puts(out, "\n[confirm]\nrequired = ");
	VEC_EACH(&profile->required, const char *, it) {
		strbuf_printf(out, "%s%s", comma, *it);
		comma = ", ";
	}
	strbuf_putc(out, '\n');
}
