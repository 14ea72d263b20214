/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/boot.h"
#include "core/owner.h"
#include "core/plan.h"
#include "host.h"
#include "knobs/knob_list.h"
#include "render/files.h"

#define POLL_2 "module.nvme.poll_queues = 2"

static int setup(void **state)
{
	*state = arena_new();
	return 0;
}

static int teardown(void **state)
{
	arena_free(*state);
	return 0;
}

static struct plan plan_of(struct arena *arena, const struct facts *facts)
{
	static const char *const lines[] = { "[host]", POLL_2, NULL };
	const struct plan_input input = {
		.facts = facts,
		.profile = host_profile(arena, lines),
		.knobs = knobs_all(),
	};
	struct problems problems = { .arena = arena };
	struct plan plan;

	assert_int_equal(plan_build(arena, &input, &plan, &problems), 0);
	return plan;
}

static const struct change *poll_queues(const struct plan *plan)
{
	const struct change *change =
		plan_find(plan, "module.nvme.poll_queues");

	assert_non_null(change);
	return change;
}

/* The option is in our file, written at 1000; the image is of then. */
static struct facts *host_with_image(struct arena *arena, int64_t then)
{
	struct facts *facts = host_new(arena);

	*vec_add(arena, &facts->options) = (struct module_option){
		.module = "nvme",
		.param = "poll_queues",
		.value = "2",
		.file = OWNER_OPTIONS,
		.line = 5,
	};
	VEC_EACH(&facts->own_files, struct own_file, file)
		if (strcmp(file->path, OWNER_OPTIONS) == 0)
			file->mtime = num_known(1000);
	facts->initramfs_tool = "dracut";
	facts->initramfs = "/boot/initramfs-6.1.img";
	facts->initramfs_mtime = num_known(then);
	return facts;
}

static void image_that_is_older_than_the_option_is_rebuilt(void **state)
{
	struct arena *arena = *state;
	struct plan plan = plan_of(arena, host_with_image(arena, 999));
	const struct change *change = poll_queues(&plan);

	assert_true(change->pending);
	assert_int_equal(change->needs, NEED_RELOAD | NEED_INITRAMFS);
	assert_string_equal(
		change->reason,
		"already written, but /boot/initramfs-6.1.img is older and does not have it: true after it is rebuilt, and a reload or a reboot");
}

static void image_that_was_built_since_is_left_alone(void **state)
{
	struct arena *arena = *state;
	struct plan plan = plan_of(arena, host_with_image(arena, 1000));

	assert_true(poll_queues(&plan)->pending);
	assert_int_equal(plan.needs, NEED_RELOAD);
}

static void image_of_unknown_age_is_rebuilt(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_with_image(arena, 0);
	struct plan plan;

	facts->initramfs_mtime = num_unknown(0);
	plan = plan_of(arena, facts);
	assert_int_equal(plan.needs, NEED_RELOAD | NEED_INITRAMFS);
}

static void option_that_is_written_anew_is_in_no_image(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_with_image(arena, 2000);
	struct plan plan;

	facts->options.items[0].value = "4";
	plan = plan_of(arena, facts);
	assert_false(poll_queues(&plan)->pending);
	assert_int_equal(plan.needs, NEED_RELOAD | NEED_INITRAMFS);
}

static void value_in_force_is_lost_by_a_boot_from_an_old_image(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_with_image(arena, 999);
	const struct change *change;
	struct plan plan;

	facts->modules.items[0].params.items[0].live = "2";
	facts->ctrls.items[0].queues_poll = num_known(2);
	plan = plan_of(arena, facts);
	change = poll_queues(&plan);
	assert_int_equal(change->verdict, VERDICT_KEEP);
	assert_int_equal(change->needs, NEED_INITRAMFS);
	assert_string_equal(
		change->reason,
		"as the profile wants it, but /boot/initramfs-6.1.img is older than the option: a boot from it loses it");
	facts->initramfs_mtime = num_known(1001);
	plan = plan_of(arena, facts);
	assert_int_equal(plan.needs, 0);
}

