/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sys/sysroot.h"

/*
 * A small root of one test below TMPDIR: files written one by one, or a whole
 * manifest of tests/roots/ (see tests/tools/mkroot).  tree_free() removes it.
 * Whatever goes wrong here fails the test.
 */

struct tree {
	char dir[256];
	struct arena *arena;
	struct sysroot *root;
};

struct tree *tree_new(void);
struct tree *tree_load(const char *name); /* "two-nodes" */
void tree_free(struct tree *tree);

/* Folders above path are made. */
void tree_put(struct tree *tree, const char *path, const char *text);
void tree_link(struct tree *tree, const char *path, const char *target);
void tree_remove(struct tree *tree, const char *path);
char *tree_get(struct tree *tree, const char *path);
