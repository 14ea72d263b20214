/* SPDX-License-Identifier: GPL-2.0-or-later */

/* The machine, its kernel and its distribution. */

#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/parse.h"
#include "probe/scan.h"

/* The value of a line NAME=VALUE of os-release, which shell quoting may be
 * around. */
static const char *unquoted(struct arena *arena, const char *value)
{
	char quote = *value == '"' || *value == '\'' ? *value : '\0';
	char *text = arena_strdup(arena, quote ? value + 1 : value);
	char *out = text;

	for (const char *in = text; *in && *in != quote; in++) {
		if (quote != '\'' && *in == '\\' && in[1])
			in++;
		*out++ = *in;
	}
	*out = '\0';
	return text;
}

static void scan_os_release(struct scan *scan)
{
	const struct {
		const char *name;
		const char **ret;
	} keys[] = {
		{ "ID=", &scan->facts->os_id },
		{ "VERSION_ID=", &scan->facts->os_version },
		{ "PRETTY_NAME=", &scan->facts->os_name },
	};
	char *text = scan_text(scan, "etc/os-release");
	char *line;

	if (!text)
		text = scan_text(scan, "usr/lib/os-release");
	while (text && (line = strsep(&text, "\n")))
		for (size_t i = 0; i < sizeof(keys) / sizeof(*keys); i++)
			if (text_has_prefix(line, keys[i].name))
				*keys[i].ret =
					unquoted(scan->arena,
						 line + strlen(keys[i].name));
}

/*
 * A root file system that was once a container's keeps the marks of one, so
 * these count only outside the first PID namespace, whose number is fixed
 * (PROC_PID_INIT_INO).
 */
static bool is_first_pid_namespace(struct scan *scan)
{
	return text_equal(sysroot_link_name(scan->root, scan->arena,
					    "proc/self/ns/pid"),
			  "pid:[4026531836]");
}

static void scan_container(struct scan *scan)
{
	struct facts *facts = scan->facts;

	facts->container = scan_text(scan, "run/systemd/container");
	if (facts->container || is_first_pid_namespace(scan))
		return;
	if (sysroot_exists(scan->root, ".dockerenv"))
		facts->container = "docker";
	else if (sysroot_exists(scan->root, "run/.containerenv"))
		facts->container = "podman";
}

/*
 * What the firmware calls the machine, where that tells a guest.  Some clouds
 * rent out whole machines under the same vendor, so a CPU that does not say
 * "hypervisor" counts for more than this.
 */
static const char *firmware_hypervisor(struct scan *scan)
{
	static const struct {
		const char *vendor;
		const char *product;
		const char *name;
	} rows[] = {
		{ "QEMU", "", "qemu" },
		{ "Amazon EC2", "", "amazon" },
		{ "Google", "", "google" },
		{ "Microsoft Corporation", "Virtual Machine", "microsoft" },
		{ "VMware", "", "vmware" },
		{ "innotek GmbH", "", "virtualbox" },
		{ "Xen", "", "xen" },
		{ "Alibaba Cloud", "", "alibaba" },
		{ "OpenStack", "", "openstack" },
		{ "Red Hat", "KVM", "kvm" },
	};
	const char *vendor = scan_text(scan, "sys/class/dmi/id/sys_vendor");
	const char *product = scan_text(scan, "sys/class/dmi/id/product_name");

	if (!vendor || !product || text_has_suffix(product, ".metal"))
		return NULL;
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (text_has_prefix(vendor, rows[i].vendor) &&
		    text_has_prefix(product, rows[i].product))
			return rows[i].name;
	return NULL;
}

