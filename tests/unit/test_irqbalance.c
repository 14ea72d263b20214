/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/irqbalance.h"
#include "core/owner.h"
#include "host.h"
#include "knobs/knob_list.h"
#include "render/files.h"

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

static void the_ban_is_known_in_each_spelling(void **state)
{
	static const char *const yes[] = {
		"--banmod=nvme",     "--banmod nvme",
		"-m nvme",	     "-mnvme",
		"-t 5 --banmod=nvm", "--banmod=ena --banmod=nvme",
		"-d\t-m\tnvme -t"
	};
	static const char *const no[] = {
		"",	"--banmod=",  "--banmod",	  "--banmod=nvme_core",
		"nvme", "--banirq=3", "--banmod=ena nvme"
	};

	(void)state;
	for (size_t i = 0; i < sizeof(yes) / sizeof(*yes); i++)
		assert_true(irqbalance_bans_nvme(yes[i]));
	for (size_t i = 0; i < sizeof(no) / sizeof(*no); i++)
		assert_false(irqbalance_bans_nvme(no[i]));
	assert_false(irqbalance_bans_nvme(NULL));
}

static void adds(struct arena *arena, const char *have, const char *want)
{
	const char *once = irqbalance_add_ban(arena, have);

	assert_string_equal(once, want);
	assert_string_equal(irqbalance_add_ban(arena, once), want);
}

static void the_ban_is_added_once_and_the_rest_is_kept(void **state)
{
	adds(*state, NULL, "--banmod=nvme");
	adds(*state, "  ", "--banmod=nvme");
	adds(*state, "--policyscript=/etc/p -t 5",
	     "--policyscript=/etc/p -t 5 --banmod=nvme");
	adds(*state, "--banmod=nvme -d", "-d --banmod=nvme");
	adds(*state, "-m nvme -d", "-m nvme -d");
}

/* Some hosts write their list in another order at each boot. */
static void bans_by_number_are_kept_sorted_and_none_is_added(void **state)
{
	adds(*state, "--banirq=137 --banirq=9 -t 5 --banirq=43 --banirq=9",
	     "-t 5 --banirq=9 --banirq=43 --banirq=137 --banmod=nvme");
	adds(*state, "--banirq=43 --banirq=137 --banirq=9 -t 5",
	     "-t 5 --banirq=9 --banirq=43 --banirq=137 --banmod=nvme");
	adds(*state, "--banmod=virtio --banmod=ena -i 4",
	     "-i 4 --banmod=ena --banmod=nvme --banmod=virtio");
}

/* A host where irqbalance is as a distribution has it. */
static struct facts *balanced(struct arena *arena, const char *state,
			      const char *arguments)
{
	static const char *const own[] = { OWNER_IRQBALANCE,
					   OWNER_IRQBALANCE_UNIT };
	struct facts *facts = host_new(arena);

	*vec_add(arena, &facts->services) =
		(struct service){ .name = "irqbalance", .state = state };
	facts->irqbalance = (struct irqbalance){
		.unit = "/lib/systemd/system/irqbalance.service",
		.enabled = "enabled",
		.command = "/usr/sbin/irqbalance --foreground $IRQBALANCE_ARGS",
		.variable = "IRQBALANCE_ARGS",
		.arguments = arguments,
		.set_by = arguments ? "/etc/default/irqbalance:7" : NULL,
		.running = "/usr/sbin/irqbalance --foreground",
		.bans_modules = num_known(1),
	};
	for (size_t i = 0; i < 2; i++)
		*vec_add(arena, &facts->own_files) =
			(struct own_file){ .path = own[i],
					   .present = num_known(0) };
	return facts;
}

static struct plan plan_of(struct arena *arena, const struct facts *facts,
			   const char *line)
{
	const char *const lines[] = { "[host]", line, NULL };
	const struct plan_input input = {
		.facts = facts,
		.profile = host_profile(arena, lines),
		.knobs = knobs_all(),
	};
	struct problems problems = { .arena = arena };
	struct plan plan;

	assert_int_equal(plan_build(arena, &input, &plan, &problems), 0);
	render_files(arena, facts, NULL, &plan);
	return plan;
}

static const struct change *change_of(const struct plan *plan)
{
	const struct change *change = plan_find(plan, "irqbalance@host");

	assert_non_null(change);
	return change;
}

static const struct planned_file *file_of(const struct plan *plan,
					  const char *path)
{
	VEC_EACH(&plan->files, const struct planned_file, file)
		if (strcmp(file->path, path) == 0)
			return file;
	fail_msg("the plan has no file %s", path);
	return NULL;
}

