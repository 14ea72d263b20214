/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Others that write the same settings. */

#include <stdio.h>
#include <string.h>

#include "base/parse.h"
#include "probe/scan.h"

struct service_row {
	const char *name;
	const char *files[3]; /* any of them: installed */
	const char *detail;   /* a file whose text tells more, or NULL */
};

static const struct service_row rows[] = {
	{ "irqbalance", { "usr/sbin/irqbalance", "usr/bin/irqbalance" }, NULL },
	{ "tuned",
	  { "usr/sbin/tuned", "usr/bin/tuned" },
	  "etc/tuned/active_profile" },
	{ "multipathd",
	  { "usr/sbin/multipathd", "sbin/multipathd", "usr/bin/multipathd" },
	  NULL },
};

static bool any_exists(struct scan *scan, const char *const *files, size_t n)
{
	for (size_t i = 0; i < n && files[i]; i++)
		if (sysroot_exists(scan->root, files[i]))
			return true;
	return false;
}

/* A program may lie anywhere; its unit does not. */
static bool has_unit(struct scan *scan, const char *name)
{
	static const char *const folders[] = { "etc/systemd/system",
					       "usr/lib/systemd/system",
					       "lib/systemd/system" };

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		if (sysroot_exists(scan->root,
				   arena_printf(scan->arena, "%s/%s.service",
						folders[i], name)))
			return true;
	return false;
}

/* Without systemd: a process of that name. */
static bool has_process(struct scan *scan, const char *name)
{
	struct names list = { { 0 } };

	(void)sysroot_list(scan->root, scan->arena, "proc", &list);
	VEC_EACH(&list.names, char *, pid) {
		char comm[32];
		char path[64];
		uint64_t number;

		if (parse_u64(*pid, &number) < 0)
			continue;
		(void)snprintf(path, sizeof(path), "proc/%s/comm", *pid);
		if (sysroot_read(scan->root, path, comm, sizeof(comm)) > 0 &&
		    strcmp(text_trim(comm), name) == 0)
			return true;
	}
	return false;
}

/*
 * systemd gives a service a control group, which has processes while it
 * runs: one file instead of a look at every process.
 */
static const char *const slices[] = {
	"sys/fs/cgroup/system.slice",
	"sys/fs/cgroup/systemd/system.slice",
};

/* Of the slices, the one that there is on this host, or NULL. */
static const char *find_slice(struct scan *scan)
{
	for (size_t i = 0; i < sizeof(slices) / sizeof(*slices); i++)
		if (sysroot_exists(scan->root, slices[i]))
			return slices[i];
	return NULL;
}

static const char *read_pid(struct scan *scan, const char *slice,
			    const char *name)
{
	char *pids = scan_text(scan, "%s/%s.service/cgroup.procs", slice, name);

	if (!pids || !*pids)
		return NULL;
	pids[strcspn(pids, "\n")] = '\0';
	*vec_add(scan->arena, &scan->pids) =
		(struct service_pid){ .service = name, .pid = pids };
	return pids;
}

const char *scan_service_pid(const struct scan *scan, const char *name)
{
	VEC_EACH(&scan->pids, const struct service_pid, it)
		if (text_equal(it->service, name))
			return it->pid;
	return NULL;
}

static bool is_running(struct scan *scan, const char *name)
{
	const char *slice = find_slice(scan);

	return slice ? read_pid(scan, slice, name) != NULL :
		       has_process(scan, name);
}

static void scan_service(struct scan *scan, const struct service_row *row)
{
	struct service *service = vec_add(scan->arena, &scan->facts->services);
	size_t n = sizeof(row->files) / sizeof(*row->files);

	service->name = row->name;
	if (!any_exists(scan, row->files, n) && !has_unit(scan, row->name)) {
		service->state = "absent";
		return;
	}
	service->state = is_running(scan, row->name) ? "running" : "stopped";
	if (row->detail)
		service->detail = scan_text(scan, "%s", row->detail);
}

void services_scan(struct scan *scan)
{
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		scan_service(scan, &rows[i]);
}
