/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/load.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/parse.h"
#include "cmd/load_uses.h"
#include "cmd/out.h"
#include "sys/device.h"

#define BLOCK_BYTES 4096U

/* A small part of what any drive gives, and enough to see what an I/O costs. */
#define IN_USE_IOPS 2000U
#define IN_USE_MIB 64U

static bool is_named(const struct drives *drives, const char *name)
{
	VEC_EACH(&drives->names, const char *, it)
		if (text_equal(*it, name))
			return true;
	return false;
}

/* Of one subsystem: that of the namespaces, or of a plain disk's drive. */
static bool same_drive(const struct ns *a, const struct ns *b)
{
	return a->subsystem ? text_equal(a->subsystem, b->subsystem) :
			      a->ctrl && text_equal(a->ctrl, b->ctrl);
}

static bool is_larger(const struct ns *a, const struct ns *b)
{
	int64_t x = num_or(a->size_bytes, 0), y = num_or(b->size_bytes, 0);

	return x != y ? x > y : a < b;
}

static bool is_wanted(const struct load_request *request, const struct ns *ns)
{
	const struct facts *facts = request->facts;

	if (ns->kind == NS_PATH || !drives_have_ns(request->drives, facts, ns))
		return false;
	if (is_named(request->drives, ns->name))
		return true;
	VEC_EACH(&facts->namespaces, const struct ns, it)
		if (it != ns && it->kind != NS_PATH && same_drive(it, ns) &&
		    drives_have_ns(request->drives, facts, it) &&
		    is_larger(it, ns))
			return false;
	return true;
}

/* A namespace whose format the kernel cannot use has no bytes at all. */
static int check_block(const struct load_request *request,
		       const struct bench_drive *drive, struct err *err)
{
	uint32_t bytes = request->block_bytes ? request->block_bytes :
						drive->block_bytes;

	if (bytes % drive->logical_bytes)
		return err_set(
			err, -EINVAL,
			"%s: its blocks have %u bytes, and a read of %u is no multiple of that",
			drive->name, drive->logical_bytes, bytes);
	if (drive->size_bytes < bytes)
		return err_set(err, -ENOSPC,
			       "%s has %llu bytes, less than a read of %u",
			       drive->name,
			       (unsigned long long)drive->size_bytes, bytes);
	return 0;
}

static int open_drive(struct arena *arena, const struct load_request *request,
		      const struct ns *ns, struct load_drive *ret,
		      struct err *err)
{
	const char *path = arena_printf(arena, "/dev/%s", ns->name);
	struct device_geometry geometry;
	struct load_drive drive = { .ns = ns, .node = BINDING_NO_NODE };
	const struct ctrl *ctrl;
	struct binding binding;
	dev_t dev;
	int r;

	if (!ns->dev || device_number_parse(ns->dev, &dev) < 0)
		return err_set(err, -ENODEV, "%s: its device number is unknown",
			       ns->name);
	r = device_open_read(path, dev, &drive.drive.fd, err);
	if (r < 0)
		return r;
	*ret = drive; /* from here on load_close() closes it */
	r = device_geometry_read(drive.drive.fd, &geometry, err);
	if (r < 0)
		return err_context(err, "%s", ns->name);
	ret->drive.name = ns->name;
	ret->drive.facts = request->facts;
	ret->drive.ns = ns;
	ret->drive.size_bytes = geometry.size_bytes;
	ret->drive.logical_bytes = geometry.block_bytes;
	ret->drive.block_bytes = geometry.block_bytes > BLOCK_BYTES ?
					 geometry.block_bytes :
					 BLOCK_BYTES;
	ctrl = facts_ns_ctrl(request->facts, ns);
	if (ns->kind != NS_HEAD && ctrl)
		ret->node = num_or(ctrl->node, BINDING_NO_NODE);
	else if (binding_of_ns(arena, request->facts, ns, &binding, NULL) == 0)
		ret->node = binding.node;
	return check_block(request, &ret->drive, err);
}

/* Named, it is refused; others are left out. */
static int refuse(const struct load_request *request, const struct ns *ns,
		  const char *users, struct err *err)
{
	if (request->drives->names.n)
		return err_set(err, -EBUSY, "%s is in use by %s: see --in-use",
			       ns->name, users);
	out_note("%s is in use by %s: left out", ns->name, users);
	return 0;
}

/* Those whose users the facts tell need no further look. */
static int find_users(struct arena *arena, const struct load_request *request,
		      struct load_look *look, struct err *err)
{
	const struct facts *facts = request->facts;
	int r = 0;

	VEC_EACH(&facts->namespaces, const struct ns, ns) {
		struct uses uses;
		const char *users;

		if (!is_wanted(request, ns))
			continue;
		uses_init(arena, facts, ns, &uses);
		users = uses_text(arena, &uses);
		if (!users || request->in_use)
			look->all[look->n++] = uses;
		else
			r = refuse(request, ns, users, err);
		if (r < 0)
			return r;
	}
	return look->n ? load_uses_find(look, err) : 0;
}

