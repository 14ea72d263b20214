/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/grub.h"

#include "base/escape.h"
#include "render/header.h"

/*
 * Behind what the variable has from /etc/default/grub: the kernel takes the
 * last word of a name.  The entries for recovery do without it.
 */
void render_grub(const struct intents *intents, struct strbuf *out)
{
	if (intents->words.n == 0)
		return;
	render_header(out, intents->profile);
	VEC_EACH(&intents->words, struct word_intent, it) {
		strbuf_puts(out, "\n# ");
		escape_to(out, it->file);
		strbuf_printf(out, ":%u\n", it->line);
		strbuf_printf(
			out,
			"GRUB_CMDLINE_LINUX_DEFAULT=\"$GRUB_CMDLINE_LINUX_DEFAULT %s\"\n",
			it->word);
	}
}
