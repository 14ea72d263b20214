/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Names below /dev, from the udev database. */

#include <errno.h>
#include <libudev.h>
#include <string.h>

#include "base/parse.h"
#include "probe/probe.h"

static void udev_cleanup(struct udev **udev)
{
	(void)udev_unref(*udev);
}

static void enumerate_cleanup(struct udev_enumerate **enumerate)
{
	(void)udev_enumerate_unref(*enumerate);
}

static void device_cleanup(struct udev_device **device)
{
	(void)udev_device_unref(*device);
}

#define _cleanup_udev_ __attribute__((cleanup(udev_cleanup)))
#define _cleanup_enumerate_ __attribute__((cleanup(enumerate_cleanup)))
#define _cleanup_device_ __attribute__((cleanup(device_cleanup)))

static bool has_name(struct udev_device *device, const char *name)
{
	struct udev_list_entry *entry;

	if (text_equal(udev_device_get_devnode(device), name))
		return true;
	udev_list_entry_foreach(
		entry,
		udev_device_get_devlinks_list_entry(
			device)) if (text_equal(udev_list_entry_get_name(entry),
						name)) return true;
	return false;
}

/* udev has no look-up by link: every block device is asked for its own. */
static int find(struct arena *arena, struct udev *udev,
		struct udev_enumerate *all, const char *link, const char **ret)
{
	struct udev_list_entry *entry;

	if (udev_enumerate_add_match_subsystem(all, "block") < 0 ||
	    udev_enumerate_scan_devices(all) < 0)
		return -EIO;
	udev_list_entry_foreach(entry, udev_enumerate_get_list_entry(all))
	{
		_cleanup_device_ struct udev_device *device =
			udev_device_new_from_syspath(
				udev, udev_list_entry_get_name(entry));

		if (!device || !has_name(device, link))
			continue;
		*ret = arena_strdup(arena, udev_device_get_sysname(device));
		return 0;
	}
	return -ENOENT;
}

int probe_udev_resolve(const struct sysroot *root, struct arena *arena,
		       const char *link, const char **ret, struct err *err)
{
	_cleanup_udev_ struct udev *udev = NULL;
	_cleanup_enumerate_ struct udev_enumerate *all = NULL;
	int r;

	if (!sysroot_is_live(root))
		return err_set(
			err, -EOPNOTSUPP,
			"%s: links below /dev are known on the live host only",
			link);
	udev = udev_new();
	all = udev ? udev_enumerate_new(udev) : NULL;
	if (!all)
		return err_errno(err, -ENOMEM, "udev database");
	r = find(arena, udev, all, link, ret);
	if (r == -ENOENT)
		return err_set(err, r, "%s: udev knows no such block device",
			       link);
	return r < 0 ? err_errno(err, r, "udev database") : 0;
}
