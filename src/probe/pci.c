/* SPDX-License-Identifier: GPL-2.0-or-later */

/* The PCI function of each controller and the port above it. */

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "probe/scan.h"

#define CLASS "sys/class/nvme"
#define CLASS_NVME 0x010802 /* mass storage, NVM, NVM Express */

/* "8.0 GT/s PCIe", "8 GT/s", "Unknown": in MT/s. */
static struct num link_speed(struct scan *scan, const char *dir,
			     const char *attr)
{
	int why = 0;
	const char *path = arena_printf(scan->arena, "%s/%s", dir, attr);
	const char *text = sysroot_text(scan->root, scan->arena, path, &why);
	uint64_t whole, tenths = 0;

	if (!text)
		return num_unknown(why);
	if (parse_u64_prefix(&text, &whole) < 0)
		return num_unknown(ENODATA);
	if (*text == '.' && text[1] >= '0' && text[1] <= '9') {
		tenths = (uint64_t)(text[1] - '0');
		text += 2;
	}
	if (!text_has_prefix(text, " GT/s") || whole > 1000)
		return num_unknown(EBADMSG);
	return num_known((int64_t)(whole * 1000 + tenths * 100));
}

/* A width of 0 is a link that is down, 255 a capability nobody filled in. */
static struct num link_width(struct scan *scan, const char *dir,
			     const char *attr)
{
	struct num num = scan_num(scan, "%s/%s", dir, attr);

	if (num.known && (num.value <= 0 || num.value > 32))
		return num_unknown(ENODATA);
	return num;
}

struct link scan_link(struct scan *scan, const char *dir)
{
	return (struct link){
		.speed_mts = link_speed(scan, dir, "current_link_speed"),
		.width = link_width(scan, dir, "current_link_width"),
		.max_speed_mts = link_speed(scan, dir, "max_link_speed"),
		.max_width = link_width(scan, dir, "max_link_width"),
	};
}

/* 0000:40:01.0, or 10000:e1:00.0 below a VMD. */
static bool is_address(const char *name)
{
	const char *colon = strchr(name, ':');

	return colon && colon - name >= 4 &&
	       strlen(colon) == strlen(":41:00.0") && colon[3] == ':' &&
	       colon[6] == '.';
}

/* Drives behind one switch have most of their ports in common. */
static struct pci_port read_bridge(struct scan *scan, const char *dir,
				   const char *address)
{
	struct pci_port *bridge;

	VEC_EACH(&scan->bridges, struct pci_port, it)
		if (strcmp(it->address, address) == 0)
			return *it;
	bridge = vec_add(scan->arena, &scan->bridges);
	bridge->address = arena_strdup(scan->arena, address);
	bridge->link = scan_link(scan, dir);
	return *bridge;
}

/* Up to a root bus, above which there is no port: pci0000:00. */
static void scan_path(struct scan *scan, struct ctrl *ctrl)
{
	char *path = sysroot_resolve(
		scan->root, scan->arena,
		arena_printf(scan->arena, CLASS "/%s/device", ctrl->name),
		NULL);
	char *slash = path ? strrchr(path, '/') : NULL;

	while (slash) {
		*slash = '\0';
		slash = strrchr(path, '/');
		if (!slash || !is_address(slash + 1))
			break;
		*vec_add(scan->arena, &ctrl->path) =
			read_bridge(scan, path, slash + 1);
	}
	if (ctrl->path.n == 0)
		return;
	ctrl->port = ctrl->path.items[0].link;
	*vec_add(scan->arena, &scan->ports) = (struct port_above){
		.ctrl = ctrl->name,
		.address = ctrl->path.items[0].address,
	};
}

static void scan_aspm(struct scan *scan, struct ctrl *ctrl, const char *dir)
{
	struct names list = { { 0 } };
	const char *link = arena_printf(scan->arena, "%s/link", dir);

	(void)sysroot_list(scan->root, scan->arena, link, &list);
	VEC_EACH(&list.names, char *, name) {
		struct named_num *it = vec_add(scan->arena, &ctrl->aspm);

		it->name = *name;
		it->value = scan_num(scan, "%s/%s", link, *name);
	}
}

