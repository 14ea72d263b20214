/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/match.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "base/glob.h"
#include "base/nearest.h"

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

static const char *const transports[] = { "pcie", "tcp",	"rdma", "fc",
					  "loop", "apple-nvme", NULL };
static const char *const zone_models[] = { "none", "host-aware", "host-managed",
					   NULL };

/* What a key's text can be at all; NULL: anything. */
static const char *const *words_of(enum match_key key)
{
	if (key == MATCH_TRANSPORT)
		return transports;
	return key == MATCH_ZONED ? zone_models : NULL;
}

static size_t count(const char *const *words)
{
	size_t n = 0;

	while (words[n])
		n++;
	return n;
}

static const char *join(struct arena *arena, const char *const *words,
			const char *front)
{
	struct strbuf out;

	strbuf_init(&out, arena);
	for (size_t i = 0; words[i]; i++)
		strbuf_printf(&out, "%s%s%s", i ? ", " : "", front, words[i]);
	return out.text;
}

static int unknown_key(struct arena *arena, const char *name, struct err *err)
{
	const char *near =
		nearest_name(name, match_key_names, count(match_key_names));
	const char *legal = join(arena, match_key_names, "match.");

	if (near)
		return err_set(
			err, -EINVAL,
			"unknown key \"match.%s\": legal are %s; did you mean match.%s?",
			name, legal, near);
	return err_set(err, -EINVAL, "unknown key \"match.%s\": legal are %s",
		       name, legal);
}

/* One alternative: can any drive ever match it? */
static int check_alternative(struct arena *arena, enum match_key key,
			     const char *text, struct err *err)
{
	const char *const *words = words_of(key);
	const char *name = match_key_name(key);

	if (!*text)
		return err_set(err, -EINVAL,
			       "match.%s: an empty pattern matches no drive",
			       name);
	if (*text == '!')
		return err_set(
			err, -EINVAL,
			"match.%s: one \"!\" in front negates the whole pattern, and it stands nowhere else",
			name);
	if (key == MATCH_NODE && text[strspn(text, "0123456789*?[]!^-")])
		return err_set(err, -EINVAL,
			       "match.node: \"%s\" is no number of a NUMA node",
			       text);
	if (!words)
		return 0;
	for (size_t i = 0; words[i]; i++)
		if (glob_match(text, words[i]))
			return 0;
	return err_set(err, -EINVAL, "match.%s: \"%s\" matches none of %s",
		       name, text, join(arena, words, ""));
}

/* Each alternative of the pattern, cut as base/glob.c cuts them. */
static int check_pattern(struct arena *arena, enum match_key key,
			 const char *pattern, struct err *err)
{
	const char *start = pattern;

	for (const char *p = pattern;; p++) {
		if (*p == '\\') {
			if (!p[1])
				return err_set(
					err, -EINVAL,
					"match.%s: nothing follows the last \"\\\"",
					match_key_name(key));
			p++;
			continue;
		}
		if (*p && *p != '|')
			continue;
		if (check_alternative(arena, key,
				      arena_strndup(arena, start,
						    (size_t)(p - start)),
				      err) < 0)
			return -EINVAL;
		if (!*p)
			return 0;
		start = p + 1;
	}
}

int match_term_parse(struct arena *arena, const char *name, const char *text,
		     struct match_term *ret, struct err *err)
{
	struct match_term term = { .negated = *text == '!' };

	if (!match_key_parse(name, &term.key))
		return unknown_key(arena, name, err);
	if (term.negated)
		text++;
	while (*text == ' ' || *text == '\t')
		text++;
	if (check_pattern(arena, term.key, text, err) < 0)
		return -EINVAL;
	term.pattern = arena_strdup(arena, text);
	*ret = term;
	return 0;
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

bool match_term_holds(const struct match_term *term, const struct ctrl *ctrl,
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
		if (!match_term_holds(term, ctrl, ns))
			return false;
	return true;
}
