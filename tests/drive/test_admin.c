/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include "cmd/heat.h"
#include "core/health.h"
#include "drive.h"
#include "probe/probe.h"
#include "sys/record.h"
#include "write/raw.h"
#include "json/facts_json.h"

struct fixture {
	struct tree *tree;
	struct drive drive;
	struct facts facts;
	struct probe_options options;
};

static void put16(uint8_t *at, uint16_t value)
{
	at[0] = (uint8_t)value;
	at[1] = (uint8_t)(value >> 8);
}

static void put32(uint8_t *at, uint32_t value)
{
	put16(at, (uint16_t)value);
	put16(at + 2, (uint16_t)(value >> 16));
}

/* Offsets of NVMe Base 2.0: figure 275 (identify controller), 276 (power
 * states), 207 (SMART). */
static void fill_identify(uint8_t *id)
{
	id[76] = 1 << 1; /* CMIC */
	id[77] = 5;	 /* MDTS */
	put16(id + 256, 0x0017);
	id[263] = 1; /* NPSS: two states */
	id[265] = 1; /* APSTA */
	put16(id + 514, 256);
	put16(id + 520, 1 << 4);
	put32(id + 536, 0x00010001);
	put16(id + 2048, 2500); /* 25 W in 0.01 W */
	put32(id + 2048 + 4, 16);
	put32(id + 2048 + 8, 4);
	put16(id + 2080, 250); /* 25 mW in 0.0001 W */
	id[2080 + 3] = 3;      /* so scaled, and non-operational */
	put32(id + 2080 + 4, 500);
	put32(id + 2080 + 8, 5000);
}

static void fill_smart(uint8_t *log)
{
	log[0] = 2;
	put16(log + 1, 273 + 41);
	log[3] = 100;
	log[4] = 10;
	log[5] = 3;
	put32(log + 32, 1000);	/* data units read */
	put32(log + 36, 1);	/* ... and 2^32 more */
	put32(log + 128, 4711); /* power on hours */
	put32(log + 144, 2);	/* unsafe shutdowns */
	log[160 + 8] = 1;	/* media errors: 2^64 */
	put32(log + 192, 60);	/* minutes too warm */
	put32(log + 216, 9);	/* thermal 1 count */
	put32(log + 228, 77);	/* thermal 2 seconds */
}

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof(*f));
	struct sysroot_hooks hooks = { .device = drive_open };

	assert_non_null(f);
	f->tree = tree_new();
	tree_put(f->tree, "sys/class/nvme/nvme0/state", "live\n");
	tree_put(f->tree, "sys/class/nvme/nvme0/transport", "pcie\n");
	tree_put(f->tree, "sys/class/nvme/nvme0/dev", "241:0\n");
	sysroot_set_hooks(f->tree->root, &hooks);
	fill_identify(f->drive.identify);
	fill_smart(f->drive.smart);
	f->drive.features[0x07] = 0x001f000f;
	f->drive.features[0x08] = 0x0a05;
	f->drive.capabilities[0x08] = 4;
	f->drive.features[0x0c] = 1;
	put32(f->drive.apst, 1 << 3 | 2000 << 8);
	f->drive.apst_bytes = sizeof(f->drive.apst);
	drive_set(&f->drive);
	*state = f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;

	drive_set(NULL);
	tree_free(f->tree);
	free(f);
	return 0;
}

static const struct ctrl *scan(struct fixture *f)
{
	static const struct knob_set none = { 0 };
	struct err err = { 0 };

	assert_int_equal(probe_host(f->tree->root, &none, &f->options,
				    f->tree->arena, &f->facts, &err),
			 0);
	assert_int_equal(f->facts.ctrls.n, 1);
	return f->facts.ctrls.items;
}

static void identify_gives_what_the_drive_can(void **state)
{
	const struct ctrl *ctrl = scan(*state);
	const struct power_state *deep = &ctrl->power_states.items[1];

	assert_int_equal(num_or(ctrl->mdts, -1), 5);
	assert_int_equal(num_or(ctrl->npss, -1), 1);
	assert_int_equal(num_or(ctrl->apsta, -1), 1);
	assert_int_equal(num_or(ctrl->sgls, -1), 0x00010001);
	assert_int_equal(num_or(ctrl->maxcmd, -1), 256);
	assert_int_equal(num_or(ctrl->oacs, -1), 0x17);
	assert_int_equal(num_or(ctrl->oncs, -1), 0x10);
	assert_int_equal(num_or(ctrl->cmic, -1), 2);
	assert_int_equal(ctrl->power_states.n, 2);
	assert_int_equal(num_or(ctrl->power_states.items[0].max_power_mw, 0),
			 25000);
	assert_int_equal(
		num_or(ctrl->power_states.items[0].non_operational, -1), 0);
	assert_int_equal(num_or(deep->max_power_mw, 0), 25);
	assert_int_equal(num_or(deep->non_operational, -1), 1);
	assert_int_equal(num_or(deep->entry_us, 0), 500);
	assert_int_equal(num_or(deep->exit_us, 0), 5000);
}

