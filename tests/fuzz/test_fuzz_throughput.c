/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuzz/corpus.h"
#include "fuzz/fuzz.h"

static void every_input_of_the_corpus_keeps_the_promises(void **state)
{
	(void)state;
	assert_true(corpus_run("tests/fuzz/corpus/throughput",
			       fuzz_throughput) > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_input_of_the_corpus_keeps_the_promises),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
