/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>
#include <stdint.h>

/*
 * Runs a target with each file of a folder: as it is, cut short, and with
 * one byte changed, at some hundred places.  Files above this size only as
 * they are.  Returns how many files there were.
 */
#define CORPUS_MUTATED_SIZE (16U * 1024)

size_t corpus_run(const char *folder,
		  int (*target)(const uint8_t *data, size_t size));
