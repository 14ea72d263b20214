/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scanned.h"

#include "probe/probe.h"

/* Which opens and lists fail: the n-th one, or those of paths that hold a
 * word, always with the same errno. */
struct faults {
	const char *word;
	const char *list;
	int code;
	size_t nth;
	size_t count;
	struct tree *tree;
	const char *goes_at; /* when this is opened, gone vanishes */
	const char *gone;
};

static int fail_open(void *data, const char *path, int flags)
{
	struct faults *faults = data;

	(void)flags;
	if (faults->goes_at && strstr(path, faults->goes_at)) {
		faults->goes_at = NULL;
		tree_remove(faults->tree, faults->gone);
	}
	if (++faults->count == faults->nth)
		return faults->code;
	return faults->word && strstr(path, faults->word) ? faults->code : 0;
}

static int fail_list(void *data, const char *path)
{
	const struct faults *faults = data;

	return faults->list && strcmp(path, faults->list) == 0 ? faults->code :
								 0;
}

static void set_faults(struct tree *tree, struct faults *faults)
{
	struct sysroot_hooks hooks = {
		.open = fail_open,
		.list = fail_list,
		.data = faults,
	};

	faults->tree = tree;
	sysroot_set_hooks(tree->root, &hooks);
}

static void check_second_drive(struct tree *tree, const struct facts *facts)
{
	const struct ctrl *ctrl = facts_ctrl(facts, "nvme1");
	const struct ns *ns = facts_ns(facts, "nvme1n1");

	assert_non_null(ctrl);
	assert_non_null(ns);
	assert_string_equal(ctrl->serial, "LAB0");
	assert_int_equal(num_or(ctrl->node, -1), 0);
	assert_int_equal(num_or(ctrl->link.width, -1), 2);
	assert_int_equal(num_or(ctrl->queues_read, -1), 4);
	assert_int_equal(ctrl->vectors.n, 6);
	assert_string_equal(mounts_of(tree, ns), "dm-0 xfs /var/lib/pg\n");
	assert_int_equal(observed(tree, facts, "queue.nr_requests", "nvme1n1")
				 ->value.u.number,
			 512);
}

static void one_drive_that_fails_everywhere_spoils_no_other(void **state)
{
	static const int codes[] = { -EIO, -ENODEV, -EAGAIN, -ENOENT, -EACCES };
	struct tree *tree = tree_load("two-nodes");

	(void)state;
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++) {
		struct faults faults = { .word = "nvme0", .code = codes[i] };
		const struct facts *facts;

		set_faults(tree, &faults);
		facts = scanned(tree);
		check_second_drive(tree, facts);
		/* Nothing of it could be read, so it is as good as gone. */
		assert_int_equal(facts->ctrls.n, 1);
	}
	tree_free(tree);
}

static void controller_that_vanishes_meanwhile_spoils_no_other(void **state)
{
	static const char function[] =
		"sys/devices/pci0000:40/0000:40:00.0/0000:41:00.0";
	static const char *const moments[] = {
		"sys/class/nvme/nvme0/state",
		"sys/class/nvme/nvme0/serial",
		"sys/class/nvme/nvme0/device/config",
		"sys/class/block/nvme0n1/mq",
		"sys/class/nvme/nvme0/device/msi_irqs",
		"sys/class/block/nvme0n1/queue/scheduler",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(moments) / sizeof(*moments); i++) {
		struct tree *tree = tree_load("two-nodes");
		struct faults faults = {
			.goes_at = moments[i],
			.gone = function,
		};

		set_faults(tree, &faults);
		check_second_drive(tree, scanned(tree));
		assert_null(faults.goes_at);
		tree_free(tree);
	}
}

/* Wherever the kernel may refuse, there is an answer and not a crash. */
static void any_one_open_may_fail(void **state)
{
	struct tree *tree = tree_load("odd");
	struct faults faults = { .code = -EIO };
	size_t all;

	(void)state;
	set_faults(tree, &faults);
	(void)scanned(tree);
	all = faults.count;
	assert_true(all > 100);
	for (size_t i = 1; i <= all; i++) {
		const struct facts *facts;

		faults = (struct faults){ .code = -EIO, .nth = i };
		set_faults(tree, &faults);
		facts = scanned(tree);
		assert_true(facts->ctrls.n == 4 || facts->ctrls.n == 0);
	}
	tree_free(tree);
}

static void class_that_cannot_be_listed_is_said_and_no_error(void **state)
{
	struct tree *tree = tree_load("two-nodes");
	struct faults faults = { .list = "sys/class/nvme", .code = -EACCES };
	const struct facts *facts;

	(void)state;
	set_faults(tree, &faults);
	facts = scanned(tree);
	assert_int_equal(facts->ctrls.n, 0);
	assert_non_null(strstr(blind_of(tree, facts),
			       "controllers could not be listed: "));
	tree_free(tree);
}

static void attribute_that_gives_an_error_says_which(void **state)
{
	struct tree *tree = tree_load("two-nodes");
	struct faults faults = { .word = "nr_requests", .code = -EINVAL };
	const struct observation *it;

	(void)state;
	set_faults(tree, &faults);
	it = observed(tree, scanned(tree), "queue.nr_requests", "nvme0n1");
	assert_int_equal(it->value.type, VALUE_NONE);
	assert_int_equal(it->why, EINVAL);
	tree_free(tree);
}

static void own_file_that_cannot_be_read_is_not_absent(void **state)
{
	struct tree *tree = tree_load("no-nvme");
	struct faults faults = { .word = "applied.ini", .code = -EACCES };
	const struct own_file *file;

	(void)state;
	set_faults(tree, &faults);
	file = &scanned(tree)->own_files.items[3];
	assert_false(file->present.known);
	assert_int_equal(file->present.why, EACCES);
	tree_free(tree);
}

/* Each attribute is opened once: sysfs attributes may be slow, and two reads
 * may differ. */
struct opened {
	struct arena *arena;
	VEC(const char *) paths;
};

static int note_read(void *data, const char *path)
{
	struct opened *opened = data;

	VEC_EACH(&opened->paths, const char *, it)
		if (strcmp(*it, path) == 0)
			fail_msg("%s is read twice", path);
	*vec_add(opened->arena, &opened->paths) =
		arena_strdup(opened->arena, path);
	return 0;
}

static void no_attribute_is_read_twice(void **state)
{
	static const char *const names[] = { "two-nodes", "multipath" };

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		struct tree *tree = tree_load(names[i]);
		struct opened opened = { .arena = tree->arena };
		struct sysroot_hooks hooks = {
			.read = note_read,
			.data = &opened,
		};

		sysroot_set_hooks(tree->root, &hooks);
		(void)scanned(tree);
		assert_true(opened.paths.n > 50);
		tree_free(tree);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			one_drive_that_fails_everywhere_spoils_no_other),
		cmocka_unit_test(
			controller_that_vanishes_meanwhile_spoils_no_other),
		cmocka_unit_test(any_one_open_may_fail),
		cmocka_unit_test(
			class_that_cannot_be_listed_is_said_and_no_error),
		cmocka_unit_test(attribute_that_gives_an_error_says_which),
		cmocka_unit_test(own_file_that_cannot_be_read_is_not_absent),
		cmocka_unit_test(no_attribute_is_read_twice),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
