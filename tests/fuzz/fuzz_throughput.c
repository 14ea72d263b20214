/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz/fuzz.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "bench/throughput.h"

static void must(int yes)
{
	if (!yes)
		abort();
}

/* Whatever a program prints: a figure is a number above 0, and its name short
 * and fit for a terminal. */
int fuzz_throughput(const uint8_t *data, size_t size)
{
	struct arena *arena = arena_new();
	struct throughput found = { .value = NAN };
	const char *text = arena_strndup(arena, (const char *)data, size);

	if (throughput_find(arena, text, &found)) {
		must(isfinite(found.value) && found.value > 0);
		must(strlen(found.name) <= 128);
		for (const char *p = found.name; *p; p++)
			must(*p >= ' ' && *p <= '~');
	} else {
		must(isnan(found.value));
	}
	arena_free(arena);
	return 0;
}

#ifdef FUZZ
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	return fuzz_throughput(data, size);
}
#endif