/* As after an apply of this plan. */
static void written_down(struct facts *facts, const struct plan *plan)
{
	VEC_EACH(&facts->own_files, struct own_file, it)
		VEC_EACH(&plan->files, const struct planned_file, file) {
			if (strcmp(file->path, it->path) != 0)
				continue;
			it->present = num_known(file->want != NULL);
			it->content = file->want;
		}
}

static void a_ban_waits_for_a_restart(void **state)
{
	struct facts *facts = balanced(*state, "running", NULL);
	struct plan plan = plan_of(*state, facts, "irqbalance = ban-nvme");
	const struct change *change = change_of(&plan);

	assert_int_equal(change->verdict, VERDICT_LATER);
	assert_false(change->pending);
	assert_int_equal(change->needs, NEED_RESTART);
	assert_string_equal(change->restart, "irqbalance.service");
	assert_int_equal(change->persistence, PERSIST_UNIT);
	assert_string_equal(plan_restarts(*state, &plan), "irqbalance.service");
	assert_non_null(strstr(
		file_of(&plan, OWNER_IRQBALANCE_UNIT)->want,
		"\n[Service]\nEnvironmentFile=-/etc/nvmetune/irqbalance.env\n"));
	assert_non_null(strstr(file_of(&plan, OWNER_IRQBALANCE)->want,
			       "\nIRQBALANCE_ARGS=\"--banmod=nvme\"\n"));
}

static void what_is_written_is_pending_until_it_runs_so(void **state)
{
	struct facts *facts = balanced(*state, "running", "--banirq=5 -d");
	struct plan first = plan_of(*state, facts, "irqbalance = ban-nvme");
	struct plan again;

	written_down(facts, &first);
	again = plan_of(*state, facts, "irqbalance = ban-nvme");
	assert_int_equal(change_of(&again)->verdict, VERDICT_LATER);
	assert_true(change_of(&again)->pending);
	assert_int_equal(file_of(&again, OWNER_IRQBALANCE)->action, FILE_SAME);
	assert_string_equal(file_of(&again, OWNER_IRQBALANCE)->want,
			    file_of(&first, OWNER_IRQBALANCE)->want);
	assert_int_equal(file_of(&again, OWNER_IRQBALANCE_UNIT)->action,
			 FILE_SAME);

	facts->irqbalance.running = "/usr/sbin/irqbalance -d --banmod=nvme";
	again = plan_of(*state, facts, "irqbalance = ban-nvme");
	assert_int_equal(change_of(&again)->verdict, VERDICT_KEEP);
	assert_int_equal(change_of(&again)->needs, 0);
}

/* The host's own arguments may change after an apply. */
static void new_arguments_of_the_host_come_with_the_next_apply(void **state)
{
	struct facts *facts = balanced(*state, "running", "-d");
	struct plan plan = plan_of(*state, facts, "irqbalance = ban-nvme");

	written_down(facts, &plan);
	facts->irqbalance.arguments = "-d -t 20";
	plan = plan_of(*state, facts, "irqbalance = ban-nvme");
	assert_int_equal(file_of(&plan, OWNER_IRQBALANCE)->action,
			 FILE_REPLACE);
	assert_non_null(strstr(file_of(&plan, OWNER_IRQBALANCE)->want,
			       "=\"-d -t 20 --banmod=nvme\"\n"));
}

static void off_is_a_condition_that_goes_with_the_profile(void **state)
{
	struct facts *facts = balanced(*state, "running", NULL);
	struct plan plan = plan_of(*state, facts, "irqbalance = off");

	assert_int_equal(change_of(&plan)->verdict, VERDICT_LATER);
	assert_non_null(strstr(
		file_of(&plan, OWNER_IRQBALANCE_UNIT)->want,
		"\n[Unit]\nConditionPathExists=!/etc/nvmetune/applied.ini\n"));
	assert_null(file_of(&plan, OWNER_IRQBALANCE)->want);
	written_down(facts, &plan);
	plan = plan_of(*state, facts, "irqbalance = off");
	assert_true(change_of(&plan)->pending);
	/* Written for off is not written for the ban. */
	plan = plan_of(*state, facts, "irqbalance = ban-nvme");
	assert_false(change_of(&plan)->pending);
}

static void
one_that_does_not_run_is_as_wanted_and_banned_all_the_same(void **state)
{
	struct facts *facts = balanced(*state, "stopped", NULL);
	struct plan plan;

	facts->irqbalance.enabled = "disabled";
	facts->irqbalance.running = NULL;
	plan = plan_of(*state, facts, "irqbalance = ban-nvme");
	assert_int_equal(change_of(&plan)->verdict, VERDICT_KEEP);
	assert_int_equal(change_of(&plan)->persistence, PERSIST_UNIT);
	assert_string_equal(
		change_of(&plan)->note,
		"irqbalance does not run: the ban counts when it is started");
	assert_int_equal(file_of(&plan, OWNER_IRQBALANCE)->action, FILE_CREATE);
}

