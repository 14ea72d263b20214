/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/probe.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "probe/scan.h"

void scan_blind(struct scan *scan, const char *fmt, ...)
{
	char text[256];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	VEC_EACH(&scan->facts->blind, const char *, it)
		if (strcmp(*it, text) == 0)
			return;
	*vec_add(scan->arena, &scan->facts->blind) =
		arena_strdup(scan->arena, text);
}

/* A path that does not fit leads to the root, where no attribute is. */
#define PATH_FROM(path, fmt)                                       \
	do {                                                       \
		va_list args;                                      \
		int path_n;                                        \
                                                                   \
		va_start(args, fmt);                               \
		path_n = vsnprintf(path, sizeof(path), fmt, args); \
		va_end(args);                                      \
		if (path_n < 0 || (size_t)path_n >= sizeof(path))  \
			path[0] = '\0';                            \
	} while (0)

char *scan_text(struct scan *scan, const char *fmt, ...)
{
	char path[PATH_MAX];

	PATH_FROM(path, fmt);
	return sysroot_text(scan->root, scan->arena, path, NULL);
}

struct num scan_num(struct scan *scan, const char *fmt, ...)
{
	char path[PATH_MAX];

	(void)scan;
	PATH_FROM(path, fmt);
	return sysroot_num(scan->root, path);
}

struct cpuset scan_cpus(struct scan *scan, const char *fmt, ...)
{
	struct cpuset cpus = { 0 };
	char path[PATH_MAX];
	const char *text;

	PATH_FROM(path, fmt);
	text = sysroot_text(scan->root, scan->arena, path, NULL);
	if (text)
		(void)cpuset_parse_list(scan->arena, text, &cpus);
	return cpus;
}

struct num scan_keep(struct scan *scan, const char *name, struct num live)
{
	const char *text;
	int64_t value;

	if (sysroot_is_live(scan->root)) {
		text = arena_printf(scan->arena, "%lld", (long long)live.value);
		if (live.known)
			sysroot_keep(scan->root, name, text, strlen(text), 0);
		return live;
	}
	text = sysroot_kept_text(scan->root, scan->arena, name);
	if (!text || parse_i64(text, &value) < 0)
		return num_unknown(0);
	return num_known(value);
}

struct num scan_mtime(struct scan *scan, const char *path)
{
	return scan_keep(
		scan,
		arena_printf(scan->arena, "mtime/%s", path + (path[0] == '/')),
		sysroot_is_live(scan->root) ? sysroot_mtime(scan->root, path) :
					      num_unknown(0));
}

bool scan_is_pcie(const struct ctrl *ctrl)
{
	return text_equal(ctrl->transport, "pcie");
}

const char *scan_chosen_word(struct arena *arena, const char *text)
{
	const char *open = strchr(text, '[');
	const char *close = open ? strchr(open, ']') : NULL;

	if (!close)
		return text;
	return arena_strndup(arena, open + 1, (size_t)(close - open - 1));
}

int probe_host(const struct sysroot *root, const struct knob_set *knobs,
	       const struct probe_options *options, struct arena *arena,
	       struct facts *ret, struct err *err)
{
	struct facts facts = { 0 };
	struct scan scan = {
		.root = root,
		.knobs = knobs,
		.options = options,
		.arena = arena,
		.facts = &facts,
	};
	int r;

	host_scan(&scan);
	ctrl_scan(&scan);
	pci_scan(&scan);
	ns_scan(&scan);
	vectors_scan(&scan);
	split_scan(&scan);
	kmod_scan(&scan);
	boot_scan(&scan);
	config_scan(&scan);
	runners_scan(&scan);
	services_scan(&scan);
	irqbalance_scan(&scan);
	writers_scan(&scan);
	observe_scan(&scan);
	host_scan_governor(&scan);
	admin_scan(&scan);
	jobs_scan(&scan);
	r = log_scan(&scan, err);
	if (r < 0)
		return r;
	*ret = facts;
	return 0;
}
