/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/parse.h"
#include "sys/hash.h"
#include "write/journal.h"

static void must(int yes)
{
	if (!yes)
		abort();
}

/* Nothing of a journal leads a write outside of where it belongs. */
static void expect_bounded(const struct journal *journal)
{
	unsigned int nr = 0;

	must(journal->head.id > 0 && journal->head.profile &&
	     journal->head.time);
	VEC_EACH(&journal->list.steps, const struct step, step) {
		must(step->nr == ++nr);
		if (step->kind != STEP_VALUE) {
			must(step->path[0] == '/' &&
			     !strstr(step->path, "/../"));
			continue;
		}
		must(text_has_prefix(step->target.dir, "sys/"));
		must(!strstr(step->target.dir, "/../"));
		must(!strstr(step->attr, "/../") &&
		     !text_has_prefix(step->attr, "../"));
		must(step->key && step->target.id && step->before);
		must(step->after || step->role == ROLE_RECORD);
		must(strlen(step->left) < sizeof(step->left));
	}
}

/* What was read is written and read again: the same, to the byte. */
static void expect_round_trip(struct arena *arena,
			      const struct journal *journal)
{
	struct strbuf once, twice;
	struct journal again;

	strbuf_init(&once, arena);
	strbuf_init(&twice, arena);
	journal_put_head(&once, &journal->head);
	VEC_EACH(&journal->list.steps, const struct step, step)
		journal_put_step(&once, step);
	must(journal_parse(arena, once.text, &again, NULL) == 0);
	journal_put_head(&twice, &again.head);
	VEC_EACH(&again.list.steps, const struct step, step)
		journal_put_step(&twice, step);
	must(once.len == twice.len && !memcmp(once.text, twice.text, once.len));
}

static void try_text(struct arena *arena, const char *text)
{
	struct journal journal;
	struct err err = { 0 };

	if (journal_parse(arena, text, &journal, &err) < 0) {
		must(err.text[0] != '\0');
		return;
	}
	must(journal.size <= strlen(text));
	expect_bounded(&journal);
	expect_round_trip(arena, &journal);
}

/* Each line behind the sum that it should have: past the checksum lies what
 * a mutation is to reach. */
static const char *with_sums(struct arena *arena, const char *text)
{
	struct strbuf out;
	char sum[HASH_TEXT_SIZE];

	strbuf_init(&out, arena);
	while (*text) {
		size_t n = strcspn(text, "\n");

		hash_text(text, n, sum);
		strbuf_put(&out, sum, 16);
		strbuf_putc(&out, ' ');
		strbuf_put(&out, text, n);
		strbuf_putc(&out, '\n');
		text += n + (text[n] == '\n');
	}
	return out.text;
}

int fuzz_journal(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	const char *text = arena_strndup(arena, (const char *)data, size);

	try_text(arena, text);
	try_text(arena, with_sums(arena, text));
	arena_free(arena);
	return 0;
}

#ifdef FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_journal(data, size);
}
#endif
