/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Module options that do not do what their author meant. */

#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"
#include "core/advisor.h"
#include "core/owner.h"
#include "core/params.h"
#include "core/volume.h"

static const char *place_of(const struct advisor *advisor,
			    const struct module_option *option)
{
	if (strcmp(option->file, "/proc/cmdline") == 0)
		return "kernel command line";
	return arena_printf(advisor->arena, "%s:%" PRId64, option->file,
			    option->line);
}

/*
 * All parameters of the module are in the facts: modinfo was read.  sysfs
 * alone does not show those without permissions.
 */
static bool knows_parameters(const struct facts *facts,
			     const struct module *module)
{
	VEC_EACH(&facts->blind, const char *, it)
		if (text_has_prefix(*it, "modinfo of "))
			return false;
	return module && module->params.n > 1 &&
	       !text_equal(module->state, "absent");
}

static bool is_unknown(const struct facts *facts,
		       const struct module_option *option)
{
	const struct module *module = facts_module(facts, option->module);

	return knows_parameters(facts, module) &&
	       !module_find(module, option->param);
}

static bool is_same_place(const struct module_option *a,
			  const struct module_option *b)
{
	return text_equal(a->module, b->module) &&
	       text_equal(a->file, b->file) && a->line == b->line;
}

/* Where the parameter is one, in the other module, or what does its job. */
static const char *hint_of(const struct advisor *advisor,
			   const struct module_option *option)
{
	const char *legend = param_legend(option->module, option->param);

	VEC_EACH(&advisor->facts->modules, struct module, module)
		if (module_find(module, option->param))
			return arena_printf(advisor->arena, "%s is %s's",
					    option->param, module->name);
	return legend ? arena_printf(advisor->arena, "%s: %s", option->param,
				     legend) :
			NULL;
}

/* All that is unknown on the line of this option, its first one. */
static void say_unknown(const struct advisor *advisor,
			const struct module_option *first)
{
	const struct facts *facts = advisor->facts;
	struct strbuf names, hints;

	strbuf_init(&names, advisor->arena);
	strbuf_init(&hints, advisor->arena);
	VEC_EACH(&facts->options, struct module_option, it) {
		const char *hint;

		if (!is_same_place(it, first) || !is_unknown(facts, it))
			continue;
		strbuf_printf(&names, "%s%s", names.len ? ", " : "", it->param);
		hint = hint_of(advisor, it);
		if (hint)
			strbuf_printf(&hints, "; %s", hint);
	}
	advise(advisor, place_of(advisor, first),
	       "%s: unknown to this kernel's %s, ignored%s", names.text,
	       first->module, hints.len ? hints.text : "");
}

static void unknown_options(const struct advisor *advisor)
{
	const struct module_option *last = NULL;

	VEC_EACH(&advisor->facts->options, struct module_option, it) {
		if (!is_unknown(advisor->facts, it) ||
		    (last && is_same_place(last, it)))
			continue;
		say_unknown(advisor, it);
		last = it;
	}
}

static void ignored_files(const struct advisor *advisor)
{
	VEC_EACH(&advisor->facts->ignored_options, struct module_option, it)
		advise(advisor, place_of(advisor, it),
		       "%s of %s: the file's name does not end in .conf, so nothing reads it",
		       it->param, it->module);
}

static bool is_file_of(const struct module_option *option,
		       const struct module *module)
{
	return text_equal(option->module, module->name) &&
	       strcmp(option->file, "/proc/cmdline") != 0;
}

static void builtin_options(const struct advisor *advisor)
{
	VEC_EACH(&advisor->facts->modules, struct module, module) {
		if (!text_equal(module->state, "builtin"))
			continue;
		VEC_EACH(&advisor->facts->options, struct module_option, it)
			if (is_file_of(it, module))
				advise(advisor, place_of(advisor, it),
				       "%s: %s is built into this kernel, which reads no modprobe.d",
				       it->param, module->name);
	}
}

/* What our own file says is the plan's business. */
static bool is_foreign(const struct module_option *option)
{
	return !text_equal(option->file, OWNER_OPTIONS);
}

static bool is_for_same(const struct module_option *a,
			const struct module_option *b)
{
	return text_equal(a->module, b->module) &&
	       text_equal(a->param, b->param);
}

static void contradictions(const struct advisor *advisor)
{
	const struct facts *facts = advisor->facts;

	VEC_EACH(&facts->options, struct module_option, it) {
		const struct module_option *last = it;

		VEC_EACH(&facts->options, struct module_option, other)
			if (is_for_same(it, other))
				last = other;
		if (last == it || !is_foreign(it) || !is_foreign(last) ||
		    text_equal(last->value, it->value))
			continue;
		advise(advisor, place_of(advisor, it),
		       "%s=%s does not count: the last one wins, which is %s of %s",
		       it->param, it->value ? it->value : "",
		       last->value ? last->value : "", place_of(advisor, last));
	}
}

/* The first line after it that says the same again, word for word. */
static const struct module_option *repeated(const struct facts *facts,
					    const struct module_option *it)
{
	const struct module_option *end =
		facts->options.items + facts->options.n;

	for (const struct module_option *other = it + 1; other < end; other++)
		if (is_for_same(it, other))
			return text_equal(it->value, other->value) ? other :
								     NULL;
	return NULL;
}

/* Scripts append their line at each run. */
static void duplicates(const struct advisor *advisor)
{
	const struct facts *facts = advisor->facts;

	VEC_EACH(&facts->options, struct module_option, it) {
		const struct module_option *again = repeated(facts, it);

		if (again && is_foreign(it) && is_foreign(again))
			advise(advisor, place_of(advisor, it),
			       "%s=%s stands again in %s: one of them is enough",
			       it->param, it->value ? it->value : "",
			       place_of(advisor, again));
	}
}

