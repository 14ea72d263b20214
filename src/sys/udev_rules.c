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

/* One KEY{attr}OP"value" of a rule. */
struct token {
	const char *key; /* with n characters; the rest too points into it */
	size_t n;
	const char *attr; /* NULL: no {} */
	size_t attr_n;
	const char *op;
	size_t op_n;
	const char *value;
	size_t value_n;
};

static const char *skip_blank(const char *p)
{
	return p + strspn(p, " \t,");
}

/*
 * The token at *text; *text is moved behind it.  False at the end, or where
 * the text is no rule: udev ignores such a line too.
 */
static bool next_token(const char **text, struct token *ret)
{
	struct token token = { .key = skip_blank(*text) };
	const char *p = token.key;

	token.n = strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
	p += token.n;
	if (token.n && *p == '{') {
		token.attr = ++p;
		token.attr_n = strcspn(p, "}");
		p += token.attr_n;
		if (*p++ != '}')
			return false;
	}
	p += strspn(p, " \t");
	token.op = p;
	token.op_n = strspn(p, "=!+-:");
	p += token.op_n;
	p += strspn(p, " \t");
	if (!token.n || !token.op_n)
		return false;
	p += *p == 'e' || *p == 'i'; /* e"C escapes", i"case ignored" */
	if (*p++ != '"')
		return false;
	token.value = p;
	while (*p && *p != '"')
		p += p[0] == '\\' && p[1] ? 2 : 1;
	token.value_n = (size_t)(p - token.value);
	if (*p++ != '"')
		return false;
	*text = p;
	*ret = token;
	return true;
}

static bool is_key(const struct token *token, const char *key, const char *op)
{
	return strlen(key) == token->n &&
	       memcmp(key, token->key, token->n) == 0 &&
	       strlen(op) == token->op_n &&
	       memcmp(op, token->op, token->op_n) == 0;
}

static bool assigns(const struct token *token, const char *prefix)
{
	return (is_key(token, "ATTR", "=") || is_key(token, "ATTR", ":=")) &&
	       token->attr && token->attr_n > strlen(prefix) &&
	       text_has_prefix(token->attr, prefix);
}

static const char *kernel_pattern(struct arena *arena, const char *rule)
{
	struct token token;

	while (next_token(&rule, &token))
		if (is_key(&token, "KERNEL", "=="))
			return arena_strndup(arena, token.value, token.value_n);
	return NULL;
}

static void add_rule(struct arena *arena, struct udev_rules *rules,
		     const struct conf_file *file, unsigned int line,
		     const char *rule, const char *prefix)
{
	const char *p = rule;
	struct token token;

	while (next_token(&p, &token)) {
		struct udev_assignment *it;

		if (!assigns(&token, prefix))
			continue;
		it = vec_add(arena, &rules->assignments);
		it->line.file = file->path;
		it->line.line = line;
		it->line.attr = arena_strndup(arena, token.attr, token.attr_n);
		it->line.value =
			arena_strndup(arena, token.value, token.value_n);
		it->line.text = rule;
		it->kernel = kernel_pattern(arena, rule);
	}
}

static void add_file(struct arena *arena, struct udev_rules *rules,
		     const struct conf_file *file, const char *prefix)
{
	char *text = file->text, *rule;
	unsigned int line = 0, first;

	while ((rule = conf_line(&text, CONF_JOIN_UDEV, &line, &first))) {
		rule = text_trim(rule);
		if (*rule && *rule != '#')
			add_rule(arena, rules, file, first, rule, prefix);
	}
}

void udev_rules_read(const struct sysroot *root, struct arena *arena,
		     const char *prefix, struct udev_rules *ret)
{
	struct udev_rules rules = { 0 };
	struct conf_files files;

	conf_files_read(root, arena, folders, suffixes, &files);
	VEC_EACH(&files.files, struct conf_file, file) {
		/* A link to /dev/null masks; a small root has no such node. */
		if (file->text)
			add_file(arena, &rules, file, prefix);
		else if (file->why != ENOENT)
			*vec_add(arena, &rules.unreadable) = file->path;
	}
	*ret = rules;
}
