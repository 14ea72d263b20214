/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/boot.h"

#include "base/parse.h"
#include "base/strbuf.h"
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

const char *const *boot_rebuild_words(struct arena *arena, const char *tool,
				      const char *kernel)
{
	/* Without -k it is the newest kernel's, not the one that runs, which
	 * is dracut's; of an unknown kernel it is every one's. */
	const char *const debian[] = { "update-initramfs", "-u", "-k",
				       kernel ? kernel : "all" };
	const char *const dracut[] = { "dracut", "-f", "--regenerate-all" };
	static const char *const arch[] = { "mkinitcpio", "-P" };
	static const char *const ostree[] = { "rpm-ostree", "initramfs",
					      "--enable" };
	const struct {
		const char *const *words;
		size_t n;
	} commands[] = { { debian, 4 },
			 { dracut, kernel ? 2 : 3 },
			 { arch, 2 },
			 { ostree, 3 } };

	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++) {
		const char **words;

		if (!text_equal(tool, commands[i].words[0]))
			continue;
		words = arena_array(arena, commands[i].n + 1, sizeof(*words));
		for (size_t j = 0; j < commands[i].n; j++)
			words[j] = commands[i].words[j];
		words[commands[i].n] = NULL;
		return words;
	}
	return NULL;
}

const char *boot_image_rebuild(struct arena *arena, const struct facts *facts)
{
	static const struct {
		const char *tool;
		const char *before;
	} commands[] = {
		{ "update-initramfs", "update-initramfs -u -k " },
		{ "dracut", "dracut -f --kver " },
	};
	struct strbuf text;

	if (text_equal(facts->initramfs_tool, "mkinitcpio"))
		return "mkinitcpio -P"; /* its presets name the kernels */
	strbuf_init(&text, arena);
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (text_equal(facts->initramfs_tool, commands[i].tool))
			VEC_EACH(&facts->kernels, struct image_kernel, kernel)
				strbuf_printf(&text, "%s%s%s",
					      text.len ? "; " : "",
					      commands[i].before,
					      kernel->release);
	return text.len ? text.text : NULL;
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
