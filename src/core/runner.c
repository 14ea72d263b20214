/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/runner.h"

#include <errno.h>
#include <string.h>

#include "base/nearest.h"
#include "base/parse.h"
#include "core/owner.h"

#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
#define DIGITS "0123456789"

/* ".d" goes behind it in the name of a folder. */
#define LONGEST_UNIT 253U
#define LONGEST_WRAPPER 64U

#define SERVICE ".service"

static const char *const key_names[] = { "drive", "numa", "nodes", "memory" };
static const char *const node_words[] = { "refuse", "union" };
static const char *const memory_words[] = {
	[MEMORY_PREFER] = "prefer",
	[MEMORY_BIND] = "bind",
	[MEMORY_KEEP] = "keep",
};

#define N_OF(table) (sizeof(table) / sizeof((table)[0]))

bool runner_has_section(enum section_kind kind)
{
	return kind == SECTION_SERVICE || kind == SECTION_WRAPPER;
}

static int find_word(const char *const *words, size_t n, const char *text)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(words[i], text) == 0)
			return (int)i;
	return -1;
}

/* The names of systemd.unit(5), of services; a template stands for all of its
 * instances. */
static int check_unit(const char *name, struct err *err)
{
	size_t n = strlen(name);

	if (!*name)
		return err_set(
			err, -EINVAL,
			"[service]: a service has a name: write [service UNIT.service]");
	if (name[strspn(name, LETTERS DIGITS ":_.\\@-")] || name[0] == '.' ||
	    n > LONGEST_UNIT)
		return err_set(
			err, -EINVAL,
			"[service %s]: a unit's name is made of letters, digits and \":_.@-\\\"",
			name);
	if (!text_has_suffix(name, SERVICE))
		return err_set(
			err, -EINVAL,
			"[service %s]: only services are bound: did you mean [service %s" SERVICE
			"]?",
			name, name);
	if (n == strlen(SERVICE) || name[0] == '@')
		return err_set(err, -EINVAL, "[service %s]: no unit's name",
			       name);
	if (strcmp(name, "irqbalance" SERVICE) == 0)
		return err_set(
			err, -EINVAL,
			"[service %s]: irqbalance serves all nodes, see the knob irqbalance",
			name);
	return 0;
}

static int check_wrapper(const char *name, struct err *err)
{
	if (!*name)
		return err_set(
			err, -EINVAL,
			"[wrapper]: a wrapper has a name: write [wrapper NAME]");
	if (name[strspn(name, LETTERS DIGITS "._-")] || name[0] == '.' ||
	    name[0] == '-' || strlen(name) > LONGEST_WRAPPER)
		return err_set(
			err, -EINVAL,
			"[wrapper %s]: a command's name is made of letters, digits, \".\", \"_\" and \"-\", and starts with none of \".-\"",
			name);
	return 0;
}

int runner_check_name(enum section_kind kind, const char *name, struct err *err)
{
	return kind == SECTION_SERVICE ? check_unit(name, err) :
					 check_wrapper(name, err);
}

static int check_numa(const char *text, struct err *err)
{
	unsigned int node;

	if (strcmp(text, "local") == 0 || strcmp(text, "keep") == 0 ||
	    (parse_uint(text, &node) == 0 && node <= CPUSET_LAST))
		return 0;
	return err_set(
		err, -EINVAL,
		"numa: \"%s\" is not local, the number of a node or keep",
		text);
}

static int check_word(const char *key, const char *text,
		      const char *const *words, size_t n, const char *legal,
		      struct err *err)
{
	const char *near = nearest_name(text, words, n);

	if (find_word(words, n, text) >= 0)
		return 0;
	return err_set(err, -EINVAL, "%s: \"%s\" is not %s%s%s%s", key, text,
		       legal, near ? "; did you mean " : "", near ? near : "",
		       near ? "?" : "");
}

