/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/match.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/glob.h"

const char *const match_key_names[] = {
	[MATCH_MODEL] = "model",       [MATCH_SERIAL] = "serial",
	[MATCH_FIRMWARE] = "firmware", [MATCH_TRANSPORT] = "transport",
	[MATCH_NODE] = "node",	       [MATCH_DRIVER] = "driver",
	[MATCH_ZONED] = "zoned",       NULL,
};

bool match_key_parse(const char *name, enum match_key *ret)
{
	for (size_t i = 0; match_key_names[i]; i++) {
		if (strcmp(match_key_names[i], name) != 0)
			continue;
		*ret = (enum match_key)i;
		return true;
	}
	return false;
}

const char *match_key_name(enum match_key key)
{
	return match_key_names[key];
}

bool match_has_transport(const struct match *match)
{
	VEC_EACH(&match->terms, struct match_term, term)
		if (term->key == MATCH_TRANSPORT)
			return true;
	return false;
}

/* The text that a key speaks of; NULL when it is unknown. */
static const char *subject(enum match_key key, const struct ctrl *ctrl,
			   const struct ns *ns, char number[24])
{
	switch (key) {
	case MATCH_MODEL:
		return ctrl ? ctrl->model : NULL;
	case MATCH_SERIAL:
		return ctrl ? ctrl->serial : NULL;
	case MATCH_FIRMWARE:
		return ctrl ? ctrl->firmware : NULL;
	case MATCH_TRANSPORT:
		return ctrl ? ctrl->transport : NULL;
	case MATCH_DRIVER:
		return ctrl ? ctrl->driver : NULL;
	case MATCH_ZONED:
		return ns ? ns->zoned : NULL;
	case MATCH_NODE:
		if (!ctrl || !ctrl->node.known)
			return NULL;
		(void)snprintf(number, 24, "%" PRId64, ctrl->node.value);
		return number;
	}
	return NULL;
}

static bool term_holds(const struct match_term *term, const struct ctrl *ctrl,
		       const struct ns *ns)
{
	char number[24];
	const char *text = subject(term->key, ctrl, ns, number);

	return text && glob_match(term->pattern, text) != term->negated;
}

bool match_holds(const struct match *match, const struct ctrl *ctrl,
		 const struct ns *ns)
{
	if (!match_has_transport(match) &&
	    (!ctrl || !ctrl->transport || strcmp(ctrl->transport, "pcie") != 0))
		return false;
	VEC_EACH(&match->terms, struct match_term, term)
		if (!term_holds(term, ctrl, ns))
			return false;
	return true;
}
