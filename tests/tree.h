/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
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

static inline struct tree *tree_new(void)
{
	const char *tmp = getenv("TMPDIR");
	struct tree *tree = calloc(1, sizeof(*tree));
	struct err err = { 0 };

	assert_non_null(tree);
	(void)snprintf(tree->dir, sizeof(tree->dir), "%s/nvmetune-XXXXXX",
		       tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(tree->dir));
	tree->arena = arena_new();
	assert_int_equal(sysroot_open(tree->dir, &tree->root, &err), 0);
	return tree;
}

static inline void tree_run(const char *command)
{
	assert_int_equal(system(command), 0);
}

/* name: "two-nodes" of tests/roots/two-nodes.tree */
static inline struct tree *tree_load(const char *name)
{
	struct tree *tree = tree_new();

	tree_run(arena_printf(tree->arena,
			      "tests/tools/mkroot 'tests/roots/%s.tree' '%s'",
			      name, tree->dir));
	return tree;
}

static inline void tree_free(struct tree *tree)
{
	tree_run(arena_printf(tree->arena, "rm -rf '%s'", tree->dir));
	sysroot_close(tree->root);
	arena_free(tree->arena);
	free(tree);
}

/* Folders above path are made. */
static inline char *tree_path(struct tree *tree, const char *path)
{
	char *full = arena_printf(tree->arena, "%s/%s", tree->dir, path);

	for (char *p = full + strlen(tree->dir) + 1; *p; p++) {
		if (*p != '/')
			continue;
		*p = '\0';
		assert_true(mkdir(full, 0755) == 0 || errno == EEXIST);
		*p = '/';
	}
	return full;
}

static inline void tree_put(struct tree *tree, const char *path,
			    const char *text)
{
	FILE *file = fopen(tree_path(tree, path), "we");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, strlen(text), file), strlen(text));
	assert_int_equal(fclose(file), 0);
}

static inline void tree_link(struct tree *tree, const char *path,
			     const char *target)
{
	assert_int_equal(symlink(target, tree_path(tree, path)), 0);
}

static inline void tree_remove(struct tree *tree, const char *path)
{
	tree_run(arena_printf(tree->arena, "rm -r '%s/%s'", tree->dir, path));
}

static inline char *tree_get(struct tree *tree, const char *path)
{
	FILE *file = fopen(tree_path(tree, path), "re");
	char *text = arena_alloc(tree->arena, 65536);

	assert_non_null(file);
	(void)fread(text, 1, 65535, file);
	assert_int_equal(fclose(file), 0);
	return text;
}
