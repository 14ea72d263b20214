/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/context.h"

#include <errno.h>
#include <string.h>

void context_init(struct context *ctx)
{
	memset(ctx, 0, sizeof(*ctx));
	ctx->arena = arena_new();
}

void context_done(struct context *ctx)
{
	arena_free(ctx->arena);
	memset(ctx, 0, sizeof(*ctx));
}

int context_options(struct context *ctx, struct err *err)
{
	const char *format = ctx->options.format;

	ctx->color = out_wants_color() && !ctx->options.no_color;
	ctx->width = out_width();
	if (format && out_format_parse(format, &ctx->format) < 0)
		return err_set(err, -EINVAL,
			       "--format \"%s\" is not table, json or raw",
			       format);
	return 0;
}
