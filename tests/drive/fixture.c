/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fixture.h"

struct fixture *fixture_new(void)
{
	struct fixture *f = calloc(1, sizeof(*f));
	const struct sysroot_hooks hooks = { .device = drive_open };

	assert_non_null(f);
	f->tree = tree_new();
	tree_put(f->tree, CTRL "/state", "live\n");
	tree_put(f->tree, CTRL "/transport", "pcie\n");
	tree_put(f->tree, CTRL "/dev", "241:0\n");
	tree_put(f->tree, CTRL "/subsysnqn", "nqn.test\n");
	tree_put(f->tree, CTRL "/cntlid", "1\n");
	sysroot_set_hooks(f->tree->root, &hooks);
	drive_set(&f->drive);
	return f;
}

int fixture_tear_down(void **state)
{
	struct fixture *f = *state;

	drive_set(NULL);
	tree_free(f->tree);
	free(f);
	return 0;
}

void fixture_hear(void *data, const struct execute_event *event)
{
	struct fixture *f = data;

	if (event->why)
		(void)snprintf(f->why, sizeof(f->why), "%s", event->why);
}

int fixture_execute(struct fixture *f, struct plan *plan,
		    struct execute_result *ret, struct err *err)
{
	const struct execute_input input = {
		.root = f->tree->root,
		.plan = plan,
		.head = { .profile = "test", .boot_id = "boot-1" },
		.plan_json = "{}\n",
		.facts_json = "{}\n",
		.values = true,
		.tell = fixture_hear,
		.data = f,
	};

	f->why[0] = '\0';
	return execute_plan(f->tree->arena, &input, ret, err);
}

unsigned int fixture_count(const struct fixture *f, uint8_t opcode)
{
	unsigned int n = 0;

	for (size_t i = 0; i < f->drive.nr_commands && i < 64; i++)
		n += f->drive.commands[i].opcode == opcode;
	return n;
}
