/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/bench_labels.h"

#include <string.h>

#include "base/parse.h"

static void put_environment(struct json_writer *json, const struct facts *facts)
{
	json_begin_object(json, "environment");
	json_put_text(json, "hostname", facts->hostname);
	json_put_text(json, "os", facts->os_name);
	json_put_text(json, "kernel", facts->kernel);
	json_put_text(json, "machine", facts->machine);
	json_put_text(json, "cmdline", facts->cmdline);
	json_put_text(json, "boot_id", facts->boot_id);
	json_put_text(json, "hypervisor", facts->hypervisor);
	json_put_text(json, "container", facts->container);
	json_put_cpuset(json, "online", &facts->online);
	json_put_cpuset(json, "isolated", &facts->isolated);
	json_put_cpuset(json, "allowed", &facts->allowed);
	json_put_text(json, "governor", facts->governor);
	json_put_text(json, "iommu", facts->iommu);
	json_put_text(json, "iommu_type", facts->iommu_type);
	json_begin_array(json, "running");
	VEC_EACH(&facts->services, const struct service, it)
		if (text_equal(it->state, "running"))
			json_put_text(json, NULL, it->name);
	VEC_EACH(&facts->jobs, const char *, it)
		json_put_text(json, NULL, *it);
	json_end(json);
	json_end(json);
}

static void put_link(struct json_writer *json, const struct link *link)
{
	json_row(json);
	json_begin_object(json, "link");
	json_put_num(json, "speed_mts", link->speed_mts);
	json_put_num(json, "width", link->width);
	json_put_num(json, "max_speed_mts", link->max_speed_mts);
	json_put_num(json, "max_width", link->max_width);
	json_end(json);
}

static void put_ctrl(struct json_writer *json, const struct ctrl *ctrl)
{
	json_put_text(json, "controller", ctrl->name);
	json_put_text(json, "model", ctrl->model);
	json_put_text(json, "serial", ctrl->serial);
	json_put_text(json, "firmware", ctrl->firmware);
	json_put_text(json, "address", ctrl->address);
	json_put_text(json, "transport", ctrl->transport);
	json_put_num(json, "node", ctrl->node);
	json_put_text(json, "iommu_type", ctrl->iommu_type);
	put_link(json, &ctrl->link);
	json_put_num(json, "queues_default", ctrl->queues_default);
	json_put_num(json, "queues_read", ctrl->queues_read);
	json_put_num(json, "queues_poll", ctrl->queues_poll);
	json_put_num(json, "temperature_c", ctrl->smart.temperature_c);
	json_put_num(json, "critical_warning", ctrl->smart.critical_warning);
}

/* Every knob's value on this disk or on its hidden paths. */
static void put_knobs(struct json_writer *json, const struct facts *facts,
		      const struct ns *ns)
{
	json_begin_object(json, "knobs");
	VEC_EACH(&facts->observed, const struct observation, it)
		if (it->target_kind == TARGET_QUEUE &&
		    text_equal(it->target, ns->name) &&
		    it->value.type != VALUE_NONE)
			json_put_value(json, it->knob, &it->value);
	json_end(json);
}

static void put_drive(struct json_writer *json, const struct facts *facts,
		      const struct load_drive *drive)
{
	const struct ctrl *ctrl = facts_ns_ctrl(facts, drive->ns);

	json_begin_object(json, NULL);
	json_put_text(json, "name", drive->ns->name);
	if (ctrl)
		put_ctrl(json, ctrl);
	json_put_uint(json, "size_bytes", drive->drive.size_bytes);
	json_put_num(json, "block_size", drive->ns->block_size);
	json_put_text(json, "in_use", drive->users);
	put_knobs(json, facts, drive->ns);
	json_end(json);
}

void bench_labels_to_json(const struct facts *facts, const struct load *load,
			  struct json_writer *json)
{
	put_environment(json, facts);
	json_begin_array(json, "drives");
	VEC_EACH(&load->drives, const struct load_drive, it)
		put_drive(json, facts, it);
	json_end(json);
}
