/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/planner.h"
#include "core/rule_events.h"

/*
 * Who else sets an attribute that the plan is about: udev rules of other
 * files, evaluated for the devices from which they reach it, and writers such
 * as tuned.
 */

/* Those that gave change->have, in order, into change->set_by. */
void rivals_set_by(struct planner *planner, struct change *change,
		   const struct site *site);

/* All that set it, whatever they set, in order, into change->rules. */
void rivals_list(struct planner *planner, struct change *change,
		 const struct site *site);

/* The rule of another file that has the last word and says otherwise. */
struct rival {
	const struct rule_effect *effect; /* NULL: there is none */
	enum rule_event at;
	bool on_change; /* it runs on change events only */
	bool perhaps;	/* whether it runs, or what it sets, is not known */
};

/* Among those that come behind our own rule. */
struct rival rivals_rule(struct planner *planner, const struct change *change,
			 const struct site *site);

/* Among all, for a value that no rule of ours holds. */
struct rival rivals_any_rule(struct planner *planner,
			     const struct change *change,
			     const struct site *site);

/* A rule of any file that sets another value at change events of this kind of
 * device, or NULL. */
const struct rule_effect *rivals_on_change(struct planner *planner,
					   const struct change *change,
					   const struct site *site,
					   enum rule_event at);

/* The writer that will set another value on this target, or NULL. */
const struct attr_writer *rivals_writer(struct planner *planner,
					const struct change *change,
					const struct site *site);

/* "will be overridden by ..."; in the arena. */
const char *rivals_writer_words(struct planner *planner,
				const struct attr_writer *writer);