static const char *builtin_reason(struct arena *arena, const char *tool,
				  const char *said)
{
	struct facts *facts = host_new(arena);
	struct plan plan;

	facts->modules.items[0].state = "builtin";
	facts->cmdline_tool = tool;
	if (said)
		*vec_add(arena, &facts->options) = (struct module_option){
			.module = "nvme",
			.param = "poll_queues",
			.value = said,
			.file = "/proc/cmdline",
			.line = 1,
		};
	plan = plan_of(arena, facts);
	assert_int_equal(poll_queues(&plan)->verdict, VERDICT_CANNOT);
	return poll_queues(&plan)->reason;
}

static void builtin_nvme_is_told_the_words_and_where_they_go(void **state)
{
	static const struct {
		const char *tool;
		const char *request;
	} rows[] = {
		{ NULL, "put nvme.poll_queues=2 on the kernel command line" },
		{ "rpm-ostree",
		  "run \"rpm-ostree kargs --append-if-missing=nvme.poll_queues=2\"" },
		{ "cmdline.txt",
		  "add nvme.poll_queues=2 to the one line of the firmware's cmdline.txt" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_string_equal(
			builtin_reason(*state, rows[i].tool, NULL),
			arena_printf(
				*state,
				"nvme is built into this kernel, which reads no modprobe.d: %s",
				rows[i].request));
}

/* A builtin nvme, on a host whose grub-mkconfig reads grub.d. */
static struct facts *host_with_grub(struct arena *arena, const char *content,
				    int64_t grub)
{
	struct facts *facts = host_new(arena);

	facts->modules.items[0].state = "builtin";
	facts->cmdline_tool = "grub.d";
	facts->grub_mtime = num_known(grub);
	*vec_add(arena, &facts->own_files) = (struct own_file){
		.path = OWNER_WORDS,
		.present = num_known(content != NULL),
		.content = content,
		.mtime = content ? num_known(1000) : num_unknown(ENOENT),
	};
	return facts;
}

static const struct planned_file *
words_file(struct arena *arena, const struct facts *facts, struct plan *plan)
{
	render_files(arena, facts, NULL, plan);
	VEC_EACH(&plan->files, struct planned_file, file)
		if (strcmp(file->path, OWNER_WORDS) == 0)
			return file;
	fail_msg("the plan has no file " OWNER_WORDS);
	return NULL;
}

static void word_of_a_builtin_is_written_where_grub_d_is_read(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_with_grub(arena, NULL, 900);
	struct plan plan = plan_of(arena, facts);
	const struct change *change = poll_queues(&plan);
	const struct planned_file *file = words_file(arena, facts, &plan);

	assert_int_equal(change->verdict, VERDICT_LATER);
	assert_false(change->pending);
	assert_int_equal(change->persistence, PERSIST_WORD);
	assert_int_equal(change->needs, NEED_GRUB | NEED_REBOOT);
	assert_int_equal(plan.intents.options.n, 0);
	assert_int_equal(file->action, FILE_CREATE);
	assert_true(owner_is_us(file->want));
	assert_string_equal(
		strstr(file->want, "\n\n"),
		"\n\n# test.ini:2\n"
		"GRUB_CMDLINE_LINUX_DEFAULT=\"$GRUB_CMDLINE_LINUX_DEFAULT nvme.poll_queues=2\"\n");
}

static void written_word_waits_for_grub_and_a_reboot(void **state)
{
	struct arena *arena = *state;
	struct plan plan = plan_of(arena, host_with_grub(arena, NULL, 900));
	struct facts *facts = host_with_grub(arena, NULL, 900);
	const char *text = words_file(arena, facts, &plan)->want;

	facts = host_with_grub(arena, text, 999);
	plan = plan_of(arena, facts);
	assert_true(poll_queues(&plan)->pending);
	assert_int_equal(poll_queues(&plan)->needs, NEED_GRUB | NEED_REBOOT);
	assert_int_equal(words_file(arena, facts, &plan)->action, FILE_SAME);
	assert_int_equal(plan.file_needs, 0);
	facts = host_with_grub(arena, text, 1001);
	plan = plan_of(arena, facts);
	assert_int_equal(poll_queues(&plan)->needs, NEED_REBOOT);
	assert_string_equal(poll_queues(&plan)->reason,
			    "already written, and true after a reboot");
	/* And after that. */
	facts->modules.items[0].params.items[0].live = "2";
	facts->ctrls.items[0].queues_poll = num_known(2);
	plan = plan_of(arena, facts);
	assert_int_equal(poll_queues(&plan)->verdict, VERDICT_KEEP);
	assert_int_equal(poll_queues(&plan)->persistence, PERSIST_WORD);
	assert_int_equal(plan.needs, 0);
}

static void word_that_goes_is_left_to_grub_and_a_reboot(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_with_grub(
		arena,
		OWNER_MARK
		"\nGRUB_CMDLINE_LINUX_DEFAULT=\"$GRUB_CMDLINE_LINUX_DEFAULT nvme.poll_queues=2\"\n",
		1001);
	static const char *const nothing[] = { "[host]", NULL };
	const struct plan_input input = {
		.facts = facts,
		.profile = host_profile(arena, nothing),
		.knobs = knobs_all(),
	};
	struct problems problems = { .arena = arena };
	struct plan plan;

	assert_int_equal(plan_build(arena, &input, &plan, &problems), 0);
	assert_int_equal(words_file(arena, facts, &plan)->action, FILE_REMOVE);
	assert_int_equal(plan.file_needs, NEED_GRUB | NEED_REBOOT);
}

static void word_already_there_that_contradicts_is_named(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_with_grub(arena, NULL, 900);
	struct plan plan;

	*vec_add(arena, &facts->options) =
		(struct module_option){ .module = "nvme",
					.param = "poll_queues",
					.value = "8",
					.file = "/proc/cmdline",
					.line = 1 };
	plan = plan_of(arena, facts);
	assert_string_equal(
		poll_queues(&plan)->reason,
		"it is built into this kernel, which reads it from the command line: true after a reboot, in place of nvme.poll_queues=8, which is there now");
}

static void policy_of_all_links_is_kept_by_a_word(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_with_grub(arena, NULL, 900);
	static const char *const lines[] = { "[host]",
					     "pcie.aspm_policy = performance",
					     NULL };
	const struct plan_input input = {
		.facts = facts,
		.profile = host_profile(arena, lines),
		.knobs = knobs_all(),
	};
	struct problems problems = { .arena = arena };
	const struct change *change;
	struct plan plan;

	*vec_add(arena, &facts->observed) = (struct observation){
		.knob = "pcie.aspm_policy",
		.target_kind = TARGET_HOST,
		.target = "host",
		.value = { .type = VALUE_TEXT, .u.text = "default" },
		.choices = "default performance powersave powersupersave",
	};
	assert_int_equal(plan_build(arena, &input, &plan, &problems), 0);
	change = plan_find(&plan, "pcie.aspm_policy@host");
	assert_non_null(change);
	assert_int_equal(change->verdict, VERDICT_CHANGE);
	assert_int_equal(change->persistence, PERSIST_WORD);
	assert_int_equal(change->needs, NEED_GRUB);
	assert_non_null(strstr(words_file(arena, facts, &plan)->want,
			       " pcie_aspm.policy=performance\"\n"));
	facts->cmdline_tool = "grub";
	assert_int_equal(plan_build(arena, &input, &plan, &problems), 0);
	change = plan_find(&plan, "pcie.aspm_policy@host");
	assert_int_equal(change->persistence, PERSIST_CANNOT);
}

static void word_that_contradicts_is_named(void **state)
{
	assert_non_null(strstr(
		builtin_reason(*state, NULL, "8"),
		"command line, in place of nvme.poll_queues=8, which is there now"));
}

static void add_option(struct arena *arena, struct facts *facts,
		       const char *param, const char *value, int64_t line)
{
	*vec_add(arena, &facts->options) = (struct module_option){
		.module = "nvme",
		.param = param,
		.value = value,
		.file = "/etc/modprobe.d/nvme.conf",
		.line = line,
	};
}

/* "SUBJECT: TEXT" of the advice with this id, or "". */
static const char *advice_of(struct arena *arena, const struct facts *facts,
			     const char *id)
{
	struct plan plan = plan_of(arena, facts);

	VEC_EACH(&plan.advice, struct advice, it)
		if (strcmp(it->id, id) == 0)
			return arena_printf(arena, "%s: %s", it->subject,
					    it->text);
	return "";
}

static void option_of_no_parameter_is_told_with_its_line(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);

	add_option(arena, facts, "io_timeout", "2", 7);
	add_option(arena, facts, "io_poll", "1", 7);
	assert_string_equal(
		advice_of(arena, facts, "options.unknown"),
		"/etc/modprobe.d/nvme.conf:7: io_timeout, io_poll: unknown to this kernel's nvme, ignored; io_timeout is nvme_core's; io_poll: polling needs nvme.poll_queues and an application that polls");
	*vec_add(arena, &facts->blind) =
		"modinfo of nvme was not found: parameters that sysfs does not show are unknown";
	assert_string_equal(advice_of(arena, facts, "options.unknown"), "");
}

static void later_line_that_wins_is_named(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);

	add_option(arena, facts, "poll_queues", "2", 1);
	add_option(arena, facts, "poll_queues", "2", 2);
	assert_string_equal(advice_of(arena, facts, "options.contradict"), "");
	add_option(arena, facts, "poll_queues", "4", 3);
	assert_string_equal(
		advice_of(arena, facts, "options.contradict"),
		"/etc/modprobe.d/nvme.conf:1: poll_queues=2 does not count: the last one wins, which is 4 of /etc/modprobe.d/nvme.conf:3");
}

