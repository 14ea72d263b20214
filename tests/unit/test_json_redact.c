/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <string.h>

#include "base/parse.h"
#include "json/facts_json.h"
#include "json/redact.h"

#define UUID "0f3c1e52-9d1b-4a6e-8a77-1f6f5e2d3c4b"

static struct ctrl *add_ctrl(struct arena *arena, struct facts *facts,
			     const char *name, const char *serial,
			     const char *nqn)
{
	struct ctrl *ctrl = vec_add(arena, &facts->ctrls);

	ctrl->name = name;
	ctrl->model = "Samsung SSD 950 PRO 512GB";
	ctrl->serial = serial;
	ctrl->nqn = nqn;
	ctrl->address = "0000:41:00.0";
	return ctrl;
}

static void add_mount(struct arena *arena, struct ns *ns, const char *where)
{
	struct mount *mount = vec_add(arena, &ns->mounts);

	*mount = (struct mount){ .device = "nvme0n1", .where = where };
}

static struct facts *private_host(struct arena *arena)
{
	struct facts *facts = ARENA_NEW(arena, struct facts);
	struct rule_line *rule;
	struct ns *ns;

	facts->hostname = "db1.corp";
	facts->boot_id = UUID;
	facts->cmdline = "root=UUID=" UUID " host=db1.corp ro quiet";
	(void)add_ctrl(arena, facts, "nvme0", "S2GMNX0H",
		       "nqn.2014.08.org.nvmexpress:144dS2GMNX0H  950 PRO");
	(void)add_ctrl(arena, facts, "nvme1", "S2GMNX0H",
		       "nqn.2014-08.org.nvmexpress:uuid:" UUID);
	ns = vec_add(arena, &facts->namespaces);
	ns->name = "nvme0n1";
	ns->ctrl = "nvme0";
	ns->wwid = "eui.0025385b61b0aaaa";
	add_mount(arena, ns, "/");
	add_mount(arena, ns, "/srv/customer");
	rule = vec_add(arena, &facts->rules);
	*rule = (struct rule_line){
		.file = "/etc/udev/rules.d/60-x.rules",
		.attr = "queue/scheduler",
		.value = "none",
		.text = "ENV{ID_SERIAL}==\"S2GMNX0H\", ENV{X}=\"xS2GMNX0H\"",
	};
	return facts;
}

static void nothing_that_names_the_host_or_a_drive_is_left(void **state)
{
	static const char *const private[] = {
		"corp", "\"S2GMNX0H",	    "144dS2GMNX0H",
		UUID,	"0025385b61b0aaaa", "customer"
	};
	_cleanup_arena_ struct arena *arena = arena_new();
	struct facts *facts = private_host(arena);
	struct strbuf text;

	(void)state;
	facts_redact(arena, facts);
	strbuf_init(&text, arena);
	facts_to_json(facts, &text);
	/* Within a longer word it is not that serial number. */
	assert_non_null(strstr(text.text, "xS2GMNX0H"));
	for (size_t i = 0; i < sizeof(private) / sizeof(private[0]); i++)
		if (strstr(text.text, private[i]))
			fail_msg("%s is left", private[i]);
}

static void what_a_report_is_about_stays(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct facts *facts = private_host(arena);
	const struct ns *ns = &facts->namespaces.items[0];

	(void)state;
	facts_redact(arena, facts);
	assert_string_equal(facts->ctrls.items[0].model,
			    "Samsung SSD 950 PRO 512GB");
	assert_string_equal(facts->ctrls.items[0].address, "0000:41:00.0");
	assert_string_equal(ns->name, "nvme0n1");
	assert_string_equal(ns->mounts.items[0].where, "/");
	assert_true(text_has_prefix(ns->mounts.items[1].where, "/mount-"));
	assert_true(text_has_prefix(ns->wwid, "eui.wwid-"));
	assert_true(text_has_prefix(facts->ctrls.items[1].nqn,
				    "nqn.2014-08.org.nvmexpress:nqn-"));
	assert_string_equal(facts->rules.items[0].value, "none");
	assert_null(facts->kernel);
}

static void what_was_the_same_is_the_same_token(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct facts *facts = private_host(arena);
	struct facts *again = private_host(arena);
	const char *serial;

	(void)state;
	facts_redact(arena, facts);
	facts_redact(arena, again);
	serial = facts->ctrls.items[0].serial;
	assert_true(text_has_prefix(serial, "serial-"));
	assert_int_equal(strlen(serial), strlen("serial-") + 6);
	assert_string_equal(serial, facts->ctrls.items[1].serial);
	assert_string_equal(serial, again->ctrls.items[1].serial);
	assert_non_null(strstr(facts->rules.items[0].text, serial));
	assert_non_null(strstr(facts->cmdline, facts->hostname));
	assert_string_not_equal(facts->ctrls.items[0].nqn,
				facts->ctrls.items[1].nqn);
}

static void a_host_named_like_a_driver_keeps_its_facts(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct facts facts = { .hostname = "nvme" };
	struct observation *seen = vec_add(arena, &facts.observed);
	struct module *module = vec_add(arena, &facts.modules);

	(void)state;
	module->name = "nvme";
	seen->knob = "queue.scheduler";
	seen->target = "nvme0n1";
	facts_redact(arena, &facts);
	assert_string_equal(module->name, "nvme");
	assert_string_equal(seen->knob, "queue.scheduler");
	assert_string_equal(seen->target, "nvme0n1");
}

static void a_host_of_which_nothing_is_known_stays_so(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct facts nobody = { 0 };

	(void)state;
	facts_redact(arena, &nobody);
	assert_null(nobody.hostname);
	assert_int_equal(nobody.ctrls.n, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			nothing_that_names_the_host_or_a_drive_is_left),
		cmocka_unit_test(what_a_report_is_about_stays),
		cmocka_unit_test(what_was_the_same_is_the_same_token),
		cmocka_unit_test(a_host_named_like_a_driver_keeps_its_facts),
		cmocka_unit_test(a_host_of_which_nothing_is_known_stays_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
