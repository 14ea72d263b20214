/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/modprobe.h"

#include <string.h>

#include "base/escape.h"
#include "render/header.h"

void render_modprobe(const struct intents *intents, struct strbuf *out)
{
	if (intents->options.n == 0)
		return;
	render_header(out, intents->profile);
	VEC_EACH(&intents->options, struct module_intent, it) {
		strbuf_puts(out, "\n# ");
		escape_to(out, it->file);
		strbuf_printf(out, ":%u", it->line);
		/* A comment at the end of the line would go to the module. */
		if (strcmp(it->asked, it->value) != 0)
			strbuf_printf(out, ", %s on this host", it->asked);
		strbuf_printf(out, "\noptions %s %s=%s\n", it->module,
			      it->param, it->value);
	}
}
