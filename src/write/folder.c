/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/folder.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/parse.h"
#include "sys/sysroot.h"

int folder_open(const struct sysroot *root, const char *path)
{
	return sysroot_open_fd(root, path, O_RDONLY | O_DIRECTORY);
}

int folder_open_parent(const struct sysroot *root, const char *path,
		       const char **ret_name)
{
	const char *slash = strrchr(path, '/');
	char parent[PATH_MAX];
	size_t n = slash ? (size_t)(slash - path) : 0;

	if (n >= sizeof(parent))
		return -ENAMETOOLONG;
	memcpy(parent, path, n);
	parent[n] = '\0';
	*ret_name = slash ? slash + 1 : path;
	return folder_open(root, n ? parent : "/");
}

int folder_sync(int fd)
{
	/* Some file systems know no fsync of folders. */
	if (fsync(fd) < 0 && errno != EINVAL && errno != EOPNOTSUPP)
		return -errno;
	return 0;
}

/* Whatever the umask, the mode is what was asked for; of the folder itself, as
 * in a folder that others may write to a link may have its name by now. */
static int set_mode(int parent, const char *name, mode_t mode)
{
	_cleanup_close_ int fd = openat(
		parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return fd < 0 || fchmod(fd, mode) < 0 ? -errno : 0;
}

int folder_make(const struct sysroot *root, const char *path, mode_t mode,
		struct err *err)
{
	const char *name;
	_cleanup_close_ int fd = folder_open_parent(root, path, &name);
	int r = fd;

	if (r < 0)
		return err_errno(err, r, "%s: cannot make the folder", path);
	if (mkdirat(fd, name, mode) < 0)
		return errno == EEXIST ?
			       0 :
			       err_errno(err, -errno,
					 "%s: cannot make the folder", path);
	r = set_mode(fd, name, mode);
	if (r < 0)
		return err_errno(err, r, "%s: cannot set the mode", path);
	r = folder_sync(fd);
	if (r < 0)
		return err_errno(err, r, "%s: cannot make the folder", path);
	return 0;
}

int folder_remove(const struct sysroot *root, const char *path)
{
	const char *name;
	_cleanup_close_ int fd = folder_open_parent(root, path, &name);

	if (fd < 0)
		return fd == -ENOENT ? 0 : fd;
	if (unlinkat(fd, name, AT_REMOVEDIR) < 0) {
		if (errno == ENOENT)
			return 0;
		return errno == EEXIST ? -ENOTEMPTY : -errno;
	}
	return folder_sync(fd);
}

static bool is_listed(const struct folder_list *list, const char *path)
{
	VEC_EACH(&list->paths, const char *, it)
		if (text_equal(*it, path))
			return true;
	return false;
}

void folder_list_missing(const struct sysroot *root, struct arena *arena,
			 const char *path, struct folder_list *list)
{
	const char *slash = path;

	while ((slash = strchr(slash + 1, '/'))) {
		const char *above =
			arena_strndup(arena, path, (size_t)(slash - path));

		if (!sysroot_exists(root, above) && !is_listed(list, above))
			*vec_add(arena, &list->paths) = above;
	}
}

int folder_make_all(const struct sysroot *root, struct arena *arena,
		    const char *path, mode_t mode, struct err *err)
{
	struct folder_list missing = { { 0 } };

	folder_list_missing(root, arena, path, &missing);
	VEC_EACH(&missing.paths, const char *, it) {
		int r = folder_make(root, *it, 0755, err);

		if (r < 0)
			return r;
	}
	return folder_make(root, path, mode, err);
}
