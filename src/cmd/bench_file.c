/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench_file.h"

#include <string.h>

#define RESULT_LIMIT ((size_t)64 << 20)

int bench_file_read(struct context *ctx, const char *name,
		    struct saved_text *ret, struct err *err)
{
	_cleanup_sysroot_ struct sysroot *root = NULL;
	const char *path;
	char *text;
	int r = context_path(ctx, name, &path, err);

	if (r == 0)
		r = sysroot_open("/", &root, err);
	if (r < 0)
		return r;
	r = sysroot_read_file(root, ctx->arena, path + 1, RESULT_LIMIT, &text);
	if (r < 0)
		return err_errno(err, r, "%s", name);
	*ret = (struct saved_text){ .name = name,
				    .text = text,
				    .len = strlen(text) };
	return 0;
}
