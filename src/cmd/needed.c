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

const char *needed_rebuild(struct arena *arena, const struct facts *facts)
{
	return num_or(facts->image, 0) ?
		       boot_image_rebuild(arena, facts) :
		       needed_initramfs(arena, facts->initramfs_tool,
					facts->kernel);
}

char *needed_text(struct arena *arena, const struct needed *needed)
{
	const char *units = needed->needs & NEED_RESTART ? needed->units : NULL;
	struct strbuf out;

	strbuf_init(&out, arena);
	if (needed->needs & NEED_INITRAMFS && needed->command)
		strbuf_printf(&out, "\"%s\"", needed->command);
	else if (needed->needs & NEED_INITRAMFS)
		strbuf_puts(&out,
			    "a new initramfs, by the tool that made this one");
	if (needed->needs & NEED_GRUB)
		strbuf_printf(&out, "%s\"update-grub\"",
			      out.len ? " and " : "");
	if (needed->needs & NEED_REBOOT)
		strbuf_printf(&out, "%sa reboot", out.len ? ", then " : "");
	else if (needed->needs & NEED_RELOAD)
		strbuf_printf(&out,
			      "%sa reload of the nvme modules, or a reboot",
			      out.len ? ", then " : "");
	if (units)
		strbuf_printf(&out, "%sa restart of %s", out.len ? "; " : "",
			      units);
	return out.len ? out.text : NULL;
}

void needed_put(struct strbuf *out, const struct needed *needed)
{
	const char *text = needed_text(out->arena, needed);

	if (text)
		strbuf_printf(out, "still needed: %s\n", text);
}
