/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Verdicts in words. */
#include "bench/decide.h"

#include <inttypes.h>
#include <math.h>

#include "base/strbuf.h"

const char *decide_verdict_name(enum decide_verdict verdict)
{
	static const char *const names[] = {
		[DECIDE_MORE] = "MEASURING",
		[DECIDE_CONFIRMED] = "CONFIRMED",
		[DECIDE_REJECTED] = "REJECTED",
		[DECIDE_INCONCLUSIVE] = "INCONCLUSIVE",
		[DECIDE_NOT_APPLIED] = "NOT APPLIED",
		[DECIDE_PROVISIONAL] = "PROVISIONAL",
	};

	return names[verdict];
}

const char *decide_reason_name(enum decide_reason reason)
{
	static const char *const names[] = {
		[DECIDE_NO_REASON] = "",
		[DECIDE_REGRESSION] = "regression",
		[DECIDE_SMALL] = "too small",
		[DECIDE_ERRORS] = "errors",
		[DECIDE_TRADE_P99] = "trade-off",
		[DECIDE_TRADE_CPU] = "trade-off",
		[DECIDE_TRADE_CELL] = "trade-off",
		[DECIDE_NOISE] = "noise",
		[DECIDE_NOISE_P99] = "noise",
		[DECIDE_NOISE_CPU] = "noise",
		[DECIDE_NOISE_CELL] = "noise",
		[DECIDE_CONTAMINATED] = "contaminated",
	};

	return names[reason];
}

int64_t decide_ppm(double log_ratio)
{
	/* Beyond e^20 nothing is a ratio any more. */
	if (isnan(log_ratio) || log_ratio > 20)
		return INT64_MIN;
	return llround(expm1(log_ratio) * 1e6);
}

static double percent(double log_ratio)
{
	return expm1(log_ratio) * 100;
}

/* "IOPS better by 4.2 % (+2.1 to +6.3 %), 8 blocks" */
static void put_effect(const struct decide_result *result, const char *metric,
		       struct strbuf *out)
{
	const struct decide_range *effect = &result->effect;

	if (isnan(effect->estimate)) {
		strbuf_printf(out, "%s unknown, no block counts", metric);
		return;
	}
	strbuf_printf(out, "%s %s by %.1f %%", metric,
		      effect->estimate < 0 ? "worse" : "better",
		      fabs(percent(effect->estimate)));
	if (!isnan(effect->lower))
		strbuf_printf(out, " (%+.1f to %+.1f %%)",
			      percent(effect->lower), percent(effect->upper));
	strbuf_printf(out, ", %" PRIu32 " block%s", result->blocks,
		      result->blocks == 1 ? "" : "s");
}

static void put_needed(const struct decide_result *result, struct strbuf *out)
{
	if (!isnan(result->mde))
		strbuf_printf(out, "; this noise hides less than %.1f %%",
			      percent(result->mde));
	if (result->blocks_needed)
		strbuf_printf(out, "; about %" PRIu32 " blocks would decide",
			      result->blocks_needed);
	else
		strbuf_puts(out, "; more blocks are not likely to decide");
}

static void put_cost(const char *what, const struct decide_range *range,
		     double limit, struct strbuf *out)
{
	strbuf_printf(out, "; but %s x %.2f (%.2f to %.2f), the limit is %.2f",
		      what, exp(range->estimate), exp(range->lower),
		      exp(range->upper), limit);
}

static void put_limit(const struct decide_result *result,
		      const struct decide_rule *rule, struct strbuf *out)
{
	switch (result->reason) {
	case DECIDE_TRADE_P99:
	case DECIDE_NOISE_P99:
		put_cost("p99", &result->p99, rule->p99_limit, out);
		break;
	case DECIDE_TRADE_CPU:
	case DECIDE_NOISE_CPU:
		put_cost("CPU time per I/O", &result->cpu, rule->cpu_limit,
			 out);
		break;
	case DECIDE_TRADE_CELL:
	case DECIDE_NOISE_CELL:
		put_cost("the worst cell", &result->cell, rule->cell_limit,
			 out);
		break;
	case DECIDE_NO_REASON:
	case DECIDE_REGRESSION:
	case DECIDE_SMALL:
	case DECIDE_ERRORS:
	case DECIDE_NOISE:
	case DECIDE_CONTAMINATED:
		break;
	}
}

static void put_why(const struct decide_result *result,
		    const struct decide_rule *rule, struct strbuf *out)
{
	put_limit(result, rule, out);
	if (result->reason == DECIDE_SMALL)
		strbuf_printf(out, "; a change must bring %.1f %%",
			      rule->min_effect * 100);
	if (result->reason == DECIDE_ERRORS)
		strbuf_printf(out,
			      "; %" PRIu64 " I/Os failed with it, %" PRIu64
			      " without",
			      result->errors_after, result->errors_before);
	if (result->reason == DECIDE_CONTAMINATED)
		strbuf_printf(out, "; %" PRIu32 " blocks were disturbed",
			      result->voided);
	if (result->verdict == DECIDE_NOT_APPLIED)
		strbuf_puts(out, "; nothing that the change works on has "
				 "moved, so that is noise");
	if (result->verdict == DECIDE_INCONCLUSIVE)
		put_needed(result, out);
}

void decide_to_text(const struct decide_result *result,
		    const struct decide_rule *rule, const char *metric,
		    struct strbuf *out)
{
	const char *reason = decide_reason_name(result->reason);

	strbuf_puts(out, decide_verdict_name(result->verdict));
	if (*reason)
		strbuf_printf(out, " (%s)", reason);
	strbuf_puts(out, ": ");
	put_effect(result, metric, out);
	put_why(result, rule, out);
}
