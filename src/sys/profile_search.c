/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/profile_search.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/nearest.h"
#include "base/parse.h"
#include "core/profile.h"
#include "sys/sysroot.h"

#define OWN_DIR SYSCONF_DIR "/nvmetune/profiles"
#define SUFFIX ".ini"
#define MAX_BYTES (1024U * 1024)

/*
 * "/home/x/nvmetune/build/gcc/nvmetune" -> "/home/x/nvmetune/profiles", if
 * that is a folder; NULL for an installed binary.
 */
static const char *source_dir(struct arena *arena)
{
	char exe[PATH_MAX];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof(exe) - 1);
	char *build = NULL;
	const char *dir;

	if (n < 0)
		return NULL;
	exe[n] = '\0';
	for (char *p = exe; (p = strstr(p, "/build/")); p++)
		build = p;
	if (!build)
		return NULL;
	*build = '\0';
	dir = arena_printf(arena, "%s/profiles", exe);
	return access(dir, X_OK) == 0 ? dir : NULL;
}

static const char *shipped_dir(struct arena *arena)
{
	const char *dir = source_dir(arena);

	return dir ? dir : PROFILE_DIR;
}

/* Shorter for the eye, and the same on every machine for one source tree. */
static const char *from_here(struct arena *arena, const char *path)
{
	char here[PATH_MAX];
	size_t n;

	if (!getcwd(here, sizeof(here)))
		return path;
	n = strlen(here);
	if (strncmp(path, here, n) == 0 && path[n] == '/')
		return arena_strdup(arena, path + n + 1);
	return path;
}

static int read_all(struct arena *arena, int fd, struct profile_bytes *ret)
{
	_cleanup_free_ char *buf = malloc(MAX_BYTES + 1);
	size_t len = 0;
	ssize_t n;

	if (!buf)
		return -ENOMEM;
	do {
		n = read(fd, buf + len, MAX_BYTES + 1 - len);
		if (n < 0 && errno != EINTR)
			return -errno;
		if (n > 0)
			len += (size_t)n;
	} while (n != 0 && len <= MAX_BYTES);
	if (len > MAX_BYTES)
		return -EFBIG;
	ret->text = arena_strndup(arena, buf, len);
	ret->n = len;
	return 0;
}

/* "dir/oltp.ini" lies in dir. */
static const char *folder_of(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');

	return arena_strndup(arena, path, (size_t)(slash - path));
}

/* Would root do what anyone can write?  /tmp and the like are sticky: a file
 * there is its owner's. */
static bool is_anyones(mode_t mode)
{
	return mode & S_IWOTH && (S_ISREG(mode) || S_ISDIR(mode)) &&
	       !(mode & S_ISVTX);
}

static int refuse_anyones(const char *path, mode_t mode, struct err *err)
{
	return err_set(
		err, -EPERM,
		"%s: anyone may write it (mode %04o), and root would do what it says: \"chmod o-w %s\"",
		path, (unsigned int)(mode & 07777), path);
}

/* root: the file lies below it. */
static int check_writers(const struct sysroot *root, struct arena *arena,
			 const char *path, int fd, struct err *err)
{
	const char *slash = strrchr(path, '/');
	const char *folder = slash == path ? "/" :
			     slash	   ? folder_of(arena, path) :
					     ".";
	struct stat file, dir = { 0 };
	int r;

	if (geteuid() != 0 || fstat(fd, &file) < 0)
		return 0;
	if (is_anyones(file.st_mode))
		return refuse_anyones(path, file.st_mode, err);
	r = root ? sysroot_mode(root, folder, &dir.st_mode) :
		   stat(folder, &dir);
	if (S_ISREG(file.st_mode) && r == 0 && is_anyones(dir.st_mode))
		return refuse_anyones(folder, dir.st_mode, err);
	return 0;
}

/*
 * The bytes of what at names (below root, unless that is NULL) into *ret.  fd
 * is closed; a negative one is the errno of opening.
 */
static int take(const struct sysroot *root, struct arena *arena,
		int fd_or_errno, const struct profile_bytes *at,
		struct profile_bytes *ret, struct err *err)
{
	_cleanup_close_ int fd = fd_or_errno;
	struct profile_bytes bytes = *at;
	int r = fd < 0 ? fd : 0;

	if (r == 0 && check_writers(root, arena, at->file, fd, err) < 0)
		return err->code;
	if (r == 0)
		r = read_all(arena, fd, &bytes);
	if (r == -EFBIG)
		return err_set(err, r, "%s: larger than 1 MiB", at->file);
	if (r < 0)
		return err_errno(err, r, "%s", at->file);
	*ret = bytes;
	return 0;
}

static int open_path(const char *path)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);

	return fd < 0 ? -errno : fd;
}

/* "dir/oltp.ini" is the profile oltp. */
static const char *name_of(struct arena *arena, const char *path)
{
	const char *slash = strrchr(path, '/');
	const char *base = slash ? slash + 1 : path;
	size_t n = strlen(base);

	if (text_has_suffix(base, SUFFIX) && n > strlen(SUFFIX))
		n -= strlen(SUFFIX);
	return arena_strndup(arena, base, n);
}

