/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Who sets module parameters and attributes, with file and line. */

#include <errno.h>
#include <string.h>

#include "base/glob.h"
#include "base/parse.h"
#include "core/owner.h"
#include "probe/scan.h"
#include "sys/cmdline.h"
#include "sys/modprobe_conf.h"
#include "sys/udev_rules.h"

static bool is_ours(const char *module)
{
	return cmdline_name_equal(module, "nvme") ||
	       cmdline_name_equal(module, "nvme_core");
}

static void scan_modprobe_conf(struct scan *scan)
{
	struct modprobe_conf conf;

	modprobe_conf_read(scan->root, scan->arena, &conf);
	VEC_EACH(&conf.options, struct module_option, option)
		if (is_ours(option->module))
			*vec_add(scan->arena, &scan->facts->options) = *option;
	VEC_EACH(&conf.ignored, struct module_option, option)
		if (is_ours(option->module))
			*vec_add(scan->arena, &scan->facts->ignored_options) =
				*option;
	VEC_EACH(&conf.unreadable, const char *, path)
		scan_blind(scan, "%s could not be read", *path);
}

/* "nvme.poll_queues=2": libkmod hands these on after modprobe.d, so they
 * win; a builtin module gets nothing else. */
static void scan_command_line(struct scan *scan)
{
	struct cmdline cmdline;

	if (!scan->facts->cmdline)
		return;
	cmdline_parse(scan->arena, scan->facts->cmdline, &cmdline);
	VEC_EACH(&cmdline.args, struct cmdline_arg, arg) {
		const char *dot = strchr(arg->name, '.');
		struct module_option *option;
		char *module;

		if (!dot)
			continue;
		module = arena_strndup(scan->arena, arg->name,
				       (size_t)(dot - arg->name));
		for (char *p = module; *p; p++)
			if (*p == '-')
				*p = '_';
		if (!is_ours(module))
			continue;
		option = vec_add(scan->arena, &scan->facts->options);
		option->module = module;
		option->param = dot + 1;
		option->value = arg->value;
		option->file = "/proc/cmdline";
		option->line = 1;
	}
}

/* Could a rule for this KERNEL== be about a disk, a controller or one of the
 * devices above them, or about a CPU? */
static bool may_be_called(const struct facts *facts, const char *pattern)
{
	VEC_EACH(&facts->namespaces, struct ns, ns)
		if (glob_match(pattern, ns->name))
			return true;
	VEC_EACH(&facts->ctrls, struct ctrl, ctrl)
		if (glob_match(pattern, ctrl->name) ||
		    (ctrl->address && glob_match(pattern, ctrl->address)))
			return true;
	VEC_EACH(&facts->subsystems, struct subsystem, subsystem)
		if (glob_match(pattern, subsystem->name))
			return true;
	return glob_match(pattern, "cpu0") ||
	       (!facts->namespaces.n && glob_match(pattern, "nvme0n1"));
}

static bool may_match(const struct facts *facts,
		      const struct udev_assignment *it)
{
	static const char *const subsystems[] = { "block", "nvme", "pci",
						  "nvme-subsystem", "cpu" };

	if (it->kernel && !may_be_called(facts, it->kernel))
		return false;
	for (size_t i = 0; i < sizeof(subsystems) / sizeof(*subsystems); i++)
		if (!it->subsystem || glob_match(it->subsystem, subsystems[i]))
			return true;
	return false;
}

/* Lines from first on that are of the same file. */
static size_t lines_of_file(const struct udev_rules *rules, size_t first)
{
	size_t n = 1;

	while (first + n < rules->assignments.n &&
	       strcmp(rules->assignments.items[first + n].line.file,
		      rules->assignments.items[first].line.file) == 0)
		n++;
	return n;
}

/* A file without a rule about our devices stays out, jumps and all. */
static void scan_rules_file(struct scan *scan,
			    const struct udev_assignment *items, size_t n)
{
	const bool ours = strcmp(items[0].line.file, OWNER_RULES) == 0;
	bool any = false;

	for (size_t i = 0; i < n; i++)
		any |= items[i].line.attr && may_match(scan->facts, &items[i]);
	for (size_t i = 0; i < n && any; i++)
		if (items[i].line.attr ? may_match(scan->facts, &items[i]) :
					 !ours)
			*vec_add(scan->arena, &scan->facts->rules) =
				items[i].line;
}

/* What knobs that a rule can keep are called. */
static const char *const rule_attrs[] = { "queue/",
					  "bdi/",
					  "power/control",
					  "power/pm_qos_latency_tolerance_us",
					  "d3cold_allowed",
					  "link/",
					  "iopolicy",
					  "cpufreq/",
					  NULL };

static void scan_rules(struct scan *scan)
{
	struct udev_rules rules;

	udev_rules_read(scan->root, scan->arena, rule_attrs, &rules);
	for (size_t i = 0, n; i < rules.assignments.n; i += n) {
		n = lines_of_file(&rules, i);
		scan_rules_file(scan, &rules.assignments.items[i], n);
	}
	VEC_EACH(&rules.unreadable, const char *, path)
		scan_blind(scan, "%s could not be read", *path);
}

/* The program of the line RUN+="PROGRAM device $kernel", as a path below the
 * root; NULL: there is no such line. */
static const char *program_of(struct arena *arena, char *rule)
{
	static const char start[] = "RUN+=\"/", end[] = " device $kernel\"";
	const char *from = strstr(rule, start);
	const char *to = from ? strstr(from, end) : NULL;

	if (!to)
		return NULL;
	from += strlen(start);
	return arena_strndup(arena, from, (size_t)(to - from));
}

/* udev reads one file of a name, from the first folder that has it; a link to
 * /dev/null is one that says nothing. */
static bool runs_helper(struct scan *scan)
{
	static const char *const folders[] = { "etc/udev/rules.d",
					       "run/udev/rules.d",
					       "usr/lib/udev/rules.d",
					       "lib/udev/rules.d" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		const char *path = arena_printf(
			scan->arena, "%s/" OWNER_HELPER_RULE, folders[i]);
		const char *program;
		char *text = scan_text(scan, "%s", path);

		if (!text && sysroot_link_name(scan->root, scan->arena, path))
			return false;
		if (!text)
			continue;
		program = program_of(scan->arena, text);
		return program && sysroot_exists(scan->root, program);
	}
	return false;
}

static void scan_own_file(struct scan *scan, const char *path)
{
	struct own_file *file;

	probe_own_file(scan->root, scan->arena, scan->facts, path);
	file = &scan->facts->own_files.items[scan->facts->own_files.n - 1];
	if (file->content)
		file->mtime = scan_mtime(scan, path);
}

void config_scan(struct scan *scan)
{
	scan->facts->device_helper = num_known(runs_helper(scan));

	scan_modprobe_conf(scan);
	scan_command_line(scan);
	scan_rules(scan);
	scan_own_file(scan, OWNER_RULES);
	scan_own_file(scan, OWNER_OPTIONS);
	scan_own_file(scan, OWNER_SYSCTL);
	scan_own_file(scan, OWNER_APPLIED);
	scan_own_file(scan, OWNER_IRQBALANCE);
	scan_own_file(scan, OWNER_IRQBALANCE_UNIT);
	if (text_equal(scan->facts->cmdline_tool, "grub.d"))
		scan_own_file(scan, OWNER_WORDS);
}