static void smart_is_in_celsius_and_counters_are_not_cut(void **state)
{
	const struct smart *smart = &scan(*state)->smart;

	assert_int_equal(num_or(smart->critical_warning, -1), 2);
	assert_int_equal(num_or(smart->temperature_c, -1), 41);
	assert_int_equal(num_or(smart->available_spare_percent, -1), 100);
	assert_int_equal(num_or(smart->spare_threshold_percent, -1), 10);
	assert_int_equal(num_or(smart->used_percent, -1), 3);
	assert_int_equal(num_or(smart->data_units_read, -1), 4294967296 + 1000);
	assert_int_equal(num_or(smart->power_on_hours, -1), 4711);
	assert_int_equal(num_or(smart->unsafe_shutdowns, -1), 2);
	assert_int_equal(smart->media_errors.why, EOVERFLOW);
	assert_int_equal(num_or(smart->warning_temperature_minutes, -1), 60);
	assert_int_equal(num_or(smart->thermal_1_count, -1), 9);
	assert_int_equal(num_or(smart->thermal_2_seconds, -1), 77);
	assert_int_equal(num_or(smart->thermal_1_seconds, -1), 0);
}

static void features_are_current_values_and_counts_start_at_one(void **state)
{
	const struct ctrl *ctrl = scan(*state);

	/* H6: 16 submission and 32 completion queues, each told less one:
	 * the smaller counts. */
	assert_int_equal(num_or(ctrl->queue_grant, -1), 16);
	assert_int_equal(num_or(ctrl->coalescing, -1), 0x0a05);
	assert_int_equal(num_or(ctrl->coalescing_caps, -1), 4);
	assert_int_equal(num_or(ctrl->apst_enabled, -1), 1);
}

static void idle_times_are_those_of_the_table_as_it_is_now(void **state)
{
	const struct ctrl *ctrl = scan(*state);
	const struct power_state *states = ctrl->power_states.items;

	assert_int_equal(num_or(states[0].idle_ms, -1), 2000);
	assert_int_equal(num_or(states[0].idle_state, -1), 1);
	/* The last one leads nowhere. */
	assert_int_equal(num_or(states[1].idle_ms, -1), 0);
	assert_false(states[1].idle_state.known);
}

static void what_a_drive_sent_before_is_not_its_table(void **state)
{
	struct fixture *f = *state;
	const struct ctrl *ctrl;

	f->drive.apst_bytes = 0;
	ctrl = scan(f);
	assert_int_equal(num_or(ctrl->power_states.items[0].idle_ms, -1), 0);
}

static void commands_on_the_wire_are_these_and_no_others(void **state)
{
	static const struct drive_command expected[] = {
		{ .opcode = 0x06, .cdw10 = 0x01, .data_len = 4096 },
		/* 512 bytes are 128 dwords, counted from 0. */
		{ .opcode = 0x02,
		  .nsid = 0xffffffff,
		  .cdw10 = 0x007f0002,
		  .data_len = 512 },
		{ .opcode = 0x0a, .cdw10 = 0x007 },
		{ .opcode = 0x0a, .cdw10 = 0x008 },
		{ .opcode = 0x0a, .cdw10 = 0x308 },
		{ .opcode = 0x0a, .cdw10 = 0x00c, .data_len = 256 },
	};
	struct fixture *f = *state;

	(void)scan(f);
	assert_int_equal(f->drive.nr_opens, 1);
	assert_int_equal(f->drive.nr_commands,
			 sizeof(expected) / sizeof(*expected));
	for (size_t i = 0; i < f->drive.nr_commands; i++) {
		const struct drive_command *it = &f->drive.commands[i];

		assert_int_equal(it->opcode, expected[i].opcode);
		assert_int_equal(it->nsid, expected[i].nsid);
		assert_int_equal(it->cdw10, expected[i].cdw10);
		assert_int_equal(it->cdw11, 0);
		assert_int_equal(it->data_len, expected[i].data_len);
		/* A short time-out would make the kernel reset the drive. */
		assert_int_equal(it->timeout_ms, 0);
		assert_true(it->aligned);
	}
}

