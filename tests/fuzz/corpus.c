/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fuzz/corpus.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"

#define LARGEST (1024U * 1024)

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

/* In memory of just its size, so that a sanitizer sees a read beyond it. */
static void run_copy(const uint8_t *data, size_t n,
		     int (*target)(const uint8_t *data, size_t size))
{
	uint8_t *copy = malloc(n ? n : 1);

	assert_non_null(copy);
	memcpy(copy, data, n);
	assert_int_equal(target(copy, n), 0);
	free(copy);
}

static void run_input(uint8_t *data, size_t n,
		      int (*target)(const uint8_t *data, size_t size))
{
	run_copy(data, n, target);
	if (n > CORPUS_MUTATED_SIZE)
		return;
	for (size_t i = 0; i < n; i += 1 + n / 64) {
		run_copy(data, i, target);
		data[i] ^= (uint8_t)(1U << i % 8);
		run_copy(data, n, target);
		data[i] ^= (uint8_t)(1U << i % 8);
	}
}

size_t corpus_run(const char *folder,
		  int (*target)(const uint8_t *data, size_t size))
{
	static uint8_t data[LARGEST];
	_cleanup_closedir_ DIR *dir = opendir(folder);
	const struct dirent *entry;
	size_t nr_inputs = 0;

	assert_non_null(dir);
	while ((entry = readdir(dir))) {
		if (entry->d_name[0] == '.')
			continue;
		run_input(data, read_input(folder, entry->d_name, data),
			  target);
		nr_inputs++;
	}
	return nr_inputs;
}
