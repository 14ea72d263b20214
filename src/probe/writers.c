/* SPDX-License-Identifier: GPL-2.0-or-later */

/* What beside udev writes our attributes: tuned, tmpfiles.d, sysctl.d, services
 * that set the governor. */

#include "probe/writers.h"

#include <string.h>

#include "base/parse.h"
#include "core/owner.h"
#include "probe/tuned.h"
#include "sys/conf_files.h"

#define MOST_BYTES (1U << 20)

static const char *const suffixes[] = { ".conf", NULL };

static const char *const tmpfiles[] = { "etc/tmpfiles.d", "run/tmpfiles.d",
					"usr/local/lib/tmpfiles.d",
					"usr/lib/tmpfiles.d", NULL };

static const char *const sysctls[] = { "etc/sysctl.d", "run/sysctl.d",
				       "usr/local/lib/sysctl.d",
				       "usr/lib/sysctl.d", NULL };

bool writers_is_sysctl(const char *key)
{
	key += *key == '-';
	return strcmp(key, "kernel.numa_balancing") == 0 ||
	       strcmp(key, WRITERS_SYSCTL) == 0;
}

bool writers_split_path(struct arena *arena, const char *path,
			const char **ret_device, const char **ret_attr)
{
	static const char *const folders[] = {
		"/sys/block/",
		"/sys/class/block/",
		"/sys/class/nvme/",
		"/sys/class/nvme-subsystem/",
		"/sys/bus/pci/devices/",
		"/sys/bus/pci/drivers/nvme/",
		"/sys/devices/system/cpu/cpufreq/",
		"/sys/devices/system/cpu/",
		"/sys/bus/cpu/devices/",
	};

	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		const char *device = path + strlen(folders[i]);
		size_t n;

		if (!text_has_prefix(path, folders[i]))
			continue;
		n = strcspn(device, "/");
		if (n == 0 || !device[n] || !device[n + 1])
			return false;
		*ret_device = arena_strndup(arena, device, n);
		*ret_attr = device + n + 1;
		return true;
	}
	return false;
}

static struct attr_writer *add(struct scan *scan, const struct conf_file *file,
			       unsigned int line)
{
	struct attr_writer *writer =
		vec_add(scan->arena, &scan->facts->writers);

	writer->file = file->path;
	writer->line = line;
	return writer;
}

/* w PATH MODE USER GROUP AGE ARGUMENT */
static void read_tmpfile(struct scan *scan, const struct conf_file *file,
			 unsigned int line, char *words)
{
	const char *device, *attr, *path = NULL;
	struct attr_writer *writer;

	if (words[0] != 'w')
		return;
	for (size_t i = 0; i < 6; i++) {
		char *word = words;

		words += strcspn(words, " \t");
		if (!*words)
			return;
		*words++ = '\0';
		words += strspn(words, " \t");
		if (i == 1)
			path = word;
	}
	if (!path || !writers_split_path(scan->arena, path, &device, &attr))
		return;
	writer = add(scan, file, line);
	writer->who = "systemd-tmpfiles";
	writer->attr = attr;
	writer->device = device;
	writer->value = words;
	writer->when = "tmpfiles";
}

static void read_sysctl(struct scan *scan, const struct conf_file *file,
			unsigned int line, char *words)
{
	char *equals = strchr(words, '=');
	struct attr_writer *writer;

	if (!equals || strcmp(file->path, OWNER_SYSCTL) == 0)
		return;
	*equals = '\0';
	if (!writers_is_sysctl(text_trim(words)))
		return;
	writer = add(scan, file, line);
	writer->who = "sysctl";
	writer->attr = WRITERS_SYSCTL;
	writer->value = text_trim(equals + 1);
	writer->when = "sysctl";
}

static void read_files(struct scan *scan, const char *const *folders,
		       void (*read_line)(struct scan *scan,
					 const struct conf_file *file,
					 unsigned int line, char *words))
{
	struct conf_files files;

	conf_files_read(scan->root, scan->arena, folders, suffixes, &files);
	VEC_EACH(&files.files, struct conf_file, file) {
		char *rest = file->text, *line;
		unsigned int nr = 0;

		while ((line = strsep(&rest, "\n"))) {
			nr++;
			line = text_trim(line);
			if (*line && !strchr("#;", *line))
				read_line(scan, file, nr, line);
		}
	}
}