static void a_masked_one_gets_no_file(void **state)
{
	struct facts *facts = balanced(*state, "stopped", NULL);
	struct plan plan;

	facts->irqbalance.enabled = "masked";
	plan = plan_of(*state, facts, "irqbalance = ban-nvme");
	assert_int_equal(change_of(&plan)->verdict, VERDICT_KEEP);
	assert_string_equal(change_of(&plan)->note,
			    "irqbalance is masked: it does not start");
	assert_int_equal(file_of(&plan, OWNER_IRQBALANCE)->action, FILE_SAME);
}

static void what_is_not_installed_is_not_missed(void **state)
{
	struct facts *facts = balanced(*state, "absent", NULL);
	struct plan plan = plan_of(*state, facts, "irqbalance = off");

	assert_int_equal(change_of(&plan)->verdict, VERDICT_KEEP);
	assert_string_equal(change_of(&plan)->reason,
			    "not applicable: irqbalance is not installed");
	assert_int_equal(file_of(&plan, OWNER_IRQBALANCE_UNIT)->action,
			 FILE_SAME);
}

static void cannot(struct arena *arena, const struct facts *facts,
		   const char *reason)
{
	struct plan plan = plan_of(arena, facts, "irqbalance = ban-nvme");

	assert_int_equal(change_of(&plan)->verdict, VERDICT_CANNOT);
	assert_string_equal(change_of(&plan)->reason, reason);
	assert_null(file_of(&plan, OWNER_IRQBALANCE)->want);
	assert_null(file_of(&plan, OWNER_IRQBALANCE_UNIT)->want);
}

static void what_stands_in_the_way_is_named(void **state)
{
	struct facts *facts = balanced(*state, "running", "-l '/etc/my p'");
	struct irqbalance *it = &facts->irqbalance;

	cannot(*state, facts,
	       "/etc/default/irqbalance:7 gives it arguments with quotes or other signs that nvmetune does not carry over");
	it->overridden = "/etc/site:1";
	cannot(*state, facts,
	       "/etc/site:1 sets IRQBALANCE_ARGS again behind our drop-in");
	it->variable = NULL;
	it->command = "/usr/sbin/irqbalance -f";
	cannot(*state, facts,
	       "/lib/systemd/system/irqbalance.service takes arguments from no variable: it starts \"/usr/sbin/irqbalance -f\"");
	it->bans_modules = num_known(0);
	cannot(*state, facts,
	       "this irqbalance knows no --banmod, which came with 1.0.9");
	it->unit = NULL;
	cannot(*state, facts,
	       "no unit of systemd was found that starts irqbalance");
}

static void our_files_go_with_the_profile_that_asked(void **state)
{
	struct facts *facts = balanced(*state, "running", NULL);
	struct plan plan = plan_of(*state, facts, "irqbalance = ban-nvme");

	written_down(facts, &plan);
	facts->irqbalance.running = "/usr/sbin/irqbalance --banmod=nvme";
	plan = plan_of(*state, facts, "kernel.numa_balancing = keep");
	assert_int_equal(change_of(&plan)->origin, ORIGIN_RETURN);
	assert_int_equal(change_of(&plan)->needs, NEED_RESTART);
	assert_int_equal(file_of(&plan, OWNER_IRQBALANCE)->action, FILE_REMOVE);
	assert_int_equal(file_of(&plan, OWNER_IRQBALANCE_UNIT)->action,
			 FILE_REMOVE);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
	const struct CMUnitTest tests[] = {
		TEST(the_ban_is_known_in_each_spelling),
		TEST(the_ban_is_added_once_and_the_rest_is_kept),
		TEST(bans_by_number_are_kept_sorted_and_none_is_added),
		TEST(a_ban_waits_for_a_restart),
		TEST(what_is_written_is_pending_until_it_runs_so),
		TEST(new_arguments_of_the_host_come_with_the_next_apply),
		TEST(off_is_a_condition_that_goes_with_the_profile),
		TEST(one_that_does_not_run_is_as_wanted_and_banned_all_the_same),
		TEST(a_masked_one_gets_no_file),
		TEST(what_is_not_installed_is_not_missed),
		TEST(what_stands_in_the_way_is_named),
		TEST(our_files_go_with_the_profile_that_asked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
