/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "knobs/knob_list.h"
#include "sys/profile_file.h"
#include "tree.h"

/* Profile files from their bytes: every way in which a line can be wrong, and
 * where files are looked for. */

static struct arena *arena;
static struct problems problems;
static struct profile profile;

static int make(void **state)
{
	(void)state;
	arena = arena_new();
	problems = (struct problems){ .arena = arena };
	profile = (struct profile){ 0 };
	return 0;
}

static int drop(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

static int parse_bytes(const char *text, size_t n)
{
	problems.lines.n = 0;
	return profile_read(arena, knobs_all(), "t", "t.ini", text, n, &profile,
			    &problems);
}

static void expect_good(const char *text)
{
	if (parse_bytes(text, strlen(text)) < 0)
		fail_msg("%s", problems.lines.items[0]);
}

static void expect_bad(const char *text, size_t n, const char *line)
{
	assert_int_equal(parse_bytes(text, n), -EINVAL);
	assert_int_equal(problems.lines.n, 1);
	assert_string_equal(problems.lines.items[0], line);
}

#define EXPECT_BAD(text, line) expect_bad(text, sizeof(text) - 1, line)

static const struct setting *setting(size_t section, size_t nr)
{
	assert_true(section < profile.sections.n);
	assert_true(nr < profile.sections.items[section].settings.n);
	return &profile.sections.items[section].settings.items[nr];
}

static void comments_spaces_and_line_ends_mean_nothing(void **state)
{
	(void)state;
	expect_good("\xef\xbb\xbf; first\r\n"
		    "[profile] ; note\r\n"
		    "summary=A  summary ; not this\r\n"
		    "   \r\n"
		    "\t# indented comment\r\n"
		    "[ drives ]\r\n"
		    "queue.scheduler   =\tnone \t\r\n"
		    "queue.nr_requests = max");
	assert_string_equal(profile.summary, "A  summary");
	assert_string_equal(setting(0, 0)->text, "none");
	assert_int_equal(setting(0, 0)->line, 7);
	assert_string_equal(setting(0, 1)->text, "max");
	assert_int_equal(setting(0, 1)->line, 8);
}

static void a_semicolon_inside_a_word_is_no_comment(void **state)
{
	(void)state;
	expect_good("[drives x]\nmatch.model = A;B# C ;D\n");
	assert_string_equal(
		profile.sections.items[0].match.terms.items[0].pattern,
		"A;B# C");
}

static void nothing_at_all_is_a_profile_without_settings(void **state)
{
	(void)state;
	expect_good("");
	assert_int_equal(profile.sections.n, 0);
	expect_good("[drives]\n[host]\n");
	assert_int_equal(profile.sections.n, 2);
}

/* inih is built with 200 bytes a line by default, here and elsewhere. */
static void a_line_may_be_as_long_as_the_page_says(void **state)
{
	char line[4200] = "[profile]\nsummary = ";
	size_t start = strlen("[profile]\n");

	(void)state;
	memset(line + strlen(line), 'x', 4095 - strlen("summary = "));
	line[start + 4095] = '\0';
	expect_good(line);
	assert_int_equal(strlen(profile.summary), 4095 - strlen("summary = "));
	line[start + 4095] = 'x';
	expect_bad(line, start + 4096,
		   "t.ini:2: the line has 4096 bytes, at most 4095 are legal");
}

static void a_long_key_is_told_whole_or_refused(void **state)
{
	char text[600] = "[drives]\n";
	size_t start = strlen(text);

	(void)state;
	memset(text + start, 'k', 100);
	strcat(text, " = 1\n");
	assert_int_equal(parse_bytes(text, strlen(text)), -EINVAL);
	assert_non_null(strstr(problems.lines.items[0], "unknown key \"kkk"));
	memset(text + start, 'k', 500);
	memcpy(text + start + 500, " = 1\n", 6);
	expect_bad(text, strlen(text), "t.ini:2: the key is too long");
}

static void a_value_cannot_go_on_in_the_next_line(void **state)
{
	(void)state;
	EXPECT_BAD(
		"[drives]\nqueue.scheduler = none\n  mq-deadline\n",
		"t.ini:3: \"mq-deadline\" is indented: a line starts in the first column, and no value goes on in the next line");
	EXPECT_BAD(
		"[drives]\n\tqueue.iostats = 0\n",
		"t.ini:2: \"queue.iostats = 0\" is indented: a line starts in the first column, and no value goes on in the next line");
}

static void a_broken_heading_takes_its_keys_with_it(void **state)
{
	(void)state;
	EXPECT_BAD(
		"[drives]\n[host\nqueue.scheduler = none\n",
		"t.ini:2: the section heading is not closed: write \"[host]\"");
	EXPECT_BAD("[ ]\nqueue.scheduler = none\n",
		   "t.ini:1: the section heading is empty");
	EXPECT_BAD("[drives] x\nfoo = none\n",
		   "t.ini:1: \" x\" stands behind the section heading");
	EXPECT_BAD(
		"[service a/b]\nfoo = none\n",
		"t.ini:1: [service a/b]: a unit's name is made of letters, digits and \":_.@-\\\"");
}

static void a_service_is_a_section_and_needs_a_drive(void **state)
{
	(void)state;
	EXPECT_BAD(
		"[drives]\nservice = keep\n",
		"t.ini:2: service is no key: write a section of its own, [service NAME]");
	EXPECT_BAD(
		"[wrapper shell]\nmemory = bind\n",
		"t.ini:1: [wrapper shell]: nothing says near what: write \"drive = ...\", a drive, what stands on it or a folder");
}

static void a_line_that_is_no_key_is_told(void **state)
{
	(void)state;
	EXPECT_BAD(
		"queue.scheduler = none\n[drives]\n",
		"t.ini:1: \"queue.scheduler = none\" stands before the first section heading");
	EXPECT_BAD(
		"[drives]\nqueue.scheduler\n",
		"t.ini:2: \"queue.scheduler\" is neither a section heading nor \"key = value\"");
	EXPECT_BAD("[drives]\nqueue.scheduler: none\n",
		   "t.ini:2: \":\" separates nothing: write \"key = value\"");
	EXPECT_BAD("[drives]\n= none\n",
		   "t.ini:2: no key stands in front of \"=\"");
	EXPECT_BAD(
		"[drives]\nqueue.scheduler =;none\n",
		"t.ini:2: queue.scheduler has no value: \"keep\" leaves it as it is");
}

static void bytes_that_are_no_text_are_told_by_place(void **state)
{
	(void)state;
	EXPECT_BAD("[drives]\nqueue.scheduler = no\0ne\n",
		   "t.ini:2: byte 0x00 at column 21 is no printable UTF-8");
	EXPECT_BAD("; \xe9t\xe9\n",
		   "t.ini:1: byte 0xe9 at column 3 is no printable UTF-8");
	EXPECT_BAD("[drives]\nqueue.scheduler = \x1b[2Jnone\n",
		   "t.ini:2: byte 0x1b at column 19 is no printable UTF-8");
	expect_good("; \xc3\xa9t\xc3\xa9\n");
}

static void a_key_stands_once_in_a_section(void **state)
{
	(void)state;
	EXPECT_BAD(
		"[drives]\nqueue.iostats = 0\n;\nqueue.iostats = 1\n",
		"t.ini:4: queue.iostats already stands in line 2 of this section");
	assert_int_equal(
		parse_bytes("[profile]\nsummary = a\nsummary = b\n",
			    strlen("[profile]\nsummary = a\nsummary = b\n")),
		-EINVAL);
	EXPECT_BAD("[profile]\n[drives]\n[profile]\n",
		   "t.ini:3: [profile] already stands in line 1");
	expect_good(
		"[drives]\nqueue.iostats = 0\n[drives x]\nqueue.iostats = 1\n");
}

static void all_mistakes_are_told_in_the_order_of_lines(void **state)
{
	static const char text[] = "a = 1\n"
				   "[drives]\n"
				   "b = 2\n"
				   " c = 3\n"
				   "queue.scheduler = noop\n"
				   "[wrapper x y]\n"
				   "d = 4\n"
				   "[host\n";
	static const char *const starts[] = { "t.ini:1: ", "t.ini:3: ",
					      "t.ini:4: ", "t.ini:5: ",
					      "t.ini:6: ", "t.ini:8: " };

	(void)state;
	assert_int_equal(parse_bytes(text, strlen(text)), -EINVAL);
	assert_int_equal(problems.lines.n, 6);
	for (size_t i = 0; i < 6; i++)
		assert_true(
			text_has_prefix(problems.lines.items[i], starts[i]));
}

static void text_at_hand_cannot_include(void **state)
{
	(void)state;
	EXPECT_BAD("[profile]\ninclude = base\n",
		   "t.ini:2: include: this file stands for itself");
}

static void an_unknown_key_of_the_header_is_told(void **state)
{
	(void)state;
	EXPECT_BAD(
		"[profile]\nsumary = x\n",
		"t.ini:2: unknown key \"sumary\": legal in [profile] are summary and include");
}

/* --- files --- */

static int load(const struct tree *tree, const char *name)
{
	problems.lines.n = 0;
	return profile_load(tree ? tree->root : NULL, arena, knobs_all(), name,
			    &profile, &problems);
}

static void must_load(const struct tree *tree, const char *name)
{
	if (load(tree, name) < 0)
		fail_msg("%s", problems.lines.items[0]);
}

static void expect_one_problem(const char *line)
{
	assert_int_equal(problems.lines.n, 1);
	assert_string_equal(problems.lines.items[0], line);
}

static void put(struct tree *tree, const char *name, const char *text)
{
	tree_put(tree,
		 arena_printf(arena, "etc/nvmetune/profiles/%s.ini", name),
		 text);
}

/* Which setting counts on a drive of which nothing is said. */
static const char *effective(const char *key)
{
	const struct ctrl ctrl = { .transport = "pcie" };
	const struct ns ns = { .name = "nvme0n1" };
	const struct setting *it = profile_effective(&profile, key, &ctrl, &ns);

	return it ? it->text : NULL;
}

static void the_shipped_profiles_have_no_mistakes(void **state)
{
	static const char *const names[] = { "base", "oltp", "low-latency" };

	(void)state;
	for (size_t i = 0; i < 3; i++) {
		must_load(NULL, names[i]);
		assert_string_equal(profile.name, names[i]);
		assert_true(strlen(profile.summary) < 80);
		assert_string_equal(effective("queue.scheduler"), "none");
	}
	assert_string_equal(effective("queue.rq_affinity"), "2");
	assert_string_equal(profile_effective(&profile,
					      "module.nvme.poll_queues", NULL,
					      NULL)
				    ->text,
			    "25%");
}

static void a_profile_in_etc_replaces_the_shipped_one(void **state)
{
	struct tree *tree = tree_new();

	(void)state;
	put(tree, "base", "[drives]\nqueue.scheduler = kyber\n");
	must_load(tree, "oltp");
	assert_string_equal(effective("queue.scheduler"), "kyber");
	assert_string_equal(effective("queue.nr_requests"), "max");
	assert_int_equal(profile.chain.n, 2);
	assert_string_equal(profile.chain.items[0],
			    "/etc/nvmetune/profiles/base.ini");
	assert_string_equal(profile.sections.items[0].profile, "base");
	tree_free(tree);
}

static void parents_come_first_and_each_only_once(void **state)
{
	struct tree *tree = tree_new();

	(void)state;
	put(tree, "root", "[drives]\nqueue.iostats = 0\nqueue.nomerges = 0\n");
	put(tree, "left",
	    "[profile]\ninclude = root\n[drives]\nqueue.iostats = 1\n");
	put(tree, "right",
	    "[profile]\nsummary = Right\ninclude = root\n[drives]\nqueue.nomerges = 1\n");
	/* Its own settings win wherever [profile] stands in the file. */
	put(tree, "top",
	    "[drives]\nqueue.nomerges = 2\n[profile]\ninclude = left, right\n");
	must_load(tree, "top");
	assert_string_equal(effective("queue.iostats"), "1");
	assert_string_equal(effective("queue.nomerges"), "2");
	assert_int_equal(profile.chain.n, 4);
	assert_string_equal(profile.chain.items[3],
			    "/etc/nvmetune/profiles/top.ini");
	assert_null(profile.summary);
	tree_free(tree);
}

static void a_circle_of_includes_is_told_in_words(void **state)
{
	struct tree *tree = tree_new();

	(void)state;
	put(tree, "a", "[profile]\ninclude = b\n");
	put(tree, "b", "[profile]\ninclude = c\n");
	put(tree, "c", "[profile]\n\ninclude = a\n");
	assert_int_equal(load(tree, "a"), -EINVAL);
	expect_one_problem(
		"/etc/nvmetune/profiles/c.ini:3: include goes in a circle: a includes b includes c includes a");
	put(tree, "a", "[profile]\ninclude = a\n");
	assert_int_equal(load(tree, "a"), -EINVAL);
	expect_one_problem(
		"/etc/nvmetune/profiles/a.ini:2: include goes in a circle: a includes a");
	tree_free(tree);
}

static void a_chain_of_includes_has_an_end(void **state)
{
	struct tree *tree = tree_new();

	(void)state;
	for (char c = 'a'; c <= 'i'; c++) {
		const char name[] = { c, '\0' };

		put(tree, name,
		    arena_printf(arena, "[profile]\ninclude = %c\n", c + 1));
	}
	put(tree, "h", "[profile]\n");
	must_load(tree, "a");
	put(tree, "h", "[profile]\ninclude = i\n");
	assert_int_equal(load(tree, "a"), -EINVAL);
	expect_one_problem(
		"/etc/nvmetune/profiles/h.ini:2: include goes more than 8 deep: a includes b includes c includes d includes e includes f includes g includes h includes i");
	tree_free(tree);
}

static void an_include_is_the_name_of_a_profile_that_exists(void **state)
{
	struct tree *tree = tree_new();

	(void)state;
	put(tree, "a", "[profile]\ninclude = ../../passwd\n");
	assert_int_equal(load(tree, "a"), -EINVAL);
	expect_one_problem(
		"/etc/nvmetune/profiles/a.ini:2: include: \"../../passwd\" is a path: an include is the name of a profile");
	put(tree, "a", "[profile]\ninclude = bsae\n");
	assert_int_equal(load(tree, "a"), -EINVAL);
	expect_one_problem(
		"/etc/nvmetune/profiles/a.ini:2: no profile \"bsae\": there are a, base, cloud, low-latency, oltp, power-save, throughput, virt-host; did you mean base?");
	tree_free(tree);
}

static void mistakes_of_a_parent_are_told_with_its_file(void **state)
{
	struct tree *tree = tree_new();

	(void)state;
	put(tree, "parent", "[drives]\nqueue.iostats = 7\n");
	put(tree, "child", "[profile]\ninclude = parent\n[dirves]\n");
	assert_int_equal(load(tree, "child"), -EINVAL);
	assert_int_equal(problems.lines.n, 2);
	assert_true(text_has_prefix(problems.lines.items[0],
				    "/etc/nvmetune/profiles/parent.ini:2: "));
	assert_true(text_has_prefix(problems.lines.items[1],
				    "/etc/nvmetune/profiles/child.ini:3: "));
	tree_free(tree);
}

static void
a_path_is_taken_as_it_is_and_its_includes_lie_beside_it(void **state)
{
	struct tree *tree = tree_new();
	const char *path = arena_printf(arena, "%s/mine.ini", tree->dir);

	(void)state;
	tree_put(tree, "mine.ini", "[profile]\ninclude = base, more\n");
	tree_put(tree, "more.ini", "[drives]\nqueue.iostats = 0\n");
	must_load(NULL, path);
	assert_string_equal(profile.name, "mine");
	assert_string_equal(profile.file, path);
	assert_int_equal(profile.chain.n, 3);
	assert_string_equal(effective("queue.scheduler"), "none");
	assert_string_equal(effective("queue.iostats"), "0");
	tree_free(tree);
}

static void what_cannot_be_read_is_told_and_not_passed_over(void **state)
{
	struct tree *tree = tree_new();

	(void)state;
	/* A folder in place of the file: no reason to take the shipped one. */
	tree_put(tree, "etc/nvmetune/profiles/base.ini/x", "");
	assert_int_equal(load(tree, "base"), -EISDIR);
	expect_one_problem("/etc/nvmetune/profiles/base.ini: Is a directory");
	assert_int_equal(load(NULL, "./nothing.ini"), -ENOENT);
	expect_one_problem("./nothing.ini: No such file or directory");
	assert_int_equal(load(NULL, "oltp.ini"), -ENOENT);
	expect_one_problem(
		"no profile \"oltp.ini\": a file is given with a \"/\", as ./oltp.ini");
	assert_int_equal(load(NULL, "a b"), -EINVAL);
	expect_one_problem(
		"\"a b\" is no name of a profile: letters, digits, \".\", \"_\" and \"-\"");
	tree_free(tree);
}

static void the_list_has_each_name_once_with_what_counts(void **state)
{
	struct tree *tree = tree_new();
	struct profile_list list;
	unsigned int seen = 0;
	struct err err;

	(void)state;
	put(tree, "oltp", "[profile]\nsummary = Ours\n");
	put(tree, "zz", "[nonsense]\n");
	tree_put(tree, "etc/nvmetune/profiles/notes.txt", "not a profile");
	assert_int_equal(
		profile_list(tree->root, arena, knobs_all(), &list, &err), 0);
	VEC_EACH(&list.items, const struct profile_entry, it) {
		if (strcmp(it->name, "base") == 0) {
			assert_false(it->replaces);
			seen |= 1;
		} else if (strcmp(it->name, "oltp") == 0) {
			assert_string_equal(it->summary, "Ours");
			assert_string_equal(it->file,
					    "/etc/nvmetune/profiles/oltp.ini");
			assert_true(it->replaces);
			assert_int_equal(seen & 2, 0);
			seen |= 2;
		} else if (strcmp(it->name, "zz") == 0) {
			assert_int_equal(it->nr_errors, 1);
			assert_null(it->summary);
			seen |= 4;
		}
		assert_string_not_equal(it->name, "notes");
	}
	assert_int_equal(seen, 7);
	tree_free(tree);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make, drop)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(comments_spaces_and_line_ends_mean_nothing),
		TEST(a_semicolon_inside_a_word_is_no_comment),
		TEST(nothing_at_all_is_a_profile_without_settings),
		TEST(a_line_may_be_as_long_as_the_page_says),
		TEST(a_long_key_is_told_whole_or_refused),
		TEST(a_value_cannot_go_on_in_the_next_line),
		TEST(a_broken_heading_takes_its_keys_with_it),
		TEST(a_service_is_a_section_and_needs_a_drive),
		TEST(a_line_that_is_no_key_is_told),
		TEST(bytes_that_are_no_text_are_told_by_place),
		TEST(a_key_stands_once_in_a_section),
		TEST(all_mistakes_are_told_in_the_order_of_lines),
		TEST(text_at_hand_cannot_include),
		TEST(an_unknown_key_of_the_header_is_told),
		TEST(the_shipped_profiles_have_no_mistakes),
		TEST(a_profile_in_etc_replaces_the_shipped_one),
		TEST(parents_come_first_and_each_only_once),
		TEST(a_circle_of_includes_is_told_in_words),
		TEST(a_chain_of_includes_has_an_end),
		TEST(an_include_is_the_name_of_a_profile_that_exists),
		TEST(mistakes_of_a_parent_are_told_with_its_file),
		TEST(a_path_is_taken_as_it_is_and_its_includes_lie_beside_it),
		TEST(what_cannot_be_read_is_told_and_not_passed_over),
		TEST(the_list_has_each_name_once_with_what_counts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
