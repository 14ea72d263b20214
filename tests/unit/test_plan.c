/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "core/plan.h"
#include "host.h"
#include "knobs/knob_list.h"

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })

static int try_plan(struct arena *arena, const struct facts *facts,
		    const struct applied *applied, const char *const *lines,
		    struct plan *ret, struct problems *problems)
{
	struct plan_input input = {
		.facts = facts,
		.profile = host_profile(arena, lines),
		.knobs = knobs_all(),
		.applied = applied,
	};

	*problems = (struct problems){ .arena = arena };
	return plan_build(arena, &input, ret, problems);
}

static struct plan plan_of(struct arena *arena, const struct facts *facts,
			   const struct applied *applied,
			   const char *const *lines)
{
	struct problems problems;
	struct plan plan;

	assert_int_equal(
		try_plan(arena, facts, applied, lines, &plan, &problems), 0);
	return plan;
}

static const struct change *change_of(const struct plan *plan, const char *id)
{
	const struct change *change = plan_find(plan, id);

	if (!change)
		fail_msg("the plan has no %s", id);
	return change;
}

static void expect_problem(struct arena *arena, const struct facts *facts,
			   const char *const *lines, const char *want)
{
	struct problems problems;
	struct plan plan;

	assert_int_equal(try_plan(arena, facts, NULL, lines, &plan, &problems),
			 -EINVAL);
	assert_int_equal(problems.lines.n, 1);
	assert_string_equal(problems.lines.items[0], want);
}

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

static void a_value_that_differs_is_a_change_kept_by_a_rule(void **state)
{
	struct arena *arena = *state;
	struct plan plan = plan_of(arena, host_new(arena), NULL,
				   LINES("[drives]", "queue.scheduler = none"));
	const struct change *change =
		change_of(&plan, "queue.scheduler@nvme0n1");

	assert_int_equal(change->verdict, VERDICT_CHANGE);
	assert_string_equal(value_string(arena, &change->have), "mq-deadline");
	assert_string_equal(value_string(arena, &change->want), "none");
	assert_int_equal(change->persistence, PERSIST_RULE);
	assert_string_equal(change->target.id, "eui.0001");
	assert_int_equal(change->line, 2);
	assert_true(plan_has_work(&plan));
}

static void a_value_as_wanted_is_kept(void **state)
{
	struct arena *arena = *state;
	struct plan plan =
		plan_of(arena, host_new(arena), NULL,
			LINES("[drives]", "queue.scheduler = mq-deadline"));

	assert_int_equal(change_of(&plan, "queue.scheduler@nvme0n1")->verdict,
			 VERDICT_KEEP);
	assert_false(plan_has_work(&plan));
}

static void keep_says_nothing(void **state)
{
	struct arena *arena = *state;
	struct plan plan = plan_of(arena, host_new(arena), NULL,
				   LINES("[drives]", "queue.scheduler = none",
					 "[drives lab]", "match.model = Lab*",
					 "queue.scheduler = keep"));

	assert_int_equal(plan.changes.n, 0);
	/* The rule still has to leave these drives alone. */
	assert_int_equal(plan.intents.udev.n, 2);
	assert_true(plan.intents.udev.items[1].keep);
}

static void the_last_section_that_matches_counts(void **state)
{
	struct arena *arena = *state;
	struct plan plan = plan_of(
		arena, host_new(arena), NULL,
		LINES("[drives]", "queue.nomerges = 1", "[drives a]",
		      "match.model = Lab*", "queue.nomerges = 2", "[drives b]",
		      "match.model = Other*", "queue.nomerges = 0"));

	assert_string_equal(
		value_string(arena,
			     &change_of(&plan, "queue.nomerges@nvme0n1")->want),
		"2");
}

static void max_depth_is_that_of_the_scheduler_that_comes(void **state)
{
	struct arena *arena = *state;
	struct plan plan = plan_of(arena, host_new(arena), NULL,
				   LINES("[drives]", "queue.scheduler = none",
					 "queue.nr_requests = max"));
	const struct change *change =
		change_of(&plan, "queue.nr_requests@nvme0n1");

	assert_int_equal(change->want.u.number, 1023);
	assert_int_equal(change->persistence, PERSIST_KERNEL);
	assert_ptr_equal(change, &plan.changes.items[1]);

	plan = plan_of(arena, host_new(arena), NULL,
		       LINES("[drives]", "queue.nr_requests = max"));
	change = change_of(&plan, "queue.nr_requests@nvme0n1");
	assert_int_equal(change->want.u.number, 2048);
	assert_int_equal(change->persistence, PERSIST_CANNOT);
}

static void a_depth_above_the_limit_cannot_be_had(void **state)
{
	struct arena *arena = *state;
	struct plan plan = plan_of(arena, host_new(arena), NULL,
				   LINES("[drives]", "queue.scheduler = none",
					 "queue.nr_requests = 2048"));
	const struct change *change =
		change_of(&plan, "queue.nr_requests@nvme0n1");

	assert_int_equal(change->verdict, VERDICT_CANNOT);
	assert_string_equal(
		change->reason,
		"2048 is above 1023, the most this queue takes under none: use max");
}

