/* SPDX-License-Identifier: GPL-2.0-or-later */

/* What beside udev writes our attributes: tuned, tmpfiles.d, sysctl.d. */

#include "probe/writers.h"

#include <string.h>

#include "base/parse.h"
#include "core/owner.h"
#include "probe/tuned.h"
#include "sys/conf_files.h"

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
	static const char *const folders[] = { "/sys/block/",
					       "/sys/class/block/",
					       "/sys/class/nvme/" };

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

void writers_scan(struct scan *scan)
{
	tuned_scan(scan);
	read_files(scan, tmpfiles, read_tmpfile);
	read_files(scan, sysctls, read_sysctl);
}