static void count_that_keeps_nvme_out_is_told(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);

	add_option(arena, facts, "write_queues", "8", 1);
	assert_string_equal(advice_of(arena, facts, "options.too-many-queues"),
			    "");
	add_option(arena, facts, "poll_queues", "9", 2);
	assert_string_equal(
		advice_of(arena, facts, "options.too-many-queues"),
		"/etc/modprobe.d/nvme.conf:2: poll_queues=9 is more than this host's 8 possible CPUs: nvme refuses to load with it, and no NVMe drive comes up");
}

static void option_for_a_builtin_driver_does_nothing(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);

	add_option(arena, facts, "poll_queues", "2", 1);
	facts->modules.items[0].state = "builtin";
	assert_string_equal(
		advice_of(arena, facts, "options.builtin"),
		"/etc/modprobe.d/nvme.conf:1: poll_queues: nvme is built into this kernel, which reads no modprobe.d");
}

static void option_in_a_file_that_is_not_read_is_told(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);

	*vec_add(arena, &facts->ignored_options) = (struct module_option){
		.module = "nvme",
		.param = "poll_queues",
		.value = "2",
		.file = "/etc/modprobe.d/nvme",
		.line = 1,
	};
	assert_string_equal(
		advice_of(arena, facts, "options.no-conf"),
		"/etc/modprobe.d/nvme:1: poll_queues of nvme: the file's name does not end in .conf, so nothing reads it");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			image_that_is_older_than_the_option_is_rebuilt),
		cmocka_unit_test(image_that_was_built_since_is_left_alone),
		cmocka_unit_test(image_of_unknown_age_is_rebuilt),
		cmocka_unit_test(option_that_is_written_anew_is_in_no_image),
		cmocka_unit_test(
			value_in_force_is_lost_by_a_boot_from_an_old_image),
		cmocka_unit_test(
			builtin_nvme_is_told_the_words_and_where_they_go),
		cmocka_unit_test(
			word_of_a_builtin_is_written_where_grub_d_is_read),
		cmocka_unit_test(written_word_waits_for_grub_and_a_reboot),
		cmocka_unit_test(word_that_goes_is_left_to_grub_and_a_reboot),
		cmocka_unit_test(word_already_there_that_contradicts_is_named),
		cmocka_unit_test(policy_of_all_links_is_kept_by_a_word),
		cmocka_unit_test(word_that_contradicts_is_named),
		cmocka_unit_test(option_of_no_parameter_is_told_with_its_line),
		cmocka_unit_test(later_line_that_wins_is_named),
		cmocka_unit_test(count_that_keeps_nvme_out_is_told),
		cmocka_unit_test(option_for_a_builtin_driver_does_nothing),
		cmocka_unit_test(option_in_a_file_that_is_not_read_is_told),
	};

	return cmocka_run_group_tests(tests, setup, teardown);
}
