/* SPDX-License-Identifier: GPL-2.0-or-later */

/* The disks of namespaces: whose they are, their hardware queues. */

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "probe/scan.h"
#include "probe/users.h"
#include "sys/record.h"

#define CLASS "sys/class/block"

static bool take_number(const char **text, char letter, uint64_t *ret)
{
	if (**text != letter)
		return false;
	(*text)++;
	return parse_u64_prefix(text, ret) == 0;
}

bool scan_disk_name(const char *name, struct disk_name *ret)
{
	uint64_t ctrl;

	if (!text_has_prefix(name, "nvme"))
		return false;
	name += strlen("nvm");
	if (!take_number(&name, 'e', &ret->instance))
		return false;
	ret->is_path = take_number(&name, 'c', &ctrl);
	return take_number(&name, 'n', &ret->nsid_index) && *name == '\0';
}

/* The link "device" says it, but old heads have none. */
const char *scan_disk_owner(struct scan *scan, const char *name)
{
	const char *link = arena_printf(scan->arena, CLASS "/%s", name);
	char *owner =
		sysroot_link_name(scan->root, scan->arena,
				  arena_printf(scan->arena, "%s/device", link));
	char *slash, *path;

	if (owner)
		return owner;
	path = sysroot_resolve(scan->root, scan->arena, link, NULL);
	slash = path ? strrchr(path, '/') : NULL;
	if (!slash)
		return NULL;
	*slash = '\0';
	slash = strrchr(path, '/');
	return slash ? slash + 1 : NULL;
}

static void scan_owner(struct scan *scan, struct ns *ns,
		       const struct disk_name *parsed)
{
	const char *owner = scan_disk_owner(scan, ns->name);
	const struct ctrl *ctrl;

	if (parsed->is_path) {
		ns->kind = NS_PATH;
		ns->head = arena_printf(scan->arena, "nvme%llun%llu",
					(unsigned long long)parsed->instance,
					(unsigned long long)parsed->nsid_index);
	} else if (owner && text_has_prefix(owner, "nvme-subsys")) {
		ns->kind = NS_HEAD;
		ns->subsystem = owner;
		return;
	}
	ns->ctrl = owner;
	ctrl = owner ? facts_ctrl(scan->facts, owner) : NULL;
	if (ctrl)
		ns->subsystem = ctrl->subsystem;
}

/* blk-mq's cpu_list is "0, 4": a CPU list with spaces. */
static struct cpuset queue_cpus(struct scan *scan, char *text)
{
	struct cpuset cpus = { 0 };
	char *out = text;

	if (!text)
		return cpus;
	for (const char *in = text; *in; in++)
		if (*in != ' ')
			*out++ = *in;
	*out = '\0';
	(void)cpuset_parse_list(scan->arena, text, &cpus);
	return cpus;
}

/*
 * mq/N/ of every hardware queue.  A queue that serves no CPU has no folder,
 * so a number may be missing; its place stays, without CPUs.
 */
static void scan_hw_queues(struct scan *scan, struct ns *ns)
{
	const char *dir = arena_printf(scan->arena, CLASS "/%s/mq", ns->name);
	struct names list = { { 0 } };
	int r = sysroot_list(scan->root, scan->arena, dir, &list);

	if (r < 0 && r != -ENOENT) {
		ns->has_mq = num_unknown(-r);
		return;
	}
	ns->has_mq = num_known(list.names.n > 0);
	VEC_EACH(&list.names, char *, name) {
		struct hw_queue *queue;
		uint64_t index;

		if (parse_u64(*name, &index) < 0 || index > CPUSET_LAST)
			continue;
		while (ns->hw_queues.n <= index)
			(void)vec_add(scan->arena, &ns->hw_queues);
		queue = &ns->hw_queues.items[index];
		queue->cpus = queue_cpus(scan, scan_text(scan, "%s/%s/cpu_list",
							 dir, *name));
		queue->nr_tags = scan_num(scan, "%s/%s/nr_tags", dir, *name);
	}
}

