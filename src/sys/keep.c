/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "sys/record.h"
#include "sys/sysroot.h"

#define NAME_SIZE 256
#define MOST_BYTES ((size_t)1 << 20)

/* False: too long for any that we keep. */
static bool path_of(const char *name, char path[NAME_SIZE])
{
	int n = snprintf(path, NAME_SIZE, "%s/%s", RECORD_DIR, name);

	return n > 0 && n < NAME_SIZE;
}

void sysroot_keep(const struct sysroot *root, const char *name,
		  const void *bytes, size_t n, int r)
{
	struct record *record = sysroot_record(root);
	char path[NAME_SIZE];

	if (!record || !path_of(name, path))
		return;
	if (r < 0)
		record_error(record, path, r);
	else
		record_file(record, path, bytes, n);
}

ssize_t sysroot_kept(const struct sysroot *root, const char *name, void *bytes,
		     size_t n)
{
	char path[NAME_SIZE];

	if (sysroot_is_live(root) || !path_of(name, path))
		return -ENOENT;
	return sysroot_read_bytes(root, path, bytes, n);
}

char *sysroot_kept_text(const struct sysroot *root, struct arena *arena,
			const char *name)
{
	char path[NAME_SIZE], *text;

	if (sysroot_is_live(root) || !path_of(name, path) ||
	    sysroot_read_file(root, arena, path, MOST_BYTES, &text) < 0)
		return NULL;
	return text_trim(text);
}
