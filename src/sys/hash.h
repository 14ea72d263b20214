/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stddef.h>

/* The SHA-256 of n bytes as 64 lower-case hex digits and a NUL. */
#define HASH_TEXT_SIZE 65

void hash_text(const void *text, size_t n, char ret[HASH_TEXT_SIZE]);
