/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/load_dir.h"

#include <errno.h>

#include "base/err.h"
#include "sys/sysroot.h"
#include "write/layout.h"

#define BLOCK_BYTES 4096U

/* The disk below the folder; NULL: it lies on several, or on none of them. */
static const struct ns *disk_below(const struct load_request *request)
{
	return request->drives->names.n == 1 ?
		       facts_ns(request->facts,
				request->drives->names.items[0]) :
		       NULL;
}

static int64_t node_of(struct arena *arena, const struct facts *facts,
		       const struct ns *ns)
{
	struct binding binding;

	return binding_of_ns(arena, facts, ns, &binding, NULL) == 0 ?
		       binding.node :
		       BINDING_NO_NODE;
}

static uint32_t block_bytes(const struct ns *ns)
{
	int64_t logical = num_or(ns->block_size, BLOCK_BYTES);

	return logical > BLOCK_BYTES && logical <= (int64_t)LAYOUT_UNIT ?
		       (uint32_t)logical :
		       BLOCK_BYTES;
}

int load_dir_open(struct arena *arena, const struct load_request *request,
		  const struct load_dir *wanted, struct load *ret,
		  struct err *err)
{
	const struct ns *ns = disk_below(request);
	struct load_drive *drive;
	struct layout layout;
	int r;

	if (!ns)
		return err_set(
			err, -ENOTSUP,
			"%s lies on %zu drives: a folder on one is needed",
			wanted->dir, request->drives->names.n);
	r = load_places(arena, request, ret, err);
	if (r == 0)
		r = sysroot_open("/", &ret->root, err);
	if (r == 0)
		r = layout_open(wanted->dir, wanted->size_bytes, wanted->stop,
				&layout, err);
	if (r < 0)
		return r;
	drive = vec_add(arena, &ret->drives);
	drive->ns = ns;
	drive->node = node_of(arena, request->facts, ns);
	drive->drive = (struct bench_drive){
		.name = ns->name,
		.fd = layout.fd,
		.writable = true,
		.size_bytes = layout.size_bytes,
		.block_bytes = block_bytes(ns),
		.facts = request->facts,
		.ns = ns,
	};
	return 0;
}
