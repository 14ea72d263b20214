/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"
#include "base/parse.h"
#include "core/params.h"
#include "core/queues.h"
#include "knobs/knob_list.h"

#define MOST_PARAMS 128
#define NAME_SIZE 64

struct name {
	char module[NAME_SIZE];
	char param[NAME_SIZE];
};

static bool is_name(const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (!strchr("abcdefghijklmnopqrstuvwxyz0123456789_", text[i]))
			return false;
	return n > 0 && n < NAME_SIZE;
}

/* "nvme.poll_queues" in its two parts. */
static int split_name(const char *key, struct name *ret, struct err *err)
{
	const char *dot = strchr(key, '.');

	if (!dot || !is_name(key, (size_t)(dot - key)) ||
	    !is_name(dot + 1, strlen(dot + 1)))
		return err_set(
			err, -EINVAL,
			"module.%s: write module.MODULE.PARAMETER, such as module.nvme.poll_queues",
			key);
	*ret = (struct name){ 0 };
	memcpy(ret->module, key, (size_t)(dot - key));
	memcpy(ret->param, dot + 1, strlen(dot + 1));
	if (strcmp(ret->module, "nvme") == 0 ||
	    strcmp(ret->module, "nvme_core") == 0)
		return 0;
	return err_set(
		err, -EINVAL,
		"module.%s: %s is not a module that nvmetune sets: legal are nvme and nvme_core",
		key, ret->module);
}

static int parse_number(const struct param_rule *rule, const char *text,
			struct value *ret, struct err *err)
{
	uint64_t number = 0;
	int r = parse_u64(text, &number);

	if (r == -EINVAL)
		return err_set(err, -EINVAL,
			       "module.%s.%s: \"%s\" is not a number or keep",
			       rule->module, rule->param, text);
	if (rule->limit == LIMIT_RANGE &&
	    (r < 0 || number < rule->min || number > rule->max))
		return err_set(err, -EINVAL,
			       "module.%s.%s: %s is not within %" PRIu64
			       "..%" PRIu64 ": %s.ko would not load",
			       rule->module, rule->param, text, rule->min,
			       rule->max, rule->module);
	if (r < 0)
		return err_set(err, -EINVAL, "module.%s.%s: %s is too large",
			       rule->module, rule->param, text);
	/* To the kernel 010 is eight. */
	*ret = (struct value){ .type = VALUE_TEXT };
	(void)snprintf(ret->u.text, sizeof(ret->u.text), "%" PRIu64, number);
	return 0;
}

static int parse_word(const struct param_rule *rule, const char *text,
		      struct value *ret, struct err *err)
{
	const char *legal;

	if (param_rule_takes(rule, text, &legal) && value_text(text, ret))
		return 0;
	return err_set(
		err, -EINVAL,
		"module.%s.%s: \"%s\" is not %s or keep: %s.ko might not load",
		rule->module, rule->param, text, legal, rule->module);
}

/*
 * A parameter of which nothing is known takes any text that modprobe.d and
 * the kernel take without quoting.
 */
static int parse(const struct knob *knob, const char *param, const char *text,
		 struct value *ret, struct err *err)
{
	const struct param_rule *rule;
	struct name name;
	int r = split_name(param, &name, err);

	if (r < 0)
		return r;
	if (text[0] == '\0' ||
	    strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
			 "0123456789_.,:^+-") != strlen(text))
		return err_set(
			err, -EINVAL,
			"%s%s: \"%s\" is not a parameter's value: legal are letters, digits and _ . , : ^ + -",
			knob->name, param, text);
	rule = param_rule_find(name.module, name.param);
	if (rule && param_rule_is_number(rule))
		return parse_number(rule, text, ret, err);
	if (rule)
		return parse_word(rule, text, ret, err);
	if (value_text(text, ret))
		return 0;
	return err_set(err, -EINVAL, "%s%s: \"%s\" is longer than %d bytes",
		       knob->name, param, text, VALUE_TEXT_SIZE - 1);
}

