/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * What a boot begins with: the initramfs and the kernel command line.  The
 * image is never opened: it is a compressed archive of tens of megabytes,
 * and when it was built tells enough.
 */

#include "probe/scan.h"

struct place {
	const char *name;
	const char *files[3]; /* any of them */
};

/* ostree first: such a host has dracut too, which cannot be used there. */
static const struct place initramfs_tools[] = {
	{ "rpm-ostree", { "run/ostree-booted", "sysroot/ostree" } },
	{ "update-initramfs", { "usr/sbin/update-initramfs" } },
	{ "dracut", { "usr/bin/dracut", "usr/sbin/dracut" } },
	{ "mkinitcpio", { "usr/bin/mkinitcpio" } },
};

/* update-grub is Debian's, whose grub-mkconfig alone reads grub.d. */
static const struct place cmdline_tools[] = {
	{ "rpm-ostree", { "run/ostree-booted", "sysroot/ostree" } },
	{ "cmdline.txt", { "boot/firmware/cmdline.txt", "boot/cmdline.txt" } },
	{ "grub.d", { "usr/sbin/update-grub" } },
	{ "grub", { "etc/default/grub" } },
	{ "kernel-install", { "etc/kernel/cmdline" } },
};

/* Where distributions put the image: before and after the release. */
static const struct image {
	const char *before;
	const char *after;
} images[] = {
	{ "boot/initrd.img-", "" },    /* Debian */
	{ "boot/initramfs-", ".img" }, /* Fedora */
	{ "boot/initrd-", "" },	       /* SUSE */
};

static const char *find_place(const struct scan *scan,
			      const struct place *places, size_t n)
{
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < 3 && places[i].files[j]; j++)
			if (sysroot_exists(scan->root, places[i].files[j]))
				return places[i].name;
	return NULL;
}

/* With a leading slash; NULL: there is none for this kernel. */
static const char *find_image(struct scan *scan, const char *kernel)
{
	const size_t n = sizeof(images) / sizeof(*images);

	for (size_t i = 0; kernel && i < n; i++) {
		const char *path = arena_printf(scan->arena, "/%s%s%s",
						images[i].before, kernel,
						images[i].after);

		if (sysroot_exists(scan->root, path))
			return path;
	}
	return NULL;
}

static void scan_images(struct scan *scan)
{
	struct facts *facts = scan->facts;

	facts->initramfs = find_image(scan, facts->kernel);
	if (facts->initramfs)
		facts->initramfs_mtime = scan_mtime(scan, facts->initramfs);
	VEC_EACH(&facts->kernels, struct image_kernel, kernel)
		kernel->initramfs = find_image(scan, kernel->release);
}

void boot_scan(struct scan *scan)
{
	scan->facts->initramfs_tool =
		find_place(scan, initramfs_tools,
			   sizeof(initramfs_tools) / sizeof(*initramfs_tools));
	scan->facts->cmdline_tool =
		find_place(scan, cmdline_tools,
			   sizeof(cmdline_tools) / sizeof(*cmdline_tools));
	scan->facts->grub_mtime = scan_mtime(scan, "/boot/grub/grub.cfg");
	scan_images(scan);
}
