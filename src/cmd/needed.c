/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/needed.h"

#include "base/parse.h"

const char *needed_initramfs(struct arena *arena, const char *tool,
			     const char *kernel)
{
	/* Without -k it is the newest kernel's, not the one that runs. */
	if (text_equal(tool, "update-initramfs"))
		return arena_printf(arena, "update-initramfs -u -k %s",
				    kernel ? kernel : "all");
	if (text_equal(tool, "dracut"))
		return "dracut -f";
	if (text_equal(tool, "mkinitcpio"))
		return "mkinitcpio -P";
	return NULL;
}

void needed_put(struct strbuf *out, const char *command)
{
	strbuf_puts(out, "still needed: ");
	if (command)
		strbuf_printf(out, "\"%s\", then ", command);
	strbuf_puts(out, "a reload of the nvme modules, or a reboot\n");
}