int runner_check_key(const char *key, const char *text, struct err *err)
{
	const char *near = nearest_name(key, key_names, N_OF(key_names));

	if (find_word(key_names, N_OF(key_names), key) < 0)
		return err_set(
			err, -EINVAL,
			"unknown key \"%s\": legal here are drive, numa, nodes and memory%s%s%s",
			key, near ? "; did you mean " : "", near ? near : "",
			near ? "?" : "");
	if (!*text)
		return err_set(err, -EINVAL, "%s has no value", key);
	if (strcmp(key, "numa") == 0)
		return check_numa(text, err);
	if (strcmp(key, "nodes") == 0)
		return check_word(key, text, node_words, N_OF(node_words),
				  "refuse or union", err);
	if (strcmp(key, "memory") == 0)
		return check_word(key, text, memory_words, N_OF(memory_words),
				  "prefer, bind or keep", err);
	return 0;
}

static struct runner *find(struct runner_list *list,
			   const struct section *section)
{
	VEC_EACH(&list->items, struct runner, it)
		if (it->kind == section->kind &&
		    strcmp(it->name, section->name) == 0)
			return it;
	return NULL;
}

static void take_numa(struct runner *runner, const struct setting *key)
{
	unsigned int node;

	runner->asked = key->text;
	runner->file = key->file;
	runner->line = key->line;
	runner->keep = strcmp(key->text, "keep") == 0;
	runner->numa = parse_uint(key->text, &node) == 0 ?
			       num_known((int64_t)node) :
			       num_unknown(0);
}

static void take_key(struct runner *runner, const struct setting *key)
{
	if (strcmp(key->key, "drive") == 0)
		runner->drive = key->text;
	else if (strcmp(key->key, "numa") == 0)
		take_numa(runner, key);
	else if (strcmp(key->key, "nodes") == 0)
		runner->over_nodes = strcmp(key->text, "union") == 0;
	else
		runner->memory = (enum runner_memory)find_word(
			memory_words, N_OF(memory_words), key->text);
}

/* The line of numa where there is one, see take_numa(). */
static void place(struct runner *runner, const char *file, unsigned int line)
{
	if (runner->asked)
		return;
	runner->file = file;
	runner->line = line;
}

static void take_section(struct arena *arena, struct runner_list *list,
			 const struct section *section)
{
	struct runner *runner = find(list, section);

	if (!runner) {
		runner = vec_add(arena, &list->items);
		*runner = (struct runner){ .kind = section->kind,
					   .name = section->name };
	}
	place(runner, section->file, section->line);
	VEC_EACH(&section->keys, const struct setting, key) {
		take_key(runner, key);
		if (strcmp(key->key, "drive") == 0)
			place(runner, key->file, key->line);
	}
}

struct runner_list runners_of(struct arena *arena,
			      const struct profile *profile)
{
	struct runner_list list = { 0 };

	VEC_EACH(&profile->sections, const struct section, section)
		if (runner_has_section(section->kind))
			take_section(arena, &list, section);
	VEC_EACH(&list.items, struct runner, runner)
		if (!runner->asked)
			runner->asked = "local";
	return list;
}

bool runner_is_complete(const struct runner *runner)
{
	return !runner->keep && (runner->drive || runner->numa.known);
}

char *runner_path(struct arena *arena, enum section_kind kind, const char *name)
{
	return kind == SECTION_SERVICE ?
		       owner_drop_in(arena, name) :
		       arena_printf(arena, OWNER_SCRIPTS "%s", name);
}

bool runner_of_path(struct arena *arena, const char *path,
		    enum section_kind *ret_kind, const char **ret_name)
{
	const char *unit = owner_unit(arena, path);
	const char *wrapper = owner_wrapper(path);
	struct err ignored;

	*ret_kind = unit ? SECTION_SERVICE : SECTION_WRAPPER;
	*ret_name = unit ? unit : wrapper;
	return *ret_name &&
	       runner_check_name(*ret_kind, *ret_name, &ignored) == 0 &&
	       strcmp(runner_path(arena, *ret_kind, *ret_name), path) == 0;
}

void runners_check(struct arena *arena, const struct profile *profile,
		   struct problems *problems)
{
	struct runner_list list = runners_of(arena, profile);

	VEC_EACH(&list.items, const struct runner, it) {
		struct err err;

		if (it->keep || runner_is_complete(it))
			continue;
		(void)err_set(
			&err, -EINVAL,
			"[%s %s]: nothing says near what: write \"drive = ...\", a drive, what stands on it or a folder",
			section_kind_word(it->kind), it->name);
		problems_add_at(problems, it->file, it->line, &err);
	}
}
