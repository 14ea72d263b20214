/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/vec.h"

/*
 * udev rules as udev reads them (systemd, src/udev/udev-rules.c), evaluated on
 * what is known of one device.  Nothing is run and nothing is looked up: a
 * condition on what is not known here, such as the result of a program or a
 * property that another rule sets, is neither true nor false.
 */

enum rule_truth {
	RULE_NO,
	RULE_MAYBE, /* cannot be told from what is known */
	RULE_YES,
};

/* One KEY{attr}OP"value" of a rule. */
struct rule_token {
	const char *key;
	const char *attr; /* what stands in {}, or NULL */
	const char *op;	  /* == != = += -= := */
	const char *value;
	bool any_case; /* i"..."; older udev refuses the rule */
};

struct rule {
	const char *file;
	int64_t line;
	const char *text;
	VEC(struct rule_token) tokens;
	const char *label; /* of LABEL, or NULL */
	/* Of the set's rules, where its GOTO leads; 0: it has none, or one
	 * that udev ignores, since it leads backward or nowhere. */
	size_t target;
};

struct rule_set {
	VEC(struct rule) rules; /* of all files, in udev's order */
};

/*
 * The tokens of one logical line.  False where udev ignores the whole line;
 * *ret_why, which may be NULL, then is half a sentence that says why.
 */
bool rule_parse(struct arena *arena, const char *text, struct rule *ret,
		const char **ret_why);

/* An assignment to an attribute.  udev reads ATTR's := and += as =. */
bool rule_token_sets(const struct rule_token *token);
/* == or != */
bool rule_token_matches(const struct rule_token *token);
/* Does the rule have this key with an operator of that kind? */
const struct rule_token *rule_find(const struct rule *rule, const char *key);

/* The same line again, for a line that assigns several attributes, is left
 * out, and so is a line that udev ignores. */
void rule_set_add(struct arena *arena, struct rule_set *set, const char *file,
		  int64_t line, const char *text);
/* After the last rule: finds the labels. */
void rule_set_done(struct rule_set *set);

/* An attribute file or a property of a device. */
struct rule_fact {
	const char *name;
	const char *value; /* NULL: there, with a value that cannot be told */
	bool absent;
};

/* The device, or one of those above it. */
struct rule_level {
	const char *kernel; /* NULL: unknown */
	const char *subsystem;
	const char *driver; /* "": none; NULL: unknown */
	VEC(struct rule_fact) attrs;
	/* Attributes, and folders of them, that it cannot have; ends with
	 * NULL.  May be NULL. */
	const char *const *lacks;
};

struct rule_device {
	/* The action with which it comes where that is not "add"; change events
	 * are then left to the description of the same device that has none. */
	const char *comes;
	const char *devpath; /* NULL: unknown */
	/* A name with several values has perhaps one of them. */
	VEC(struct rule_fact) env;
	VEC(struct rule_level) levels; /* the device itself first */
};

/* One assignment that runs for a device, perhaps. */
struct rule_effect {
	const struct rule *rule;
	const char *attr;
	const char *value;
	bool computed;		/* the value holds $ or % substitutions */
	enum rule_truth on_add; /* or on the action with which it comes */
	enum rule_truth on_change;
};

struct rule_effects {
	VEC(struct rule_effect) effects; /* in the order in which they run */
};

/* What the rules assign on this device, on events "add" and "change". */
void rules_evaluate(struct arena *arena, const struct rule_set *set,
		    const struct rule_device *device, struct rule_effects *ret);

/* Whether each rule of the set runs on an event, set->rules.n of them. */
enum rule_truth *rules_run(struct arena *arena, const struct rule_set *set,
			   const struct rule_device *device,
			   const char *action);
