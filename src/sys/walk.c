/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "sys/walk.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAX_LINKS 40 /* as the kernel's limit */

struct walk {
	int root;
	char done[PATH_MAX]; /* components that are no links */
	char todo[PATH_MAX];
	unsigned int links;
};

/* done without its last component; above the root is the root. */
static void step_up(struct walk *walk)
{
	char *slash = strrchr(walk->done, '/');

	if (!slash)
		slash = walk->done;
	*slash = '\0';
}

/* Put the link's target in front of rest, which lies inside todo. */
static int follow(struct walk *walk, const char *target, const char *rest)
{
	char joined[PATH_MAX * 2];
	int n;

	if (++walk->links > MAX_LINKS)
		return -ELOOP;
	n = snprintf(joined, sizeof(joined), "%s/%s", target, rest);
	if (n < 0 || (size_t)n >= sizeof(walk->todo))
		return -ENAMETOOLONG;
	memcpy(walk->todo, joined, (size_t)n + 1);
	if (target[0] == '/')
		walk->done[0] = '\0';
	else
		step_up(walk);
	return 0;
}

static int step_down(struct walk *walk, const char *name, size_t n)
{
	size_t len = strlen(walk->done);

	if (len + n + 2 > sizeof(walk->done))
		return -ENAMETOOLONG;
	if (len)
		walk->done[len++] = '/';
	memcpy(walk->done + len, name, n);
	walk->done[len + n] = '\0';
	return 0;
}

/*
 * One component, which starts at name and has n characters; *ret_rest is
 * where to go on.
 */
static int step(struct walk *walk, const char *name, size_t n, bool follow_it,
		const char **ret_rest)
{
	char target[PATH_MAX];
	ssize_t len;
	int r;

	*ret_rest = name + n;
	if (n == 1 && name[0] == '.')
		return 0;
	if (n == 2 && name[0] == '.' && name[1] == '.') {
		step_up(walk);
		return 0;
	}
	r = step_down(walk, name, n);
	if (r < 0)
		return r;
	len = readlinkat(walk->root, walk->done, target, sizeof(target) - 1);
	if (len < 0) /* EINVAL: there, and no link */
		return errno == EINVAL ? 0 : -errno;
	if (!follow_it)
		return 0;
	target[len] = '\0';
	r = follow(walk, target, name + n);
	*ret_rest = walk->todo;
	return r;
}

int walk_resolve(int root, const char *path, bool follow_last,
		 char ret[PATH_MAX])
{
	struct walk walk; /* not zeroed: two pages for a path of 60 bytes */
	const char *rest = walk.todo;
	size_t n = strlen(path);

	if (n >= sizeof(walk.todo))
		return -ENAMETOOLONG;
	walk.root = root;
	walk.links = 0;
	walk.done[0] = '\0';
	memcpy(walk.todo, path, n + 1);
	for (;;) {
		bool last;
		int r;

		rest += strspn(rest, "/");
		n = strcspn(rest, "/");
		if (n == 0)
			break;
		last = rest[n + strspn(rest + n, "/")] == '\0';
		r = step(&walk, rest, n, follow_last || !last, &rest);
		if (r < 0)
			return r;
	}
	(void)snprintf(ret, PATH_MAX, "%s", walk.done[0] ? walk.done : ".");
	return 0;
}
