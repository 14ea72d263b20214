/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/irqbalance.h"

#include "base/escape.h"
#include "core/owner.h"
#include "render/header.h"

static void put_source(struct strbuf *out, const struct irqbalance_intent *it)
{
	strbuf_puts(out, "\n# ");
	escape_to(out, it->file);
	strbuf_printf(out, ":%u\n", it->line);
}

/*
 * "-": an irqbalance whose file has gone starts as the host has it.  The other
 * condition is met again as soon as no profile is applied, whoever took ours
 * away.
 */
void render_irqbalance_unit(const struct intents *intents, struct strbuf *out)
{
	const struct irqbalance_intent *it = intents->irqbalance;

	if (!it)
		return;
	render_header(out, intents->profile);
	put_source(out, it);
	if (it->arguments)
		strbuf_puts(out, "[Service]\nEnvironmentFile=-" OWNER_IRQBALANCE
				 "\n");
	else
		strbuf_puts(out,
			    "[Unit]\nConditionPathExists=!" OWNER_APPLIED "\n");
}

void render_irqbalance_env(const struct intents *intents, struct strbuf *out)
{
	const struct irqbalance_intent *it = intents->irqbalance;

	if (!it || !it->arguments)
		return;
	render_header(out, intents->profile);
	put_source(out, it);
	if (it->set_by) {
		strbuf_puts(out, "# with what ");
		escape_to(out, it->set_by);
		strbuf_puts(out, " says\n");
	}
	strbuf_printf(out, "%s=\"%s\"\n", it->variable, it->arguments);
}
