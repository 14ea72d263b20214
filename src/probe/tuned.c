/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/tuned.h"

#include <inttypes.h>
#include <string.h>

#include "base/parse.h"
#include "probe/writers.h"

#define MOST_BYTES (1U << 20)
/* Profiles that include one another end here; tuned itself refuses them. */
#define MOST_DEPTH 8
#define MOST_PROFILES 64

struct tuned_option {
	const char *section;
	const char *name;
	const char *value;
	const char *file;
	int64_t line;
};

struct tuned {
	struct scan *scan;
	const char *who;
	unsigned int nr_profiles;
	VEC(struct tuned_option) options; /* as they count, all profiles */
};

/* A later profile replaces what an earlier one says, option by option. */
static void put_option(struct tuned *tuned, const struct tuned_option *option)
{
	VEC_EACH(&tuned->options, struct tuned_option, it)
		if (strcmp(it->section, option->section) == 0 &&
		    strcmp(it->name, option->name) == 0) {
			*it = *option;
			return;
		}
	*vec_add(tuned->scan->arena, &tuned->options) = *option;
}

static const char *option_of(const struct tuned *tuned, const char *section,
			     const char *name)
{
	VEC_EACH(&tuned->options, struct tuned_option, it)
		if (strcmp(it->section, section) == 0 &&
		    strcmp(it->name, name) == 0)
			return it->value;
	return NULL;
}

static bool is_on(const char *text)
{
	return strcmp(text, "1") == 0 || strcmp(text, "true") == 0 ||
	       strcmp(text, "yes") == 0 || strcmp(text, "True") == 0;
}

static bool is_off(const char *text)
{
	return strcmp(text, "0") == 0 || strcmp(text, "false") == 0 ||
	       strcmp(text, "no") == 0 || strcmp(text, "False") == 0;
}

/* "replace=1": what earlier profiles say in that section is void. */
static void drop_section(struct tuned *tuned, const char *section)
{
	size_t n = 0;

	VEC_EACH(&tuned->options, struct tuned_option, it)
		if (strcmp(it->section, section) != 0)
			tuned->options.items[n++] = *it;
	tuned->options.n = n;
}

struct tuned_file {
	VEC(struct tuned_option) options;
};

static void parse(struct arena *arena, const char *path, char *text,
		  struct tuned_file *ret)
{
	const char *section = "";
	int64_t nr = 0;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		char *equals, *end;

		nr++;
		line = text_trim(line);
		end = strchr(line, ']');
		if (line[0] == '[' && end) {
			*end = '\0';
			section = line + 1;
			continue;
		}
		equals = strchr(line, '=');
		if (!equals || strchr("#;", line[0]))
			continue;
		*equals = '\0';
		*vec_add(arena, &ret->options) = (struct tuned_option){
			.section = section,
			.name = text_trim(line),
			.value = text_trim(equals + 1),
			.file = path,
			.line = nr,
		};
	}
}

static bool read_profile(struct scan *scan, const char *name,
			 struct tuned_file *ret)
{
	static const char *const folders[] = {
		"etc/tuned/profiles",
		"etc/tuned",
		"usr/lib/tuned/profiles",
		"usr/lib/tuned",
	};

	if (!*name || strchr(name, '/') || name[0] == '.')
		return false;
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++) {
		const char *path = arena_printf(
			scan->arena, "/%s/%s/tuned.conf", folders[i], name);
		char *text;

		if (sysroot_read_file(scan->root, scan->arena, path, MOST_BYTES,
				      &text) < 0)
			continue;
		parse(scan->arena, path, text, ret);
		return true;
	}
	scan_blind(scan, "the tuned profile %s could not be read", name);
	return false;
}

