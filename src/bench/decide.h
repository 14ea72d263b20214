/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Whether a change is kept, from blocks of interleaved slices: pure, and the
 * same for whatever was measured.
 *
 * A block is four slices, before-after-after-before or the other way round.
 * Everything in it is a natural logarithm of a ratio, so that +x and -x are
 * as far from "no difference".  A change is kept with evidence only: what is
 * not shown to be better goes back.
 *
 *	struct decide_input input = { .blocks = blocks };
 *
 *	do {
 *		measure up to decide_next(rule, input.n);
 *		decide_look(arena, rule, &input, &result);
 *	} while (result.verdict == DECIDE_MORE);
 */

struct arena;
struct strbuf;

#define DECIDE_LOOKS 4

/* When to look, how sure to be, and what a gain must not cost. */
struct decide_rule {
	double min_effect; /* the least gain worth a change: 0.01 is 1 % */
	/*
	 * Two-sided, at each look: looking often finds something by chance,
	 * so each look must be surer (Pocock).
	 */
	double alpha;
	uint32_t looks[DECIDE_LOOKS]; /* blocks, ascending; 0: no more */
	double p99_limit;	      /* at most 1.10 times before */
	double cpu_limit;	      /* at most 1.05 times before */
	double cell_limit;	      /* no cell below 0.97 of before */
	double power; /* chance to see the detectable effect: 0.8 */
};

/* 1 %; looks at 8, 12, 16 and 24 blocks, 5 % overall. */
extern const struct decide_rule decide_rule_default;

/*
 * The same with as many of its looks as most blocks allow, each as sure as
 * so few looks ask for; with fewer than the first of them a single look at
 * most.  -ERANGE: below 6 blocks no outcome is surer than 5 %.
 */
int decide_rule_within(const struct decide_rule *rule, uint32_t most,
		       struct decide_rule *ret);

/* All changes that were kept, together, against the host as it was: one look
 * at 12 blocks, 5 %; least gain and limits of rule. */
struct decide_rule decide_rule_gate(const struct decide_rule *rule);

/* The first look beyond n blocks; 0: there is none. */
uint32_t decide_next(const struct decide_rule *rule, uint32_t n);

struct decide_block {
	double effect; /* of the primary metric, + is better; finite */
	double p99;    /* after / before, + is worse; NAN: unknown */
	double cpu;    /* all tasks' CPU time per I/O, + is worse; NAN */
	/* Rate of each cell, + is better; nr_cells of the input, or NAN. */
	const double *cells;
};

/* Whether what the change works on (a queue, a vector) has moved. */
enum decide_mechanism {
	DECIDE_UNSEEN, /* nothing to look at, or not looked: no objection */
	DECIDE_MOVED,
	DECIDE_UNSURE, /* not for sure so far; at the last look: it has not */
	DECIDE_UNMOVED,
};

struct decide_input {
	const struct decide_block *blocks; /* that count */
	uint32_t n;
	uint32_t voided; /* blocks that were disturbed, and left out */
	size_t nr_cells; /* drives or nodes measured at once; 0: do not care */
	uint64_t errors_before; /* failed I/Os of all slices of each arm */
	uint64_t errors_after;
	enum decide_mechanism mechanism;
	bool last; /* no block can follow: judge, whatever n is */
};

enum decide_verdict {
	DECIDE_MORE, /* measure up to the next look */
	DECIDE_CONFIRMED,
	DECIDE_REJECTED,
	DECIDE_INCONCLUSIVE,
	DECIDE_NOT_APPLIED, /* written and read back, without any effect */
	/* Of what only a boot switches; never from decide_look(). */
	DECIDE_PROVISIONAL,
};

enum decide_reason {
	DECIDE_NO_REASON,
	DECIDE_REGRESSION, /* worse for sure */
	DECIDE_SMALL,	   /* better by less than the least gain, for sure */
	DECIDE_ERRORS,	   /* more I/Os failed than before */
	DECIDE_TRADE_P99,  /* better, but worse than allowed elsewhere */
	DECIDE_TRADE_CPU,
	DECIDE_TRADE_CELL,
	DECIDE_NOISE,	  /* no look was sure */
	DECIDE_NOISE_P99, /* better, but whether a limit holds is not sure */
	DECIDE_NOISE_CPU,
	DECIDE_NOISE_CELL,
	DECIDE_CONTAMINATED, /* too many blocks were disturbed */
};

/* An estimate between two bounds, logarithms; NAN: unknown. */
struct decide_range {
	double estimate;
	double lower;
	double upper;
};

struct decide_result {
	enum decide_verdict verdict;
	enum decide_reason reason;
	uint32_t blocks; /* that were judged */
	uint32_t voided;
	double alpha; /* of this look: the ranges cover 1 - alpha */
	struct decide_range effect;
	struct decide_range p99;
	struct decide_range cpu;
	struct decide_range cell; /* of the worst one */
	/*
	 * The smallest effect that so many blocks of this noise show with
	 * the rule's power, a logarithm; NAN: too few to say.
	 */
	double mde;
	/*
	 * Inconclusive: about so many blocks would decide, if the estimate
	 * holds; 0: not known, or more than DECIDE_MOST_BLOCKS.
	 */
	uint32_t blocks_needed;
	uint64_t errors_before;
	uint64_t errors_after;
};

#define DECIDE_MOST_BLOCKS 9999

/*
 * Judge n blocks.  Between looks, unless input->last, the verdict is
 * DECIDE_MORE without a glance at them: only planned looks keep the 5 %.
 *
 * CONFIRMED: better for sure, by the least gain or more as estimated, and
 * every limit that is known holds.  NOT APPLIED: so it looks, but what the
 * change works on has not moved.  REJECTED: less than the least gain for
 * sure, a limit exceeded for sure, or more errors.  A gain whose limit is in
 * doubt is looked at again, and at the last look INCONCLUSIVE.
 */
void decide_look(struct arena *arena, const struct decide_rule *rule,
		 const struct decide_input *input, struct decide_result *ret);

/* More disturbed blocks than a quarter of the last look: give up. */
bool decide_is_contaminated(const struct decide_rule *rule, uint32_t voided);

const char *decide_verdict_name(enum decide_verdict verdict); /* CONFIRMED */
/* "regression", "too small", "trade-off", "noise", ...; "" without one. */
const char *decide_reason_name(enum decide_reason reason);

/* A logarithm as ratio - 1 in parts per million, for JSON and tables;
 * INT64_MIN: unknown. */
int64_t decide_ppm(double log_ratio);

/*
 * The result as one sentence without a period: verdict, figures and, where
 * it is not kept, why; metric is what was measured ("IOPS", "p99").
 */
void decide_to_text(const struct decide_result *result,
		    const struct decide_rule *rule, const char *metric,
		    struct strbuf *out);
