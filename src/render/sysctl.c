/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/sysctl.h"

#include <string.h>

#include "base/escape.h"
#include "render/header.h"

/* "kernel.numa_balancing" of "proc/sys/kernel/numa_balancing". */
static void put_name(struct strbuf *out, const char *attr)
{
	for (attr += strlen("proc/sys/"); *attr; attr++)
		strbuf_putc(out, *attr == '/' ? '.' : *attr);
}

void render_sysctl(const struct intents *intents, struct strbuf *out)
{
	if (intents->sysctls.n == 0)
		return;
	render_header(out, intents->profile);
	VEC_EACH(&intents->sysctls, struct sysctl_intent, it) {
		strbuf_puts(out, "\n# ");
		escape_to(out, it->file);
		strbuf_printf(out, ":%u\n", it->line);
		put_name(out, it->knob->attr);
		strbuf_printf(out, " = %s\n", it->value);
	}
}
