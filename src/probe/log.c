/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * What the kernel said about drives, counted by kind; the wording is that of
 * 5.10 to 7.3, sought anywhere in a line, so that records of /dev/kmsg,
 * dmesg's output and a journal's all do.
 */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/parse.h"
#include "base/strbuf.h"
#include "probe/scan.h"

#define MOST_BYTES (256U << 20)
#define KEPT_LOG "kmsg"
#define DIGITS "0123456789"

struct log_row {
	const char *words;
	const char *kind;
	bool of_host;	    /* the line speaks of no drive */
	const char *unless; /* further words that make it another line */
};

#define APST_FAILED "failed to set APST feature ("

/*
 * A line counts for every row it fits: "timeout, reset controller".  The number
 * behind "APST feature" is the drive's answer; a negative one says that it was
 * gone already, and nothing about its idle states.
 */
static const struct log_row rows[] = {
	{ .words = " timeout, ", .kind = "timeout" },
	{ .words = ", reset controller", .kind = "reset" },
	{ .words = ": resetting controller", .kind = "reset" },
	{ .words = APST_FAILED,
	  .kind = "apst-error",
	  .unless = APST_FAILED "-" },
	{ .words = APST_FAILED "-", .kind = "controller-down" },
	{ .words = "controller is down; will reset",
	  .kind = "controller-down" },
	{ .words = "Device not ready; aborting", .kind = "controller-down" },
	{ .words = "Removing after probe failure", .kind = "controller-down" },
	{ .words = "after reset failure", .kind = "controller-down" },
	{ .words = "PCIe Bus Error: ", .kind = "aer" },
	/* drivers/pci/pci-acpi.c, drivers/acpi/pci_root.c */
	{ .words = "FADT declares the system doesn't support PCIe ASPM",
	  .kind = "aspm-firmware",
	  .of_host = true },
	{ .words = "FADT indicates ASPM is unsupported",
	  .kind = "aspm-firmware",
	  .of_host = true },
	{ .words = "; disabling ASPM",
	  .kind = "aspm-firmware",
	  .of_host = true },
};

static bool fits(const struct log_row *row, const char *line)
{
	return strstr(line, row->words) &&
	       !(row->unless && strstr(line, row->unless));
}

/* device is NULL where the whole host is meant. */
static void count(struct scan *scan, const char *kind, const char *device,
		  int64_t n)
{
	struct log_count *entry;

	VEC_EACH(&scan->facts->log, struct log_count, it)
		if (strcmp(it->kind, kind) == 0 &&
		    (device ? text_equal(it->device, device) : !it->device)) {
			it->count += n;
			return;
		}
	entry = vec_add(scan->arena, &scan->facts->log);
	entry->kind = kind;
	entry->device = device ? arena_strdup(scan->arena, device) : NULL;
	entry->count = n;
}

/* The rest of line behind word, if word is followed by "text: ". */
static bool names(const char *line, const char *word, const char *text)
{
	const char *p = strstr(line, word);

	return p && text && text_has_prefix(p + strlen(word), text) &&
	       p[strlen(word) + strlen(text)] == ':';
}

/*
 * The controller of "nvme nvme0: ", which need not be there any more, or of
 * "nvme 0000:03:00.0: " and "pcieport 0000:00:1d.0: ", which must: AER speaks
 * of every device there is.
 */
static const char *device_of(const struct scan *scan, const char *line,
			     char buf[24])
{
	static const char start[] = "nvme nvme";
	const char *p = strstr(line, start);
	size_t n;

	if (p) {
		p += strlen("nvme ");
		n = strlen("nvme");
		n += strspn(p + n, DIGITS);
		if (n > strlen("nvme") && n < 24 && p[n] == ':') {
			(void)snprintf(buf, 24, "%.*s", (int)n, p);
			return buf;
		}
	}
	VEC_EACH(&scan->facts->ctrls, struct ctrl, ctrl)
		if (names(line, "nvme ", ctrl->address))
			return ctrl->name;
	VEC_EACH(&scan->ports, struct port_above, port)
		if (names(line, "pcieport ", port->address))
			return port->ctrl;
	return NULL;
}

/* True: it counts. */
static bool take_line(struct scan *scan, const char *line)
{
	const char *device = NULL;
	bool counts = false;
	char buf[24];

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (!fits(&rows[i], line))
			continue;
		if (!device && !rows[i].of_host)
			device = device_of(scan, line, buf);
		if (!device && !rows[i].of_host)
			continue;
		count(scan, rows[i].kind, device, 1);
		counts = true;
	}
	return counts;
}

