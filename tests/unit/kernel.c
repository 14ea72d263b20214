/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "kernel.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/parse.h"
#include "core/owner.h"
#include "host.h"
#include "knobs/knob_list.h"
#include "render/files.h"
#include "write/history.h"

#define CTRL "sys/class/nvme/nvme0/"
#define DEPTH 1023U

static char *path_of(struct kernel *kernel, const char *attr)
{
	return arena_printf(kernel->tree->arena, "sys/class/block/%s/queue/%s",
			    kernel->disk, attr);
}

static void put_number(struct kernel *kernel, const char *attr,
		       unsigned int number)
{
	struct tree *tree = kernel->tree;

	tree_put(tree, path_of(kernel, attr),
		 arena_printf(tree->arena, "%u\n", number));
}

void kernel_show(struct kernel *kernel)
{
	tree_put(kernel->tree, path_of(kernel, "scheduler"),
		 text_equal(kernel->scheduler, "none") ?
			 "[none] mq-deadline \n" :
			 "none [mq-deadline] \n");
	put_number(kernel, "nr_requests", kernel->nr_requests);
	put_number(kernel, "rq_affinity", kernel->rq_affinity);
	put_number(kernel, "max_sectors_kb", kernel->max_sectors_kb);
	put_number(kernel, "read_ahead_kb", kernel->read_ahead_kb);
	put_number(kernel, "io_timeout", kernel->io_timeout);
}

static int set_scheduler(struct kernel *kernel, const char *text)
{
	if (!text_equal(text, "none") && !text_equal(text, "mq-deadline"))
		return -EINVAL;
	if (text_equal(text, kernel->scheduler))
		return 0;
	strcpy(kernel->scheduler, text);
	kernel->nr_requests = text_equal(text, "none") ? DEPTH : 256;
	return 0;
}

static int set_nr_requests(struct kernel *kernel, unsigned int number)
{
	bool none = text_equal(kernel->scheduler, "none");

	if (number > (none ? DEPTH : 2048))
		return -EINVAL;
	if (number < 4)
		number = 4;
	if (none && number != kernel->nr_requests)
		kernel->tags = number;
	kernel->nr_requests = number;
	return 0;
}

static int set_max_sectors(struct kernel *kernel, unsigned int number)
{
	kernel->max_sectors_kb = number > 1280 ? 1280 : number;
	if (kernel->read_ahead_kb < 128)
		kernel->read_ahead_kb = 128;
	return 0;
}

static int set(struct kernel *kernel, const char *attr, const char *text)
{
	unsigned int number = 0;

	if (text_equal(attr, "scheduler"))
		return set_scheduler(kernel, text);
	if (parse_uint(text, &number) < 0)
		return -EINVAL;
	if (text_equal(attr, "nr_requests"))
		return set_nr_requests(kernel, number);
	if (text_equal(attr, "max_sectors_kb"))
		return set_max_sectors(kernel, number);
	if (text_equal(attr, "read_ahead_kb"))
		kernel->read_ahead_kb = number / 4 * 4;
	else if (text_equal(attr, "rq_affinity"))
		kernel->rq_affinity = number;
	else if (text_equal(attr, "io_timeout"))
		kernel->io_timeout = (number + 3) / 4 * 4;
	else
		return -EIO;
	return 0;
}

static ssize_t on_write(void *data, int fd, const char *path, const char *text,
			size_t n)
{
	struct kernel *kernel = data;
	const char *attr = strrchr(path, '/') + 1;
	int r = 0;

	(void)fd;
	strbuf_printf(&kernel->log, "%s%s=%s", kernel->log.len ? " " : "", attr,
		      text);
	if (kernel->fail_times && text_equal(kernel->fail_attr, attr)) {
		kernel->fail_times--;
		r = kernel->fail_code;
	} else {
		r = set(kernel, attr, text);
	}
	kernel_show(kernel);
	if (++kernel->nr_writes == kernel->break_at)
		kernel->breaks(kernel);
	return r < 0 ? r : (ssize_t)n;
}

static int on_read(void *data, const char *path)
{
	const struct kernel *kernel = data;
	const char *attr = strrchr(path, '/') + 1;

	return text_equal(kernel->mute_attr, attr) &&
			       strstr(kernel->log.text, attr) ?
		       -EIO :
		       0;
}

