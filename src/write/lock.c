/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "write/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/err.h"
#include "base/parse.h"
#include "sys/sysroot.h"
#include "write/device_notes.h"
#include "write/folder.h"
#include "write/state.h"

#define LIVE_LOCK "/run/nvmetune.lock"
#define TREE_LOCK STATE_DIR "/lock"

/* Of the device helper: how long it waits, and for how long apply does. */
#define DEVICE_SUFFIX ".lock"
#define DEVICE_WAITS_SECONDS 2U
#define FOR_DEVICE_SECONDS 10U

#define POLL_MS 100U
#define POLLS_PER_SECOND (1000U / POLL_MS)

/* Whoever may open it may hold it: not even to read is it for others. */
#define LOCK_MODE 0600

static int open_lock(const struct sysroot *root, const char *path)
{
	const char *name;
	_cleanup_close_ int folder = folder_open_parent(root, path, &name);
	int fd;

	if (folder < 0)
		return folder;
	fd = openat(folder, name,
		    O_RDWR | O_CREAT | O_NOFOLLOW | O_NOCTTY | O_CLOEXEC,
		    LOCK_MODE);
	return fd < 0 ? -errno : fd;
}

/* -EBUSY as long as another one has it.  Twice in any case: lock_is_taken()
 * has it for an instant. */
static int try_for(int fd, unsigned int seconds)
{
	const struct timespec pause = { .tv_nsec = POLL_MS * 1000000L };

	for (uint64_t left = (uint64_t)seconds * POLLS_PER_SECOND + 1;;
	     left--) {
		if (flock(fd, LOCK_EX | LOCK_NB) == 0)
			return 0;
		if (errno != EWOULDBLOCK && errno != EINTR)
			return -errno;
		if (left == 0)
			return -EBUSY;
		(void)nanosleep(&pause, NULL);
	}
}

/* Somebody took the file away while we waited: another one may lock the next
 * of that name by now. */
static bool is_removed(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && st.st_nlink == 0;
}

static int say_who_holds_it(int fd, struct err *err)
{
	char text[32];
	unsigned int pid;
	ssize_t n = pread(fd, text, sizeof(text) - 1, 0);

	text[n > 0 ? n : 0] = '\0';
	if (parse_uint(text_trim(text), &pid) < 0)
		return err_set(
			err, -EBUSY,
			"another nvmetune is running; try --wait SECONDS");
	return err_set(
		err, -EBUSY,
		"another nvmetune is running, process %u; try --wait SECONDS",
		pid);
}

/* An image is locked by its own folder: nothing is left in it. */
static int lock_image(const struct sysroot *root, unsigned int wait_seconds,
		      int *ret_fd, struct err *err)
{
	_cleanup_close_ int fd =
		sysroot_open_fd(root, "/", O_RDONLY | O_DIRECTORY);
	int r = fd < 0 ? fd : try_for(fd, wait_seconds);

	if (r == -EBUSY)
		return err_set(
			err, r,
			"another nvmetune is running on %s; try --wait SECONDS",
			sysroot_path(root));
	if (r < 0)
		return err_errno(err, r, "%s: cannot lock", sysroot_path(root));
	*ret_fd = TAKE_FD(fd);
	return 0;
}

/* Who holds it is for the eye: failing to say so is no failure. */
static void sign(int fd)
{
	char text[32];
	int n = snprintf(text, sizeof(text), "%d\n", (int)getpid());

	if (ftruncate(fd, 0) == 0 && pwrite(fd, text, (size_t)n, 0) != n)
		(void)ftruncate(fd, 0);
}

static const char *main_lock(const struct sysroot *root)
{
	return sysroot_is_live(root) ? LIVE_LOCK : TREE_LOCK;
}

static int wait_for_device(const struct sysroot *root, const char *path,
			   struct err *err)
{
	_cleanup_close_ int fd = open_lock(root, path);
	int r = fd < 0 ? fd : try_for(fd, FOR_DEVICE_SECONDS);

	if (r == -EBUSY)
		return err_set(err, r,
			       "%s: the device helper is still running; try "
			       "again",
			       path);
	return r < 0 ? err_errno(err, r, "%s: cannot lock", path) : 0;
}

/* A helper that starts from now on sees our lock and leaves. */
static int wait_for_devices(const struct sysroot *root, struct arena *arena,
			    struct err *err)
{
	struct names names = { { 0 } };

	(void)sysroot_list(root, arena, DEVICE_DIR, &names);
	VEC_EACH(&names.names, char *, it) {
		int r = 0;

		if (text_has_suffix(*it, DEVICE_SUFFIX))
			r = wait_for_device(root,
					    arena_printf(arena,
							 DEVICE_DIR "/%s", *it),
					    err);
		if (r < 0)
			return r;
	}
	return 0;
}

int lock_take(const struct sysroot *root, struct arena *arena,
	      unsigned int wait_seconds, int *ret_fd, struct err *err)
{
	const char *path = main_lock(root);
	_cleanup_close_ int fd = -1;
	int r;

	if (sysroot_is_image(root))
		return lock_image(root, wait_seconds, ret_fd, err);
	r = sysroot_is_live(root) ? 0 : state_make(root, arena, err);
	if (r < 0)
		return r;
	do {
		if (fd >= 0)
			(void)close(fd);
		fd = open_lock(root, path);
		if (fd < 0)
			return err_errno(err, fd, "%s: cannot open the lock",
					 path);
		r = try_for(fd, wait_seconds);
	} while (r == 0 && is_removed(fd));
	if (r == -EBUSY)
		return say_who_holds_it(fd, err);
	if (r < 0)
		return err_errno(err, r, "%s: cannot lock", path);
	sign(fd);
	r = wait_for_devices(root, arena, err);
	if (r < 0)
		return r;
	*ret_fd = TAKE_FD(fd);
	return 0;
}

bool lock_is_taken(const struct sysroot *root)
{
	_cleanup_close_ int fd =
		sysroot_open_fd(root, main_lock(root), O_RDONLY | O_NOCTTY);

	return fd >= 0 && flock(fd, LOCK_SH | LOCK_NB) < 0 &&
	       errno == EWOULDBLOCK;
}

int lock_take_device(const struct sysroot *root, struct arena *arena,
		     const char *ctrl, int *ret_fd, struct err *err)
{
	const char *path =
		arena_printf(arena, DEVICE_DIR "/%s" DEVICE_SUFFIX, ctrl);
	_cleanup_close_ int fd = -1;
	int r = folder_make_all(root, arena, DEVICE_DIR, DEVICE_DIR_MODE, err);

	if (r < 0)
		return r;
	fd = open_lock(root, path);
	if (fd < 0)
		return err_errno(err, fd, "%s: cannot open the lock", path);
	r = try_for(fd, DEVICE_WAITS_SECONDS);
	if (r < 0)
		return err_errno(err, r, "%s: cannot lock", path);
	*ret_fd = TAKE_FD(fd);
	return 0;
}
