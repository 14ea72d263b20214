/* SPDX-License-Identifier: GPL-2.0-or-later */

/* The text of udev rules; rules_eval.c evaluates them. */

#include "core/rules.h"

#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"

enum key_flags {
	KEY_MATCH = 1 << 0,
	KEY_ASSIGN = 1 << 1,
	KEY_ATTR = 1 << 2,  /* needs {} */
	KEY_LOOSE = 1 << 3, /* takes "=" for "==" */
};

static const struct {
	const char *name;
	unsigned int flags;
} keys[] = {
	{ "ACTION", KEY_MATCH },
	{ "DEVPATH", KEY_MATCH },
	{ "KERNEL", KEY_MATCH },
	{ "SYMLINK", KEY_MATCH | KEY_ASSIGN },
	{ "NAME", KEY_MATCH | KEY_ASSIGN },
	{ "ENV", KEY_MATCH | KEY_ASSIGN | KEY_ATTR },
	{ "CONST", KEY_MATCH | KEY_ATTR },
	{ "TAG", KEY_MATCH | KEY_ASSIGN },
	{ "SUBSYSTEM", KEY_MATCH },
	{ "DRIVER", KEY_MATCH },
	{ "ATTR", KEY_MATCH | KEY_ASSIGN | KEY_ATTR },
	{ "SYSCTL", KEY_MATCH | KEY_ASSIGN | KEY_ATTR },
	{ "KERNELS", KEY_MATCH },
	{ "SUBSYSTEMS", KEY_MATCH },
	{ "DRIVERS", KEY_MATCH },
	{ "ATTRS", KEY_MATCH | KEY_ATTR },
	{ "TAGS", KEY_MATCH },
	{ "TEST", KEY_MATCH },
	{ "PROGRAM", KEY_MATCH | KEY_LOOSE },
	{ "IMPORT", KEY_MATCH | KEY_LOOSE | KEY_ATTR },
	{ "RESULT", KEY_MATCH },
	{ "OPTIONS", KEY_ASSIGN },
	{ "OWNER", KEY_ASSIGN },
	{ "GROUP", KEY_ASSIGN },
	{ "MODE", KEY_ASSIGN },
	{ "SECLABEL", KEY_ASSIGN },
	{ "RUN", KEY_ASSIGN },
	{ "GOTO", KEY_ASSIGN },
	{ "LABEL", KEY_ASSIGN },
};

static const char *const operators[] = { "==", "!=", "+=", "-=", ":=", "=" };

static const char *find_operator(const char *p)
{
	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++)
		if (text_has_prefix(p, operators[i]))
			return operators[i];
	return NULL;
}

bool rule_token_matches(const struct rule_token *token)
{
	return strcmp(token->op, "==") == 0 || strcmp(token->op, "!=") == 0;
}

bool rule_token_sets(const struct rule_token *token)
{
	return strcmp(token->key, "ATTR") == 0 && !rule_token_matches(token);
}

const struct rule_token *rule_find(const struct rule *rule, const char *key)
{
	VEC_EACH(&rule->tokens, struct rule_token, token)
		if (strcmp(token->key, key) == 0)
			return token;
	return NULL;
}

/* Why udev refuses the whole line for this token, or NULL. */
static const char *refusal(struct arena *arena, const struct rule_token *token)
{
	const bool matches = rule_token_matches(token);

	for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++) {
		const unsigned int flags = keys[i].flags;

		if (strcmp(keys[i].name, token->key) != 0)
			continue;
		if ((flags & KEY_ATTR) && !(token->attr && *token->attr))
			return arena_printf(arena, "%s needs a name in {}",
					    token->key);
		if (strcmp(token->op, "-=") == 0 && (flags & KEY_ATTR))
			return arena_printf(arena,
					    "%s takes no -=", token->key);
		if (matches && !(flags & KEY_MATCH))
			return arena_printf(arena, "%s takes no %s", token->key,
					    token->op);
		if (!matches && !(flags & (KEY_ASSIGN | KEY_LOOSE)))
			return arena_printf(
				arena, "%s is compared with == or !=, not %s",
				token->key, token->op);
		return NULL;
	}
	return arena_printf(arena, "there is no key %s", token->key);
}