static int not_found(const struct sysroot *root, struct arena *arena,
		     const char *name, struct err *err)
{
	struct profile_places places = { 0 };
	const char **names;
	const char *near = NULL;
	struct strbuf list;

	if (text_has_suffix(name, SUFFIX))
		return err_set(
			err, -ENOENT,
			"no profile \"%s\": a file is given with a \"/\", as ./%s",
			name, name);
	strbuf_init(&list, arena);
	if (profile_places(root, arena, &places, NULL) == 0 && places.items.n) {
		names = arena_array(arena, places.items.n, sizeof(*names));
		for (size_t i = 0; i < places.items.n; i++) {
			names[i] = places.items.items[i].name;
			strbuf_printf(&list, "%s%s", i ? ", " : "", names[i]);
		}
		near = nearest_name(name, names, places.items.n);
	}
	if (near)
		return err_set(
			err, -ENOENT,
			"no profile \"%s\": there are %s; did you mean %s?",
			name, list.text, near);
	return err_set(err, -ENOENT, "no profile \"%s\": there %s", name,
		       list.len ? arena_printf(arena, "are %s", list.text) :
				  "are none");
}

/* A file that is there but cannot be read must not let a later place win. */
static bool is_absent(int fd)
{
	return fd == -ENOENT || fd == -ENOTDIR;
}

static int find_name(const struct sysroot *root, struct arena *arena,
		     const char *folder, const char *name,
		     struct profile_bytes *ret, struct err *err)
{
	struct profile_bytes at = { .name = arena_strdup(arena, name) };
	int fd;

	if (folder) {
		at.file = arena_printf(arena, "%s/%s" SUFFIX, folder, name);
		at.folder = folder;
		fd = open_path(at.file);
		if (!is_absent(fd))
			return take(NULL, arena, fd, &at, ret, err);
	}
	at.folder = NULL;
	if (root) {
		at.file = arena_printf(arena, OWN_DIR "/%s" SUFFIX, name);
		fd = sysroot_open_fd(root, at.file, O_RDONLY | O_NOCTTY);
		if (!is_absent(fd))
			return take(root, arena, fd, &at, ret, err);
	}
	at.file = arena_printf(arena, "%s/%s" SUFFIX, shipped_dir(arena), name);
	fd = open_path(at.file);
	if (is_absent(fd))
		return not_found(root, arena, name, err);
	at.file = from_here(arena, at.file);
	return take(NULL, arena, fd, &at, ret, err);
}

int profile_find(const struct sysroot *root, struct arena *arena,
		 const char *folder, const char *name_or_path,
		 struct profile_bytes *ret, struct err *err)
{
	if (strchr(name_or_path, '/')) {
		struct profile_bytes at = {
			.name = name_of(arena, name_or_path),
			.file = arena_strdup(arena, name_or_path),
			.folder = folder_of(arena, name_or_path),
		};

		return take(NULL, arena, open_path(name_or_path), &at, ret,
			    err);
	}
	if (!profile_name_is_legal(name_or_path))
		return err_set(
			err, -EINVAL,
			"\"%s\" is no name of a profile: letters, digits, \".\", \"_\" and \"-\"",
			name_or_path);
	return find_name(root, arena, folder, name_or_path, ret, err);
}

static struct profile_place *find_place(const struct profile_places *places,
					const char *name)
{
	VEC_EACH(&places->items, struct profile_place, it)
		if (strcmp(it->name, name) == 0)
			return it;
	return NULL;
}

/* One file of a folder; shipped ones come after those of /etc. */
static void add_place(struct arena *arena, const char *dir, const char *entry,
		      struct profile_places *ret)
{
	const char *name = name_of(arena, entry);
	struct profile_place *place;

	if (!text_has_suffix(entry, SUFFIX) || !profile_name_is_legal(name))
		return;
	place = find_place(ret, name);
	if (place) {
		place->replaces = true;
		return;
	}
	*vec_add(arena, &ret->items) = (struct profile_place){
		.name = name,
		.file = from_here(arena,
				  arena_printf(arena, "%s/%s", dir, entry)),
	};
}

static int add_shipped(struct arena *arena, struct profile_places *ret,
		       struct err *err)
{
	const char *path = shipped_dir(arena);
	_cleanup_closedir_ DIR *dir = opendir(path);
	const struct dirent *entry;

	if (!dir)
		return errno == ENOENT ? 0 : err_errno(err, -errno, "%s", path);
	while (errno = 0, (entry = readdir(dir)))
		add_place(arena, path, entry->d_name, ret);
	return errno ? err_errno(err, -errno, "%s", path) : 0;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct profile_place *)a)->name,
		      ((const struct profile_place *)b)->name);
}

int profile_places(const struct sysroot *root, struct arena *arena,
		   struct profile_places *ret, struct err *err)
{
	struct profile_places places = { 0 };
	struct names own = { 0 };
	int r = root ? sysroot_list(root, arena, OWN_DIR, &own) : 0;

	if (r < 0 && !is_absent(r))
		return err_errno(err, r, "%s", OWN_DIR);
	VEC_EACH(&own.names, char *, it)
		add_place(arena, OWN_DIR, *it, &places);
	r = add_shipped(arena, &places, err);
	if (r < 0)
		return r;
	if (places.items.n)
		qsort(places.items.items, places.items.n,
		      sizeof(places.items.items[0]), by_name);
	*ret = places;
	return 0;
}
