/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/device_notes.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/parse.h"
#include "sys/hash.h"
#include "write/file.h"

#define NOTES_MODE 0600
#define ID_DIGITS 16

char *device_notes_path(struct arena *arena, unsigned int txn,
			const char *ctrl_id)
{
	char hash[HASH_TEXT_SIZE];

	hash_text(ctrl_id, strlen(ctrl_id), hash);
	return arena_printf(arena, DEVICE_DIR "/%04u-%.*s", txn, ID_DIGITS,
			    hash);
}

int device_notes_read(const struct sysroot *root, struct arena *arena,
		      const char *path, struct journal *ret, struct err *err)
{
	unsigned int mode;
	char *text = NULL;
	int r = file_read(root, arena, path, &text, &mode, err);

	if (r < 0)
		return r;
	*ret = (struct journal){ .state = JOURNAL_COMMITTED };
	if (!text)
		return 0;
	r = journal_parse(arena, text, ret, err);
	if (r == 0 && ret->state != JOURNAL_OPEN &&
	    ret->state != JOURNAL_COMMITTED)
		r = err_set(err, -EBADMSG, "is no note of the device helper");
	return r < 0 ? err_context(err, "%s", path) : 0;
}

int device_notes_write(const struct sysroot *root, struct arena *arena,
		       const char *path, struct journal *notes, struct err *err)
{
	struct strbuf out;
	unsigned int nr = 0;

	strbuf_init(&out, arena);
	journal_put_head(&out, &notes->head);
	VEC_EACH(&notes->list.steps, struct step, step) {
		step->nr = ++nr;
		journal_put_step(&out, step);
	}
	VEC_EACH(&notes->list.steps, struct step, step) {
		journal_put_start(&out, step);
		journal_put_done(&out, step);
	}
	if (notes->state == JOURNAL_COMMITTED)
		journal_put_commit(&out, notes);
	return file_put(root, path, out.text, NOTES_MODE, err);
}

static int newest_first(const void *a, const void *b)
{
	const struct device_notes_file *left = a, *right = b;

	if (left->txn != right->txn)
		return left->txn < right->txn ? 1 : -1;
	return strcmp(left->path, right->path);
}

void device_notes_list(const struct sysroot *root, struct arena *arena,
		       struct device_notes_list *ret)
{
	struct names names = { { 0 } };

	*ret = (struct device_notes_list){ { 0 } };
	(void)sysroot_list(root, arena, DEVICE_DIR, &names);
	VEC_EACH(&names.names, char *, it) {
		const char *text = *it;
		uint64_t txn;

		if (parse_u64_prefix(&text, &txn) < 0 || txn == 0 ||
		    txn > UINT32_MAX || *text != '-' ||
		    strlen(text + 1) != ID_DIGITS)
			continue;
		*vec_add(arena, &ret->files) = (struct device_notes_file){
			.txn = (unsigned int)txn,
			.path = arena_printf(arena, DEVICE_DIR "/%s", *it),
		};
	}
	if (ret->files.n)
		qsort(ret->files.items, ret->files.n, sizeof(*ret->files.items),
		      newest_first);
}

bool device_notes_same(const struct step *a, const struct step *b)
{
	return a->kind == STEP_VALUE && b->kind == STEP_VALUE &&
	       a->target.kind == b->target.kind && text_equal(a->key, b->key) &&
	       text_equal(a->target.id, b->target.id);
}
