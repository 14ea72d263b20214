/* SPDX-License-Identifier: GPL-2.0-or-later */

/* How irqbalance is started, and how the one that runs was. */

#include <string.h>

#include "base/parse.h"
#include "core/owner.h"
#include "probe/scan.h"
#include "sys/unit_file.h"

#define UNIT "irqbalance.service"
#define MOST_PROGRAM (256U << 10) /* it is smaller than that everywhere */
#define MOST_CALL 4096U

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/* Its arguments are between NULs. */
static const char *call_of(struct scan *scan, const char *pid)
{
	char *text = arena_alloc(scan->arena, MOST_CALL);
	ssize_t n = sysroot_read_bytes(
		scan->root, arena_printf(scan->arena, "proc/%s/cmdline", pid),
		text, MOST_CALL - 1);

	if (n <= 0)
		return NULL;
	for (ssize_t i = 0; i < n; i++)
		if (!text[i])
			text[i] = ' ';
	text[n] = '\0';
	return text_trim(text);
}

/* The option came with 1.0.9, and no file tells the release everywhere: its
 * name is in the program. */
static struct num knows_banmod(struct scan *scan)
{
	static const char *const programs[] = { "usr/sbin/irqbalance",
						"usr/bin/irqbalance" };
	static const char word[] = "banmod";
	char *bytes = arena_alloc(scan->arena, MOST_PROGRAM);

	for (size_t i = 0; i < sizeof(programs) / sizeof(*programs); i++) {
		ssize_t n = sysroot_read_bytes(scan->root, programs[i], bytes,
					       MOST_PROGRAM);

		if (n <= 0)
			continue;
		if (memmem(bytes, (size_t)n, word, strlen(word)))
			return num_known(1);
		return n < (ssize_t)MOST_PROGRAM ? num_known(0) :
						   num_unknown(0);
	}
	return num_unknown(0);
}

static bool is_name(const char *text)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "abcdefghijklmnopqrstuvwxyz"
				      "0123456789_";

	return *text && !text[strspn(text, letters)];
}

/* The last "$NAME" of the command line: systemd makes words of its value. */
static const char *variable_of(struct arena *arena, const char *command)
{
	const char *variable = NULL;
	char *word;

	while ((word = unit_word(arena, &command)))
		if (*word == '$' && is_name(word + 1))
			variable = word + 1;
	return variable;
}

/* The last one counts; an empty one takes back those before. */
static const char *command_of(const struct unit *unit)
{
	const char *command = NULL;

	VEC_EACH(&unit->lines, const struct unit_line, it)
		if (text_equal(it->section, "Service") &&
		    text_equal(it->key, "ExecStart"))
			command = *it->value ? it->value : NULL;
	return command;
}

static const char *place(struct arena *arena, const char *file,
			 unsigned int line)
{
	return arena_printf(arena, "%s:%u", file, line);
}

/* Environment= of the unit, before any file. */
static void read_environment(struct scan *scan, const struct unit_line *line,
			     struct irqbalance *ret)
{
	const char *at = line->value;
	const size_t n = strlen(ret->variable);
	char *word;

	while ((word = unit_word(scan->arena, &at)))
		if (text_has_prefix(word, ret->variable) && word[n] == '=') {
			ret->arguments = word + n + 1;
			ret->set_by =
				place(scan->arena, line->file, line->line);
		}
}

/* Drop-ins count in the order of their names, and behind the unit's file. */
static bool is_behind_ours(const struct unit_line *line)
{
	return strstr(line->file, ".d/") &&
	       strcmp(base_name(line->file), OWNER_DROP_IN) > 0;
}

/* EnvironmentFile=: "-" in front of a file that need not be there; an empty one
 * takes back the files before it, and leaves what there was without any. */
static void read_environment_file(struct scan *scan,
				  const struct unit_line *line,
				  const struct irqbalance *without,
				  struct irqbalance *ret)
{
	const char *path = line->value + (*line->value == '-');
	unsigned int nr = 0;
	const char *value;

	if (!*path) {
		ret->arguments = without->arguments;
		ret->set_by = without->set_by;
		if (is_behind_ours(line))
			ret->overridden =
				place(scan->arena, line->file, line->line);
		return;
	}
	if (*path != '/' || text_equal(path, OWNER_IRQBALANCE))
		return;
	value = unit_environment(scan->root, scan->arena, path + 1,
				 ret->variable, &nr);
	if (!value)
		return;
	ret->arguments = value;
	ret->set_by = place(scan->arena, path, nr);
	if (is_behind_ours(line))
		ret->overridden = ret->set_by;
}

static void read_variable(struct scan *scan, const struct unit *unit,
			  struct irqbalance *ret)
{
	struct irqbalance without;

	VEC_EACH(&unit->lines, const struct unit_line, it)
		if (text_equal(it->section, "Service") &&
		    text_equal(it->key, "Environment"))
			read_environment(scan, it, ret);
	without = *ret;
	VEC_EACH(&unit->lines, const struct unit_line, it)
		if (text_equal(it->section, "Service") &&
		    text_equal(it->key, "EnvironmentFile"))
			read_environment_file(scan, it, &without, ret);
}

static bool is_installed(const struct facts *facts)
{
	VEC_EACH(&facts->services, const struct service, it)
		if (text_equal(it->name, "irqbalance"))
			return !text_equal(it->state, "absent");
	return false;
}

void irqbalance_scan(struct scan *scan)
{
	struct irqbalance *ret = &scan->facts->irqbalance;
	const char *pid;
	struct unit unit;

	if (!is_installed(scan->facts))
		return;
	unit_read(scan->root, scan->arena, UNIT, &unit);
	ret->bans_modules = knows_banmod(scan);
	pid = scan_service_pid(scan, "irqbalance");
	if (pid)
		ret->running = call_of(scan, pid);
	if (!unit.file)
		return;
	ret->unit = unit.file;
	ret->enabled = unit.masked  ? "masked" :
		       unit.enabled ? "enabled" :
				      "disabled";
	ret->command = command_of(&unit);
	if (ret->command)
		ret->variable = variable_of(scan->arena, ret->command);
	if (ret->variable)
		read_variable(scan, &unit, ret);
}
