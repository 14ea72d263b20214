/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>

#include "base/vec.h"
#include "core/facts.h"

/*
 * Which drives a section of a profile speaks of.  Only keys that udev can
 * match too, so that a rule and a plan never disagree.
 */

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

/* A match that names no transport holds for local PCIe drives only. */
bool match_has_transport(const struct match *match);

/*
 * Does the match hold for this disk (and its controller, NULL when there is
 * none)?  What is unknown matches no pattern and no negated one.
 */
bool match_holds(const struct match *match, const struct ctrl *ctrl,
		 const struct ns *ns);
