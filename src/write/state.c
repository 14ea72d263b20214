/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/state.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/parse.h"
#include "sys/sysroot.h"
#include "write/file.h"
#include "write/folder.h"

#define PRIVATE 0700

int state_make(const struct sysroot *root, struct arena *arena, struct err *err)
{
	return folder_make_all(root, arena, STATE_DIR, PRIVATE, err);
}

static const char *txn_dir(const struct sysroot *root)
{
	return sysroot_is_image(root) ? STATE_IMAGE_DIR : STATE_TXN_DIR;
}

char *state_path(const struct sysroot *root, struct arena *arena,
		 unsigned int id, const char *name)
{
	return arena_printf(arena, "%s/%04u/%s", txn_dir(root), id, name);
}

static char *folder_of(const struct sysroot *root, struct arena *arena,
		       unsigned int id)
{
	return arena_printf(arena, "%s/%04u", txn_dir(root), id);
}

static int by_number(const void *a, const void *b)
{
	unsigned int left = *(const unsigned int *)a;
	unsigned int right = *(const unsigned int *)b;

	return left < right ? -1 : left > right;
}

/* What a journal says is done: not where anyone may put one. */
static int check_writers(const struct sysroot *root, const char *path,
			 struct err *err)
{
	mode_t mode;

	if (geteuid() != 0 || sysroot_mode(root, path, &mode) < 0 ||
	    !(mode & S_IWOTH))
		return 0;
	return err_set(
		err, -EPERM,
		"%s: anyone may write it (mode %04o), and root would do what a journal in it says: look at what is there, then \"chmod 700 %s\"",
		path, (unsigned int)(mode & 07777), path);
}

/* The number that this is a folder of; 0: of none. */
static unsigned int id_of(struct arena *arena, const char *name)
{
	unsigned int id;

	/* "1", a copy that somebody made, is not what "0001" is. */
	return parse_uint(name, &id) == 0 &&
			       text_equal(arena_printf(arena, "%04u", id),
					  name) ?
		       id :
		       0;
}

/* Every numbered folder, whether it has a journal or not. */
static int list_folders(const struct sysroot *root, struct arena *arena,
			struct txn_ids *ret, struct err *err)
{
	struct names names = { { 0 } };
	int r = check_writers(root, STATE_DIR, err);

	if (r == 0)
		r = check_writers(root, txn_dir(root), err);
	if (r < 0)
		return r;
	r = sysroot_list(root, arena, txn_dir(root), &names);
	*ret = (struct txn_ids){ { 0 } };
	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return err_errno(err, r, "%s: cannot read", txn_dir(root));
	VEC_EACH(&names.names, char *, it) {
		unsigned int id = id_of(arena, *it);

		if (id > 0)
			*vec_add(arena, &ret->ids) = id;
	}
	if (ret->ids.n)
		qsort(ret->ids.items, ret->ids.n, sizeof(unsigned int),
		      by_number);
	return 0;
}

/* 1, 0, or why it cannot be told: what cannot be seen now may well be what
 * changed this host. */
static int has_journal(const struct sysroot *root, struct arena *arena,
		       unsigned int id, struct err *err)
{
	const char *path = state_path(root, arena, id, "journal");
	mode_t mode;
	int r = sysroot_mode(root, path, &mode);

	if (r == -ENOENT || r == -ENOTDIR)
		return 0;
	return r < 0 ? err_errno(err, r, "%s: cannot read", path) : 1;
}

/* Those that began, and those that never did. */
static int split_folders(const struct sysroot *root, struct arena *arena,
			 struct txn_ids *begun, struct txn_ids *others,
			 struct err *err)
{
	struct txn_ids all;
	int r = list_folders(root, arena, &all, err);

	*begun = *others = (struct txn_ids){ { 0 } };
	if (r < 0)
		return r;
	VEC_EACH(&all.ids, unsigned int, id) {
		r = has_journal(root, arena, *id, err);
		if (r < 0)
			return r;
		*vec_add(arena, r > 0 ? &begun->ids : &others->ids) = *id;
	}
	return 0;
}

int state_list(const struct sysroot *root, struct arena *arena,
	       struct txn_ids *ret, struct err *err)
{
	struct txn_ids others;

	return split_folders(root, arena, ret, &others, err);
}

void state_drop_txn(const struct sysroot *root, struct arena *arena,
		    unsigned int id)
{
	static const char *const names[] = { "journal", "plan.json",
					     "facts.json" };

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *path = state_path(root, arena, id, names[i]);

		(void)file_discard(root, path);
		(void)file_remove(root, path, NULL);
	}
	(void)folder_remove(root, folder_of(root, arena, id));
}

/* In *begun what is left. */
static int drop_others(const struct sysroot *root, struct arena *arena,
		       struct txn_ids *begun, struct err *err)
{
	struct txn_ids others;
	int r = split_folders(root, arena, begun, &others, err);

	if (r < 0)
		return r;
	VEC_EACH(&others.ids, unsigned int, id)
		state_drop_txn(root, arena, *id);
	return 0;
}

int state_drop_unbegun(const struct sysroot *root, struct arena *arena,
		       struct err *err)
{
	struct txn_ids begun;

	return drop_others(root, arena, &begun, err);
}

int state_new_txn(const struct sysroot *root, struct arena *arena,
		  unsigned int *ret_id, struct err *err)
{
	struct txn_ids begun;
	unsigned int id;
	int r = state_make(root, arena, err);

	if (r == 0)
		r = folder_make(root, txn_dir(root), PRIVATE, err);
	if (r == 0)
		r = drop_others(root, arena, &begun, err);
	if (r < 0)
		return r;
	id = begun.ids.n ? begun.ids.items[begun.ids.n - 1] + 1 : 1;
	r = folder_make(root, folder_of(root, arena, id), PRIVATE, err);
	if (r == 0)
		*ret_id = id;
	return r;
}