static void a_default_depth_follows_the_scheduler(void **state)
{
	struct arena *arena = *state;
	struct plan plan = plan_of(arena, host_new(arena), NULL,
				   LINES("[drives]", "queue.scheduler = none"));
	const struct change *change =
		change_of(&plan, "queue.nr_requests@nvme0n1");

	assert_int_equal(change->origin, ORIGIN_EFFECT);
	assert_int_equal(change->verdict, VERDICT_CHANGE);
	assert_int_equal(change->have.u.number, 256);
	assert_int_equal(change->want.u.number, 1023);
	assert_false(change->put_back);
}

static void a_depth_that_somebody_set_is_put_back(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	const struct change *change;
	struct plan plan;

	host_number(arena, facts, "nvme0n1", "queue.nr_requests", 512);
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	change = change_of(&plan, "queue.nr_requests@nvme0n1");
	assert_int_equal(change->verdict, VERDICT_KEEP);
	assert_int_equal(change->want.u.number, 512);
	assert_true(change->put_back);

	/* Above what none takes, it cannot be. */
	host_number(arena, facts, "nvme0n1", "queue.nr_requests", 2000);
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	change = change_of(&plan, "queue.nr_requests@nvme0n1");
	assert_int_equal(change->want.u.number, 1023);
	assert_false(change->put_back);
}

static void a_wanted_value_is_written_again_after_what_resets_it(void **state)
{
	struct arena *arena = *state;
	struct plan plan =
		plan_of(arena, host_new(arena), NULL,
			LINES("[drives]", "queue.max_sectors_kb = 512k",
			      "queue.read_ahead_kb = 128"));
	const struct change *change =
		change_of(&plan, "queue.read_ahead_kb@nvme0n1");

	assert_int_equal(change->verdict, VERDICT_KEEP);
	assert_true(change->put_back);
	assert_int_equal(change->origin, ORIGIN_PROFILE);
}

static void read_ahead_that_no_profile_names_is_put_back(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	const struct change *change;
	struct plan plan;

	host_number(arena, facts, "nvme0n1", "queue.read_ahead_kb", 0);
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.max_sectors_kb = 512"));
	change = change_of(&plan, "queue.read_ahead_kb@nvme0n1");
	assert_int_equal(change->origin, ORIGIN_EFFECT);
	assert_true(change->put_back);
	assert_int_equal(change->want.u.number, 0);
}

static void a_transfer_above_the_hardware_cannot_be_had(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct plan plan;

	facts->namespaces.items[0].max_hw_sectors_kb = num_known(128);
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.max_sectors_kb = 512"));
	assert_string_equal(
		change_of(&plan, "queue.max_sectors_kb@nvme0n1")->reason,
		"512 KiB is above 128 KiB, the most that drive and host take: use max");
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.max_sectors_kb = max"));
	assert_int_equal(
		change_of(&plan, "queue.max_sectors_kb@nvme0n1")->want.u.number,
		128);
}

static void the_timeout_of_a_network_volume_is_not_lowered(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	const struct change *change;
	struct plan plan;

	facts->ctrls.items[0].model = "Amazon Elastic Block Store";
	host_number(arena, facts, "nvme0n1", "queue.io_timeout", 4294967288);
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.io_timeout = 30s"));
	change = change_of(&plan, "queue.io_timeout@nvme0n1");
	assert_int_equal(change->verdict, VERDICT_CANNOT);
	assert_non_null(strstr(change->reason, "is a network volume"));
	host_number(arena, facts, "nvme0n1", "queue.io_timeout", 20000);
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.io_timeout = 30s"));
	assert_int_equal(change_of(&plan, "queue.io_timeout@nvme0n1")->verdict,
			 VERDICT_CHANGE);
}

static void an_attribute_this_kernel_lacks_cannot_be_set(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	const struct change *change;
	struct plan plan;

	host_absent(arena, facts, "nvme0n1", "queue.wbt_lat_usec", ENOENT);
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.wbt_lat_usec = 0"));
	change = change_of(&plan, "queue.wbt_lat_usec@nvme0n1");
	assert_int_equal(change->verdict, VERDICT_CANNOT);
	assert_string_equal(
		change->reason,
		"this kernel has no queue/wbt_lat_usec for this disk");
	assert_false(plan_has_work(&plan));
}

static void a_scheduler_the_kernel_does_not_offer_is_named(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct value none;
	struct plan plan;

	assert_true(value_text("none", &none));
	host_observe(arena, facts, "nvme0n1", "queue.scheduler", &none,
		     "none bfq");
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = mq-deadline"));
	assert_string_equal(
		change_of(&plan, "queue.scheduler@nvme0n1")->reason,
		"this kernel does not offer mq-deadline for this disk: it offers none bfq");
}

static void none_on_a_zoned_namespace_would_lose_writes(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct plan plan;

	facts->namespaces.items[0].zoned = "host-managed";
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	assert_int_equal(change_of(&plan, "queue.scheduler@nvme0n1")->verdict,
			 VERDICT_CANNOT);
	facts->zone_write_plugging = num_known(1);
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	assert_int_equal(change_of(&plan, "queue.scheduler@nvme0n1")->verdict,
			 VERDICT_CHANGE);
}

