/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/needed.h"

#include "core/boot.h"
#include "core/plan.h"

const char *needed_initramfs(struct arena *arena, const char *tool,
			     const char *kernel)
{
	const char *const *words = boot_rebuild_words(arena, tool, kernel);
	struct strbuf text;

	if (!words)
		return NULL;
	strbuf_init(&text, arena);
	for (; *words; words++)
		strbuf_printf(&text, "%s%s", text.len ? " " : "", *words);
	return text.text;
}

void needed_put(struct strbuf *out, unsigned int needs, const char *command)
{
	if (!(needs & NEED_INITRAMFS))
		command = NULL;
	if (!command && !(needs & NEED_RELOAD))
		return;
	strbuf_puts(out, "still needed: ");
	if (command)
		strbuf_printf(out, "\"%s\"", command);
	if (command && needs & NEED_RELOAD)
		strbuf_puts(out, ", then ");
	if (needs & NEED_RELOAD)
		strbuf_puts(out, "a reload of the nvme modules, or a reboot");
	strbuf_putc(out, '\n');
}
