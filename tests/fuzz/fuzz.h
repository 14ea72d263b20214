/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Hostile input.  Each target takes any bytes and ends the program where a
 * promise is broken.  A campaign with libFuzzer, for TARGET profile:
 *
 *	make BUILD=build/fuzz CC=clang HARDENING= CFLAGS="-O1 -g \
 *		-fsanitize=fuzzer-no-link,address,undefined" \
 *		build/fuzz/libnvmetune.a
 *	clang -g -D_GNU_SOURCE -DFUZZ -Isrc -Itests \
 *		-fsanitize=fuzzer,address,undefined \
 *		tests/fuzz/fuzz_profile.c build/fuzz/libnvmetune.a -linih \
 *		-o build/fuzz/profile
 *	build/fuzz/profile -max_total_time=600 -max_len=16384 \
 *		build/fuzz/found tests/fuzz/corpus/profile \
 *		profiles tests/profiles
 *
 * and for facts with fuzz_facts.c, -ljson-c beside -linih, and tests/hosts;
 * for a journal with fuzz_journal.c, -ljson-c -lmd; for udev rules with
 * fuzz_rules.c and tests/lint; for what a workload prints with
 * fuzz_throughput.c; for saved results with fuzz_result.c, -ljson-c -lm and
 * tests/results.  What a campaign finds goes into tests/fuzz/corpus/TARGET,
 * which "make check" runs through the same function.
 */
int fuzz_profile(const uint8_t *data, size_t size);
int fuzz_facts(const uint8_t *data, size_t size);
/* A journal's lines, with or without their sums. */
int fuzz_journal(const uint8_t *data, size_t size);
/* A file of udev rules. */
int fuzz_rules(const uint8_t *data, size_t size);
/* What a program prints of its speed. */
int fuzz_throughput(const uint8_t *data, size_t size);
/* A result of bench, saved as JSON. */
int fuzz_result(const uint8_t *data, size_t size);
