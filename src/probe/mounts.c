/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "probe/mounts.h"

#include <string.h>

#include "base/parse.h"

#define MOST_BYTES (16U << 20)

char *mount_unescape(char *text)
{
	char *out = text;

	for (const char *in = text; *in; in++) {
		if (in[0] == '\\' && in[1] >= '0' && in[1] <= '3' &&
		    in[2] >= '0' && in[2] <= '7' && in[3] >= '0' &&
		    in[3] <= '7') {
			*out++ = (char)((in[1] - '0') * 64 + (in[2] - '0') * 8 +
					in[3] - '0');
			in += 3;
		} else {
			*out++ = *in;
		}
	}
	*out = '\0';
	return text;
}

const char *mount_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

/*
 * proc(5): "36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw";
 * the number of fields before the dash varies.
 */
static bool parse(char *line, struct mount_line *ret)
{
	char *behind = strstr(line, " - ");
	char *field[5];

	if (!behind)
		return false;
	*behind = '\0';
	behind += strlen(" - ");
	for (size_t i = 0; i < 5; i++) {
		field[i] = strsep(&line, " ");
		if (!field[i])
			return false;
	}
	*ret = (struct mount_line){
		.dev = field[2],
		.root = mount_unescape(field[3]),
		.where = mount_unescape(field[4]),
		.type = strsep(&behind, " "),
	};
	ret->source = behind ? mount_unescape(strsep(&behind, " ")) : "";
	return true;
}

struct systems {
	bool read;
	VEC(struct names) items;
};

/* What each btrfs of the host spans, which it tells by kernel names. */
static void read_systems(const struct sysroot *root, struct arena *arena,
			 struct systems *ret)
{
	struct names names = { { 0 } };

	ret->read = true;
	(void)sysroot_list(root, arena, "sys/fs/btrfs", &names);
	VEC_EACH(&names.names, char *, it) {
		struct names devices = { { 0 } };

		if (sysroot_list(root, arena,
				 arena_printf(arena, "sys/fs/btrfs/%s/devices",
					      *it),
				 &devices) == 0)
			*vec_add(arena, &ret->items) = devices;
	}
}

static bool has(const struct names *names, const char *name)
{
	VEC_EACH(&names->names, char *, it)
		if (text_equal(*it, name))
			return true;
	return false;
}

/* The source of one on dm is a link below /dev/mapper. */
static const struct names *spans_of(const struct sysroot *root,
				    struct arena *arena,
				    const struct systems *systems,
				    const char *source)
{
	const char *name = mount_base_name(source);
	const char *leads_to = NULL;

	if (!text_has_prefix(source, "/dev/"))
		return NULL;
	if (text_has_prefix(source, "/dev/mapper/"))
		leads_to = sysroot_link_name(root, arena, source + 1);
	VEC_EACH(&systems->items, struct names, it)
		if (has(it, name) || (leads_to && has(it, leads_to)))
			return it;
	return NULL;
}

int mounts_read(const struct sysroot *root, struct arena *arena,
		const char *path, struct mount_table *ret)
{
	struct systems systems = { 0 };
	struct mount_line mount;
	char *text = NULL, *line;
	int r = sysroot_read_file(root, arena, path, MOST_BYTES, &text);

	if (r < 0)
		return r;
	while ((line = strsep(&text, "\n"))) {
		if (!parse(line, &mount))
			continue;
		if (text_equal(mount.type, "btrfs")) {
			if (!systems.read)
				read_systems(root, arena, &systems);
			mount.spans =
				spans_of(root, arena, &systems, mount.source);
		}
		*vec_add(arena, &ret->lines) = mount;
	}
	return 0;
}

bool mount_is_of(const struct mount_line *line, const char *name,
		 const char *alias, const char *dev)
{
	const char *source;

	if (!text_has_prefix(line->dev, "0:"))
		return text_equal(line->dev, dev);
	if (line->spans && has(line->spans, name))
		return true;
	if (!text_has_prefix(line->source, "/dev/"))
		return false;
	source = mount_base_name(line->source);
	return text_equal(source, name) || text_equal(source, alias);
}