static void no_rule_of_ours_endangers_a_zoned_drive(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	const struct match *match;
	struct plan plan;

	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	match = &plan.intents.udev.items[0].match;
	assert_int_equal(match->terms.n, 1);
	assert_int_equal(match->terms.items[0].key, MATCH_ZONED);
	assert_string_equal(match->terms.items[0].pattern, "none");

	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = mq-deadline"));
	assert_int_equal(plan.intents.udev.items[0].match.terms.n, 0);

	/* The next boot may be of another kernel. */
	facts->zone_write_plugging = num_known(1);
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives zoned]", "match.zoned = host-managed",
			     "queue.scheduler = kyber"));
	match = &plan.intents.udev.items[0].match;
	assert_int_equal(match->terms.n, 2);
	assert_int_equal(match->terms.items[1].key, MATCH_ZONED);
	assert_string_equal(match->terms.items[1].pattern, "none");
}

static void what_our_rule_spares_only_the_kernel_may_keep(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	const struct change *change;
	struct plan plan;

	facts->namespaces.items[0].zoned = "host-managed";
	facts->zone_write_plugging = num_known(1);
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = kyber"));
	change = change_of(&plan, "queue.scheduler@nvme0n1");
	assert_int_equal(change->persistence, PERSIST_CANNOT);
	assert_non_null(strstr(change->persist_reason, "spares zoned drives"));

	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	change = change_of(&plan, "queue.scheduler@nvme0n1");
	assert_int_equal(change->persistence, PERSIST_KERNEL);
}

static void no_rule_of_ours_lowers_the_timeout_of_a_network_volume(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	const struct udev_intent *intent;
	const struct change *change;
	struct plan plan;

	host_number(arena, facts, "nvme0n1", "queue.io_timeout", 30000);
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.io_timeout = 60s"));
	change = change_of(&plan, "queue.io_timeout@nvme0n1");
	assert_int_equal(change->persistence, PERSIST_RULE);
	intent = &plan.intents.udev.items[0];
	assert_int_equal(intent->match.terms.n, 1);
	assert_int_equal(intent->match.terms.items[0].key, MATCH_MODEL);
	assert_true(intent->match.terms.items[0].negated);

	facts->ctrls.items[0].model = "Amazon Elastic Block Store";
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.io_timeout = 60s"));
	change = change_of(&plan, "queue.io_timeout@nvme0n1");
	assert_int_equal(change->verdict, VERDICT_CHANGE);
	assert_int_equal(change->persistence, PERSIST_CANNOT);
	assert_non_null(
		strstr(change->persist_reason, "spares network volumes"));

	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.io_timeout = 4294967295ms"));
	change = change_of(&plan, "queue.io_timeout@nvme0n1");
	assert_int_equal(change->persistence, PERSIST_RULE);
	assert_int_equal(plan.intents.udev.items[0].match.terms.n, 0);
}

static void the_rule_that_set_a_value_is_named(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	const struct change *change;
	struct plan plan;

	*vec_add(arena, &facts->rules) = (struct rule_line){
		.file = "/etc/udev/rules.d/60-io-scheduler.rules",
		.line = 1,
		.attr = "queue/scheduler",
		.value = "mq-deadline",
		.text = "KERNEL==\"nvme[0-9]*\", ATTR{queue/scheduler}=\"mq-deadline\"",
	};
	*vec_add(arena, &facts->rules) = (struct rule_line){
		.file = "/etc/udev/rules.d/60-io-scheduler.rules",
		.line = 2,
		.attr = "queue/scheduler",
		.value = "mq-deadline",
		.text = "KERNEL==\"sd[a-z]\", ATTR{queue/scheduler}=\"mq-deadline\"",
	};
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	change = change_of(&plan, "queue.scheduler@nvme0n1");
	assert_int_equal(change->set_by.n, 1);
	assert_non_null(strstr(change->set_by.items[0],
			       "/etc/udev/rules.d/60-io-scheduler.rules:1: "));
	assert_int_equal(change->persistence, PERSIST_RULE);
}

static void a_rule_for_all_other_disks_is_no_rival(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct rule_line *rule = vec_add(arena, &facts->rules);
	struct plan plan;

	*rule = (struct rule_line){
		.file = "/etc/udev/rules.d/99-disks.rules",
		.line = 1,
		.attr = "queue/scheduler",
		.value = "bfq",
		.text = "SUBSYSTEM==\"block\", KERNEL!=\"nvme*|loop*\", ATTR{queue/scheduler}=\"bfq\"",
	};
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	assert_int_equal(
		change_of(&plan, "queue.scheduler@nvme0n1")->persistence,
		PERSIST_RULE);
	rule->text = "KERNEL!=\"loop*\", ATTR{queue/scheduler}=\"bfq\"";
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	assert_int_equal(
		change_of(&plan, "queue.scheduler@nvme0n1")->persistence,
		PERSIST_CANNOT);
}

static void a_rule_that_runs_later_beats_ours(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	const struct change *change;
	struct plan plan;

	*vec_add(arena, &facts->rules) = (struct rule_line){
		.file = "/usr/lib/udev/rules.d/99-vendor.rules",
		.line = 7,
		.attr = "queue/scheduler",
		.value = "mq-deadline",
		.text = "ATTR{queue/scheduler}=\"mq-deadline\"",
	};
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	change = change_of(&plan, "queue.scheduler@nvme0n1");
	assert_int_equal(change->persistence, PERSIST_CANNOT);
	assert_string_equal(
		change->persist_reason,
		"/usr/lib/udev/rules.d/99-vendor.rules:7 runs after our rule and sets mq-deadline");
}

