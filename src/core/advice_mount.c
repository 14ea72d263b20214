/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Advice on file systems that are on the drives. */

#include <inttypes.h>

#include "base/parse.h"
#include "core/advisor.h"
#include "core/samples.h"

#define BUSY_WRITES 1000
#define FEW_GROUPS 4 /* CPUs for one group */

/* Over several disks (md, dm) a file system is seen once with each. */
static bool is_first(const struct facts *facts, const struct ns *ns,
		     const struct mount *mount)
{
	VEC_EACH(&facts->namespaces, const struct ns, before) {
		if (before == ns)
			return true;
		VEC_EACH(&before->mounts, const struct mount, it)
			if (text_equal(it->where, mount->where))
				return false;
	}
	return true;
}

static const char *log_text(struct arena *arena, struct num bytes)
{
	if (!bytes.known)
		return "";
	return arena_printf(arena, " (%" PRId64 " MiB)", bytes.value >> 20);
}

/*
 * What more allocation groups spread are allocations and the locks of
 * inodes; the log is one whatever their number (fs/xfs/libxfs/xfs_ag.h,
 * fs/xfs/xfs_log_cil.c).
 */
static void say_few(const struct advisor *advisor, const struct ns *ns,
		    const struct mount *mount)
{
	const struct facts *facts = advisor->facts;
	const struct ctrl *ctrl = facts_ns_ctrl(facts, ns);
	const struct disk_sample *disk =
		samples_disk(&facts->samples, ns->name);
	int64_t writes = disk ? samples_per_second(&facts->samples,
						   num_or(disk->writes, 0)) :
				0;
	unsigned int cpus = cpuset_count(&facts->online);
	int64_t groups = num_or(mount->xfs.agcount, 0);

	if (groups < 1 || groups > cpus / FEW_GROUPS || writes < BUSY_WRITES)
		return;
	advise(advisor, ctrl ? ctrl->name : ns->name,
	       "%s, XFS: %" PRId64 " allocation groups for %u CPUs and %" PRId64
	       " writes a second: files that grow at once wait for each other; more groups help that, not writes in place, and not the log, of which there is one%s; mkfs.xfs sets agcount",
	       mount->where, groups, cpus, writes,
	       log_text(advisor->arena, mount->xfs.log_bytes));
}

static void few_groups(const struct advisor *advisor)
{
	const struct facts *facts = advisor->facts;

	VEC_EACH(&facts->namespaces, const struct ns, ns)
		VEC_EACH(&ns->mounts, const struct mount, mount)
			if (text_equal(mount->type, "xfs") &&
			    is_first(facts, ns, mount))
				say_few(advisor, ns, mount);
}

static const struct advice_row rows[] = {
	{ .doc = { .id = "xfs.agcount",
		   .severity = "info",
		   .confidence = "hint",
		   .summary =
			   "a busy XFS has few allocation groups for its CPUs",
		   .evidence =
			   "XFS_IOC_FSGEOMETRY tells a group for four CPUs and more, and between two looks the disk took 1000 writes a second and more.",
		   .remedy =
			   "mkfs.xfs -d agcount=N on a new file system, where many files grow at once; it changes nothing for writes in place or for waits on the log.",
		   .source = "mkfs.xfs(8), agcount; fs/xfs/libxfs/xfs_ag.h" },
	  .check_host = few_groups },
};

const struct advice_rows advice_mount = ADVICE_ROWS(rows);