/* A file that the user named, from where he stands. */
static int read_named(struct scan *scan, const char *name, struct err *err)
{
	_cleanup_sysroot_ struct sysroot *top = NULL;
	char here[4096], *line, *text = NULL;
	const char *path = name;
	int r;

	if (name[0] != '/') {
		if (!getcwd(here, sizeof(here)))
			return err_errno(err, -errno, "current folder");
		path = arena_printf(scan->arena, "%s/%s", here, name);
	}
	r = sysroot_open("/", &top, err);
	if (r < 0)
		return r;
	r = sysroot_read_file(top, scan->arena, path, MOST_BYTES, &text);
	if (r < 0)
		return err_errno(err, r, "%s", name);
	while ((line = strsep(&text, "\n")))
		(void)take_line(scan, line);
	return 0;
}

/* One record a read; -EPIPE: the oldest ones were overwritten meanwhile. */
static void read_records(struct scan *scan, int fd)
{
	char record[8192 + 1];
	struct strbuf taken;

	strbuf_init(&taken, scan->arena);
	for (;;) {
		ssize_t n = read(fd, record, sizeof(record) - 1);

		if (n < 0 && (errno == EPIPE || errno == EINTR))
			continue;
		if (n <= 0)
			break;
		record[n] = '\0';
		record[strcspn(record, "\n")] = '\0';
		if (take_line(scan, record))
			strbuf_printf(&taken, "%s\n", record);
	}
	sysroot_keep(scan->root, KEPT_LOG, taken.text, taken.len, 0);
}

static void tell_blind(struct scan *scan, int why)
{
	if (why == EPERM || why == EACCES)
		scan_blind(scan, "the kernel log needs root");
	else
		scan_blind(scan, "the kernel log could not be read: %s",
			   strerror(why));
}

/* The lines of a live host that counted. */
static void read_kept(struct scan *scan)
{
	char first, *line;
	ssize_t r = sysroot_kept(scan->root, KEPT_LOG, &first, 1);
	char *text = NULL;

	if (r == -ENOENT)
		return;
	if (r < 0)
		tell_blind(scan, (int)-r);
	else
		text = sysroot_kept_text(scan->root, scan->arena, KEPT_LOG);
	while ((line = strsep(&text, "\n")))
		(void)take_line(scan, line);
}

static void read_kmsg(struct scan *scan)
{
	_cleanup_close_ int fd = -1;

	if (!sysroot_is_live(scan->root)) {
		read_kept(scan);
		return;
	}
	fd = sysroot_open_fd(scan->root, "dev/kmsg", O_RDONLY | O_NONBLOCK);
	if (fd >= 0) {
		read_records(scan, fd);
		return;
	}
	sysroot_keep(scan->root, KEPT_LOG, NULL, 0, fd);
	tell_blind(scan, -fd);
}

/* sysfs counts AER events since boot, however old the log is: "RxErr 0" a
 * line, the sum last. */
static void scan_aer(struct scan *scan, const struct ctrl *ctrl)
{
	static const struct {
		const char *attr;
		const char *total;
		const char *kind;
	} kinds[] = {
		{ "aer_dev_correctable", "TOTAL_ERR_COR ", "aer-correctable" },
		{ "aer_dev_nonfatal", "TOTAL_ERR_NONFATAL ", "aer-nonfatal" },
		{ "aer_dev_fatal", "TOTAL_ERR_FATAL ", "aer-fatal" },
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++) {
		const char *text = scan_text(scan,
					     "sys/class/nvme/%s/device/%s",
					     ctrl->name, kinds[i].attr);
		const char *p = text ? strstr(text, kinds[i].total) : NULL;
		uint64_t n;

		if (!p)
			continue;
		p += strlen(kinds[i].total);
		if (parse_u64_prefix(&p, &n) == 0 && n && n <= INT64_MAX)
			count(scan, kinds[i].kind, ctrl->name, (int64_t)n);
	}
}

int log_scan(struct scan *scan, struct err *err)
{
	VEC_EACH(&scan->facts->ctrls, struct ctrl, ctrl)
		if (scan_is_pcie(ctrl))
			scan_aer(scan, ctrl);
	if (scan->options->dmesg_file)
		return read_named(scan, scan->options->dmesg_file, err);
	read_kmsg(scan);
	return 0;
}