static void a_rule_that_moves_it_beats_the_kernel_s_default(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	const struct change *change;
	struct rule_line *rule;
	struct plan plan;

	rule = vec_add(arena, &facts->rules);
	*rule = (struct rule_line){
		.file = "/etc/udev/rules.d/60-depth.rules",
		.line = 3,
		.attr = "queue/nr_requests",
		.value = "64",
		.text = "ATTR{queue/nr_requests}=\"64\"",
	};
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none",
			     "queue.nr_requests = max"));
	change = change_of(&plan, "queue.nr_requests@nvme0n1");
	assert_int_equal(change->persistence, PERSIST_CANNOT);
	assert_string_equal(
		change->persist_reason,
		"/etc/udev/rules.d/60-depth.rules:3 sets 64 when the drive appears, and our rule does not hold this value");

	rule->value = "1023";
	rule->text = "ATTR{queue/nr_requests}=\"1023\"";
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none",
			     "queue.nr_requests = max"));
	change = change_of(&plan, "queue.nr_requests@nvme0n1");
	assert_int_equal(change->persistence, PERSIST_KERNEL);
}

static void under_multipath_the_path_is_judged_and_not_the_head(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct ns *head = vec_add(arena, &facts->namespaces);
	struct ns *path = &facts->namespaces.items[0];
	const struct change *change;
	struct value none;
	struct plan plan;

	*head = (struct ns){ .name = "nvme0n1",
			     .kind = NS_HEAD,
			     .wwid = "eui.0001" };
	path->name = "nvme0c0n1";
	path->kind = NS_PATH;
	path->head = "nvme0n1";
	assert_true(value_text("none", &none));
	/* The head lies up to 6.4. */
	host_observe(arena, facts, "nvme0n1", "queue.scheduler", &none, NULL);
	host_scheduler(arena, facts, "nvme0c0n1", "mq-deadline");
	host_number(arena, facts, "nvme0c0n1", "queue.nr_requests", 256);
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none",
			     "queue.read_ahead_kb = 0"));
	assert_null(plan_find(&plan, "queue.scheduler@nvme0n1"));
	change = change_of(&plan, "queue.scheduler@nvme0c0n1");
	assert_int_equal(change->verdict, VERDICT_CHANGE);
	assert_int_equal(change->persistence, PERSIST_KERNEL);
	assert_string_equal(change->target.id,
			    "eui.0001 via nqn.2014.08.org.example:lab0/1");
	assert_non_null(change_of(&plan, "queue.read_ahead_kb@nvme0n1"));
	host_scheduler(arena, facts, "nvme0c0n1", "none");
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = mq-deadline"));
	assert_int_equal(
		change_of(&plan, "queue.scheduler@nvme0c0n1")->persistence,
		PERSIST_CANNOT);
}

/* What keeps a scheduler that the kernel would not give to a hidden path. */
static const struct change *
path_scheduler(struct arena *arena, const char *kernel, struct num helper)
{
	struct facts *facts = host_new(arena);
	struct plan *plan = ARENA_NEW(arena, struct plan);

	facts->kernel = kernel;
	facts->device_helper = helper;
	facts->namespaces.items[0].kind = NS_PATH;
	host_scheduler(arena, facts, "nvme0n1", "none");
	*plan = plan_of(arena, facts, NULL,
			LINES("[drives]", "queue.scheduler = mq-deadline"));
	return change_of(plan, "queue.scheduler@nvme0n1");
}

static void what_udev_cannot_reach_is_kept_where_the_helper_is(void **state)
{
	struct arena *arena = *state;
	const struct change *change =
		path_scheduler(arena, "6.1.0-50-amd64", num_known(1));

	assert_int_equal(change->persistence, PERSIST_HELPER);
	assert_null(change->persist_reason);
	change = path_scheduler(arena, "5.10.0-32-amd64", num_known(1));
	assert_int_equal(change->persistence, PERSIST_HELPER);
	assert_string_equal(
		change->persist_reason,
		"when the drive appears; a kernel before 5.18 does not start it after a reset");
	change = path_scheduler(arena, "6.1.0-50-amd64", num_known(0));
	assert_int_equal(change->persistence, PERSIST_CANNOT);
	assert_string_equal(
		change->persist_reason,
		"udev never sees the hidden disk of a multipath drive, and the device helper's rule is not installed");
	change = path_scheduler(arena, "6.1.0-50-amd64", num_unknown(0));
	assert_int_equal(change->persistence, PERSIST_CANNOT);
	assert_string_equal(
		change->persist_reason,
		"udev never sees the hidden disk of a multipath drive, and whether the device helper is installed is not known");
}

/* A plan for the device helper. */
static struct plan helpers_plan(struct arena *arena, const struct facts *facts,
				const char *const *lines)
{
	static const char *const names[] = { "nvme0" };
	const struct plan_input input = {
		.facts = facts,
		.profile = host_profile(arena, lines),
		.knobs = knobs_all(),
		.by_helper = true,
		.only = { names, 1 },
	};
	struct problems problems = { .arena = arena };
	struct plan plan;

	assert_int_equal(plan_build(arena, &input, &plan, &problems), 0);
	return plan;
}