static void put_drive(struct tree *tree)
{
	tree_put(tree, CTRL "subsysnqn", "nqn.2014.08.org.example:lab0\n");
	tree_put(tree, CTRL "serial", "LAB0  \n");
	tree_put(tree, CTRL "cntlid", "1\n");
	tree_put(tree, CTRL "address", "0000:41:00.0\n");
	tree_put(tree, "sys/class/block/nvme0n1/wwid", "eui.0001\n");
	tree_put(tree, "sys/class/block/nvme0n1/nsid", "1\n");
	tree_link(tree, "sys/class/block/nvme0n1/device", "../../nvme/nvme0");
	tree_put(tree, "etc/udev/rules.d/10-somebody.rules", "# not ours\n");
	tree_put(tree, "etc/modprobe.d/somebody.conf", "# not ours\n");
}

struct kernel *kernel_new(void)
{
	struct kernel *kernel = calloc(1, sizeof(*kernel));
	const struct sysroot_hooks hooks = { .read = on_read,
					     .write = on_write,
					     .data = kernel };

	assert_non_null(kernel);
	kernel->tree = tree_new();
	kernel->disk = "nvme0n1";
	strbuf_init(&kernel->log, kernel->tree->arena);
	put_drive(kernel->tree);
	kernel_reboot(kernel);
	strcpy(kernel->scheduler, "mq-deadline");
	kernel->nr_requests = 256;
	kernel_show(kernel);
	sysroot_set_hooks(kernel->tree->root, &hooks);
	return kernel;
}

void kernel_reboot(struct kernel *kernel)
{
	strcpy(kernel->scheduler, "none");
	kernel->nr_requests = DEPTH;
	kernel->tags = DEPTH;
	kernel->rq_affinity = 1;
	kernel->max_sectors_kb = 1280;
	kernel->read_ahead_kb = 128;
	kernel->io_timeout = 30000;
	kernel_show(kernel);
}

void kernel_free(struct kernel *kernel)
{
	tree_free(kernel->tree);
	free(kernel);
}

char *kernel_state(struct kernel *kernel)
{
	return arena_printf(kernel->tree->arena,
			    "%s nr=%u tags=%u rq=%u max=%u ra=%u timeout=%u",
			    kernel->scheduler, kernel->nr_requests,
			    kernel->tags, kernel->rq_affinity,
			    kernel->max_sectors_kb, kernel->read_ahead_kb,
			    kernel->io_timeout);
}

static void observe_files(struct kernel *kernel, struct facts *facts)
{
	struct tree *tree = kernel->tree;

	VEC_EACH(&facts->own_files, struct own_file, file) {
		char *text;
		int r = sysroot_read_file(tree->root, tree->arena, file->path,
					  65536, &text);

		file->present = num_known(r == 0);
		file->content = r == 0 ? text : NULL;
	}
}

struct facts *kernel_facts(struct kernel *kernel)
{
	struct arena *arena = kernel->tree->arena;
	struct facts *facts = host_new(arena);

	host_scheduler(arena, facts, "nvme0n1", kernel->scheduler);
	host_number(arena, facts, "nvme0n1", "queue.nr_requests",
		    kernel->nr_requests);
	host_number(arena, facts, "nvme0n1", "queue.rq_affinity",
		    kernel->rq_affinity);
	host_number(arena, facts, "nvme0n1", "queue.max_sectors_kb",
		    kernel->max_sectors_kb);
	host_number(arena, facts, "nvme0n1", "queue.read_ahead_kb",
		    kernel->read_ahead_kb);
	host_number(arena, facts, "nvme0n1", "queue.io_timeout",
		    kernel->io_timeout);
	host_absent(arena, facts, "nvme0n1", "queue.wbt_lat_usec", ENOENT);
	host_absent(arena, facts, "nvme0n1", "queue.nomerges", ENOENT);
	host_absent(arena, facts, "nvme0n1", "queue.add_random", ENOENT);
	host_absent(arena, facts, "nvme0n1", "queue.iostats", ENOENT);
	observe_files(kernel, facts);
	return facts;
}

struct plan *kernel_plan(struct kernel *kernel, const char *const *lines)
{
	struct arena *arena = kernel->tree->arena;
	struct problems problems = { .arena = arena };
	struct applied *applied = ARENA_NEW(arena, struct applied);
	struct plan *plan = ARENA_NEW(arena, struct plan);
	const struct facts *facts = kernel_facts(kernel);
	const struct plan_input input = {
		.facts = facts,
		.profile = host_profile(arena, lines),
		.knobs = knobs_all(),
		.applied = applied,
	};
	struct err err = { 0 };

	assert_int_equal(applied_from_history(kernel->tree->root, arena,
					      knobs_all(), applied, &err),
			 0);
	if (plan_build(arena, &input, plan, &problems) < 0)
		fail_msg("%s", problems.lines.items[0]);
	render_files(arena, facts, applied, plan);
	return plan;
}