static void drive_without_apst_is_not_asked_for_it(void **state)
{
	struct fixture *f = *state;
	const struct ctrl *ctrl;

	f->drive.identify[265] = 0;
	put16(f->drive.identify + 520, 0);
	ctrl = scan(f);
	assert_int_equal(ctrl->apst_enabled.why, EOPNOTSUPP);
	assert_int_equal(ctrl->coalescing_caps.why, EOPNOTSUPP);
	assert_int_equal(f->drive.nr_commands, 4);
}

static void status_of_the_drive_is_not_supported(void **state)
{
	struct fixture *f = *state;
	const struct ctrl *ctrl;

	f->drive.fails[0x0a] = 0x4002; /* invalid field, do not retry */
	ctrl = scan(f);
	assert_int_equal(ctrl->coalescing.why, EOPNOTSUPP);
	assert_int_equal(ctrl->queue_grant.why, EOPNOTSUPP);
	assert_int_equal(ctrl->apst_enabled.why, EOPNOTSUPP);
	assert_int_equal(num_or(ctrl->mdts, -1), 5);
	assert_int_equal(f->facts.blind.n, 0);
}

static void errno_of_the_kernel_is_the_reason(void **state)
{
	struct fixture *f = *state;
	const struct ctrl *ctrl;

	f->drive.fails[0x06] = -EACCES;
	f->drive.fails[0x02] = -EIO;
	ctrl = scan(f);
	assert_int_equal(ctrl->mdts.why, EACCES);
	assert_int_equal(ctrl->power_states.n, 0);
	assert_int_equal(ctrl->smart.temperature_c.why, EIO);
	assert_int_equal(f->facts.blind.n, 1);
	assert_string_equal(f->facts.blind.items[0],
			    "identify, features and SMART need root");
}

static void drive_without_a_sensor_has_no_temperature(void **state)
{
	struct fixture *f = *state;

	put16(f->drive.smart + 1, 0);
	assert_int_equal(scan(f)->smart.temperature_c.why, ENODATA);
}

static void more_power_states_than_there_can_be_are_cut(void **state)
{
	struct fixture *f = *state;

	f->drive.identify[263] = 255;
	assert_int_equal(scan(f)->power_states.n, 32);
}

static void controller_that_is_not_live_gets_no_command(void **state)
{
	struct fixture *f = *state;

	tree_put(f->tree, "sys/class/nvme/nvme0/state", "connecting\n");
	assert_int_equal(scan(f)->mdts.why, EAGAIN);
	assert_int_equal(f->drive.nr_opens, 0);
	assert_int_equal(f->drive.nr_commands, 0);
}

static void no_admin_means_no_command_and_no_complaint(void **state)
{
	struct fixture *f = *state;

	f->options.no_admin = true;
	assert_false(scan(f)->mdts.known);
	assert_int_equal(f->drive.nr_opens, 0);
	assert_int_equal(f->facts.blind.n, 0);
}