static void the_helper_leaves_to_rules_what_they_hold(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	const struct change *change;
	struct plan plan;

	host_scheduler(arena, facts, "nvme0n1", "mq-deadline");
	host_number(arena, facts, "nvme0n1", "queue.nr_requests", 256);
	host_number(arena, facts, "nvme0n1", "queue.nomerges", 0);
	host_number(arena, facts, "nvme0n1", "queue.read_ahead_kb", 128);
	plan = helpers_plan(arena, facts,
			    LINES("[drives]", "queue.scheduler = none",
				  "queue.nr_requests = max",
				  "queue.nomerges = 2",
				  "queue.read_ahead_kb = 0", "[host]",
				  "module.nvme.poll_queues = 2"));
	assert_int_equal(plan.changes.n, 2);
	assert_int_equal(plan.files.n, 0);
	assert_int_equal(plan.advice.n, 0);
	/* For the scheduler that the rule sets. */
	change = change_of(&plan, "queue.nr_requests@nvme0n1");
	assert_int_equal(change->want.u.number, 1023);
	assert_non_null(change_of(&plan, "queue.read_ahead_kb@nvme0n1"));
}

static void what_the_helper_itself_moves_it_puts_back(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct plan plan;

	facts->namespaces.items[0].zoned = "host-managed";
	facts->zone_write_plugging = num_known(1);
	host_scheduler(arena, facts, "nvme0n1", "mq-deadline");
	host_number(arena, facts, "nvme0n1", "queue.nr_requests", 200);
	plan = helpers_plan(arena, facts,
			    LINES("[drives]", "queue.scheduler = none",
				  "queue.nr_requests = 200"));
	/* Our rule spares zoned drives, on this kernel the helper need not. */
	assert_int_equal(change_of(&plan, "queue.scheduler@nvme0n1")->verdict,
			 VERDICT_CHANGE);
	assert_true(change_of(&plan, "queue.nr_requests@nvme0n1")->put_back);
}

/* nvme0n1, to which nvme0 and nvme1 lead. */
static struct facts *two_paths(struct arena *arena)
{
	struct facts *facts = host_new(arena);
	struct ctrl *other = vec_add(arena, &facts->ctrls);
	struct ns *path = vec_add(arena, &facts->namespaces);
	struct ns *head = vec_add(arena, &facts->namespaces);

	*other = facts->ctrls.items[0];
	other->name = "nvme1";
	other->cntlid = num_known(2);
	*head = (struct ns){ .name = "nvme0n1",
			     .kind = NS_HEAD,
			     .wwid = "eui.0001" };
	*path = facts->namespaces.items[0];
	path->name = "nvme0c1n1";
	path->kind = NS_PATH;
	path->head = "nvme0n1";
	path->ctrl = "nvme1";
	facts->namespaces.items[0].name = "nvme0c0n1";
	facts->namespaces.items[0].kind = NS_PATH;
	facts->namespaces.items[0].head = "nvme0n1";
	host_number(arena, facts, "nvme0n1", "queue.read_ahead_kb", 128);
	return facts;
}

static void a_head_is_written_while_one_of_its_paths_is_live(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = two_paths(arena);
	struct ctrl *other = &facts->ctrls.items[1];
	struct plan plan;

	facts->ctrls.items[0].state = "connecting";
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.read_ahead_kb = 0"));
	assert_int_equal(
		change_of(&plan, "queue.read_ahead_kb@nvme0n1")->verdict,
		VERDICT_CHANGE);
	other->state = "connecting";
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.read_ahead_kb = 0"));
	assert_int_equal(
		change_of(&plan, "queue.read_ahead_kb@nvme0n1")->verdict,
		VERDICT_CANNOT);
}

static void
a_head_whose_paths_are_matched_differently_is_left_alone(void **state)
{
	static const char *const lines[] = {
		"[drives]",	  "queue.read_ahead_kb = 0",   "[drives far]",
		"match.node = 1", "queue.read_ahead_kb = 256", NULL
	};
	struct arena *arena = *state;
	struct facts *facts = two_paths(arena);
	const struct change *change;
	struct plan plan;

	facts->ctrls.items[1].node = num_known(1);
	plan = plan_of(arena, facts, NULL, lines);
	change = change_of(&plan, "queue.read_ahead_kb@nvme0n1");
	assert_int_equal(change->verdict, VERDICT_CANNOT);
	assert_string_equal(
		change->reason,
		"its paths are matched differently: the profile asks for 0 for nvme0 (test.ini:2), and for 256 for nvme1 (test.ini:5); make the sections agree");
	/* The other way round, one of them is asked nothing. */
	plan = plan_of(arena, facts, NULL, lines + 2);
	change = change_of(&plan, "queue.read_ahead_kb@nvme0n1");
	assert_int_equal(change->verdict, VERDICT_CANNOT);
	assert_string_equal(
		change->reason,
		"its paths are matched differently: the profile asks for nothing for nvme0, and for 256 for nvme1 (test.ini:3); make the sections agree");
	facts->ctrls.items[0].node = num_known(1);
	plan = plan_of(arena, facts, NULL, lines);
	change = change_of(&plan, "queue.read_ahead_kb@nvme0n1");
	assert_int_equal(change->verdict, VERDICT_CHANGE);
	assert_int_equal(change->line, 5);
}