static unsigned char escaped(char c)
{
	static const char from[] = "abfnrtv", to[] = "\a\b\f\n\r\t\v";
	const char *at = strchr(from, c);

	return (unsigned char)(at ? to[at - from] : c);
}

/*
 * The value at p, behind its first quote; returns what follows the last one,
 * NULL when there is none.  In plain strings only \" is an escape.
 */
static const char *parse_value(struct arena *arena, const char *p, bool c_style,
			       const char **ret)
{
	struct strbuf value;

	strbuf_init(&value, arena);
	for (; *p && *p != '"'; p++) {
		if (p[0] == '\\' && p[1] == '"') {
			strbuf_putc(&value, *++p);
		} else if (c_style && p[0] == '\\' && p[1]) {
			p++;
			strbuf_putc(&value, (char)escaped(*p));
		} else {
			strbuf_putc(&value, *p);
		}
	}
	if (*p != '"')
		return NULL;
	*ret = value.text;
	return p + 1;
}

/* The token at p; returns what follows it, or NULL with *ret_why. */
static const char *parse_token(struct arena *arena, const char *p,
			       struct rule_token *ret, const char **ret_why)
{
	struct rule_token token = { 0 };
	size_t n = strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
	bool c_style;

	*ret_why = "a key, an operator and a value in quotes are expected";
	if (n == 0)
		return NULL;
	token.key = arena_strndup(arena, p, n);
	p += n;
	if (*p == '{') {
		n = strcspn(++p, "}");
		if (p[n] != '}')
			return NULL;
		token.attr = arena_strndup(arena, p, n);
		p += n + 1;
	}
	p += strspn(p, " \t");
	token.op = find_operator(p);
	if (!token.op)
		return NULL;
	p += strlen(token.op);
	p += strspn(p, " \t");
	c_style = *p == 'e';
	token.any_case = *p == 'i';
	p += c_style || token.any_case;
	if (*p != '"')
		return NULL;
	p = parse_value(arena, p + 1, c_style, &token.value);
	if (!p) {
		*ret_why = "a quote is not closed";
		return NULL;
	}
	*ret = token;
	return p;
}

bool rule_parse(struct arena *arena, const char *text, struct rule *ret,
		const char **ret_why)
{
	struct rule rule = { .text = text };
	const char *p = text, *why = NULL;

	for (p += strspn(p, " \t,"); *p; p += strspn(p, " \t,")) {
		struct rule_token token;

		p = parse_token(arena, p, &token, &why);
		why = p ? refusal(arena, &token) : why;
		if (why)
			break;
		*vec_add(arena, &rule.tokens) = token;
		if (strcmp(token.key, "LABEL") == 0)
			rule.label = token.value;
	}
	if (ret_why)
		*ret_why = why;
	if (why || rule.tokens.n == 0)
		return false;
	*ret = rule;
	return true;
}

void rule_set_add(struct arena *arena, struct rule_set *set, const char *file,
		  int64_t line, const char *text)
{
	const struct rule *last =
		set->rules.n ? &set->rules.items[set->rules.n - 1] : NULL;
	struct rule rule;

	if (last && last->line == line && strcmp(last->file, file) == 0)
		return;
	if (!rule_parse(arena, text, &rule, NULL))
		return;
	rule.file = file;
	rule.line = line;
	*vec_add(arena, &set->rules) = rule;
}

/* rule_resolve_goto(): a label counts when it comes later in the same file. */
static size_t find_target(const struct rule_set *set, size_t from,
			  const char *label)
{
	const struct rule *rules = set->rules.items;

	for (size_t i = from + 1; i < set->rules.n; i++) {
		if (rules[i].file != rules[from].file &&
		    strcmp(rules[i].file, rules[from].file) != 0)
			return 0;
		if (text_equal(rules[i].label, label))
			return i;
	}
	return 0;
}

void rule_set_done(struct rule_set *set)
{
	for (size_t i = 0; i < set->rules.n; i++) {
		struct rule *rule = &set->rules.items[i];
		const struct rule_token *jump = rule_find(rule, "GOTO");

		rule->target = jump ? find_target(set, i, jump->value) : 0;
	}
}