/* Longer than any drive of this host needs to tell that it is dead. */
#define LONG_TIMEOUT_S 600U

static const struct ctrl *local_drive(const struct facts *facts)
{
	VEC_EACH(&facts->ctrls, struct ctrl, ctrl)
		if (text_equal(ctrl->transport, "pcie") && ctrl->model &&
		    !volume_is_network(ctrl))
			return ctrl;
	return NULL;
}

/* What is right for network volumes holds for every drive of the host. */
static void long_timeout(const struct advisor *advisor)
{
	const struct ctrl *local = local_drive(advisor->facts);
	const struct module_option *last = NULL;
	uint64_t seconds;

	VEC_EACH(&advisor->facts->options, struct module_option, it)
		if (text_equal(it->module, "nvme_core") &&
		    text_equal(it->param, "io_timeout"))
			last = it;
	if (!local || !last || !last->value ||
	    parse_u64(last->value, &seconds) < 0 || seconds < LONG_TIMEOUT_S)
		return;
	advise(advisor, place_of(advisor, last),
	       "nvme_core.io_timeout=%s counts for every drive: %s is no network volume, and if it dies its requests hang that many seconds; queue.io_timeout sets it by model",
	       last->value, local->name);
}

static void too_many_queues(const struct advisor *advisor)
{
	const unsigned int possible = cpuset_count(&advisor->facts->possible);

	VEC_EACH(&advisor->facts->options, struct module_option, it) {
		const struct param_rule *rule =
			param_rule_find(it->module, it->param);
		uint64_t count;

		if (!possible || !rule || rule->limit != LIMIT_POSSIBLE_CPUS ||
		    !it->value || parse_u64(it->value, &count) < 0 ||
		    count <= possible)
			continue;
		advise(advisor, place_of(advisor, it),
		       "%s=%s is more than this host's %u possible CPUs: nvme refuses to load with it, and no NVMe drive comes up",
		       it->param, it->value, possible);
	}
}

static const struct advice_row rows[] = {
	{ .doc = { .id = "options.unknown",
		   .severity = "warning",
		   .confidence = "certain",
		   .summary =
			   "a module option that this kernel's driver does not have",
		   .evidence =
			   "modprobe.d or the command line names a parameter that modinfo does not list.",
		   .remedy =
			   "Take it out: the driver ignores it, and it sets nothing.",
		   .source =
			   "kernel/module, unknown_module_param_cb(): \"unknown parameter ... ignored\"" },
	  .check_host = unknown_options },
	{ .doc = { .id = "options.no-conf",
		   .severity = "warning",
		   .confidence = "certain",
		   .summary =
			   "nvme options in a file of modprobe.d that nothing reads",
		   .evidence =
			   "The file has options for nvme or nvme_core, and its name has no suffix.",
		   .remedy = "Rename it to end in .conf, or remove it.",
		   .source = "modprobe.d(5): files end in .conf" },
	  .check_host = ignored_files },
	{ .doc = { .id = "options.builtin",
		   .severity = "warning",
		   .confidence = "certain",
		   .summary =
			   "options in modprobe.d for a driver that is built in",
		   .evidence =
			   "The driver is in modules.builtin, or in /sys/module without initstate.",
		   .remedy =
			   "Give it on the kernel command line, as MODULE.PARAMETER=VALUE.",
		   .source = "Documentation/admin-guide/kernel-parameters.rst" },
	  .check_host = builtin_options },
	{ .doc = { .id = "options.contradict",
		   .severity = "warning",
		   .confidence = "certain",
		   .summary = "two places give a module option two values",
		   .evidence =
			   "The same parameter stands twice in modprobe.d or on the command line, with different values.",
		   .remedy = "Keep one of them; the last one wins.",
		   .source =
			   "libkmod: files in the order of their names, then the kernel command line" },
	  .check_host = contradictions },
	{ .doc = { .id = "options.repeated",
		   .severity = "info",
		   .confidence = "certain",
		   .summary = "a module option stands twice",
		   .evidence =
			   "The same parameter with the same value stands in two lines of modprobe.d or the command line.",
		   .remedy =
			   "Keep one line; a script may have appended the other, and will again.",
		   .source =
			   "libkmod: all options of a module are handed on, the last one wins" },
	  .check_host = duplicates },
	{ .doc = { .id = "options.long-timeout",
		   .severity = "info",
		   .confidence = "certain",
		   .summary =
			   "a time-out for network volumes counts for local drives, too",
		   .evidence =
			   "nvme_core.io_timeout is configured to 600 s or more, and a drive is of no model that is known as a network volume.",
		   .remedy =
			   "queue.io_timeout in a section with match.model, or the rule of the volumes' vendor, instead of the parameter.",
		   .source =
			   "drivers/nvme/host/core.c, io_timeout; Documentation/ABI/stable/sysfs-block, queue/io_timeout" },
	  .check_host = long_timeout },
	{ .doc = { .id = "options.too-many-queues",
		   .severity = "warning",
		   .confidence = "certain",
		   .summary =
			   "a queue count that keeps nvme from loading at the next boot",
		   .evidence =
			   "poll_queues or write_queues is configured above the number of possible CPUs.",
		   .remedy =
			   "Lower it before the next boot or reload, and rebuild the initramfs.",
		   .source = "drivers/nvme/host/pci.c, io_queue_count_set()" },
	  .check_host = too_many_queues },
};

const struct advice_rows advice_boot = ADVICE_ROWS(rows);
