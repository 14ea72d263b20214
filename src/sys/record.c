/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"

#define MOST_BYTES ((size_t)16 << 20)
#define LAST_ERRNO 4095U

static const char *below_root(const char *path)
{
	while (*path == '/')
		path++;
	return path;
}

static struct seen *add(struct record *record, enum seen_kind kind,
			const char *path)
{
	struct seen *seen = vec_add(record->arena, &record->seen);

	seen->kind = kind;
	seen->path = arena_strdup(record->arena, below_root(path));
	return seen;
}

void record_file(struct record *record, const char *path, const void *bytes,
		 size_t n)
{
	struct seen *seen;
	char *copy;

	if (!record || n > MOST_BYTES)
		return;
	copy = arena_alloc(record->arena, n + 1);
	memcpy(copy, bytes, n);
	seen = add(record, SEEN_FILE, path);
	seen->bytes = copy;
	seen->n = n;
}

void record_instead(struct record *record, const char *path, const void *bytes,
		    size_t n)
{
	struct seen *last;

	if (!record)
		return;
	last = record->seen.n ? &record->seen.items[record->seen.n - 1] : NULL;
	if (last && last->kind == SEEN_FILE &&
	    strcmp(last->path, below_root(path)) == 0)
		record->seen.n--;
	record_file(record, path, bytes, n);
}

void record_list(struct record *record, const char *path,
		 const char *const *names, size_t n)
{
	struct seen *seen;
	struct strbuf all;

	if (!record)
		return;
	strbuf_init(&all, record->arena);
	for (size_t i = 0; i < n; i++)
		strbuf_put(&all, names[i], strlen(names[i]) + 1);
	seen = add(record, SEEN_LIST, path);
	seen->bytes = all.text;
	seen->n = all.len;
}

void record_link(struct record *record, const char *path)
{
	if (record)
		(void)add(record, SEEN_LINK, path);
}

void record_place(struct record *record, const char *path, mode_t mode)
{
	if (record)
		add(record, SEEN_PLACE, path)->mode = mode;
}

void record_error(struct record *record, const char *path, int r)
{
	if (record && r < 0 && r != -ENOENT)
		add(record, SEEN_ERROR, path)->why = -r;
}

static int by_path(const void *a, const void *b)
{
	return strcmp(((const struct kept_error *)a)->path,
		      ((const struct kept_error *)b)->path);
}

void kept_errors_parse(struct arena *arena, char *text, struct kept_errors *ret)
{
	char *line;

	while ((line = strsep(&text, "\n"))) {
		const char *path = line;
		uint64_t why;

		if (parse_u64_prefix(&path, &why) < 0 || *path != ' ' ||
		    why == 0 || why > LAST_ERRNO)
			continue;
		*vec_add(arena, &ret->items) = (struct kept_error){
			.path = path + 1,
			.why = (int)why,
		};
	}
	if (ret->items.n)
		qsort(ret->items.items, ret->items.n, sizeof(struct kept_error),
		      by_path);
}

int kept_errors_find(const struct kept_errors *errors, const char *path)
{
	const struct kept_error key = { .path = below_root(path) };
	const struct kept_error *found = NULL;

	if (errors->items.n)
		found = bsearch(&key, errors->items.items, errors->items.n,
				sizeof(key), by_path);
	return found ? -found->why : 0;
}
