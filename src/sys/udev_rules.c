/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/udev_rules.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "sys/conf_files.h"

static const char *const folders[] = {
	"etc/udev/rules.d",	      "run/udev/rules.d",
	"usr/local/lib/udev/rules.d", "usr/lib/udev/rules.d",
	"lib/udev/rules.d",	      NULL,
};

static const char *const suffixes[] = { ".rules", NULL };

static bool is_among(const char *const *names, const char *attr)
{
	while (text_has_prefix(attr, "device/"))
		attr += strlen("device/");
	for (; *names; names++)
		if (text_has_suffix(*names, "/") ?
			    text_has_prefix(attr, *names) &&
				    strlen(attr) > strlen(*names) :
			    strcmp(attr, *names) == 0)
			return true;
	return false;
}

static bool assigns(const struct rule_token *token, const char *const *names)
{
	return rule_token_sets(token) && is_among(names, token->attr);
}

/* What the line compares key with, or NULL. */
static const char *pattern_of(const struct rule *rule, const char *key)
{
	VEC_EACH(&rule->tokens, struct rule_token, token)
		if (strcmp(token->key, key) == 0 &&
		    strcmp(token->op, "==") == 0)
			return token->value;
	return NULL;
}

static struct rule_line *add_line(struct arena *arena, struct udev_rules *rules,
				  const struct rule *rule)
{
	struct udev_assignment *it = vec_add(arena, &rules->assignments);

	it->line.file = rule->file;
	it->line.line = rule->line;
	it->line.text = rule->text;
	it->kernel = pattern_of(rule, "KERNEL");
	it->subsystem = pattern_of(rule, "SUBSYSTEM");
	return &it->line;
}

/* The number of assignments. */
static size_t add_rule(struct arena *arena, struct udev_rules *rules,
		       const struct rule *rule, const char *const *names)
{
	size_t n = 0;

	VEC_EACH(&rule->tokens, struct rule_token, token) {
		struct rule_line *line;

		if (!assigns(token, names))
			continue;
		line = add_line(arena, rules, rule);
		line->attr = token->attr;
		line->value = token->value;
		n++;
	}
	if (n == 0 && (rule_find(rule, "GOTO") || rule_find(rule, "LABEL")))
		(void)add_line(arena, rules, rule);
	return n;
}

static void add_file(struct arena *arena, struct udev_rules *rules,
		     const struct conf_file *file, const char *const *names)
{
	const size_t before = rules->assignments.n;
	char *text = file->text, *words;
	unsigned int line = 0, first;
	size_t nr_assignments = 0;

	while ((words = conf_line(&text, CONF_JOIN_UDEV, &line, &first))) {
		struct rule rule;

		words = text_trim(words);
		if (*words == '#' || !rule_parse(arena, words, &rule, NULL))
			continue;
		rule.file = file->path;
		rule.line = first;
		nr_assignments += add_rule(arena, rules, &rule, names);
	}
	if (nr_assignments == 0)
		rules->assignments.n = before;
}

void udev_rules_read(const struct sysroot *root, struct arena *arena,
		     const char *const *names, struct udev_rules *ret)
{
	struct udev_rules rules = { 0 };
	struct conf_files files;

	conf_files_read(root, arena, folders, suffixes, &files);
	VEC_EACH(&files.files, struct conf_file, file) {
		/* A link to /dev/null masks; a small root has no such node. */
		if (file->text)
			add_file(arena, &rules, file, names);
		else if (file->why != ENOENT)
			*vec_add(arena, &rules.unreadable) = file->path;
	}
	*ret = rules;
}

void udev_rules_split(struct arena *arena, const char *path, char *text,
		      struct udev_lines *ret)
{
	struct udev_lines lines = { 0 };
	unsigned int line = 0, first;
	char *words;

	while ((words = conf_line(&text, CONF_JOIN_UDEV, &line, &first))) {
		words = text_trim(words);
		if (*words && *words != '#')
			*vec_add(arena, &lines.rules) = (struct rule){
				.file = path, .line = first, .text = words
			};
	}
	*ret = lines;
}
