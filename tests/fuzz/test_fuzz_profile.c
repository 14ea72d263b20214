/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "fuzz/fuzz.h"

#define LARGEST 65536

/* Run from the top folder, as "make check" does. */
static const char *const folders[] = { "tests/fuzz/corpus/profile", "profiles",
				       "tests/profiles" };

static size_t read_input(const char *folder, const char *name, uint8_t *data)
{
	char path[512];
	_cleanup_close_ int fd = -1;
	ssize_t n;

	(void)snprintf(path, sizeof(path), "%s/%s", folder, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	assert_true(fd >= 0);
	n = read(fd, data, LARGEST);
	assert_true(n >= 0);
	return (size_t)n;
}

/* The input, the input cut short, and the input with one byte changed. */
static void run_input(const uint8_t *data, size_t n)
{
	uint8_t *copy = malloc(n + 1);

	assert_non_null(copy);
	memcpy(copy, data, n);
	assert_int_equal(fuzz_profile(copy, n), 0);
	for (size_t i = 0; i < n; i += 1 + n / 64) {
		assert_int_equal(fuzz_profile(copy, i), 0);
		copy[i] ^= (uint8_t)(1U << i % 8);
		assert_int_equal(fuzz_profile(copy, n), 0);
		copy[i] = data[i];
	}
	free(copy);
}

static void every_input_of_the_corpus_keeps_the_promises(void **state)
{
	static uint8_t data[LARGEST];
	size_t nr_inputs = 0;

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		_cleanup_closedir_ DIR *dir = opendir(folders[i]);
		const struct dirent *entry;

		assert_non_null(dir);
		while ((entry = readdir(dir))) {
			if (entry->d_name[0] == '.')
				continue;
			run_input(data,
				  read_input(folders[i], entry->d_name, data));
			nr_inputs++;
		}
	}
	assert_true(nr_inputs > 20);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_input_of_the_corpus_keeps_the_promises),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