static const char *nearest_param(const struct module *module, const char *param)
{
	const char *names[MOST_PARAMS];
	size_t n = 0;

	VEC_EACH(&module->params, struct module_param, it)
		if (n < MOST_PARAMS)
			names[n++] = it->name;
	return nearest_name(param, names, n);
}

/* The sentence for a parameter that the target kernel's module has not. */
static int unknown_param(const struct facts *facts, const struct module *module,
			 const struct name *name, struct err *err)
{
	const char *legend = param_legend(name->module, name->param);
	const char *near;

	if (legend)
		return err_set(err, -EINVAL,
			       "module.%s.%s: %s has no such parameter: %s",
			       name->module, name->param, name->module, legend);
	VEC_EACH(&facts->modules, struct module, other)
		if (other != module && module_find(other, name->param))
			return err_set(
				err, -EINVAL,
				"module.%s.%s: %s has no such parameter: it is module.%s.%s",
				name->module, name->param, name->module,
				other->name, name->param);
	near = nearest_param(module, name->param);
	if (near)
		return err_set(
			err, -EINVAL,
			"module.%s.%s: %s of kernel %s has no such parameter; did you mean %s?",
			name->module, name->param, name->module,
			facts->kernel ? facts->kernel : "?", near);
	return err_set(err, -EINVAL,
		       "module.%s.%s: %s of kernel %s has no such parameter",
		       name->module, name->param, name->module,
		       facts->kernel ? facts->kernel : "?");
}

/* The words of a policy stand in the parameter's description. */
static bool knows_word(const struct module *module, const char *param,
		       const char *word)
{
	const struct module_param *found = module_find(module, param);

	return found && found->description &&
	       strstr(found->description, word) != NULL;
}

/* queue-depth came with 6.11, and a module that does not know a word does not
 * load.  An image has several kernels: each must know it. */
static int check_word(const struct facts *facts, const struct module *module,
		      const struct name *name, const char *word,
		      struct err *err)
{
	const struct param_rule *rule =
		param_rule_find(name->module, name->param);
	const char *release = NULL;

	/* The others are as old as the parameter. */
	if (!rule || rule->limit != LIMIT_POLICY ||
	    strcmp(word, "queue-depth") != 0)
		return 0;
	if (!knows_word(module, name->param, word))
		release = facts->kernel ? facts->kernel : "of the image";
	VEC_EACH(&facts->kernels, struct image_kernel, kernel)
		VEC_EACH(&kernel->modules, struct module, it)
			if (strcmp(it->name, name->module) == 0 &&
			    !knows_word(it, name->param, word))
				release = kernel->release;
	if (!release)
		return 0;
	return err_set(
		err, -EOPNOTSUPP,
		"module.%s.%s: %s of kernel %s does not name %s among its policies, and would not load with it",
		name->module, name->param, name->module, release, word);
}

/* More queues than possible CPUs: only the host tells. */
static int check_limit(const struct facts *facts, const struct name *name,
		       const char *text, struct err *err)
{
	const struct param_rule *rule =
		param_rule_find(name->module, name->param);
	unsigned int possible = cpuset_count(&facts->possible);
	uint64_t number = 0;

	if (!rule || rule->limit != LIMIT_POSSIBLE_CPUS)
		return 0;
	if (parse_u64(text, &number) < 0)
		return err_set(err, -EINVAL,
			       "module.%s.%s: \"%s\" is not a number",
			       name->module, name->param, text);
	if (possible == 0)
		return err_set(
			err, -EINVAL,
			"module.%s.%s: the possible CPUs of this host are unknown, and more queues than those keep %s.ko from loading",
			name->module, name->param, name->module);
	if (number > possible && num_or(facts->image, 0))
		return err_set(
			err, -EINVAL,
			"module.%s.%s: %" PRIu64
			" queues keep %s.ko from loading on a host with fewer possible CPUs, and only %u %s certain: --min-cpus %" PRIu64
			" promises that every host of this image has so many",
			name->module, name->param, number, name->module,
			possible, possible == 1 ? "is" : "are", number);
	if (number > possible)
		return err_set(
			err, -EINVAL,
			"module.%s.%s: %" PRIu64
			" is more than the %u possible CPUs, which keeps %s.ko from loading: legal is 0..%u or a share such as 25%%",
			name->module, name->param, number, possible,
			name->module, possible);
	return 0;
}

