/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/attr.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/cpuset.h"
#include "base/err.h"
#include "base/parse.h"
#include "sys/sysroot.h"
#include "write/feature.h"

/* The longest list is that of schedulers. */
#define ATTR_SIZE 1024
#define CPUS_SIZE (32U << 10)

#define TRIES 25
#define PAUSE_MS 20

/* Lists of CPUs may be longer than any other value: 4096 CPUs on four nodes. */
static int read_cpus(const struct sysroot *root, const char *path,
		     char ret[VALUE_TEXT_SIZE])
{
	char buf[CPUS_SIZE];
	ssize_t n = sysroot_read(root, path, buf, sizeof(buf));

	if (n < 0)
		return n == -EFBIG ? -EBADMSG : (int)n;
	return cpuset_fold_list(text_trim(buf), ret, VALUE_TEXT_SIZE) < 0 ?
		       -EBADMSG :
		       0;
}

int attr_read(const struct sysroot *root, const char *path,
	      char ret[VALUE_TEXT_SIZE])
{
	struct err ignored = { 0 };
	char buf[ATTR_SIZE];
	const char *text, *open, *close;
	size_t len;
	ssize_t n;

	if (feature_is_path(path))
		return feature_read_path(root, path, ret, &ignored);
	if (text_has_prefix(path, "proc/irq/"))
		return read_cpus(root, path, ret);
	n = sysroot_read(root, path, buf, sizeof(buf));
	if (n < 0)
		return n == -EFBIG ? -EBADMSG : (int)n;
	text = text_trim(buf);
	len = strlen(text);
	open = strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close) {
		text = open + 1;
		len = (size_t)(close - text);
	}
	if (len >= VALUE_TEXT_SIZE)
		return -EBADMSG;
	memcpy(ret, text, len);
	ret[len] = '\0';
	return 0;
}

/*
 * From 7.3 on a scheduler switch tries a lock and gives up: EBUSY, or ENOENT
 * while an elevator is being registered (block/elevator.c).  A queue that is
 * being frozen says EAGAIN.
 */
static bool is_transient(int code)
{
	return code == -EBUSY || code == -EAGAIN || code == -EINTR ||
	       code == -ENOENT;
}

/* Of an interrupt an errno means something of its own (kernel/irq/proc.c,
 * EIO up to 6.11 and EPERM since; arch/x86/kernel/apic/vector.c). */
static const char *words_for(const char *path, int code)
{
	if (text_has_prefix(path, "proc/irq/") && code == -ENOSPC)
		return "no interrupt vector is free on these CPUs";
	if (text_has_prefix(path, "proc/irq/") &&
	    (code == -EIO || code == -EPERM))
		return "the kernel places this interrupt itself";
	return strerror(-code);
}

static int write_once(const struct sysroot *root, const char *path,
		      const char *text, struct err *err)
{
	int r;

	if (feature_is_path(path))
		return feature_write_path(root, path, text, err);
	r = sysroot_write_attr(root, path, text);
	return r < 0 ? err_set(err, r, "%s", words_for(path, r)) : 0;
}

int attr_write_told(const struct sysroot *root, const char *path,
		    const char *text, struct err *err)
{
	const struct timespec pause = { .tv_nsec = PAUSE_MS * 1000000L };
	int r = 0;

	for (int i = 0; i < TRIES; i++) {
		r = write_once(root, path, text, err);
		if (!is_transient(r))
			return r;
		/* An attribute that is not there will not come. */
		if (r == -ENOENT && !sysroot_exists(root, path))
			return r;
		(void)nanosleep(&pause, NULL);
	}
	return r;
}

int attr_write(const struct sysroot *root, const char *path, const char *text)
{
	struct err ignored = { 0 };

	return attr_write_told(root, path, text, &ignored);
}

int attr_write_nudged(const struct sysroot *root, const char *path,
		      const char *text)
{
	char less[24];
	uint64_t number;
	int r;

	if (parse_u64(text, &number) == 0 && number > 0) {
		(void)snprintf(less, sizeof(less), "%" PRIu64, number - 1);
		r = attr_write(root, path, less);
		if (r < 0)
			return r;
	}
	return attr_write(root, path, text);
}

bool attr_is_refusal(int code)
{
	switch (-code) {
	case EPERM:
	case EACCES: /* sysfs: the attribute has no store function */
	case EIO:
	case EOPNOTSUPP:
	case ENOENT:
	case ENODEV:
	case ENXIO:
		return true;
	default:
		return false;
	}
}

bool attr_is_gone(int code)
{
	return code == -ENOENT || code == -ENODEV || code == -ENXIO ||
	       code == -EOPNOTSUPP;
}
