/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdint.h>
#include <sys/types.h>

/*
 * A drive's block device, opened for reading and for nothing else.
 *
 * Names move between boots and resets, so every open says which device
 * number it expects and gets -ENODEV when the path leads elsewhere.  Nothing
 * that is not a block device is ever opened: a mistyped name below /dev is
 * an error, not a new file.
 */

struct err;

struct device_geometry {
	uint64_t size_bytes;
	uint32_t block_bytes; /* logical block: the unit of direct reads */
};

/* "259:0", as the kernel writes it.  -EINVAL for anything else. */
int device_number_parse(const char *text, dev_t *ret);

/*
 * O_RDONLY, O_DIRECT, O_CLOEXEC; the caller closes *ret_fd.  That the kernel
 * sees it as read-only is asked back (F_GETFL), not assumed.
 */
int device_open_read(const char *path, dev_t expected, int *ret_fd,
		     struct err *err);

int device_geometry_read(int fd, struct device_geometry *ret, struct err *err);

/* Whatever it was opened for: 0 when fd is a plain file, otherwise -EPERM.
 * A drive is only read. */
int device_check_file(int fd, struct err *err);

/*
 * 1 when something holds the device or a part of it exclusively (a mount in
 * any namespace, swap, md, dm), 0 when nothing does.  The exclusive open is
 * closed at once: held longer, it would keep others from mounting.
 * A loop device on top and plain openers are not seen.
 */
int device_is_held(const char *path, dev_t expected, struct err *err);
