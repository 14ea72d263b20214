/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuzz/corpus.h"
#include "fuzz/fuzz.h"

/* Run from the top folder, as "make check" does. */
static void every_input_of_the_corpus_keeps_the_promises(void **state)
{
	size_t nr_inputs = corpus_run("tests/fuzz/corpus/rules", fuzz_rules) +
			   corpus_run("tests/lint", fuzz_rules);

	(void)state;
	assert_true(nr_inputs > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_input_of_the_corpus_keeps_the_promises),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