static void two_sections_that_ask_for_the_same_leave_no_doubt(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = two_paths(arena);
	struct plan plan;

	facts->ctrls.items[1].node = num_known(1);
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.read_ahead_kb = 256",
			     "[drives far]", "match.node = 1",
			     "queue.read_ahead_kb = 256k"));
	assert_int_equal(
		change_of(&plan, "queue.read_ahead_kb@nvme0n1")->verdict,
		VERDICT_CHANGE);
	/* "keep" and no word of it are the same. */
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives far]", "match.node = 1",
			     "queue.read_ahead_kb = keep"));
	assert_null(plan_find(&plan, "queue.read_ahead_kb@nvme0n1"));
}

static void a_reason_is_that_of_the_value_wanted(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct plan plan;

	host_scheduler(arena, facts, "nvme0n1", "none");
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = mq-deadline"));
	assert_non_null(
		strstr(change_of(&plan, "queue.scheduler@nvme0n1")->reason,
		       "mq-deadline sends reads before writes"));
}

static void disks_of_one_identity_are_left_alone(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct ns *twin = vec_add(arena, &facts->namespaces);
	const struct change *change;
	struct plan plan;

	*twin = facts->namespaces.items[0];
	twin->name = "nvme1n1";
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	change = change_of(&plan, "queue.scheduler@nvme0n1");
	assert_int_equal(change->verdict, VERDICT_CANNOT);
	assert_non_null(
		strstr(change->reason, "nvme1n1 has the same identity"));
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = mq-deadline"));
	change = change_of(&plan, "queue.scheduler@nvme0n1");
	assert_int_equal(change->verdict, VERDICT_KEEP);

	/* Two ports of one drive, where native multipath is off. */
	facts->multipath = num_known(0);
	*vec_add(arena, &facts->ctrls) = facts->ctrls.items[0];
	facts->ctrls.items[1].name = "nvme1";
	facts->ctrls.items[1].cntlid = num_known(2);
	twin->ctrl = "nvme1";
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	change = change_of(&plan, "queue.scheduler@nvme0n1");
	assert_int_equal(change->verdict, VERDICT_CHANGE);
}

static void a_fabric_drive_needs_its_transport_named(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct plan plan;

	facts->ctrls.items[0].transport = "tcp";
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	assert_int_equal(plan.changes.n, 0);
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives net]", "match.transport = tcp",
			     "queue.scheduler = none"));
	assert_non_null(change_of(&plan, "queue.scheduler@nvme0n1"));
}

static void a_controller_that_is_not_live_is_left_alone(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct plan plan;

	facts->ctrls.items[0].state = "resetting";
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	assert_string_equal(change_of(&plan, "queue.scheduler@nvme0n1")->reason,
			    "controller nvme0 is resetting, not live");
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = mq-deadline"));
	assert_int_equal(change_of(&plan, "queue.scheduler@nvme0n1")->verdict,
			 VERDICT_KEEP);
	assert_string_equal(plan.advice.items[0].id, "controller.not-live");
}

static void poll_queues_come_later_with_a_predicted_split(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	const struct change *change;
	struct plan plan;

	facts->initramfs_tool = "update-initramfs";
	plan = plan_of(arena, facts, NULL,
		       LINES("[host]", "module.nvme.poll_queues = 25%"));
	change = change_of(&plan, "module.nvme.poll_queues");
	assert_int_equal(change->verdict, VERDICT_LATER);
	assert_string_equal(change->want.u.text, "2");
	assert_int_equal(plan.needs, NEED_RELOAD | NEED_INITRAMFS);
	assert_int_equal(plan.splits.n, 1);
	assert_true(plan.splits.items[0].predicted);
	assert_int_equal(plan.splits.items[0].next_default, 8);
	assert_int_equal(plan.splits.items[0].next_poll, 2);
	assert_string_equal(plan.intents.options.items[0].value, "2");
	assert_string_equal(plan.intents.options.items[0].asked, "25%");
}

static void a_later_that_is_written_is_pending(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct plan plan;

	*vec_add(arena, &facts->options) = (struct module_option){
		.module = "nvme",
		.param = "poll_queues",
		.value = "2",
		.file = "/etc/modprobe.d/nvmetune.conf",
		.line = 5,
	};
	plan = plan_of(arena, facts, NULL,
		       LINES("[host]", "module.nvme.poll_queues = 2"));
	assert_true(change_of(&plan, "module.nvme.poll_queues")->pending);
	assert_false(plan_has_work(&plan));
	assert_int_equal(plan.needs, NEED_RELOAD);
}