/* Where systemd does not read sysctl.d, procps does, and this file last. */
static void read_sysctl_conf(struct scan *scan)
{
	static const char path[] = "/etc/sysctl.conf";
	const struct conf_file file = { .path = path };
	unsigned int nr = 0;
	char *rest, *line;

	if (sysroot_exists(scan->root, "usr/lib/systemd/systemd-sysctl") ||
	    sysroot_exists(scan->root, "lib/systemd/systemd-sysctl") ||
	    sysroot_read_file(scan->root, scan->arena, path, MOST_BYTES,
			      &rest) < 0)
		return;
	while ((line = strsep(&rest, "\n"))) {
		nr++;
		line = text_trim(line);
		if (*line && !strchr("#;", *line))
			read_sysctl(scan, &file, nr, line);
	}
}

/* A service that sets the governor once at boot, as its file says. */
struct governor_service {
	const char *name;
	const char *enabled[2]; /* any of them: it runs at boot */
	const char *files[2];	/* the first one that there is */
	const char *key;	/* KEY=VALUE */
	bool is_command;	/* VALUE is a command line: -g GOVERNOR */
};

static const struct governor_service governors[] = {
	/* linux-tools of Debian, Fedora, SUSE */
	{ "cpupower",
	  { "etc/systemd/system/multi-user.target.wants/cpupower.service",
	    "etc/systemd/system/sysinit.target.wants/cpupower.service" },
	  { "/etc/sysconfig/cpupower", "/etc/default/cpupower" },
	  "CPUPOWER_START_OPTS",
	  true },
	/* of Arch */
	{ "cpupower",
	  { "etc/systemd/system/multi-user.target.wants/cpupower.service" },
	  { "/etc/default/cpupower", "/etc/cpupower-service.conf" },
	  "governor",
	  false },
	{ "cpufrequtils",
	  { "etc/rc2.d/S01cpufrequtils", "etc/rc3.d/S01cpufrequtils" },
	  { "/etc/default/cpufrequtils" },
	  "GOVERNOR",
	  false },
};

/* "frequency-set -g performance", "--governor performance": the word. */
static char *governor_of(char *command)
{
	char *word;

	while ((word = strsep(&command, " \t"))) {
		if (text_has_prefix(word, "--governor="))
			return word + strlen("--governor=");
		if (strcmp(word, "-g") == 0 || strcmp(word, "--governor") == 0)
			return strsep(&command, " \t");
	}
	return NULL;
}

/* As a shell takes it: blanks and quotes around it go. */
static char *unquote(char *text)
{
	size_t n;

	text = text_trim(text);
	n = strlen(text);
	if (n < 2 || !strchr("\"'", text[0]) || text[n - 1] != text[0])
		return text;
	text[n - 1] = '\0';
	return text + 1;
}

static void read_governor(struct scan *scan,
			  const struct governor_service *service,
			  const char *path, char *text)
{
	const struct conf_file file = { .path = path };
	unsigned int nr = 0;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		struct attr_writer *writer;
		char *value, *equals = strchr(line, '=');

		nr++;
		if (!equals)
			continue;
		*equals = '\0';
		if (strcmp(text_trim(line), service->key) != 0)
			continue;
		value = unquote(equals + 1);
		if (service->is_command)
			value = governor_of(value);
		if (!value || !*value)
			continue;
		writer = add(scan, &file, nr);
		writer->who = service->name;
		writer->attr = "scaling_governor";
		writer->value = value;
		writer->when = "service";
	}
}

static void scan_governor(struct scan *scan,
			  const struct governor_service *service)
{
	bool enabled = false;

	for (size_t i = 0; i < 2 && service->enabled[i]; i++)
		enabled |= sysroot_exists(scan->root, service->enabled[i]);
	for (size_t i = 0; enabled && i < 2 && service->files[i]; i++) {
		char *text;

		if (sysroot_read_file(scan->root, scan->arena,
				      service->files[i], MOST_BYTES, &text) < 0)
			continue;
		read_governor(scan, service, service->files[i], text);
		return;
	}
}

void writers_scan(struct scan *scan)
{
	tuned_scan(scan);
	read_files(scan, tmpfiles, read_tmpfile);
	read_files(scan, sysctls, read_sysctl);
	read_sysctl_conf(scan);
	for (size_t i = 0; i < sizeof(governors) / sizeof(*governors); i++)
		scan_governor(scan, &governors[i]);
}
