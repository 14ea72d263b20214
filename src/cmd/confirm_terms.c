/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/confirm_terms.h"

#include <errno.h>

#include "base/duration.h"
#include "base/parse.h"
#include "base/strbuf.h"

/* More is no least gain but a wish. */
#define MOST_PERCENT 100

/* "1", "0.5", "2%": as a share. */
static int parse_effect(const char *text, double *ret)
{
	double percent;

	if (parse_decimal_prefix(&text, &percent) < 0)
		return -EINVAL;
	if (*text == '%')
		text++;
	if (*text || percent <= 0 || percent > MOST_PERCENT)
		return -EINVAL;
	*ret = percent / 100;
	return 0;
}

int confirm_terms_read(const struct command *command,
		       const struct options *options, struct confirm_terms *ret,
		       struct err *err)
{
	struct confirm_terms terms = { .rule = decide_rule_default,
				       .budget = options->budget };
	uint64_t us = 0;

	if (options->min_effect &&
	    parse_effect(options->min_effect, &terms.rule.min_effect) < 0)
		return command_usage(
			command, err,
			"--min-effect %s: legal is a percentage above 0 and up to %d, such as 1 or 0.5",
			options->min_effect, MOST_PERCENT);
	if (options->budget &&
	    (parse_time(options->budget, &us) < 0 || us < 1000))
		return command_usage(
			command, err,
			"--budget %s: legal is a time with its unit, such as 90s, 10m or 1h",
			options->budget);
	terms.budget_ms = us / 1000;
	*ret = terms;
	return EXIT_DONE;
}

int confirm_terms_fit(struct arena *arena, const struct confirm_terms *terms,
		      const struct budget_work *work, struct decide_rule *ret,
		      struct err *err)
{
	uint64_t needed_ms;
	struct strbuf needed;

	if (!terms->budget) {
		*ret = terms->rule;
		return 0;
	}
	if (budget_fit(&terms->rule, work, terms->budget_ms, ret, &needed_ms) ==
	    0)
		return 0;
	strbuf_init(&needed, arena);
	duration_to_text(needed_ms, &needed);
	return err_set(
		err, -ERANGE,
		"--budget %s is too short to tell anything: %u comparison%s by slices of %u ms take %s at least; nothing was changed",
		terms->budget, work->comparisons,
		work->comparisons == 1 ? "" : "s", work->slice_ms, needed.text);
}
