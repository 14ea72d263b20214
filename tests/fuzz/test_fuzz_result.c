/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fuzz/corpus.h"
#include "fuzz/fuzz.h"

/* Run from the top folder, as "make check" does. */
static void every_saved_result_is_read_or_refused(void **state)
{
	size_t nr_inputs = corpus_run("tests/results", fuzz_result);

	(void)state;
	assert_true(nr_inputs > 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_saved_result_is_read_or_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
