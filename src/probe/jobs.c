/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Background work that spoils a measurement: md and trim. */

#include <string.h>

#include "base/parse.h"
#include "probe/scan.h"

/* "      [=>....]  resync = 12.1% (1/8) finish=3.1min speed=2K/sec": the
 * words "resync 12.1%", or NULL.  PENDING and DELAYED do nothing yet. */
static const char *md_progress(struct arena *arena, const char *line)
{
	static const char *const words[] = { "resync", "recovery", "reshape",
					     "check", "repair" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		const char *p = strstr(line, words[i]);
		size_t n;

		if (!p)
			continue;
		p += strlen(words[i]);
		p += strspn(p, " =");
		n = strspn(p, "0123456789.");
		if (n && p[n] == '%')
			return arena_printf(arena, "%s %.*s%%", words[i],
					    (int)n, p);
	}
	return NULL;
}

static void scan_mdstat(struct scan *scan)
{
	char *text = scan_text(scan, "proc/mdstat");
	const char *array = NULL;
	char *line;

	while (text && (line = strsep(&text, "\n"))) {
		const char *progress;

		if (*line && *line != ' ') {
			line[strcspn(line, " ")] = '\0';
			array = line;
			continue;
		}
		progress = md_progress(scan->arena, line);
		if (array && progress)
			*vec_add(scan->arena, &scan->facts->jobs) =
				arena_printf(scan->arena, "%s: %s", array,
					     progress);
	}
}

static void scan_trim(struct scan *scan)
{
	const char *pids = scan_text(
		scan, "sys/fs/cgroup/system.slice/fstrim.service/cgroup.procs");

	if (pids && *pids)
		*vec_add(scan->arena, &scan->facts->jobs) = "fstrim: running";
}

void jobs_scan(struct scan *scan)
{
	scan_mdstat(scan);
	scan_trim(scan);
}
