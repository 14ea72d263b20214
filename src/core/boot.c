/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/boot.h"

#include "base/parse.h"
#include "core/owner.h"

enum image_age boot_image_age(const struct facts *facts)
{
	const struct num *image = &facts->initramfs_mtime;

	VEC_EACH(&facts->own_files, struct own_file, file) {
		if (!text_equal(file->path, OWNER_OPTIONS))
			continue;
		if (!facts->initramfs || !image->known || !file->mtime.known)
			return IMAGE_UNKNOWN;
		return image->value < file->mtime.value ? IMAGE_OLDER :
							  IMAGE_NEWER;
	}
	return IMAGE_UNKNOWN;
}

const char *boot_argument(struct arena *arena, const struct facts *facts,
			  const char *word)
{
	static const struct {
		const char *tool;
		const char *before;
		const char *after;
	} requests[] = {
		{ "rpm-ostree",
		  "run \"rpm-ostree kargs --append-if-missing=", "\"" },
		{ "cmdline.txt", "add ",
		  " to the one line of the firmware's cmdline.txt" },
		{ "grub.d", "add ",
		  " to GRUB_CMDLINE_LINUX in /etc/default/grub, then run \"update-grub\"" },
		{ "grub", "add ",
		  " to GRUB_CMDLINE_LINUX in /etc/default/grub, then make grub.cfg anew" },
		{ "kernel-install", "add ",
		  " to /etc/kernel/cmdline, then run \"kernel-install add\" for each kernel" },
	};

	for (size_t i = 0; i < sizeof(requests) / sizeof(*requests); i++)
		if (text_equal(facts->cmdline_tool, requests[i].tool))
			return arena_printf(arena, "%s%s%s", requests[i].before,
					    word, requests[i].after);
	return arena_printf(arena, "put %s on the kernel command line", word);
}