/* What a profile includes counts before it. */
static void load(struct tuned *tuned, const char *names, unsigned int depth)
{
	char *rest = arena_strdup(tuned->scan->arena, names), *name;

	while (depth < MOST_DEPTH && (name = strsep(&rest, ", \t\n"))) {
		struct tuned_file file = { { 0 } };

		if (!*name || tuned->nr_profiles++ >= MOST_PROFILES ||
		    !read_profile(tuned->scan, name, &file))
			continue;
		VEC_EACH(&file.options, struct tuned_option, it)
			if (strcmp(it->section, "main") == 0 &&
			    strcmp(it->name, "include") == 0)
				load(tuned, it->value, depth + 1);
		VEC_EACH(&file.options, struct tuned_option, it)
			if (strcmp(it->name, "replace") == 0 &&
			    is_on(it->value))
				drop_section(tuned, it->section);
		VEC_EACH(&file.options, struct tuned_option, it)
			put_option(tuned, it);
	}
}

/* "sda,nvme*" as a glob; with exceptions in it, every device. */
static const char *devices_of(const struct tuned *tuned, const char *section)
{
	const char *devices = option_of(tuned, section, "devices");
	char *glob;

	if (!devices || strpbrk(devices, "!$"))
		return NULL;
	glob = arena_strdup(tuned->scan->arena, devices);
	for (char *p = glob; *p; p++)
		if (*p == ',' || *p == ' ')
			*p = '|';
	return glob;
}

/* In KiB unless it ends with s, for sectors; > and < stay in front. */
static const char *read_ahead_kb(struct arena *arena, const char *text)
{
	const bool is_limit = text[0] == '>' || text[0] == '<';
	const char *p = text + is_limit;
	uint64_t number;

	if (parse_u64_prefix(&p, &number) < 0)
		return text;
	p += strspn(p, " ");
	if (*p == 's')
		number /= 2;
	return arena_printf(arena, "%.*s%" PRIu64, is_limit ? 1 : 0, text,
			    number);
}

static void put_writer(const struct tuned *tuned,
		       const struct tuned_option *option, const char *attr,
		       const char *device, const char *value)
{
	*vec_add(tuned->scan->arena, &tuned->scan->facts->writers) =
		(struct attr_writer){
			.who = tuned->who,
			.file = option->file,
			.line = option->line,
			.attr = attr,
			.device = device,
			.value = value,
			.when = "tuned",
		};
}

static void put_disk(const struct tuned *tuned,
		     const struct tuned_option *option)
{
	const char *devices = devices_of(tuned, option->section);

	if (strcmp(option->name, "elevator") == 0)
		put_writer(tuned, option, "queue/scheduler", devices,
			   option->value);
	else if (strcmp(option->name, "readahead") == 0)
		put_writer(tuned, option, "queue/read_ahead_kb", devices,
			   read_ahead_kb(tuned->scan->arena, option->value));
}

static void put_written(const struct tuned *tuned,
			const struct tuned_option *option)
{
	const char *kind = option_of(tuned, option->section, "type");
	const char *enabled = option_of(tuned, option->section, "enabled");
	const char *attr, *device;

	if (enabled && is_off(enabled))
		return;
	if (!kind)
		kind = option->section;
	if (strcmp(kind, "disk") == 0)
		put_disk(tuned, option);
	else if (strcmp(kind, "cpu") == 0 &&
		 strcmp(option->name, "governor") == 0)
		put_writer(tuned, option, "scaling_governor", NULL,
			   option->value);
	else if (strcmp(kind, "irqbalance") == 0 &&
		 strcmp(option->name, "banned_cpus") == 0)
		put_writer(tuned, option, "irqbalance/banned_cpus", NULL,
			   option->value);
	else if (strcmp(kind, "sysctl") == 0 && writers_is_sysctl(option->name))
		put_writer(tuned, option, WRITERS_SYSCTL, NULL, option->value);
	else if (strcmp(kind, "sysfs") == 0 &&
		 writers_split_path(tuned->scan->arena, option->name, &device,
				    &attr))
		put_writer(tuned, option, attr, device, option->value);
}

void tuned_scan(struct scan *scan)
{
	struct tuned tuned = { .scan = scan };
	const char *active = NULL;

	VEC_EACH(&scan->facts->services, struct service, service)
		if (strcmp(service->name, "tuned") == 0)
			active = service->detail;
	if (!active || !*active)
		return;
	tuned.who = arena_printf(scan->arena, "tuned profile %s", active);
	load(&tuned, active, 0);
	VEC_EACH(&tuned.options, struct tuned_option, option)
		put_written(&tuned, option);
}