static void a_live_value_that_no_reload_backs_is_not_kept(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct plan plan;

	/* Written by hand into /sys/module: the drives have 8/0/0 still. */
	facts->modules.items[0].params.items[0].live = "2";
	plan = plan_of(arena, facts, NULL,
		       LINES("[host]", "module.nvme.poll_queues = 2"));
	assert_int_equal(change_of(&plan, "module.nvme.poll_queues")->verdict,
			 VERDICT_LATER);
	facts->ctrls.items[0].queues_poll = num_known(2);
	plan = plan_of(arena, facts, NULL,
		       LINES("[host]", "module.nvme.poll_queues = 2"));
	assert_int_equal(change_of(&plan, "module.nvme.poll_queues")->verdict,
			 VERDICT_KEEP);
}

static void a_builtin_driver_reads_no_modprobe_d(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	const struct change *change;
	struct plan plan;

	facts->modules.items[0].state = "builtin";
	plan = plan_of(arena, facts, NULL,
		       LINES("[host]", "module.nvme.poll_queues = 2"));
	change = change_of(&plan, "module.nvme.poll_queues");
	assert_int_equal(change->verdict, VERDICT_CANNOT);
	assert_non_null(
		strstr(change->reason,
		       "put nvme.poll_queues=2 on the kernel command line"));
	assert_int_equal(plan.intents.options.n, 0);
}

static void the_command_line_beats_modprobe_d(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	const struct change *change;
	struct plan plan;

	*vec_add(arena, &facts->options) = (struct module_option){
		.module = "nvme",
		.param = "poll_queues",
		.value = "4",
		.file = "/proc/cmdline",
		.line = 1,
	};
	plan = plan_of(arena, facts, NULL,
		       LINES("[host]", "module.nvme.poll_queues = 2"));
	change = change_of(&plan, "module.nvme.poll_queues");
	assert_int_equal(change->persistence, PERSIST_CANNOT);
	assert_non_null(strstr(change->persist_reason, "nvme.poll_queues=4"));
}

static void only_the_last_option_behind_ours_counts(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct plan plan;

	*vec_add(arena, &facts->options) = (struct module_option){
		.module = "nvme",
		.param = "poll_queues",
		.value = "4",
		.file = "/etc/modprobe.d/zz.conf",
		.line = 1,
	};
	*vec_add(arena, &facts->options) = (struct module_option){
		.module = "nvme",
		.param = "poll_queues",
		.value = "2",
		.file = "/proc/cmdline",
		.line = 1,
	};
	plan = plan_of(arena, facts, NULL,
		       LINES("[host]", "module.nvme.poll_queues = 2"));
	assert_int_equal(
		change_of(&plan, "module.nvme.poll_queues")->persistence,
		PERSIST_OPTION);
	plan = plan_of(arena, facts, NULL,
		       LINES("[host]", "module.nvme.poll_queues = 4"));
	assert_int_equal(
		change_of(&plan, "module.nvme.poll_queues")->persistence,
		PERSIST_CANNOT);
}

static void parameters_that_never_were_are_named_with_the_remedy(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);

	expect_problem(
		arena, facts, LINES("[host]", "module.nvme.io_queues = 64"),
		"test.ini:2: module.nvme.io_queues: nvme has no such parameter: the driver makes one queue for each possible CPU; see nvme.write_queues and nvme.poll_queues");
	expect_problem(
		arena, facts, LINES("[host]", "module.nvme.io_timeout = 30"),
		"test.ini:2: module.nvme.io_timeout: nvme has no such parameter: it is module.nvme_core.io_timeout");
	expect_problem(
		arena, facts, LINES("[host]", "module.nvme.poll_queue = 2"),
		"test.ini:2: module.nvme.poll_queue: nvme of kernel 6.1.0-53-amd64 has no such parameter; did you mean poll_queues?");
}

static void a_count_that_keeps_the_module_out_is_refused(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);

	expect_problem(
		arena, facts, LINES("[host]", "module.nvme.poll_queues = 4096"),
		"test.ini:2: module.nvme.poll_queues: 4096 is more than the 8 possible CPUs, which keeps nvme.ko from loading: legal is 0..8 or a share such as 25%");
}

static void every_mistake_is_told_and_each_once(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct problems problems;
	struct plan plan;

	assert_int_equal(try_plan(arena, facts, NULL,
				  LINES("[host]", "module.nvme.io_queues = 64",
					"module.nvme.read_queues = 32"),
				  &plan, &problems),
			 -EINVAL);
	assert_int_equal(problems.lines.n, 2);
}

static void what_only_the_profile_before_had_goes_back(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct applied applied = { .profile = "old" };
	const struct change *change;
	struct plan plan;

	*vec_add(arena, &applied.changes) = (struct applied_change){
		.key = "queue.nomerges",
		.target_kind = TARGET_QUEUE,
		.target_id = "eui.0001",
		.before = value_uint(0),
	};
	host_number(arena, facts, "nvme0n1", "queue.nomerges", 2);
	plan = plan_of(arena, facts, &applied,
		       LINES("[drives]", "queue.scheduler = mq-deadline"));
	change = change_of(&plan, "queue.nomerges@nvme0n1");
	assert_int_equal(change->origin, ORIGIN_RETURN);
	assert_int_equal(change->verdict, VERDICT_CHANGE);
	assert_int_equal(change->want.u.number, 0);

	/* The new profile has it too: nothing returns. */
	plan = plan_of(arena, facts, &applied,
		       LINES("[drives]", "queue.nomerges = 2"));
	assert_int_equal(change_of(&plan, "queue.nomerges@nvme0n1")->origin,
			 ORIGIN_PROFILE);
}