static struct num size_bytes(struct num sectors)
{
	if (sectors.known)
		sectors.value *= 512;
	return sectors;
}

static void scan_partitions(struct scan *scan, struct ns *ns)
{
	struct names list = { { 0 } };
	const char *prefix = arena_printf(scan->arena, "%sp", ns->name);

	(void)sysroot_list(scan->root, scan->arena,
			   arena_printf(scan->arena, CLASS "/%s", ns->name),
			   &list);
	VEC_EACH(&list.names, char *, name) {
		struct partition *partition;
		uint64_t number;

		if (!text_has_prefix(*name, prefix) ||
		    parse_u64(*name + strlen(prefix), &number) < 0)
			continue;
		partition = vec_add(scan->arena, &ns->partitions);
		partition->name = *name;
		partition->dev =
			scan_text(scan, CLASS "/%s/%s/dev", ns->name, *name);
		partition->size_bytes = size_bytes(
			scan_num(scan, CLASS "/%s/%s/size", ns->name, *name));
	}
}

static void scan_disk(struct scan *scan, struct ns *ns)
{
	const char *name = ns->name;

	ns->dev = scan_text(scan, CLASS "/%s/dev", name);
	ns->nsid = scan_num(scan, CLASS "/%s/nsid", name);
	ns->wwid = scan_text(scan, CLASS "/%s/wwid", name);
	ns->size_bytes = size_bytes(scan_num(scan, CLASS "/%s/size", name));
	ns->block_size =
		scan_num(scan, CLASS "/%s/queue/logical_block_size", name);
	ns->zoned = scan_text(scan, CLASS "/%s/queue/zoned", name);
	ns->io_poll = scan_num(scan, CLASS "/%s/queue/io_poll", name);
	ns->max_hw_sectors_kb =
		scan_num(scan, CLASS "/%s/queue/max_hw_sectors_kb", name);
	scan_hw_queues(scan, ns);
	scan_partitions(scan, ns);
}

/*
 * Zoned disks may have scheduler none where the kernel itself keeps their
 * writes in order, which no attribute tells; its symbol does.
 */
static struct num zone_write_plugging(struct scan *scan)
{
	static const char symbol[] = " blk_zone_plug_bio\n";
	static const char path[] = "proc/kallsyms";
	static const char kept[] = "0 T blk_zone_plug_bio\n";
	char *text = NULL;
	int r = sysroot_read_file(scan->root, scan->arena, path, 64U << 20,
				  &text);
	bool found;

	if (r < 0)
		return num_unknown(-r);
	found = strstr(text, symbol);
	/* Where a kernel has its code is for no report. */
	record_instead(sysroot_record(scan->root), path, kept,
		       found ? strlen(kept) : 0);
	return num_known(found);
}

static bool has_zoned(const struct facts *facts)
{
	VEC_EACH(&facts->namespaces, struct ns, ns)
		if (ns->zoned && strcmp(ns->zoned, "none") != 0)
			return true;
	return false;
}

void ns_scan_one(struct scan *scan, const char *name)
{
	struct disk_name parsed;
	struct ns *ns;

	if (!scan_disk_name(name, &parsed))
		return;
	ns = vec_add(scan->arena, &scan->facts->namespaces);
	ns->name = name;
	scan_owner(scan, ns, &parsed);
	scan_disk(scan, ns);
}

void ns_scan_end(struct scan *scan)
{
	if (has_zoned(scan->facts))
		scan->facts->zone_write_plugging = zone_write_plugging(scan);
}

void ns_scan(struct scan *scan)
{
	struct names list = { { 0 } };

	(void)sysroot_list(scan->root, scan->arena, CLASS, &list);
	VEC_EACH(&list.names, char *, name)
		ns_scan_one(scan, *name);
	users_scan(scan);
	ns_scan_end(scan);
}
