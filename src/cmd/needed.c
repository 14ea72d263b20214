/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/needed.h"

#include "base/parse.h"
#include "core/plan.h"

const char *needed_initramfs(struct arena *arena, const char *tool,
			     const char *kernel)
{
	/* Without -k it is the newest kernel's, not the one that runs. */
	if (text_equal(tool, "update-initramfs"))
		return arena_printf(arena, "update-initramfs -u -k %s",
				    kernel ? kernel : "all");
	if (text_equal(tool, "dracut"))
		return "dracut -f";
	if (text_equal(tool, "rpm-ostree"))
		return "rpm-ostree initramfs --enable";
	if (text_equal(tool, "mkinitcpio"))
		return "mkinitcpio -P";
	return NULL;
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
