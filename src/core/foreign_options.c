/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "core/foreign.h"
#include "core/params.h"

struct audit {
	struct arena *arena;
	const struct foreign_options *options;
	const struct facts *facts;
	struct problems *findings;
};

static void find(const struct audit *audit, const struct module_option *option,
		 const char *text)
{
	*vec_add(audit->arena, &audit->findings->lines) = arena_printf(
		audit->arena, "%s:%" PRId64 ": %s.%s: %s", audit->options->file,
		option->line, option->module, option->param, text);
}

static const char *other_of(const char *module)
{
	return strcmp(module, "nvme") == 0 ? "nvme_core" : "nvme";
}

/* Does this kernel's module have it; without facts: any kernel's? */
static bool has_param(const struct audit *audit, const char *module,
		      const char *param)
{
	const struct module *it =
		audit->facts ? facts_module(audit->facts, module) : NULL;

	if (it && it->params.n)
		return module_find(it, param);
	return param_rule_find(module, param) ||
	       (strcmp(module, "nvme") == 0 && strcmp(param, "quirks") == 0);
}

static void look_at_name(const struct audit *audit,
			 const struct module_option *option)
{
	const char *other = other_of(option->module);
	const char *legend;

	if (has_param(audit, option->module, option->param))
		return;
	if (has_param(audit, other, option->param)) {
		find(audit, option,
		     arena_printf(audit->arena, "ignored: %s has it, not %s",
				  other, option->module));
		return;
	}
	legend = param_legend(option->module, option->param);
	find(audit, option,
	     legend ? arena_printf(audit->arena,
				   "ignored: there is no such parameter; %s",
				   legend) :
		      "ignored: there is no such parameter");
}

static void look_at_number(const struct audit *audit,
			   const struct module_option *option)
{
	const struct param_rule *rule =
		param_rule_find(option->module, option->param);
	const unsigned int nr_cpus =
		audit->facts ? cpuset_count(&audit->facts->possible) : 0;
	uint64_t number;

	if (!rule || !param_rule_is_number(rule) || !option->value)
		return;
	if (parse_u64(option->value, &number) < 0) {
		find(audit, option,
		     arena_printf(audit->arena,
				  "%s is no number: the module will not load",
				  option->value));
	} else if (rule->limit == LIMIT_POSSIBLE_CPUS) {
		if (nr_cpus && number > nr_cpus)
			find(audit, option,
			     arena_printf(
				     audit->arena,
				     "%s is more than the %u possible CPUs: the module will not load",
				     option->value, nr_cpus));
	} else if (number < rule->min || number > rule->max) {
		find(audit, option,
		     arena_printf(audit->arena,
				  "%s is not within %" PRIu64 "..%" PRIu64
				  ": the module will not load",
				  option->value, rule->min, rule->max));
	}
}

static void look_at_earlier(const struct audit *audit,
			    const struct module_option *option)
{
	const struct module_option *earlier = NULL;

	for (const struct module_option *it = audit->options->options.items;
	     it < option; it++)
		if (strcmp(it->module, option->module) == 0 &&
		    strcmp(it->param, option->param) == 0)
			earlier = it;
	if (earlier)
		find(audit, option,
		     arena_printf(audit->arena,
				  "line %" PRId64
				  " gives it too: the last one wins",
				  earlier->line));
}

static bool is_ours(const struct module_option *option)
{
	return strcmp(option->module, "nvme") == 0 ||
	       strcmp(option->module, "nvme_core") == 0;
}

void foreign_options_check(struct arena *arena,
			   const struct foreign_options *options,
			   const struct facts *facts, struct problems *findings)
{
	const struct audit audit = { .arena = arena,
				     .options = options,
				     .facts = facts,
				     .findings = findings };
	int64_t comment = 0;

	VEC_EACH(&options->options, struct module_option, option) {
		if (!is_ours(option) || option->line == comment)
			continue;
		if (option->param[0] == '#') {
			comment = option->line;
			find(&audit, option,
			     "a comment at the end of a line is none: its words go to the module as parameters");
			continue;
		}
		look_at_name(&audit, option);
		look_at_number(&audit, option);
		look_at_earlier(&audit, option);
	}
}
