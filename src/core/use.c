/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/use.h"

#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"

/* As many as fit in a sentence. */
#define MOST_NAMED 3U

static void add_device(struct arena *arena, struct uses *uses, const char *name,
		       const char *alias, const char *dev)
{
	*vec_add(arena, &uses->devices) = (struct used_device){ .name = name,
								.alias = alias,
								.dev = dev };
}

static void add_devices(struct arena *arena, const struct facts *facts,
			const struct ns *ns, struct uses *uses)
{
	add_device(arena, uses, ns->name, NULL, ns->dev);
	VEC_EACH(&ns->partitions, const struct partition, it)
		add_device(arena, uses, it->name, NULL, it->dev);
	VEC_EACH(&ns->holders, const char *, holder)
		VEC_EACH(&facts->layers, const struct layer, it)
			if (text_equal(it->name, *holder))
				add_device(arena, uses, it->name, it->alias,
					   it->dev);
}

static bool is_part(const struct ns *ns, const char *device)
{
	if (text_equal(ns->name, device))
		return true;
	VEC_EACH(&ns->partitions, const struct partition, it)
		if (text_equal(it->name, device))
			return true;
	return false;
}

bool use_is_mounted(const struct ns *ns, const char *device)
{
	VEC_EACH(&ns->mounts, const struct mount, it)
		if (text_equal(it->device, device))
			return true;
	return false;
}

const char *use_of_mount(struct arena *arena, const struct ns *ns,
			 const struct mount *mount)
{
	if (!mount->device || is_part(ns, mount->device))
		return mount->where;
	return arena_printf(arena, "%s at %s", mount->device, mount->where);
}

static void add_known(struct arena *arena, const struct ns *ns,
		      struct uses *uses)
{
	VEC_EACH(&ns->mounts, const struct mount, it)
		uses_add(arena, uses,
			 (struct use){ .kind = USE_MOUNT,
				       .device = it->device,
				       .who = use_of_mount(arena, ns, it) });
	VEC_EACH(&ns->holders, const char *, it)
		if (!use_is_mounted(ns, *it))
			uses_add(arena, uses,
				 (struct use){ .kind = USE_MEMBER,
					       .device = *it,
					       .who = *it });
	VEC_EACH(&ns->swaps, const char *, it)
		uses_add(arena, uses,
			 (struct use){ .kind = USE_SWAP,
				       .device = *it,
				       .who = arena_printf(arena, "swap on %s",
							   *it) });
}

void uses_init(struct arena *arena, const struct facts *facts,
	       const struct ns *ns, struct uses *ret)
{
	*ret = (struct uses){ .ns = ns };
	add_devices(arena, facts, ns, ret);
	add_known(arena, ns, ret);
}

const struct used_device *uses_numbered(const struct uses *uses,
					const char *dev)
{
	VEC_EACH(&uses->devices, const struct used_device, it)
		if (it->dev && text_equal(it->dev, dev))
			return it;
	return NULL;
}

const struct used_device *uses_named(const struct uses *uses, const char *name)
{
	VEC_EACH(&uses->devices, const struct used_device, it)
		if (text_equal(it->name, name) ||
		    (it->alias && text_equal(it->alias, name)))
			return it;
	return NULL;
}

void uses_add(struct arena *arena, struct uses *uses, struct use use)
{
	VEC_EACH(&uses->items, const struct use, it)
		if (text_equal(it->who, use.who))
			return;
	*vec_add(arena, &uses->items) = use;
}

const char *uses_text(struct arena *arena, const struct uses *uses)
{
	struct strbuf sb;
	size_t n = uses->items.n;

	if (n == 0)
		return NULL;
	strbuf_init(&sb, arena);
	for (size_t i = 0; i < n && i < MOST_NAMED; i++)
		strbuf_printf(&sb, "%s%s", i ? ", " : "",
			      uses->items.items[i].who);
	if (n > MOST_NAMED)
		strbuf_printf(&sb, " and %zu more", n - MOST_NAMED);
	return sb.text;
}