static void scan_hypervisor(struct scan *scan)
{
	/* The flags of the first CPU; the file has a page for each. */
	char start[4096] = "";
	ssize_t n = sysroot_read_bytes(scan->root, "proc/cpuinfo", start,
				       sizeof(start) - 1);
	const char *flags, *name;

	if (n < 0 || memchr(start, '\0', (size_t)n))
		start[0] = '\0';
	name = firmware_hypervisor(scan);
	flags = strstr(start, "\nflags");
	if (flags && !strstr(flags, " hypervisor"))
		name = NULL;
	else if (flags && !name)
		name = "unknown";
	scan->facts->hypervisor = name;
}

/* The third word of "Linux version 6.1.0-53-amd64 (...)": for roots that
 * have no /proc/sys. */
static const char *release_of_version(struct scan *scan)
{
	static const char start[] = "Linux version ";
	char *text = scan_text(scan, "proc/version");

	if (!text || !text_has_prefix(text, start))
		return NULL;
	text += strlen(start);
	text[strcspn(text, " ")] = '\0';
	return text;
}

static const char *machine_of_us(struct scan *scan)
{
	static const char kept[] = "machine";
	struct utsname name;

	if (!sysroot_is_live(scan->root))
		return sysroot_kept_text(scan->root, scan->arena, kept);
	if (uname(&name) < 0)
		return NULL;
	sysroot_keep(scan->root, kept, name.machine, strlen(name.machine), 0);
	return arena_strdup(scan->arena, name.machine);
}

static void scan_kernel(struct scan *scan)
{
	struct facts *facts = scan->facts;
	char *text;

	facts->hostname = scan_text(scan, "proc/sys/kernel/hostname");
	if (!facts->hostname)
		facts->hostname = scan_text(scan, "etc/hostname");
	facts->kernel = scan_text(scan, "proc/sys/kernel/osrelease");
	if (!facts->kernel)
		facts->kernel = release_of_version(scan);
	facts->machine = scan_text(scan, "proc/sys/kernel/arch"); /* 6.1 */
	if (!facts->machine)
		facts->machine = machine_of_us(scan);
	facts->cmdline = scan_text(scan, "proc/cmdline");
	facts->boot_id = scan_text(scan, "proc/sys/kernel/random/boot_id");
	text = scan_text(scan, "sys/kernel/security/lockdown");
	if (text)
		facts->lockdown = scan_chosen_word(scan->arena, text);
	facts->root = scan_keep(scan, "root", num_known(geteuid() == 0));
	if (!facts->root.known) /* a tree that nobody recorded */
		facts->root = num_known(geteuid() == 0);
}

static void scan_allowed_cpus(struct scan *scan)
{
	static const char key[] = "Cpus_allowed_list:";
	char *text = scan_text(scan, "proc/self/status");
	char *line;

	while (text && (line = strsep(&text, "\n")))
		if (text_has_prefix(line, key))
			(void)cpuset_parse_list(scan->arena,
						text_trim(line + strlen(key)),
						&scan->facts->allowed);
}

static struct num node_memory(struct scan *scan, const char *name)
{
	static const char key[] = "MemTotal:";
	char *text =
		scan_text(scan, "sys/devices/system/node/%s/meminfo", name);
	const char *p = text ? strstr(text, key) : NULL;
	uint64_t kb;

	if (!p)
		return num_unknown(0);
	p += strlen(key);
	p += strspn(p, " ");
	if (parse_u64_prefix(&p, &kb) < 0 || kb > INT64_MAX)
		return num_unknown(0);
	return num_known((int64_t)kb);
}

static void node_distances(struct scan *scan, const char *name,
			   struct node *node)
{
	char *text =
		scan_text(scan, "sys/devices/system/node/%s/distance", name);
	char *word;
	int64_t distance;

	while (text && (word = strsep(&text, " ")))
		if (parse_i64(word, &distance) == 0)
			*vec_add(scan->arena, &node->distances) = distance;
}