static int resolve_share(const struct facts *facts, const struct name *name,
			 uint64_t percent, struct value *ret, struct err *err)
{
	const struct param_rule *rule =
		param_rule_find(name->module, name->param);
	unsigned int possible = cpuset_count(&facts->possible);

	if (!rule || rule->limit != LIMIT_POSSIBLE_CPUS)
		return err_set(
			err, -EINVAL,
			"module.%s.%s: a share is legal for poll_queues and write_queues only",
			name->module, name->param);
	if (possible == 0)
		return err_set(
			err, -EOPNOTSUPP,
			"module.%s.%s: the possible CPUs of this host are unknown, so %" PRIu64
			"%% of them are too",
			name->module, name->param, percent);
	*ret = (struct value){ .type = VALUE_TEXT };
	if (strcmp(name->param, "poll_queues") == 0)
		possible = queue_share(
			facts, (unsigned int)percent,
			queue_count_at_load(facts, "write_queues", NULL));
	else
		possible = possible * (unsigned int)percent / 100;
	uint_to_text(possible, ret->u.text);
	return 0;
}

static int resolve(const struct knob *knob, const char *param,
		   const struct facts *facts, const struct target *target,
		   const struct value *asked, struct value *ret,
		   struct err *err)
{
	const struct module *module;
	struct name name;
	int r = split_name(param, &name, err);

	(void)knob;
	(void)target;
	if (r < 0)
		return r;
	module = facts_module(facts, name.module);
	if (!module || module->params.n == 0)
		return err_set(
			err, -EOPNOTSUPP,
			"module.%s: the parameters of module %s could not be read for %s%s",
			param, name.module,
			facts->kernel ? "kernel " : "any kernel of the image",
			facts->kernel ? facts->kernel : "");
	if (!module_find(module, name.param))
		return unknown_param(facts, module, &name, err);
	if (asked->type == VALUE_SHARE)
		return resolve_share(facts, &name, asked->u.number, ret, err);
	r = check_limit(facts, &name, asked->u.text, err);
	if (r == 0)
		r = check_word(facts, module, &name, asked->u.text, err);
	if (r == 0)
		*ret = *asked;
	return r;
}

/* The kernel shows booleans as Y and N, whatever was written. */
static const char *as_shown(const char *text)
{
	static const char *const yes[] = { "1", "y", "Y", "on", "true" };
	static const char *const no[] = { "0", "n", "N", "off", "false" };

	for (size_t i = 0; i < sizeof(yes) / sizeof(yes[0]); i++) {
		if (strcmp(text, yes[i]) == 0)
			return "1";
		if (strcmp(text, no[i]) == 0)
			return "0";
	}
	return text;
}

static bool same(const struct knob *knob, const struct value *have,
		 const struct value *want)
{
	(void)knob;
	return text_equal(as_shown(have->u.text), as_shown(want->u.text));
}

const struct knob knob_module_param = {
	.name = "module.",
	.scope = SCOPE_MODULE,
	.type = VALUE_TEXT,
	.flags = KNOB_ALLOWS_SHARE,
	.kept = KEPT_BY_OPTION,
	.evidence = EVIDENCE_LOAD,
	.doc = {
		.summary = "a parameter of the nvme or nvme_core module",
		.effect =
			"What the driver reads when it is loaded: how many poll and write queues, how deep the queues, the defaults of time-outs and power saving.",
		.cost = "It holds for every drive of the host and only after the module is loaded anew; poll queues take interrupt queues away, and a count that the module refuses leaves the host without its drives.",
		.source = "modinfo nvme nvme_core; drivers/nvme/host/pci.c, nvme_setup_io_queues()",
	},
	.parse = parse,
	.resolve = resolve,
	.same = same,
};
