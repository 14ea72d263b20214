/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz/fuzz.h"

#include <stdlib.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/escape.h"
#include "base/strbuf.h"
#include "bench/curve.h"
#include "core/bench_result.h"
#include "json/bench_against.h"
#include "json/bench_json.h"

static void must(int yes)
{
	if (!yes)
		abort();
}

static void expect_harmless(const char *text)
{
	must(*text != '\0');
	while (*text) {
		unsigned int n = *text == '\n' ? 1 : escape_utf8_len(text);

		must(n > 0);
		text += n;
	}
}

static void judge(struct arena *arena, const struct bench_matrix *matrix)
{
	struct curves curves;
	struct strbuf text;

	VEC_EACH(&matrix->cells, const struct bench_cell, it)
		must(it->drive < matrix->drives.n);
	strbuf_init(&text, arena);
	curves_find(arena, matrix, &curves);
	curves_to_text(&curves, &text);
	if (text.len)
		expect_harmless(text.text);
}

/* A refusal is text that is safe to print; what is accepted can be judged, and
 * compared with itself. */
int fuzz_result(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	const struct saved_text saved = { "a result", (const char *)data,
					  size };
	struct bench_matrix matrix;
	struct bench_steps steps = { 0 };
	struct err err = { 0 };

	if (bench_matrix_from_json(arena, saved.text, size, &matrix, &err) < 0)
		expect_harmless(err.text);
	else
		judge(arena, &matrix);
	err = (struct err){ 0 };
	if (bench_against(arena, &saved, &saved, &steps, &err) < 0)
		expect_harmless(err.text);
	VEC_EACH(&steps.items, const struct bench_step, it)
		must(it->before == it->after);
	arena_free(arena);
	return 0;
}

#ifdef FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_result(data, size);
}
#endif