static void scan_nodes(struct scan *scan)
{
	struct names list = { { 0 } };

	(void)sysroot_list(scan->root, scan->arena, "sys/devices/system/node",
			   &list);
	VEC_EACH(&list.names, char *, name) {
		struct node *node;
		int64_t id;

		if (!text_has_prefix(*name, "node") ||
		    parse_i64(*name + strlen("node"), &id) < 0)
			continue;
		node = vec_add(scan->arena, &scan->facts->nodes);
		node->id = id;
		node->cpus = scan_cpus(
			scan, "sys/devices/system/node/%s/cpulist", *name);
		node->memory_kb = node_memory(scan, *name);
		node_distances(scan, *name, node);
	}
}

/* one: what is common to those seen so far, or NULL before the first. */
static const char *common(const char *one, const char *another)
{
	if (!another || (one && strcmp(one, another) == 0))
		return one;
	return one ? "mixed" : another;
}

static void scan_policies(struct scan *scan)
{
	struct names list = { { 0 } };

	(void)sysroot_list(scan->root, scan->arena,
			   "sys/devices/system/cpu/cpufreq", &list);
	VEC_EACH(&list.names, char *, name)
		if (text_has_prefix(*name, "policy"))
			*vec_add(scan->arena, &scan->facts->cpu_policies) =
				*name;
}

void host_scan_governor(struct scan *scan)
{
	VEC_EACH(&scan->facts->observed, struct observation, it)
		if (it->target_kind == TARGET_CPUS &&
		    text_equal(it->knob, "cpu.governor") &&
		    it->value.type == VALUE_TEXT)
			scan->facts->governor =
				common(scan->facts->governor, it->value.u.text);
}

static const char *iommu_kind(const char *name)
{
	static const struct {
		const char *prefix;
		const char *kind;
	} rows[] = {
		{ "dmar", "intel" },
		{ "ivhd", "amd" },
		{ "smmu", "arm-smmu" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		if (text_has_prefix(name, rows[i].prefix))
			return rows[i].kind;
	return name;
}

static void scan_iommu(struct scan *scan)
{
	static const char dir[] = "sys/kernel/iommu_groups";
	struct names units = { { 0 } }, groups = { { 0 } };

	(void)sysroot_list(scan->root, scan->arena, "sys/class/iommu", &units);
	if (units.names.n)
		scan->facts->iommu = iommu_kind(units.names.items[0]);
	(void)sysroot_list(scan->root, scan->arena, dir, &groups);
	VEC_EACH(&groups.names, char *, name) {
		struct iommu_group *group = vec_add(scan->arena, &scan->groups);

		group->name = *name;
		group->type = scan_text(scan, "%s/%s/type", dir, *name);
		scan->facts->iommu_type =
			common(scan->facts->iommu_type, group->type);
	}
}

void host_scan_cpus(struct scan *scan)
{
	static const char cpus[] = "sys/devices/system/cpu";

	scan_kernel(scan);
	scan->facts->page_size = scan_keep(
		scan, "page-size",
		sysroot_is_live(scan->root) ? num_known(sysconf(_SC_PAGESIZE)) :
					      num_unknown(0));
	scan->facts->possible = scan_cpus(scan, "%s/possible", cpus);
	scan->facts->online = scan_cpus(scan, "%s/online", cpus);
	scan->facts->isolated = scan_cpus(scan, "%s/isolated", cpus);
	scan_allowed_cpus(scan);
	scan_nodes(scan);
}

/* Who builds an image is no part of it; every host has one CPU at least. */
static void scan_image(struct scan *scan)
{
	const unsigned int n = scan->options->min_cpus;

	scan->facts->image = num_known(1);
	for (unsigned int cpu = 0; cpu < (n ? n : 1); cpu++)
		cpuset_add(scan->arena, &scan->facts->possible, cpu);
	scan_os_release(scan);
}

void host_scan(struct scan *scan)
{
	if (sysroot_is_image(scan->root)) {
		scan_image(scan);
		return;
	}
	host_scan_cpus(scan);
	scan_os_release(scan);
	scan_container(scan);
	scan_hypervisor(scan);
	scan_policies(scan);
	scan_iommu(scan);
}