static void what_somebody_changed_since_does_not_go_back(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct applied applied = { .profile = "old", .boot_id = "boot-1" };
	const char *const *lines =
		LINES("[drives]", "queue.scheduler = mq-deadline");
	const struct change *change;
	struct plan plan;

	*vec_add(arena, &applied.changes) = (struct applied_change){
		.key = "queue.nomerges",
		.target_kind = TARGET_QUEUE,
		.target_id = "eui.0001",
		.before = value_uint(0),
		.left = value_uint(2),
	};
	facts->boot_id = "boot-1";
	host_number(arena, facts, "nvme0n1", "queue.nomerges", 1);
	plan = plan_of(arena, facts, &applied, lines);
	change = change_of(&plan, "queue.nomerges@nvme0n1");
	assert_int_equal(change->verdict, VERDICT_KEEP);
	assert_non_null(strstr(change->reason, "somebody changed it since"));
	assert_false(plan_has_work(&plan));

	/* In another boot nobody knows who it was. */
	facts->boot_id = "boot-2";
	plan = plan_of(arena, facts, &applied, lines);
	change = change_of(&plan, "queue.nomerges@nvme0n1");
	assert_int_equal(change->verdict, VERDICT_CHANGE);
}

static void a_link_below_what_both_ends_can_is_advised_on(void **state)
{
	struct arena *arena = *state;
	struct facts *facts = host_new(arena);
	struct ctrl *ctrl = &facts->ctrls.items[0];
	struct plan plan;

	ctrl->link = (struct link){ num_known(8000), num_known(1),
				    num_known(8000), num_known(4) };
	ctrl->port = ctrl->link;
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	assert_int_equal(plan.advice.n, 1);
	assert_string_equal(plan.advice.items[0].id, "link.trained-down");

	/* A slot that has one lane only is no fault. */
	ctrl->port.max_width = num_known(1);
	plan = plan_of(arena, facts, NULL,
		       LINES("[drives]", "queue.scheduler = none"));
	assert_int_equal(plan.advice.n, 1);
	assert_string_equal(plan.advice.items[0].id, "link.slot");
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, setup, teardown)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_value_that_differs_is_a_change_kept_by_a_rule),
		TEST(a_value_as_wanted_is_kept),
		TEST(keep_says_nothing),
		TEST(the_last_section_that_matches_counts),
		TEST(max_depth_is_that_of_the_scheduler_that_comes),
		TEST(a_depth_above_the_limit_cannot_be_had),
		TEST(a_default_depth_follows_the_scheduler),
		TEST(a_depth_that_somebody_set_is_put_back),
		TEST(a_wanted_value_is_written_again_after_what_resets_it),
		TEST(read_ahead_that_no_profile_names_is_put_back),
		TEST(a_transfer_above_the_hardware_cannot_be_had),
		TEST(the_timeout_of_a_network_volume_is_not_lowered),
		TEST(an_attribute_this_kernel_lacks_cannot_be_set),
		TEST(a_scheduler_the_kernel_does_not_offer_is_named),
		TEST(none_on_a_zoned_namespace_would_lose_writes),
		TEST(no_rule_of_ours_endangers_a_zoned_drive),
		TEST(what_our_rule_spares_only_the_kernel_may_keep),
		TEST(no_rule_of_ours_lowers_the_timeout_of_a_network_volume),
		TEST(the_rule_that_set_a_value_is_named),
		TEST(a_rule_for_all_other_disks_is_no_rival),
		TEST(a_rule_that_runs_later_beats_ours),
		TEST(a_rule_that_moves_it_beats_the_kernel_s_default),
		TEST(under_multipath_the_path_is_judged_and_not_the_head),
		TEST(what_udev_cannot_reach_is_kept_where_the_helper_is),
		TEST(the_helper_leaves_to_rules_what_they_hold),
		TEST(what_the_helper_itself_moves_it_puts_back),
		TEST(a_head_is_written_while_one_of_its_paths_is_live),
		TEST(a_head_whose_paths_are_matched_differently_is_left_alone),
		TEST(two_sections_that_ask_for_the_same_leave_no_doubt),
		TEST(a_reason_is_that_of_the_value_wanted),
		TEST(disks_of_one_identity_are_left_alone),
		TEST(a_fabric_drive_needs_its_transport_named),
		TEST(a_controller_that_is_not_live_is_left_alone),
		TEST(poll_queues_come_later_with_a_predicted_split),
		TEST(a_later_that_is_written_is_pending),
		TEST(a_live_value_that_no_reload_backs_is_not_kept),
		TEST(a_builtin_driver_reads_no_modprobe_d),
		TEST(the_command_line_beats_modprobe_d),
		TEST(only_the_last_option_behind_ours_counts),
		TEST(parameters_that_never_were_are_named_with_the_remedy),
		TEST(a_count_that_keeps_the_module_out_is_refused),
		TEST(every_mistake_is_told_and_each_once),
		TEST(what_only_the_profile_before_had_goes_back),
		TEST(what_somebody_changed_since_does_not_go_back),
		TEST(a_link_below_what_both_ends_can_is_advised_on),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
