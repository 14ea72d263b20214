/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/header.h"

#include "base/escape.h"
#include "core/owner.h"

void render_header(struct strbuf *out, const char *profile)
{
	strbuf_puts(out, OWNER_FROM);
	escape_to(out, profile);
	strbuf_puts(
		out,
		".  Changes made here by hand are\n"
		"# never overwritten: nvmetune then refuses until the file is gone.\n"
		"# \"nvmetune rollback\" takes it away.\n");
}
