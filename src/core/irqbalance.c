/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/irqbalance.h"

#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"

#define MOST_ARGUMENTS 4096U

static const char white[] = " \t\n";

/* The next word at *at, in the arena, or NULL. */
static char *next_word(struct arena *arena, const char **at)
{
	const char *start = *at + strspn(*at, white);
	const size_t n = strcspn(start, white);

	*at = start + n;
	return n ? arena_strndup(arena, start, n) : NULL;
}

/* What a word of --banmod, or the one behind it, bans; NULL: it is another. */
static const char *banned(const char *word, const char *next)
{
	if (text_has_prefix(word, "--banmod="))
		return word + strlen("--banmod=");
	if (text_equal(word, "--banmod") || text_equal(word, "-m"))
		return next;
	return text_has_prefix(word, "-m") ? word + 2 : NULL;
}

bool irqbalance_bans_nvme(const char *arguments)
{
	struct arena *arena = arena_new();
	const char *word = arguments ? next_word(arena, &arguments) : NULL;
	bool found = false;

	while (word && !found) {
		const char *next = next_word(arena, &arguments);
		const char *name = banned(word, next);

		found = name && *name && strstr("nvme", name);
		word = next;
	}
	arena_free(arena);
	return found;
}

static bool is_ban(const char *word)
{
	return text_has_prefix(word, "--banirq=") ||
	       text_has_prefix(word, "--banmod=");
}

/* Numbers by their size; names in a fixed order is all that matters. */
static int by_ban(const void *a, const void *b)
{
	const char *left = *(const char *const *)a;
	const char *right = *(const char *const *)b;
	const size_t n = strlen("--banirq=");
	int r = strncmp(left, right, n);

	if (r == 0 && strlen(left) != strlen(right))
		return strlen(left) < strlen(right) ? -1 : 1;
	return r ? r : strcmp(left, right);
}

static void put_word(struct strbuf *out, const char *word)
{
	strbuf_printf(out, "%s%s", out->len ? " " : "", word);
}

char *irqbalance_add_ban(struct arena *arena, const char *arguments)
{
	VEC(const char *) bans = { 0 };
	const char *at = arguments ? arguments : "";
	const char *last = NULL, *word;
	struct strbuf out;

	strbuf_init(&out, arena);
	while ((word = next_word(arena, &at))) {
		if (is_ban(word))
			*vec_add(arena, &bans) = word;
		else
			put_word(&out, word);
	}
	if (!irqbalance_bans_nvme(arguments))
		*vec_add(arena, &bans) = IRQBALANCE_BAN;
	if (bans.n)
		qsort(bans.items, bans.n, sizeof(*bans.items), by_ban);
	VEC_EACH(&bans, const char *, it) {
		if (!text_equal(*it, last))
			put_word(&out, *it);
		last = *it;
	}
	return out.text;
}

/* What can stand between double quotes of an environment file, and means the
 * same there as where it was read. */
static bool is_plain(const char *text)
{
	for (const char *p = text; *p; p++)
		if ((unsigned char)*p < ' ' || (unsigned char)*p > '~' ||
		    strchr("\"'\\`$", *p))
			return false;
	return strlen(text) < MOST_ARGUMENTS;
}

const char *irqbalance_barred(struct arena *arena, const struct facts *facts)
{
	const struct irqbalance *it = &facts->irqbalance;

	if (!it->unit)
		return "no unit of systemd was found that starts irqbalance";
	if (text_equal(it->enabled, "masked"))
		return "irqbalance is masked, so it does not start";
	if (it->bans_modules.known && !it->bans_modules.value)
		return "this irqbalance knows no --banmod, which came with 1.0.9";
	if (!it->variable)
		return arena_printf(
			arena,
			"%s takes arguments from no variable: it starts \"%s\"",
			it->unit, it->command ? it->command : "nothing");
	if (it->overridden)
		return arena_printf(arena,
				    "%s sets %s again behind our drop-in",
				    it->overridden, it->variable);
	if (it->arguments && !is_plain(it->arguments))
		return arena_printf(
			arena,
			"%s gives it arguments with quotes or other signs that nvmetune does not carry over",
			it->set_by ? it->set_by : it->unit);
	return NULL;
}
