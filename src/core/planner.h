/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "core/plan.h"
#include "core/sites.h"

/*
 * Between the files that build a plan; see core/plan.h for the outside.
 */

/* Targets of a knob that have an identity in common. */
struct twins {
	const struct knob *knob;
	VEC(struct target) targets;
};

struct planner {
	struct arena *arena;
	const struct plan_input *input;
	const struct facts *facts;
	/* The facts as they will be after the changes planned so far. */
	struct facts ahead;
	struct plan *plan;
	struct problems *problems;
	struct rule_events *rules; /* of core/rivals.c; NULL until it is used */
	/* Of core/plan_observed.c, each made when first asked for. */
	const struct observation **observed; /* those of facts, sorted */
	VEC(struct twins) twins;	     /* a knob each */
};

/* One step each, in this order. */
void plan_modules(struct planner *planner);
void plan_sites(struct planner *planner);
void plan_image(struct planner *planner); /* in place of plan_sites() */
void plan_runners(struct planner *planner);
void plan_intents(struct planner *planner);
void plan_splits(struct planner *planner);
void plan_advice(struct planner *planner);

/* A new change at the end of the plan, for a setting (or NULL). */
struct change *plan_add(struct planner *planner, const struct knob *knob,
			const char *key, const struct target *target,
			const struct setting *setting);

/* What becomes of a module's option under each kernel of an image; want is
 * set. */
void plan_image_option(struct planner *planner, struct change *change,
		       const char *module, const char *param);

/* facts_observed() of planner->facts or planner->ahead, found at once. */
const struct observation *plan_observed(struct planner *planner,
					const struct facts *facts,
					const char *knob,
					const struct target *target);

/* Another target of this knob with the same identity, or NULL. */
const struct target *plan_twin(struct planner *planner, const struct knob *knob,
			       const struct target *target);

/* A line of problems for this setting, unless it is there already. */
void plan_problem(struct planner *planner, const struct setting *setting,
		  const struct err *err);

/* The error's sentence without the "KEY: " in front, for a reason. */
const char *plan_reason(struct planner *planner, const struct err *err,
			const char *key);

/*
 * The setting that counts on this site; NULL: none, or "keep".  Where the
 * paths to a disk are matched differently it is one of theirs, and *ret_why
 * says so; otherwise *ret_why is NULL.
 */
const struct setting *plan_choose(struct planner *planner,
				  const struct knob *knob,
				  const struct site *site,
				  const char **ret_why);

/* Why nothing may be written to the site, or NULL. */
const char *plan_barred(struct planner *planner, const struct knob *knob,
			const struct site *site);

/* Who set the attribute to what it has: fills change->set_by. */
void plan_who(struct planner *planner, struct change *change,
	      const struct site *site);

/* The change counts when the unit of its knob is started again. */
void plan_unit_later(struct planner *planner, struct change *change);

/* A drop-in of ours that this profile does not ask for: it goes.  False: the
 * knob has no drop-in. */
bool plan_unit_leftover(struct planner *planner, const struct knob *knob,
			const struct site *site);

/* Can a file of ours hold this word of the kernel command line? */
bool plan_holds_words(const struct planner *planner, const char *word);
/* It does: fills persistence and needs, and adds it to the intents. */
void plan_word_persist(struct planner *planner, struct change *change,
		       const char *word);
/* And nothing can change the value before a reboot: the verdict, too. */
void plan_word_later(struct planner *planner, struct change *change,
		     const char *word);

/* What keeps the change: fills persistence and persist_reason. */
void plan_persist(struct planner *planner, struct change *change,
		  const struct setting *setting, const struct site *site);

/*
 * Is it the device helper that sets this when the drive appears, and once more
 * after a reset: what no rule of ours holds, and what a reset loses?
 */
bool plan_is_helpers(const struct planner *planner,
		     const struct setting *setting, const struct site *site);

/* The device helper keeps the change where it is installed; why: what keeps
 * anything else from it, as half a sentence. */
void plan_keep_by_helper(struct planner *planner, struct change *change,
			 const char *why);

/* What nr_requests is under a scheduler when nobody set it; 0: unknown. */
uint64_t plan_default_depth(const struct ns *ns, const struct value *scheduler);

/* Is this queue's depth what a reset leads to on kernels that forget it, of a
 * knob that says so?  With a scheduler only: under none it stays. */
bool plan_is_depth_lost(struct planner *planner, const struct knob *knob,
			const struct site *site);

/* What becomes of a nr_requests that no profile speaks of when the scheduler
 * is switched; any other change is left as it is. */
void plan_depth_effect(struct planner *planner, struct change *change,
		       const struct change *switched, const struct ns *ns);
