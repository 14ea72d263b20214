/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/knob.h"
#include "core/match.h"
#include "core/problems.h"

/*
 * A profile as one list of sections: those of included profiles first, in
 * the order of "include", then its own.  Later sections win.  Everything
 * belongs to one arena.
 */

struct setting {
	const char *key; /* "queue.scheduler", "module.nvme.poll_queues" */
	const struct knob *knob;
	const char *param; /* "nvme.poll_queues", or NULL */
	struct value asked;
	const char *text; /* as written */
	bool implied;	  /* by the setting of another knob, see knob.members */
	const char *file;
	unsigned int line;
};

enum section_kind {
	SECTION_DRIVES,
	SECTION_HOST,
	SECTION_CONFIRM,
	SECTION_SERVICE,
	SECTION_WRAPPER,
};

/* "drives", "service" ... */
const char *section_kind_word(enum section_kind kind);

struct section {
	enum section_kind kind;
	/* "old-firmware" of [drives old-firmware], the unit of a service, the
	 * name of a wrapper, or "". */
	const char *name;
	const char *profile; /* of which profile */
	const char *file;
	unsigned int line;
	struct match match; /* SECTION_DRIVES */
	VEC(struct setting) settings;
	/* SECTION_SERVICE, SECTION_WRAPPER: its lines, of no knob; see
	 * core/runner.h. */
	VEC(struct setting) keys;
};

struct profile {
	const char *name;
	const char *file; /* where it was read */
	const char *summary;
	VEC(const char *) chain; /* files, in the order in which they count */
	VEC(struct section) sections;
	VEC(const char *) required; /* [confirm] required */
};

/*
 * Building, line by line: sys/profile_file.c reads and calls these.  Errors
 * become lines of problems and building goes on.
 *
 * profile_section() starts a section: heading is what stands between the
 * brackets, without white space around it.  False: the heading is refused,
 * and so are the keys below it, which would only repeat the error.
 * profile_key() adds "key = text" to the section last started.  Keys of
 * [profile] (summary, include) are not for here.
 *
 * The strings of a source are kept, not copied; heading, key and text are
 * copied.
 */
struct profile_source {
	const char *profile; /* name of the profile the line is from */
	const char *file;
	unsigned int line;
};

bool profile_section(struct arena *arena, struct profile *profile,
		     const struct profile_source *at, const char *heading,
		     struct problems *problems);
void profile_key(struct arena *arena, struct profile *profile,
		 const struct knob_set *knobs, const struct profile_source *at,
		 const char *key, const char *text, struct problems *problems);

/*
 * The setting that counts for this key on this disk (SCOPE_MODULE: ctrl and
 * ns are NULL), or NULL: the profile does not speak of it.  A setting "keep"
 * is returned like any other.
 */
const struct setting *profile_effective(const struct profile *profile,
					const char *key,
					const struct ctrl *ctrl,
					const struct ns *ns);

/* Does a later section override this setting, or key, of the section
 * everywhere? */
bool profile_is_shadowed(const struct profile *profile,
			 const struct section *section,
			 const struct setting *setting);

/*
 * A name of a profile or of a section: letters, digits, ".", "_" and "-", at
 * most 64, not starting with ".".
 */
bool profile_name_is_legal(const char *name);

/* A list as "include" and "required" spell it: the next word of *text,
 * behind spaces and commas, moved on; *ret_n is 0 at the end. */
const char *profile_next_word(const char **text, size_t *ret_n);

/*
 * The whole profile as one INI text without includes that reads back to the
 * same settings: /etc/nvmetune/applied.ini, and "profile show --resolved"
 * with a comment "; FILE:LINE" above each setting when sources is set.
 * A setting that a later one always overrides is left out.
 */
void profile_to_text(const struct profile *profile, bool sources,
		     struct strbuf *out);
