/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scanned.h"

#include "base/strbuf.h"
#include "probe/probe.h"

static const char *const schedulers[] = { "none", "mq-deadline", NULL };

static const struct knob scheduler = {
	.name = "queue.scheduler",
	.scope = SCOPE_QUEUE,
	.place = PLACE_MQ,
	.type = VALUE_TEXT,
	.attr = "queue/scheduler",
	.choices = schedulers,
};

static const struct knob nr_requests = {
	.name = "queue.nr_requests",
	.scope = SCOPE_QUEUE,
	.place = PLACE_MQ,
	.type = VALUE_UINT,
	.attr = "queue/nr_requests",
	.max = UINT64_MAX,
};

static const struct knob read_ahead = {
	.name = "queue.read_ahead_kb",
	.scope = SCOPE_QUEUE,
	.place = PLACE_HEAD,
	.type = VALUE_UINT,
	.attr = "queue/read_ahead_kb",
	.max = UINT64_MAX,
};

static const struct knob governor = {
	.name = "cpu.governor",
	.scope = SCOPE_CPUS,
	.type = VALUE_TEXT,
	.attr = "scaling_governor",
};

static const struct knob *const items[] = { &scheduler, &nr_requests,
					    &read_ahead, &governor };

static const struct knob_set knobs = { .items = items, .n = 4 };

const struct facts *scanned_with_log(struct tree *tree, const char *file)
{
	struct probe_options options = { .dmesg_file = file };
	struct facts *facts = ARENA_NEW(tree->arena, struct facts);
	struct err err = { 0 };

	assert_int_equal(probe_host(tree->root, &knobs, &options, tree->arena,
				    facts, &err),
			 0);
	return facts;
}

const struct facts *scanned_image(struct tree *tree, unsigned int min_cpus)
{
	const struct probe_options options = { .min_cpus = min_cpus };
	struct facts *facts = ARENA_NEW(tree->arena, struct facts);
	_cleanup_sysroot_ struct sysroot *image = NULL;
	struct err err = { 0 };

	assert_int_equal(sysroot_open_image(tree->dir, &image, &err), 0);
	assert_int_equal(probe_host(image, &knobs, &options, tree->arena, facts,
				    &err),
			 0);
	return facts;
}

const struct facts *scanned(struct tree *tree)
{
	return scanned_with_log(tree, NULL);
}

const char *mounts_of(struct tree *tree, const struct ns *ns)
{
	struct strbuf sb;

	strbuf_init(&sb, tree->arena);
	VEC_EACH(&ns->mounts, struct mount, mount)
		strbuf_printf(&sb, "%s %s %s\n", mount->device, mount->type,
			      mount->where);
	return sb.text;
}

const char *blind_of(struct tree *tree, const struct facts *facts)
{
	struct strbuf sb;

	strbuf_init(&sb, tree->arena);
	VEC_EACH(&facts->blind, const char *, it)
		strbuf_printf(&sb, "%s\n", *it);
	return sb.text;
}

const char *log_of(struct tree *tree, const struct facts *facts)
{
	struct strbuf sb;

	strbuf_init(&sb, tree->arena);
	VEC_EACH(&facts->log, struct log_count, it)
		strbuf_printf(&sb, "%s %s %d\n",
			      it->device ? it->device : "host", it->kind,
			      (int)it->count);
	return sb.text;
}

const char *cpus_of(struct tree *tree, const struct cpuset *cpus)
{
	return cpuset_text(tree->arena, cpus);
}

const struct observation *observed(struct tree *tree, const struct facts *facts,
				   const char *knob, const char *name)
{
	const struct ns *ns = facts_ns(facts, name);
	struct target target;

	assert_non_null(ns);
	target = facts_ns_target(tree->arena, facts, ns);
	return facts_observed(facts, knob, &target);
}
