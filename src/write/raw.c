/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/raw.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "sys/record.h"
#include "sys/sysroot.h"
#include "write/folder.h"

#define MAX_LINKS 40

struct raw {
	const struct sysroot *from;
	struct arena *arena;
	int fd; /* of the tree */
	struct err *err;
};

/* A folder of the tree, made with all above it; no component is a link, so
 * that nothing leads out of the tree. */
static int open_folder(const struct raw *raw, const char *path)
{
	_cleanup_close_ int fd = fcntl(raw->fd, F_DUPFD_CLOEXEC, 0);
	char name[NAME_MAX + 1];

	while (fd >= 0 && *path) {
		size_t n = strcspn(path, "/");
		int next;

		if (n > NAME_MAX)
			return -ENAMETOOLONG;
		memcpy(name, path, n);
		name[n] = '\0';
		path += n;
		path += strspn(path, "/");
		if (n == 0)
			continue;
		if (mkdirat(fd, name, 0755) < 0 && errno != EEXIST)
			return -errno;
		next = openat(fd, name,
			      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (next < 0)
			return -errno;
		(void)close(fd);
		fd = next;
	}
	return fd < 0 ? -errno : TAKE_FD(fd);
}

static int open_parent(const struct raw *raw, const char *path,
		       const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	size_t n = slash ? (size_t)(slash - path) : 0;

	*ret_name = slash ? slash + 1 : path;
	return open_folder(raw, arena_strndup(raw->arena, path, n));
}

static int put_link(const struct raw *raw, const char *path, const char *target)
{
	const char *name;
	_cleanup_close_ int fd = open_parent(raw, path, &name);

	if (fd < 0)
		return fd;
	return symlinkat(target, fd, name) < 0 && errno != EEXIST ? -errno : 0;
}

static int write_all(int fd, const char *bytes, size_t n)
{
	while (n > 0) {
		ssize_t r = write(fd, bytes, n);

		if (r < 0 && errno == EINTR)
			continue;
		if (r < 0)
			return -errno;
		bytes += r;
		n -= (size_t)r;
	}
	return 0;
}

/* A file that is there already stays as it is. */
static int put_file(const struct raw *raw, const char *path, const char *bytes,
		    size_t n)
{
	const char *name;
	_cleanup_close_ int folder = open_parent(raw, path, &name);
	_cleanup_close_ int fd = -1;

	if (folder < 0)
		return folder;
	fd = openat(folder, name,
		    O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	if (fd < 0)
		return errno == EEXIST ? 0 : -errno;
	return write_all(fd, bytes, n);
}

static char *parent_of(const struct raw *raw, const char *path)
{
	const char *slash = strrchr(path, '/');

	return arena_strndup(raw->arena, path,
			     slash ? (size_t)(slash - path) : 0);
}

/* One more component behind path, which is no link. */
static char *step(const struct raw *raw, const char *path, const char *name,
		  size_t n)
{
	if (n == 1 && name[0] == '.')
		return arena_strdup(raw->arena, path);
	if (n == 2 && name[0] == '.' && name[1] == '.')
		return parent_of(raw, path);
	return arena_printf(raw->arena, "%s%s%.*s", path, *path ? "/" : "",
			    (int)n, name);
}

/*
 * Where path leads, with every link on the way put into the tree as it is.
 * The last component is followed only where asked.
 */
static int resolve(const struct raw *raw, const char *path, bool follow_last,
		   char **ret)
{
	char *done = arena_strdup(raw->arena, "");
	unsigned int links = 0;

	for (path += strspn(path, "/"); *path; path += strspn(path, "/")) {
		size_t n = strcspn(path, "/");
		char *next = step(raw, done, path, n), *target;
		bool is_last = path[n + strspn(path + n, "/")] == '\0';
		int r;

		path += n;
		target = sysroot_link_text(raw->from, raw->arena, next);
		if (!target || (is_last && !follow_last)) {
			done = next;
			continue;
		}
		if (++links > MAX_LINKS)
			return -ELOOP;
		r = put_link(raw, next, target);
		if (r < 0)
			return r;
		if (target[0] == '/')
			done = arena_strdup(raw->arena, "");
		path = arena_printf(raw->arena, "%s/%s", target, path);
	}
	*ret = done;
	return 0;
}

/* What it is on the recorded root, as an empty one of its kind. */
static int put_place(const struct raw *raw, const char *path)
{
	char *target = sysroot_link_text(raw->from, raw->arena, path);
	mode_t mode;
	int fd;

	if (target)
		return put_link(raw, path, target);
	if (sysroot_mode(raw->from, path, &mode) < 0)
		return 0; /* gone meanwhile */
	if (!S_ISDIR(mode))
		return put_file(raw, path, "", 0);
	fd = open_folder(raw, path);
	if (fd >= 0)
		(void)close(fd);
	return fd < 0 ? fd : 0;
}

static int put_list(const struct raw *raw, const char *path,
		    const struct seen *seen)
{
	int fd = open_folder(raw, path), r = 0;

	if (fd < 0)
		return fd;
	(void)close(fd);
	for (const char *name = seen->bytes;
	     r == 0 && name < seen->bytes + seen->n; name += strlen(name) + 1)
		r = put_place(raw, step(raw, path, name, strlen(name)));
	return r;
}

/* That nobody may write is how a managed vector shows. */
static int put_mode(const struct raw *raw, const char *path, mode_t mode)
{
	const char *name;
	_cleanup_close_ int fd = -1;
	int r = put_place(raw, path);

	if (r < 0 || !S_ISREG(mode) || (mode & 0222))
		return r;
	fd = open_parent(raw, path, &name);
	if (fd < 0)
		return fd;
	return fchmodat(fd, name, 0444, 0) < 0 && errno != ENOENT ? -errno : 0;
}

static int put_seen(const struct raw *raw, const struct seen *seen)
{
	char *path = NULL;
	int r = 0;

	if (seen->kind != SEEN_ERROR)
		r = resolve(raw, seen->path, seen->kind != SEEN_LINK, &path);
	if (r < 0 || !path || path[0] == '\0')
		return r == -ELOOP ? 0 : r;
	switch (seen->kind) {
	case SEEN_FILE:
		return put_file(raw, path, seen->bytes, seen->n);
	case SEEN_LIST:
		return put_list(raw, path, seen);
	case SEEN_LINK:
		return put_place(raw, path);
	case SEEN_PLACE:
		return put_mode(raw, path, seen->mode);
	case SEEN_ERROR:
		break;
	}
	return 0;
}

/* Of a file that was read in part and as a whole, the whole comes first;
 * places after all, since they must not stand in a file's way. */
static int by_kind_and_path(const void *a, const void *b)
{
	const struct seen *x = a, *y = b;
	int r = (x->kind > y->kind) - (x->kind < y->kind);

	if (r == 0)
		r = strcmp(x->path, y->path);
	return r ? r : (x->n < y->n) - (x->n > y->n);
}

static bool is_same(const struct seen *a, const struct seen *b)
{
	return a->kind == b->kind && strcmp(a->path, b->path) == 0;
}

/* A line cannot hold a path that has one of its own. */
static int put_errors(const struct raw *raw, const struct seen *seen, size_t n)
{
	struct strbuf text;

	strbuf_init(&text, raw->arena);
	for (size_t i = 0; i < n; i++)
		if (seen[i].kind == SEEN_ERROR && !strchr(seen[i].path, '\n') &&
		    (i == 0 || !is_same(&seen[i], &seen[i - 1])))
			strbuf_printf(&text, "%d %s\n", seen[i].why,
				      seen[i].path);
	return put_file(raw, RECORD_ERRORS, text.text, text.len);
}

static int open_tree(struct raw *raw, const char *dir,
		     struct sysroot **ret_real)
{
	struct names names;
	int r = sysroot_open("/", ret_real, raw->err);

	if (r < 0)
		return r;
	r = folder_make(*ret_real, dir, 0755, raw->err);
	if (r < 0)
		return r;
	r = sysroot_list(*ret_real, raw->arena, dir, &names);
	if (r == 0 && names.names.n)
		return err_set(raw->err, -EEXIST, "%s: the folder is not empty",
			       dir);
	if (r == 0)
		raw->fd = folder_open(*ret_real, dir);
	if (r < 0 || raw->fd < 0)
		return err_errno(raw->err, r < 0 ? r : raw->fd, "%s", dir);
	return 0;
}

int raw_write(const struct record *record, const struct sysroot *from,
	      struct arena *arena, const char *dir, struct err *err)
{
	_cleanup_sysroot_ struct sysroot *real = NULL;
	struct raw raw = { .from = from, .arena = arena, .fd = -1, .err = err };
	size_t n = record->seen.n;
	struct seen *seen = arena_array(arena, n, sizeof(*seen));
	int r = open_tree(&raw, dir, &real);

	if (r < 0)
		return r;
	if (n) {
		memcpy(seen, record->seen.items, n * sizeof(*seen));
		qsort(seen, n, sizeof(*seen), by_kind_and_path);
	}
	for (size_t i = 0; r == 0 && i < n; i++) {
		if (i > 0 && is_same(&seen[i], &seen[i - 1]))
			continue;
		r = put_seen(&raw, &seen[i]);
		if (r < 0)
			(void)err_errno(err, r, "%s/%s", dir, seen[i].path);
	}
	if (r == 0) {
		r = put_errors(&raw, seen, n);
		if (r < 0)
			(void)err_errno(err, r, "%s/" RECORD_ERRORS, dir);
	}
	(void)close(raw.fd);
	return r;
}
