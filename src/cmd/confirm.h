/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "bench/mechanism.h"
#include "bench/trial.h"
#include "cmd/confirm_shape.h"
#include "cmd/confirm_terms.h"
#include "cmd/context.h"
#include "cmd/load.h"
#include "cmd/meter.h"
#include "cmd/progress.h"
#include "core/profile_keys.h"
#include "json/write.h"

struct forecast;

#define CONFIRM_SCHEMA "nvmetune.confirm/1"

/*
 * apply --confirm: what a plan would change is measured first, in a
 * transaction that changes values to and fro and leaves everything as before
 * (write/execute.h, execute_trial()).  What is not shown to be better is left
 * out of the profile, and the rest is planned anew and applied like any other.
 *
 * What is measured as one is a key of the profile, on all its drives at once,
 * or, with --confirm=all, all keys together.
 */
struct confirm_unit {
	const char *key;    /* of the profile; "all" of them together */
	bool several;	    /* keys measured together */
	bool live;	    /* a value changes now, not after a reboot */
	bool hides_waiting; /* see KNOB_HIDES_WAITING */
	/* Why it is not switched to and fro though a load could show it; or
	 * NULL. */
	const char *unfit;
	enum evidence evidence;
	bool required; /* [confirm] required: it stays anyway */
	/* Controllers and disks that it works on; none: the whole host. */
	struct drives drives;
	bool tried;    /* verdict and the following are set */
	bool measured; /* trial is, too */
	struct bench_trial trial;
	/* What its interrupts did, and that in words; NULL: nothing of it shows
	 * there, and its values were read back. */
	struct mechanism mechanism;
	const char *mechanism_text;
	enum decide_verdict verdict; /* DECIDE_MORE: not measured as one */
	const char *why; /* beside what trial.decision says, or NULL */
	bool kept;	 /* in the end */
};

struct confirm {
	struct context *ctx;
	const struct profile *profile; /* that was asked for */
	/* The one that was applied before, whose settings take the place of
	 * what is put back; NULL: none. */
	const struct profile *previous;
	struct plan *previous_plan; /* what it comes to now; NULL likewise */
	bool together;		    /* --confirm=all */
	uint32_t seed;		    /* of orders and offsets */
	struct confirm_shape shape; /* of the reads */
	struct decide_rule rule;    /* as --min-effect and --budget say */
	struct load load;	    /* the drives that are read */
	VEC(struct confirm_unit) units; /* in the order of the plan */
	/* Several keys measured together: all of --confirm=all, or what was
	 * kept of each, once more and against none of it. */
	VEC(struct confirm_unit) groups;
	uint32_t slice_ms;    /* what a slice takes, settling included */
	struct meter command; /* of --workload; otherwise all zero */
	const char *method;   /* how the last of them was measured, or NULL */
	struct forecast *forecast; /* of a dry run, which only looks; or NULL */
	unsigned int trial_id;	   /* transaction; 0: nothing was measured */
	struct progress progress;
};

/*
 * Find what is to be measured in the context's plan, and open the drives that
 * are read for it; before the first write.  -EBUSY: one is in use.
 * confirm_close() is to be called also on failure.
 */
int confirm_open(struct context *ctx, struct confirm *ret, struct err *err);
void confirm_close(struct confirm *confirm);

/* Nothing that the plan changes now can be measured. */
bool confirm_is_idle(const struct confirm *confirm);

/*
 * Measure in a transaction of its own and decide.  An error leaves everything
 * as before, or, when it says so, a transaction that rollback takes back.
 */
int confirm_run(struct confirm *confirm, struct err *err);

/* What --budget is to be enough for. */
struct budget_work confirm_work(const struct confirm *confirm);

/* A dry run: only read, nothing is switched; see cmd/forecast.h. */
int confirm_look(struct confirm *confirm, struct err *err);

/* Something that was asked for is not kept (--trial: would not be). */
bool confirm_has_rejected(const struct confirm *confirm);

/* What is left of the profile; the same one where all of it is. */
const struct profile *confirm_rest(const struct confirm *confirm);

/* Results: for the page; and as members of the open object, with every single
 * slice where slices is set. */
void confirm_put(const struct confirm *confirm, struct strbuf *out);
void confirm_to_json(const struct confirm *confirm, bool slices,
		     struct json_writer *json);