static void scan_iommu_group(struct scan *scan, struct ctrl *ctrl,
			     const char *dir)
{
	const char *group = sysroot_link_name(
		scan->root, scan->arena,
		arena_printf(scan->arena, "%s/iommu_group", dir));

	VEC_EACH(&scan->groups, struct iommu_group, it)
		if (group && strcmp(it->name, group) == 0)
			ctrl->iommu_type = it->type;
}

#define CONFIG_SIZE 256
#define STATUS_CAPABILITIES 0x10
#define CAPABILITY_MSIX 0x11

/*
 * The size of the MSI-X table (PCI 3.0, 6.8.2.3: message control bits 10:0,
 * less one).  Without root's rights the kernel gives the first 64 bytes only,
 * and the capabilities come after these.
 */
static struct num msix_size(struct scan *scan, const char *dir)
{
	uint8_t config[CONFIG_SIZE];
	ssize_t n = sysroot_read_bytes(
		scan->root, arena_printf(scan->arena, "%s/config", dir), config,
		sizeof(config));
	unsigned int at;

	if (n < 0)
		return num_unknown((int)-n);
	if (n < 64)
		return num_unknown(EBADMSG);
	if (!(config[0x06] & STATUS_CAPABILITIES))
		return num_known(0);
	at = config[0x34] & ~3U;
	/* A list that loops must not hang us: 48 entries fill the space. */
	for (unsigned int i = 0; at && i < 48; i++) {
		if (at + 4 > (size_t)n)
			return num_unknown(n == 64 ? EACCES : EBADMSG);
		if (config[at] == CAPABILITY_MSIX)
			return num_known(
				((config[at + 2] | config[at + 3] << 8) &
				 0x7ff) +
				1);
		at = config[at + 1] & ~3U;
	}
	return num_known(0);
}

static void scan_function(struct scan *scan, struct ctrl *ctrl)
{
	const char *dir =
		arena_printf(scan->arena, CLASS "/%s/device", ctrl->name);

	ctrl->address = scan_text(scan, CLASS "/%s/address", ctrl->name);
	if (!ctrl->address)
		ctrl->address = sysroot_link_name(scan->root, scan->arena, dir);
	ctrl->driver =
		sysroot_link_name(scan->root, scan->arena,
				  arena_printf(scan->arena, "%s/driver", dir));
	ctrl->pci_class = scan_text(scan, "%s/class", dir);
	ctrl->pci_vendor = scan_text(scan, "%s/vendor", dir);
	ctrl->pci_device = scan_text(scan, "%s/device", dir);
	ctrl->link = scan_link(scan, dir);
	scan_path(scan, ctrl);
	scan_aspm(scan, ctrl, dir);
	ctrl->runtime_pm = scan_text(scan, "%s/power/control", dir);
	ctrl->d3cold_allowed = scan_num(scan, "%s/d3cold_allowed", dir);
	scan_iommu_group(scan, ctrl, dir);
	ctrl->msix_size = msix_size(scan, dir);
	if (!ctrl->msix_size.known && ctrl->msix_size.why == EACCES)
		scan_blind(scan, "sizes of MSI-X tables need root");
}

/* Functions that are NVMe by class and that the nvme driver does not have:
 * given to vfio-pci or uio, or to nobody. */
static void scan_unmanaged(struct scan *scan)
{
	static const char dir[] = "sys/bus/pci/devices";
	struct names list = { { 0 } };

	(void)sysroot_list(scan->root, scan->arena, dir, &list);
	VEC_EACH(&list.names, char *, name) {
		struct num class = scan_num(scan, "%s/%s/class", dir, *name);
		struct unmanaged *unmanaged;
		const char *driver;

		if (num_or(class, 0) != CLASS_NVME)
			continue;
		driver = sysroot_link_name(
			scan->root, scan->arena,
			arena_printf(scan->arena, "%s/%s/driver", dir, *name));
		if (text_equal(driver, "nvme"))
			continue;
		unmanaged = vec_add(scan->arena, &scan->facts->unmanaged);
		unmanaged->address = *name;
		unmanaged->driver = driver;
	}
}

void pci_scan(struct scan *scan)
{
	VEC_EACH(&scan->facts->ctrls, struct ctrl, ctrl)
		if (scan_is_pcie(ctrl))
			scan_function(scan, ctrl);
	if (!scan->only)
		scan_unmanaged(scan);
}
