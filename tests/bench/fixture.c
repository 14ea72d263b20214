/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

struct bench_drive memory_drive(const char *name, uint64_t size_bytes)
{
	struct bench_drive drive = {
		.name = name,
		.fd = memfd_create(name, MFD_CLOEXEC),
		.size_bytes = size_bytes,
		.block_bytes = 4096,
	};

	assert_true(drive.fd >= 0);
	assert_int_equal(ftruncate(drive.fd, (off_t)size_bytes), 0);
	return drive;
}

struct bench_drive silent_drive(int *ret_other_end)
{
	struct bench_drive drive = {
		.name = "silent",
		.size_bytes = 1 << 20,
		.block_bytes = 4096,
	};
	int ends[2];

	assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
	drive.fd = ends[0];
	*ret_other_end = ends[1];
	return drive;
}

struct binding anywhere(struct arena *arena)
{
	struct binding binding = { .memory_node = BINDING_NO_NODE };
	cpu_set_t mask;

	assert_int_equal(sched_getaffinity(0, sizeof(mask), &mask), 0);
	for (unsigned int cpu = 0; cpu < CPU_SETSIZE; cpu++)
		if (CPU_ISSET(cpu, &mask))
			cpuset_add(arena, &binding.cpus, cpu);
	return binding;
}

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);
	ssize_t n = -1;

	if (fd < 0)
		return -1;
	n = write(fd, text, strlen(text));
	(void)close(fd);
	return n == (ssize_t)strlen(text) ? 0 : -1;
}

/* Reading hot_add makes a new disk and gives its number. */
static int hot_add(void)
{
	FILE *file = fopen("/sys/class/zram-control/hot_add", "re");
	int number = -1;

	if (!file)
		return -1;
	if (fscanf(file, "%d", &number) != 1)
		number = -1;
	(void)fclose(file);
	return number;
}

int zram_new(struct zram *ret, uint64_t size_bytes)
{
	char path[64], size[32];
	struct stat st;
	int number = hot_add();

	if (number < 0)
		return -1;
	ret->number = number;
	(void)snprintf(path, sizeof(path), "/sys/block/zram%d/disksize",
		       number);
	(void)snprintf(size, sizeof(size), "%llu",
		       (unsigned long long)size_bytes);
	(void)snprintf(ret->path, sizeof(ret->path), "/dev/zram%d", number);
	if (put(path, size) < 0 || stat(ret->path, &st) < 0) {
		zram_free(ret);
		return -1;
	}
	ret->dev = st.st_rdev;
	return 0;
}

void zram_free(const struct zram *zram)
{
	char number[16];

	(void)snprintf(number, sizeof(number), "%d", zram->number);
	if (put("/sys/class/zram-control/hot_remove", number) < 0)
		fail_msg("%s is still in use", zram->path);
}

static struct zram shared;
const struct zram *group_zram;

int group_zram_add(void **state)
{
	(void)state;
	if (zram_new(&shared, ZRAM_BYTES) == 0)
		group_zram = &shared;
	return 0;
}

int group_zram_remove(void **state)
{
	(void)state;
	if (group_zram)
		zram_free(group_zram);
	group_zram = NULL;
	return 0;
}
