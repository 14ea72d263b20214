/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "base/vec.h"
#include "core/facts.h"

/*
 * Which drives a section of a profile speaks of.  Only keys that udev can
 * match too, so that a rule and a plan never disagree.
 */

struct err;

enum match_key {
	MATCH_MODEL,
	MATCH_SERIAL,
	MATCH_FIRMWARE,
	MATCH_TRANSPORT,
	MATCH_NODE,
	MATCH_DRIVER,
	MATCH_ZONED,
};

struct match_term {
	enum match_key key;
	bool negated;	     /* "!" in front of the pattern */
	const char *pattern; /* a glob with "|", see base/glob.h */
};

struct match {
	VEC(struct match_term) terms; /* all must hold; none: every drive */
};

/* "model", "firmware" ...; false for an unknown name. */
bool match_key_parse(const char *name, enum match_key *ret);
const char *match_key_name(enum match_key key);
extern const char *const match_key_names[]; /* ends with NULL */

/*
 * Read "match.KEY = text"; name is the part behind "match.".  A "!" in front
 * negates the whole pattern.  What could never match is refused: an empty
 * alternative, a transport or a zone model that does not exist, a node that
 * is no number.  On failure *ret is untouched and err names the key.
 */
int match_term_parse(struct arena *arena, const char *name, const char *text,
		     struct match_term *ret, struct err *err);

/* Does one term hold?  What is unknown matches no pattern and no negated
 * one. */
bool match_term_holds(const struct match_term *term, const struct ctrl *ctrl,
		      const struct ns *ns);

/* A match that names no transport holds for local PCIe drives only. */
bool match_has_transport(const struct match *match);

/*
 * Does the match hold for this disk (and its controller, NULL when there is
 * none)?
 */
bool match_holds(const struct match *match, const struct ctrl *ctrl,
		 const struct ns *ns);
