/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "host.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/parse.h"
#include "knobs/knob_list.h"

static void add_cpus(struct arena *arena, struct cpuset *set, const char *list)
{
	assert_int_equal(cpuset_parse_list(arena, list, set), 0);
}

static void add_nodes(struct arena *arena, struct facts *facts)
{
	struct node *node = vec_add(arena, &facts->nodes);

	node->id = 0;
	node->memory_kb = num_known(1 << 20);
	add_cpus(arena, &node->cpus, "0-3");
	node = vec_add(arena, &facts->nodes);
	node->id = 1;
	node->memory_kb = num_known(1 << 20);
	add_cpus(arena, &node->cpus, "4-7");
}

static void add_params(struct arena *arena, struct facts *facts)
{
	static const char *const nvme[] = { "poll_queues", "write_queues",
					    "io_queue_depth", "sgl_threshold",
					    NULL };
	static const char *const core[] = { "io_timeout", "max_retries",
					    "default_ps_max_latency_us", NULL };
	struct module *module = vec_add(arena, &facts->modules);

	*module = (struct module){ .name = "nvme", .state = "live" };
	for (size_t i = 0; nvme[i]; i++)
		*vec_add(arena, &module->params) = (struct module_param){
			.name = nvme[i],
			.live = i < 2 ? "0" : "1024",
		};
	module = vec_add(arena, &facts->modules);
	*module = (struct module){ .name = "nvme_core", .state = "live" };
	for (size_t i = 0; core[i]; i++)
		*vec_add(arena, &module->params) =
			(struct module_param){ .name = core[i], .live = "30" };
}

static void add_files(struct arena *arena, struct facts *facts)
{
	static const char *const paths[] = {
		"/etc/udev/rules.d/90-nvmetune.rules",
		"/etc/modprobe.d/nvmetune.conf",
		"/etc/sysctl.d/90-nvmetune.conf",
		"/etc/nvmetune/applied.ini",
	};

	for (size_t i = 0; i < sizeof(paths) / sizeof(paths[0]); i++)
		*vec_add(arena, &facts->own_files) = (struct own_file){
			.path = paths[i],
			.present = num_known(0),
		};
}

static void add_drive(struct arena *arena, struct facts *facts)
{
	struct ctrl *ctrl = vec_add(arena, &facts->ctrls);
	struct ns *ns = vec_add(arena, &facts->namespaces);

	*ctrl = (struct ctrl){
		.name = "nvme0",
		.model = "Lab Drive",
		.serial = "LAB0",
		.firmware = "1.0",
		.nqn = "nqn.2014.08.org.example:lab0",
		.cntlid = num_known(1),
		.transport = "pcie",
		.state = "live",
		.node = num_known(0),
		.queue_count = num_known(9),
		.queue_grant = num_known(16),
		.msix_size = num_known(65),
		.queues_default = num_known(8),
		.queues_read = num_known(0),
		.queues_poll = num_known(0),
	};
	*ns = (struct ns){
		.name = "nvme0n1",
		.kind = NS_PLAIN,
		.ctrl = "nvme0",
		.wwid = "eui.0001",
		.nsid = num_known(1),
		.zoned = "none",
		.has_mq = num_known(1),
	};
	for (unsigned int i = 0; i < 8; i++) {
		struct hw_queue *queue = vec_add(arena, &ns->hw_queues);

		queue->nr_tags = num_known(1023);
		cpuset_add(arena, &queue->cpus, i);
	}
}

void host_observe(struct arena *arena, struct facts *facts, const char *disk,
		  const char *knob, const struct value *value,
		  const char *choices)
{
	struct observation *it = NULL;

	VEC_EACH(&facts->observed, struct observation, seen)
		if (strcmp(seen->target, disk) == 0 &&
		    strcmp(seen->knob, knob) == 0)
			it = seen;
	if (!it)
		it = vec_add(arena, &facts->observed);
	*it = (struct observation){
		.knob = knob,
		.target_kind = TARGET_QUEUE,
		.target = disk,
		.value = *value,
		.choices = choices,
	};
}

void host_number(struct arena *arena, struct facts *facts, const char *disk,
		 const char *knob, uint64_t number)
{
	struct value value = value_uint(number);

	host_observe(arena, facts, disk, knob, &value, NULL);
}

void host_scheduler(struct arena *arena, struct facts *facts, const char *disk,
		    const char *scheduler)
{
	struct value value;

	assert_true(value_text(scheduler, &value));
	host_observe(arena, facts, disk, "queue.scheduler", &value,
		     "none mq-deadline");
}

void host_absent(struct arena *arena, struct facts *facts, const char *disk,
		 const char *knob, int why)
{
	const struct value none = { 0 };

	host_observe(arena, facts, disk, knob, &none, NULL);
	VEC_EACH(&facts->observed, struct observation, seen)
		if (strcmp(seen->target, disk) == 0 &&
		    strcmp(seen->knob, knob) == 0)
			seen->why = why;
}

struct facts *host_new(struct arena *arena)
{
	struct facts *facts = ARENA_NEW(arena, struct facts);

	facts->kernel = "6.1.0-53-amd64";
	add_cpus(arena, &facts->possible, "0-7");
	add_cpus(arena, &facts->online, "0-7");
	add_nodes(arena, facts);
	add_params(arena, facts);
	add_files(arena, facts);
	add_drive(arena, facts);
	host_scheduler(arena, facts, "nvme0n1", "mq-deadline");
	host_number(arena, facts, "nvme0n1", "queue.nr_requests", 256);
	host_number(arena, facts, "nvme0n1", "queue.rq_affinity", 1);
	host_number(arena, facts, "nvme0n1", "queue.nomerges", 0);
	host_number(arena, facts, "nvme0n1", "queue.wbt_lat_usec", 2000);
	host_number(arena, facts, "nvme0n1", "queue.io_timeout", 30000);
	host_number(arena, facts, "nvme0n1", "queue.add_random", 0);
	host_number(arena, facts, "nvme0n1", "queue.iostats", 1);
	host_number(arena, facts, "nvme0n1", "queue.max_sectors_kb", 1280);
	host_number(arena, facts, "nvme0n1", "queue.read_ahead_kb", 128);
	return facts;
}

static void add_line(struct arena *arena, struct profile *profile,
		     const struct profile_source *at, const char *line,
		     struct problems *problems)
{
	char *text = arena_strdup(arena, line);
	char *equals = strchr(text, '=');
	size_t n = strlen(text);

	if (text[0] == '[') {
		text[n - 1] = '\0';
		profile_section(arena, profile, at, text + 1, problems);
		return;
	}
	assert_non_null(equals);
	*equals = '\0';
	profile_key(arena, profile, knobs_all(), at, text_trim(text),
		    text_trim(equals + 1), problems);
}

struct profile *host_profile(struct arena *arena, const char *const *lines)
{
	struct profile *profile = ARENA_NEW(arena, struct profile);
	struct problems problems = { .arena = arena };
	struct profile_source at = { "test", "test.ini", 0 };

	profile->name = "test";
	profile->file = "test.ini";
	for (; *lines; lines++) {
		at.line++;
		add_line(arena, profile, &at, *lines, &problems);
	}
	if (problems.lines.n)
		fail_msg("%s", problems.lines.items[0]);
	return profile;
}
