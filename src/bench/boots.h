/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "base/vec.h"
#include "bench/trial.h"

/*
 * What only a boot switches cannot take turns within minutes: it is measured
 * boot by boot, and the unit is the boot.  Boots differ among themselves (where
 * memory lies, which queue is whose, what else starts), by more than most
 * settings are worth, so that few of them are never more than provisional.
 * Pure.
 */

struct arena;
struct err;
struct strbuf;

/* Fewer of an arm say nothing about how boots differ. */
#define BOOTS_OF_AN_ARM 3

/* One boot: medians of its slices. */
struct boot {
	const char *boot_id;
	const char *time;   /* UTC, ISO 8601 */
	const char *kernel; /* release */
	const char *load;   /* how and what was measured, in words */
	int which;	    /* BENCH_BEFORE or BENCH_AFTER: how it was set */
	double metrics[BENCH_METRICS]; /* NAN: unknown */
};

struct boots {
	enum bench_metric metric; /* as the first boot chose it */
	VEC(struct boot) items;	  /* in the order of time */
};

/*
 * May the boot be added?  -EEXIST: it was measured already.  -EXDEV: it does
 * not compare, since kernel or load are others; err names the difference.  A
 * load that is NULL, not known yet, is not looked at.
 */
int boots_check(const struct boots *boots, const struct boot *boot,
		struct err *err);
/* The same, and add it. */
int boots_add(struct arena *arena, struct boots *boots, const struct boot *boot,
	      struct err *err);

struct boots_result {
	uint32_t n[BENCH_ARMS];
	double median[BENCH_ARMS]; /* of the boots; NAN: none */
	double effect;		   /* logarithm, + is better; NAN */
	/*
	 * Every boot of one arm is better than every one of the other.  Were
	 * there no effect, that is so in 1 of chance cases, for either arm.
	 */
	bool apart;
	uint64_t chance;
};

void boots_judge(struct arena *arena, const struct boots *boots,
		 struct boots_result *ret);

/*
 * "PROVISIONAL: ...", what is known and why it is not more, without a period;
 * before both arms were measured, what is missing.
 */
void boots_to_text(const struct boots *boots, const struct boots_result *result,
		   struct strbuf *out);
