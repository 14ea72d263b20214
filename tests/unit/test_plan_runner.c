/* SPDX-License-Identifier: GPL-2.0-or-later */

/* Services and wrappers in a plan, and the texts of their files. */

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "base/parse.h"
#include "host.h"
#include "knobs/knob_list.h"
#include "render/files.h"

#define UNIT "/etc/systemd/system/db.service.d/50-nvmetune.conf"
#define SCRIPT "/usr/local/bin/near"

static struct arena *arena;
static struct facts *facts;
static struct plan plan;

static int set_up(void **state)
{
	(void)state;
	arena = arena_new();
	facts = host_new(arena);
	*vec_add(arena, &facts->own_files) =
		(struct own_file){ .path = UNIT, .present = num_known(0) };
	*vec_add(arena, &facts->own_files) =
		(struct own_file){ .path = SCRIPT, .present = num_known(0) };
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

static void make_plan(const char *const *parent, const char *const *lines)
{
	struct problems problems = { .arena = arena };
	struct profile *profile = host_profile(arena, parent);
	const struct profile *own = host_profile(arena, lines);
	const struct plan_input input = {
		.facts = facts,
		.profile = profile,
		.knobs = knobs_all(),
	};

	VEC_EACH(&own->sections, const struct section, it)
		*vec_add(arena, &profile->sections) = *it;
	assert_int_equal(plan_build(arena, &input, &plan, &problems), 0);
	render_files(arena, facts, NULL, &plan);
}

#define LINES(...) ((const char *const[]){ __VA_ARGS__, NULL })
#define PLAN(...) make_plan(LINES("[host]"), LINES(__VA_ARGS__))

static const char *text_of(const char *path)
{
	VEC_EACH(&plan.files, const struct planned_file, it)
		if (text_equal(it->path, path))
			return it->want;
	return NULL;
}

static const struct change *change(const char *id)
{
	const struct change *found = plan_find(&plan, id);

	assert_non_null(found);
	return found;
}

/* What an apply left: the file that this plan wants. */
static void apply(const char *path)
{
	const char *text = text_of(path);

	assert_non_null(text);
	VEC_EACH(&facts->own_files, struct own_file, it)
		if (text_equal(it->path, path)) {
			it->content = text;
			it->present = num_known(1);
		}
}

static struct bound_unit *unit(const char *state)
{
	struct bound_unit *it = facts->units.n ? facts->units.items :
						 vec_add(arena, &facts->units);

	it->name = "db.service";
	it->state = state;
	return it;
}

static void a_service_is_pending_until_it_was_restarted(void **state)
{
	const struct change *it;

	(void)state;
	(void)unit("running");
	PLAN("[service db.service]", "drive = nvme0");
	it = change("service@db.service");
	assert_int_equal(it->verdict, VERDICT_LATER);
	assert_false(it->pending);
	assert_string_equal(it->have.u.text, "not bound");
	apply(UNIT);
	PLAN("[service db.service]", "drive = nvme0");
	it = change("service@db.service");
	assert_int_equal(it->verdict, VERDICT_LATER);
	assert_true(it->pending);
	assert_string_equal(it->restart, "db.service");
	unit("running")->restarted = num_known(0);
	PLAN("[service db.service]", "drive = nvme0");
	assert_true(change("service@db.service")->pending);
	unit("running")->restarted = num_known(1);
	PLAN("[service db.service]", "drive = nvme0");
	assert_int_equal(change("service@db.service")->verdict, VERDICT_KEEP);
	assert_int_equal(plan.needs, 0);
}

static void a_service_that_does_not_run_needs_no_restart(void **state)
{
	(void)state;
	(void)unit("stopped");
	PLAN("[service db.service]", "drive = nvme0");
	assert_int_equal(change("service@db.service")->verdict, VERDICT_LATER);
	assert_int_equal(plan.needs, 0);
	apply(UNIT);
	PLAN("[service db.service]", "drive = nvme0");
	assert_int_equal(change("service@db.service")->verdict, VERDICT_KEEP);
}

static void of_several_sections_the_last_word_counts(void **state)
{
	(void)state;
	make_plan(LINES("[service db.service]", "drive = /nowhere",
			"memory = bind"),
		  LINES("[service db.service]", "numa = 1", "memory = keep"));
	assert_non_null(strstr(text_of(UNIT), "CPUAffinity=4-7\n"));
	assert_null(strstr(text_of(UNIT), "NUMA"));
}

static void a_section_that_says_keep_writes_nothing(void **state)
{
	(void)state;
	make_plan(LINES("[service db.service]", "drive = nvme0"),
		  LINES("[service db.service]", "numa = keep"));
	assert_null(plan_find(&plan, "service@db.service"));
	assert_null(text_of(UNIT));
}

static void a_node_that_the_host_has_not_is_refused(void **state)
{
	(void)state;
	PLAN("[wrapper near]", "numa = 7");
	assert_int_equal(change("wrapper@near")->verdict, VERDICT_CANNOT);
	assert_string_equal(change("wrapper@near")->reason,
			    "this host has no node 7");
	assert_null(text_of(SCRIPT));
}

static void a_drive_that_is_gone_takes_no_file_along(void **state)
{
	const char *before;

	(void)state;
	PLAN("[service db.service]", "drive = nvme0");
	apply(UNIT);
	before = text_of(UNIT);
	facts->ctrls.n = 0;
	facts->namespaces.n = 0;
	PLAN("[service db.service]", "drive = nvme0");
	assert_int_equal(change("service@db.service")->verdict, VERDICT_CANNOT);
	assert_non_null(strstr(change("service@db.service")->reason,
			       "what was written for it before stays"));
	assert_string_equal(text_of(UNIT), before);
}

static void what_only_the_profile_before_had_goes(void **state)
{
	(void)state;
	PLAN("[service db.service]", "drive = nvme0", "[wrapper near]",
	     "drive = nvme0");
	apply(UNIT);
	apply(SCRIPT);
	PLAN("[host]");
	assert_int_equal(change("service@db.service")->origin, ORIGIN_RETURN);
	assert_int_equal(change("service@db.service")->needs, NEED_RESTART);
	assert_int_equal(change("wrapper@near")->verdict, VERDICT_CHANGE);
	VEC_EACH(&plan.files, const struct planned_file, it)
		if (text_equal(it->path, UNIT) || text_equal(it->path, SCRIPT))
			assert_int_equal(it->action, FILE_REMOVE);
}

/* Names of dm devices are what somebody typed. */
static void foreign_names_stay_within_a_comment(void **state)
{
	struct layer *layer = vec_add(arena, &facts->layers);
	const char *line, *next;

	(void)state;
	*layer = (struct layer){ .name = "dm-0",
				 .alias = "x\n[Service]\nExecStart=/bin/rm",
				 .kind = "LVM\nUser=root" };
	*vec_add(arena, &layer->below) = "nvme0n1";
	PLAN("[service db.service]", "drive = dm-0", "[wrapper near]",
	     "drive = dm-0");
	assert_null(strstr(text_of(UNIT), "\nExecStart"));
	assert_null(strstr(text_of(UNIT), "\nUser"));
	for (line = text_of(SCRIPT); line && *line; line = next) {
		next = strchr(line, '\n');
		next = next ? next + 1 : NULL;
		assert_false(text_has_prefix(line, "ExecStart"));
		assert_false(text_has_prefix(line, "[Service"));
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_service_is_pending_until_it_was_restarted),
		TEST(a_service_that_does_not_run_needs_no_restart),
		TEST(of_several_sections_the_last_word_counts),
		TEST(a_section_that_says_keep_writes_nothing),
		TEST(a_node_that_the_host_has_not_is_refused),
		TEST(a_drive_that_is_gone_takes_no_file_along),
		TEST(what_only_the_profile_before_had_goes),
		TEST(foreign_names_stay_within_a_comment),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
