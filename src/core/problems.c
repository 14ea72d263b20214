/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/problems.h"

void problems_add(struct problems *problems, const struct err *err)
{
	*vec_add(problems->arena, &problems->lines) =
		arena_strdup(problems->arena, err->text);
}

void problems_add_at(struct problems *problems, const char *file,
		     unsigned int line, const struct err *err)
{
	struct err at = *err;

	(void)err_context(&at, "%s:%u", file, line);
	problems_add(problems, &at);
}
