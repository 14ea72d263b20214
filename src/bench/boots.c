/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/boots.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/parse.h"
#include "base/strbuf.h"

int boots_check(const struct boots *boots, const struct boot *boot,
		struct err *err)
{
	VEC_EACH(&boots->items, const struct boot, it) {
		if (text_equal(it->boot_id, boot->boot_id))
			return err_set(
				err, -EEXIST,
				"this boot is measured already: each boot counts once, so reboot first");
		if (!text_equal(it->kernel, boot->kernel))
			return err_set(
				err, -EXDEV,
				"not comparable: the boots before ran kernel %s, this one runs %s",
				it->kernel, boot->kernel);
		if (boot->load && !text_equal(it->load, boot->load))
			return err_set(
				err, -EXDEV,
				"not comparable: the boots before were measured by %s, this one by %s",
				it->load, boot->load);
	}
	return 0;
}

int boots_add(struct arena *arena, struct boots *boots, const struct boot *boot,
	      struct err *err)
{
	int r = boots_check(boots, boot, err);

	if (r == 0)
		*vec_add(arena, &boots->items) = *boot;
	return r;
}

static int compare_doubles(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Sorted values of an arm; returns how many are known. */
static size_t values_of(const struct boots *boots, int which, double *values)
{
	size_t n = 0;

	VEC_EACH(&boots->items, const struct boot, it)
		if (it->which == which && it->metrics[boots->metric] > 0)
			values[n++] = it->metrics[boots->metric];
	qsort(values, n, sizeof(*values), compare_doubles);
	return n;
}

static double median_of(const double *sorted, size_t n)
{
	if (n == 0)
		return NAN;
	return n % 2 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;
}

/* In how many ways a of a + b can be chosen, half of them: 1 of so many rows
 * of boots has all of one arm, either of them, on the better side. */
static uint64_t chance_of(uint64_t a, uint64_t b)
{
	double ways = 1;

	for (uint64_t i = 1; i <= a; i++)
		ways = ways * (double)(b + i) / (double)i;
	return ways < 1e15 ? (uint64_t)(ways / 2 + 0.5) : UINT64_C(1000000000);
}

void boots_judge(struct arena *arena, const struct boots *boots,
		 struct boots_result *ret)
{
	double *values[BENCH_ARMS];
	struct boots_result result = { .effect = NAN };
	double change;

	for (int which = 0; which < BENCH_ARMS; which++) {
		values[which] = arena_array(arena, boots->items.n,
					    sizeof(*values[which]));
		result.n[which] =
			(uint32_t)values_of(boots, which, values[which]);
		result.median[which] =
			median_of(values[which], result.n[which]);
	}
	if (result.n[BENCH_BEFORE] && result.n[BENCH_AFTER]) {
		const double *a = values[BENCH_BEFORE];
		const double *b = values[BENCH_AFTER];

		change = log(result.median[BENCH_AFTER]) -
			 log(result.median[BENCH_BEFORE]);
		result.effect = bench_metric_is_less_better(boots->metric) ?
					-change :
					change;
		result.apart = a[result.n[BENCH_BEFORE] - 1] < b[0] ||
			       b[result.n[BENCH_AFTER] - 1] < a[0];
		result.chance = chance_of(result.n[BENCH_BEFORE],
					  result.n[BENCH_AFTER]);
	}
	*ret = result;
}

static void put_boots(uint32_t n, const char *how, struct strbuf *out)
{
	strbuf_printf(out, "%" PRIu32 " boot%s %s", n, n == 1 ? "" : "s", how);
}

static void put_missing(const struct boots_result *result, struct strbuf *out)
{
	if (result->n[BENCH_BEFORE])
		put_boots(result->n[BENCH_BEFORE],
			  "before it measured, none with it", out);
	else
		put_boots(result->n[BENCH_AFTER],
			  "with it measured, none before it", out);
}

static void put_why(const struct boots_result *result, struct strbuf *out)
{
	uint32_t least = result->n[BENCH_BEFORE] < result->n[BENCH_AFTER] ?
				 result->n[BENCH_BEFORE] :
				 result->n[BENCH_AFTER];

	if (least < BOOTS_OF_AN_ARM)
		strbuf_printf(
			out,
			"; boots differ by themselves, and so few cannot tell that from the setting: %d of each, in turns, say more",
			BOOTS_OF_AN_ARM);
	else if (result->apart)
		strbuf_printf(
			out,
			"; every boot of one kind is better than every one of the other, which chance does once in %" PRIu64,
			result->chance);
	else
		strbuf_puts(out, "; boots of both kinds overlap");
}

void boots_to_text(const struct boots *boots, const struct boots_result *result,
		   struct strbuf *out)
{
	strbuf_printf(out, "%s: ", decide_verdict_name(DECIDE_PROVISIONAL));
	if (isnan(result->effect)) {
		put_missing(result, out);
		return;
	}
	strbuf_printf(out, "%s %s by %.1f %%, ",
		      bench_metric_text(boots->metric),
		      result->effect < 0 ? "worse" : "better",
		      fabs(expm1(result->effect)) * 100);
	put_boots(result->n[BENCH_BEFORE], "before it", out);
	strbuf_puts(out, ", ");
	put_boots(result->n[BENCH_AFTER], "with it", out);
	put_why(result, out);
}