static struct bench_limit *limit_new(struct arena *arena, struct owners *owners)
{
	struct bench_limit *limit = ARENA_NEW(arena, struct bench_limit);

	*limit = (struct bench_limit){
		.most_iops = IN_USE_IOPS,
		.most_bytes = (uint64_t)IN_USE_MIB << 20,
		.look = owners_look,
		.data = owners,
	};
	return limit;
}

/* Likewise; the rest is measured without it. */
static int leave_out(struct load_drive *drive, struct err *err)
{
	out_note("%s: left out", err->text);
	*err = (struct err){ 0 };
	(void)close(drive->drive.fd);
	drive->drive.fd = -1;
	return 0;
}

static int open_found(struct arena *arena, const struct load_request *request,
		      const struct load_look *look, struct load *load,
		      struct err *err)
{
	const struct bench_limit *limit = limit_new(arena, look->owners);
	int r = 0;

	for (size_t i = 0; i < look->n && r == 0; i++) {
		const struct ns *ns = look->all[i].ns;
		const char *users = uses_text(arena, &look->all[i]);
		struct load_drive drive = { .drive.fd = -1 };

		if (users && !request->in_use) {
			r = refuse(request, ns, users, err);
			continue;
		}
		r = open_drive(arena, request, ns, &drive, err);
		if (r == -ENOSPC && request->drives->names.n == 0)
			r = leave_out(&drive, err);
		else if (users) {
			drive.drive.limit = limit;
			drive.users = users;
			out_note(
				"%s is in use by %s: at most %u reads and %u MiB a second, and none once they wait twice as long",
				ns->name, users, IN_USE_IOPS, IN_USE_MIB);
		}
		if (drive.drive.fd >= 0)
			*vec_add(arena, &load->drives) = drive;
	}
	return r;
}

static int open_drives(struct arena *arena, const struct load_request *request,
		       struct load *load, struct err *err)
{
	struct load_look look = {
		.arena = arena,
		.root = load->root,
		.facts = request->facts,
		.owners = request->in_use ? owners_new(arena, load->root) :
					    NULL,
		.all = arena_array(arena, request->facts->namespaces.n,
				   sizeof(*look.all)),
	};
	bool any = false;
	int r = find_users(arena, request, &look, err);

	if (r == 0)
		r = open_found(arena, request, &look, load, err);
	VEC_EACH(&request->facts->namespaces, const struct ns, ns)
		any |= is_wanted(request, ns);
	if (r == 0 && load->drives.n == 0 && any)
		return err_set(err, -EBUSY,
			       "every drive is in use (see --in-use) or empty");
	return r;
}

/*
 * A node that lends another's memory would not tell what is asked here, so
 * it is left out, with the reason.
 */
static void add_node(struct arena *arena, const struct facts *facts,
		     const struct node *node, struct load *load)
{
	struct bench_place *place = vec_add(arena, &load->places);
	struct err why = { 0 };

	place->node = node->id;
	if (binding_of_node(arena, facts, node->id, &place->binding, &why) < 0)
		place->skip = arena_strdup(arena, why.text);
	else if (node->memory_kb.known && node->memory_kb.value == 0)
		place->skip = "the node has no memory of its own";
}

/* A kernel without NUMA: one place, with all CPUs that may be used. */
static int add_everywhere(struct arena *arena, const struct facts *facts,
			  struct load *load, struct err *err)
{
	struct bench_place *place = vec_add(arena, &load->places);
	struct cpuset cpus = facts->online;

	if (!cpuset_is_empty(&facts->allowed))
		cpus = cpuset_and(arena, &cpus, &facts->allowed);
	cpus = cpuset_minus(arena, &cpus, &facts->isolated);
	place->node = BINDING_NO_NODE;
	place->binding = (struct binding){
		.node = BINDING_NO_NODE,
		.cpus = cpus,
		.memory_node = BINDING_NO_NODE,
	};
	if (cpuset_is_empty(&cpus))
		return err_set(err, -ENOENT, "no CPU may be used");
	return 0;
}

int load_places(struct arena *arena, const struct load_request *request,
		struct load *load, struct err *err)
{
	const struct facts *facts = request->facts;

	VEC_EACH(&facts->nodes, const struct node, it)
		if (request->node == BINDING_NO_NODE || request->node == it->id)
			add_node(arena, facts, it, load);
	if (load->places.n)
		return 0;
	if (request->node != BINDING_NO_NODE)
		return err_set(err, -ENODEV, "this host has no node %lld",
			       (long long)request->node);
	return add_everywhere(arena, facts, load, err);
}

int load_open(struct arena *arena, const struct load_request *request,
	      struct load *ret, struct err *err)
{
	int r = load_places(arena, request, ret, err);

	if (r == 0)
		r = sysroot_open("/", &ret->root, err);
	return r < 0 ? r : open_drives(arena, request, ret, err);
}

void load_close(struct load *load)
{
	VEC_EACH(&load->drives, struct load_drive, it) {
		(void)close(it->drive.fd);
		it->drive.fd = -1;
	}
	sysroot_close(load->root);
	load->root = NULL;
}