static void fabrics_controller_is_asked_for_no_queue_features(void **state)
{
	struct fixture *f = *state;

	tree_put(f->tree, "sys/class/nvme/nvme0/transport", "tcp\n");
	assert_int_equal(num_or(scan(f)->mdts, -1), 5);
	assert_int_equal(f->drive.nr_commands, 2);
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static const char *facts_text(struct fixture *f, const struct sysroot *root)
{
	static const struct knob_set none = { 0 };
	struct facts *facts = ARENA_NEW(f->tree->arena, struct facts);
	struct err err = { 0 };
	struct strbuf text;

	assert_int_equal(probe_host(root, &none, &f->options, f->tree->arena,
				    facts, &err),
			 0);
	strbuf_init(&text, f->tree->arena);
	facts_to_json(facts, &text);
	return text.text;
}

/* The facts of a recorded tree, from which no drive can be asked. */
static const char *replayed(struct fixture *f, const char **ret_live)
{
	struct record record = { .arena = f->tree->arena };
	char *dir = arena_printf(f->tree->arena, "%s/raw", f->tree->dir);
	struct sysroot *again = NULL;
	struct err err = { 0 };
	const char *text;

	sysroot_set_record(f->tree->root, &record);
	*ret_live = facts_text(f, f->tree->root);
	sysroot_set_record(f->tree->root, NULL);
	if (raw_write(&record, f->tree->root, f->tree->arena, dir, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(sysroot_open(dir, &again, &err), 0);
	f->drive.nr_commands = 0;
	text = facts_text(f, again);
	sysroot_close(again);
	return text;
}

static void answers_of_a_recorded_drive_are_given_again(void **state)
{
	struct fixture *f = *state;
	const char *live, *again = replayed(f, &live);

	assert_string_equal(again, live);
	assert_non_null(strstr(again, "\"mdts\": 5"));
	assert_non_null(strstr(again, "\"queue_grant\": 16"));
	assert_non_null(strstr(again, "\"temperature_c\": 41"));
	assert_int_equal(f->drive.nr_commands, 0);
}

static void refusals_of_a_recorded_drive_are_given_again(void **state)
{
	struct fixture *f = *state;
	const char *live, *again;

	f->drive.fails[0x0a] = 0x4002; /* every feature: invalid field */
	f->drive.fails[0x02] = -EIO;   /* the log page */
	again = replayed(f, &live);
	assert_string_equal(again, live);
	assert_non_null(strstr(again, "\"queue_grant\": \"EOPNOTSUPP\""));
	assert_non_null(strstr(again, "\"temperature_c\": \"EIO\""));
}

static int refuse(void *data, const char *path)
{
	(void)data;
	(void)path;
	return -EACCES;
}

static void a_drive_that_only_root_may_ask_stays_so(void **state)
{
	const struct sysroot_hooks hooks = { .device = refuse };
	struct fixture *f = *state;
	const char *live, *again;

	sysroot_set_hooks(f->tree->root, &hooks);
	again = replayed(f, &live);
	assert_string_equal(again, live);
	assert_non_null(strstr(again, "SMART need root"));
}

static void health_is_one_command_to_a_drive_that_is_live_now(void **state)
{
	struct fixture *f = *state;
	const struct ctrl *ctrl = scan(f);
	struct health before, after;

	tree_put(f->tree, "sys/class/nvme/nvme0/device/current_link_speed",
		 "16.0 GT/s PCIe\n");
	tree_put(f->tree, "sys/class/nvme/nvme0/device/current_link_width",
		 "4\n");
	f->drive.nr_commands = 0;
	probe_health(f->tree->root, ctrl, &before);
	assert_int_equal(f->drive.nr_commands, 1);
	assert_int_equal(f->drive.commands[0].opcode, 0x02);
	assert_int_equal(num_or(before.smart.thermal_1_count, -1), 9);
	assert_int_equal(num_or(before.link.speed_mts, -1), 16000);
	assert_int_equal(num_or(before.link.width, -1), 4);

	/* What was found live may be so no longer. */
	tree_put(f->tree, "sys/class/nvme/nvme0/state", "resetting\n");
	probe_health(f->tree->root, ctrl, &after);
	assert_int_equal(f->drive.nr_commands, 1);
	assert_false(after.smart.critical_warning.known);
}

/* Two disks of one controller, which is asked once a look. */
static void drives_of_a_load_are_asked_for_heat_at_each_border(void **state)
{
	struct fixture *f = *state;
	struct load load = { .places = { 0 } };
	struct heat heat;
	struct ns *ns;

	(void)scan(f);
	ns = vec_add(f->tree->arena, &f->facts.namespaces);
	*ns = (struct ns){ .name = "nvme0n1", .ctrl = "nvme0" };
	for (int i = 0; i < 2; i++) {
		struct load_drive *drive =
			vec_add(f->tree->arena, &load.drives);

		drive->ns = ns;
		drive->drive.facts = &f->facts;
	}
	f->drive.smart[0] = 0;
	f->drive.nr_commands = 0;
	heat_init(&heat, f->tree->arena, f->tree->root, &load);
	assert_int_equal(f->drive.nr_commands, 0);
	assert_null(heat_look(&heat));
	assert_int_equal(f->drive.nr_commands, 1);
	assert_null(heat_look(&heat));
	put32(f->drive.smart + 216, 10);
	assert_string_equal(heat_look(&heat),
			    "the drive throttled because of its temperature");
	assert_null(heat_look(&heat));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(identify_gives_what_the_drive_can),
		T(smart_is_in_celsius_and_counters_are_not_cut),
		T(features_are_current_values_and_counts_start_at_one),
		T(idle_times_are_those_of_the_table_as_it_is_now),
		T(what_a_drive_sent_before_is_not_its_table),
		T(commands_on_the_wire_are_these_and_no_others),
		T(drive_without_apst_is_not_asked_for_it),
		T(status_of_the_drive_is_not_supported),
		T(errno_of_the_kernel_is_the_reason),
		T(drive_without_a_sensor_has_no_temperature),
		T(more_power_states_than_there_can_be_are_cut),
		T(controller_that_is_not_live_gets_no_command),
		T(no_admin_means_no_command_and_no_complaint),
		T(fabrics_controller_is_asked_for_no_queue_features),
		T(answers_of_a_recorded_drive_are_given_again),
		T(refusals_of_a_recorded_drive_are_given_again),
		T(a_drive_that_only_root_may_ask_stays_so),
		T(health_is_one_command_to_a_drive_that_is_live_now),
		T(drives_of_a_load_are_asked_for_heat_at_each_border),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
