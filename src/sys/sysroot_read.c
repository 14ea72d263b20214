/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Reading files and folders below a root. */

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "sys/sysroot_inside.h"

/* More than any attribute; what is larger is read with sysroot_read_file(). */
#define ATTR_SIZE (64U * 1024)

/* O_NONBLOCK: a FIFO in a captured tree must not hang the reader. */
static int open_to_read(const struct sysroot *root, const char *path)
{
	int r;

	r = kept_errors_find(&root->errors, path);
	if (r < 0)
		return r;
	if (root->hooks.read) {
		r = root->hooks.read(root->hooks.data, path);
		if (r < 0)
			return r;
	}
	return sysroot_open_below(root, path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
}

#define PATIENCE_MS 10000

/* A pipe whose writer is not ready; one without a writer is at its end. */
static bool wait_for_writer(int fd)
{
	struct pollfd poller = { .fd = fd, .events = POLLIN };

	return poll(&poller, 1, PATIENCE_MS) > 0;
}

/* Until the end of the file or n bytes; the number of bytes. */
static ssize_t read_full(int fd, char *buf, size_t n)
{
	size_t len = 0;

	while (len < n) {
		ssize_t r = read(fd, buf + len, n - len);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0 && errno == EAGAIN && wait_for_writer(fd))
			continue;
		if (r < 0)
			return -errno;
		if (r == 0)
			break;
		len += (size_t)r;
	}
	return (ssize_t)len;
}

ssize_t sysroot_read_bytes(const struct sysroot *root, const char *path,
			   void *buf, size_t n)
{
	_cleanup_close_ int fd = open_to_read(root, path);
	ssize_t r = fd < 0 ? fd : read_full(fd, buf, n);

	if (r < 0)
		record_error(root->record, path, (int)r);
	else
		record_file(root->record, path, buf, (size_t)r);
	return r;
}

ssize_t sysroot_read(const struct sysroot *root, const char *path, char *buf,
		     size_t cap)
{
	ssize_t n = sysroot_read_bytes(root, path, buf, cap);

	if (n < 0)
		return n;
	if ((size_t)n == cap)
		return -EFBIG;
	if (memchr(buf, '\0', (size_t)n))
		return -EBADMSG;
	buf[n] = '\0';
	return n;
}

static int read_whole(const struct sysroot *root, const char *path, size_t max,
		      char **ret, size_t *ret_len)
{
	_cleanup_close_ int fd = open_to_read(root, path);
	_cleanup_free_ char *buf = NULL;
	size_t len = 0, cap = 0;
	ssize_t n;

	if (fd < 0)
		return fd;
	do {
		char *bigger = realloc(buf, cap ? cap * 2 : 4096);

		if (!bigger)
			return -ENOMEM;
		buf = bigger;
		cap = cap ? cap * 2 : 4096;
		n = read_full(fd, buf + len, cap - len);
		if (n < 0)
			return (int)n;
		len += (size_t)n;
	} while (len == cap && len <= max);
	if (len > max)
		return -EFBIG;
	if (memchr(buf, '\0', len))
		return -EBADMSG;
	*ret = TAKE_PTR(buf);
	*ret_len = len;
	return 0;
}

int sysroot_read_file(const struct sysroot *root, struct arena *arena,
		      const char *path, size_t max, char **ret)
{
	_cleanup_free_ char *buf = NULL;
	size_t len = 0;
	int r = read_whole(root, path, max, &buf, &len);

	if (r < 0) {
		record_error(root->record, path, r);
		return r;
	}
	record_file(root->record, path, buf, len);
	*ret = arena_strndup(arena, buf, len);
	return 0;
}

char *sysroot_text(const struct sysroot *root, struct arena *arena,
		   const char *path, int *why)
{
	char buf[ATTR_SIZE];
	ssize_t n = sysroot_read(root, path, buf, sizeof(buf));

	if (n < 0) {
		if (why)
			*why = (int)-n;
		return NULL;
	}
	return arena_strdup(arena, text_trim(buf));
}

struct num sysroot_num(const struct sysroot *root, const char *path)
{
	char buf[64];
	ssize_t n = sysroot_read(root, path, buf, sizeof(buf));
	const char *text;
	uint64_t hex;
	int64_t value;

	if (n < 0)
		return num_unknown(n == -EFBIG ? EBADMSG : (int)-n);
	text = text_trim(buf);
	if (parse_i64(text, &value) == 0)
		return num_known(value);
	if (text_has_prefix(text, "0x") && parse_hex_u64(text, &hex) == 0 &&
	    hex <= INT64_MAX)
		return num_known((int64_t)hex);
	return num_unknown(EBADMSG);
}

static int natural_order(const void *a, const void *b)
{
	/* The order of versions is the natural one: nvme2 before nvme10. */
	return strverscmp(*(char *const *)a, *(char *const *)b);
}

static int read_names(const struct sysroot *root, struct arena *arena,
		      const char *path, struct names *ret)
{
	_cleanup_close_ int fd = -1;
	_cleanup_closedir_ DIR *dir = NULL;
	struct names names = { { 0 } };
	const struct dirent *entry;
	int r = kept_errors_find(&root->errors, path);

	if (r < 0)
		return r;
	if (root->hooks.list) {
		r = root->hooks.list(root->hooks.data, path);
		if (r < 0)
			return r;
	}
	fd = sysroot_open_below(root, path, O_RDONLY | O_DIRECTORY);
	if (fd < 0)
		return fd;
	dir = fdopendir(fd);
	if (!dir)
		return -errno;
	fd = -1; /* dir's now */
	while (errno = 0, (entry = readdir(dir))) {
		if (strcmp(entry->d_name, ".") != 0 &&
		    strcmp(entry->d_name, "..") != 0)
			*vec_add(arena, &names.names) =
				arena_strdup(arena, entry->d_name);
	}
	if (errno)
		return -errno;
	if (names.names.n)
		qsort(names.names.items, names.names.n, sizeof(char *),
		      natural_order);
	*ret = names;
	return 0;
}

int sysroot_list(const struct sysroot *root, struct arena *arena,
		 const char *path, struct names *ret)
{
	int r = read_names(root, arena, path, ret);

	if (r < 0)
		record_error(root->record, path, r);
	else
		record_list(root->record, path,
			    (const char *const *)ret->names.items,
			    ret->names.n);
	return r;
}
