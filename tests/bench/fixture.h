/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <sys/types.h>

#include "bench/session.h"
#include "core/binding.h"

/*
 * Devices for the load engine where there is no drive: memory that is read
 * like a file, a pipe that never answers, a zram disk.
 */

struct arena;

/* size_bytes of readable memory; open for writing too, so that only the ring
 * can be what refuses a write. */
struct bench_drive memory_drive(const char *name, uint64_t size_bytes);

/* Reads from it never come back; *ret_other_end keeps it so. */
struct bench_drive silent_drive(int *ret_other_end);

/* The CPUs of this process, memory anywhere. */
struct binding anywhere(struct arena *arena);

/* A zram disk of our own, or -1: not root, or no zram in this kernel. */
struct zram {
	int number;
	char path[32];
	dev_t dev;
};

int zram_new(struct zram *ret, uint64_t size_bytes);
void zram_free(const struct zram *zram);

/* The same for all tests of a program, as cmocka's fixture of a group: the
 * disk, of ZRAM_BYTES, or NULL. */
#define ZRAM_BYTES (UINT64_C(64) << 20)
extern const struct zram *group_zram;

int group_zram_add(void **state);
int group_zram_remove(void **state);
