/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "tree.h"

#include <libkmod.h>
#include <stdlib.h>
#include <string.h>

#include "base/strbuf.h"
#include "sys/cmdline.h"
#include "sys/modprobe_conf.h"

static int set_up(void **state)
{
	*state = tree_new();
	return 0;
}

static int tear_down(void **state)
{
	tree_free(*state);
	return 0;
}

/* One line for each option: "file:line module.param=value". */
static const char *options(struct tree *tree)
{
	struct modprobe_conf conf;
	struct strbuf sb;

	strbuf_init(&sb, tree->arena);
	modprobe_conf_read(tree->root, tree->arena, &conf);
	VEC_EACH(&conf.options, struct module_option, it)
		strbuf_printf(&sb, "%s:%d %s.%s%s%s\n", it->file, (int)it->line,
			      it->module, it->param, it->value ? "=" : "",
			      it->value ? it->value : "");
	return sb.text;
}

static void options_carry_their_file_and_first_line(void **state)
{
	struct tree *tree = *state;

	tree_put(tree, "etc/modprobe.d/nvme.conf",
		 "# nvme\n"
		 "\n"
		 "options nvme poll_queues=2 \\\n"
		 "  write_queues=1\n"
		 "options nvme-core default_ps_max_latency_us=0\n"
		 "options nvme noacpi\n");
	assert_string_equal(options(tree),
			    "/etc/modprobe.d/nvme.conf:3 nvme.poll_queues=2\n"
			    "/etc/modprobe.d/nvme.conf:3 nvme.write_queues=1\n"
			    "/etc/modprobe.d/nvme.conf:5 "
			    "nvme_core.default_ps_max_latency_us=0\n"
			    "/etc/modprobe.d/nvme.conf:6 nvme.noacpi\n");
}

static void files_count_by_name_and_etc_masks_the_others(void **state)
{
	struct tree *tree = *state;

	tree_put(tree, "usr/lib/modprobe.d/a.conf", "options nvme a=lib\n");
	tree_put(tree, "usr/lib/modprobe.d/b.conf", "options nvme b=lib\n");
	tree_put(tree, "run/modprobe.d/b.conf", "options nvme b=run\n");
	tree_put(tree, "etc/modprobe.d/b.conf", "options nvme b=etc\n");
	tree_put(tree, "run/modprobe.d/Z.conf", "options nvme z=run\n");
	tree_put(tree, "etc/modprobe.d/c.conf~", "options nvme c=1\n");
	tree_put(tree, "etc/modprobe.d/.c.conf", "options nvme c=2\n");
	tree_put(tree, "etc/modprobe.d/README", "options nvme c=3\n");
	assert_string_equal(options(tree),
			    "/run/modprobe.d/Z.conf:1 nvme.z=run\n"
			    "/usr/lib/modprobe.d/a.conf:1 nvme.a=lib\n"
			    "/etc/modprobe.d/b.conf:1 nvme.b=etc\n");
}

static void trailing_comment_is_a_parameter_as_the_kernel_sees_it(void **state)
{
	struct tree *tree = *state;

	tree_put(tree, "etc/modprobe.d/a.conf",
		 "options nvme write_queues=2 # two\n");
	assert_string_equal(options(tree),
			    "/etc/modprobe.d/a.conf:1 nvme.write_queues=2\n"
			    "/etc/modprobe.d/a.conf:1 nvme.#\n"
			    "/etc/modprobe.d/a.conf:1 nvme.two\n");
}

static void quotes_keep_white_space(void **state)
{
	struct tree *tree = *state;

	tree_put(tree, "etc/modprobe.d/a.conf",
		 "options nvme quirks=\"a b\" \"x=c d\" y=\"\n");
	assert_string_equal(options(tree),
			    "/etc/modprobe.d/a.conf:1 nvme.quirks=a b\n"
			    "/etc/modprobe.d/a.conf:1 nvme.x=c d\n"
			    "/etc/modprobe.d/a.conf:1 nvme.y=\n");
}

static void no_folder_at_all_is_no_option(void **state)
{
	assert_string_equal(options(*state), "");
}

static void file_that_cannot_be_read_is_named(void **state)
{
	struct tree *tree = *state;
	struct modprobe_conf conf;

	tree_link(tree, "etc/modprobe.d/loop.conf", "loop.conf");
	tree_put(tree, "etc/modprobe.d/z.conf", "options nvme a=1\n");
	modprobe_conf_read(tree->root, tree->arena, &conf);
	assert_int_equal(conf.unreadable.n, 1);
	assert_string_equal(conf.unreadable.items[0],
			    "/etc/modprobe.d/loop.conf");
	assert_int_equal(conf.options.n, 1);
}

/* "module param=value" for each entry that libkmod has below dir; entries
 * that come from this host's command line are last and left out. */
static const char *libkmod_options(struct tree *tree, const char *dir)
{
	const char *const none[] = { NULL };
	const char *const one[] = { dir, NULL };
	struct kmod_ctx *host = kmod_new("/nonexistent", none);
	struct kmod_ctx *ctx = kmod_new("/nonexistent", one);
	struct kmod_config_iter *it = kmod_config_get_options(host);
	size_t skip = 0, n = 0;
	struct strbuf sb;

	strbuf_init(&sb, tree->arena);
	while (kmod_config_iter_next(it))
		skip++;
	kmod_config_iter_free_iter(it);
	it = kmod_config_get_options(ctx);
	while (kmod_config_iter_next(it))
		n++;
	kmod_config_iter_free_iter(it);
	it = kmod_config_get_options(ctx);
	for (n -= skip; n && kmod_config_iter_next(it); n--) {
		struct cmdline args;

		cmdline_parse(tree->arena, kmod_config_iter_get_value(it),
			      &args);
		VEC_EACH(&args.args, struct cmdline_arg, arg)
			strbuf_printf(&sb, "%s %s=%s\n",
				      kmod_config_iter_get_key(it), arg->name,
				      arg->value);
	}
	kmod_config_iter_free_iter(it);
	kmod_unref(ctx);
	kmod_unref(host);
	return sb.text;
}

static void reader_agrees_with_libkmod(void **state)
{
	static const char *const texts[] = {
		"options nvme a=1\noptions nvme b=2",
		"  options\tnvme\t a=1  \n",
		"options nvme a=1\\\n2\n",
		"options \\\nnvme \\\n a=1\noptions nvme b=2\n",
		"# comment \\\noptions nvme a=1\noptions nvme b=2\n",
		"options nvme a=x\\y\n",
		"options nvme a=x\\\\y\noptions nvme b=1\n",
		"options nvme a=x\\\\\noptions nvme b=1\n",
		"optionsnvme a=1\nOPTIONS nvme a=2\n",
		"options nvme-core a-b=1\n",
		"options nvme\noptions\n\n\noptions nvme c=3\n",
		"options nvme a=1\r\noptions nvme b=1\n",
		"blacklist nvme\nsoftdep nvme pre: nvme_core\noptions nvme a=1\n",
		" # options nvme a=1\n\toptions nvme b=1\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct tree *tree = tree_new();
		struct modprobe_conf conf;
		struct strbuf sb;

		(void)state;
		strbuf_init(&sb, tree->arena);
		tree_put(tree, "etc/modprobe.d/t.conf", texts[i]);
		modprobe_conf_read(tree->root, tree->arena, &conf);
		VEC_EACH(&conf.options, struct module_option, it)
			strbuf_printf(&sb, "%s %s=%s\n", it->module, it->param,
				      it->value);
		assert_string_equal(
			sb.text,
			libkmod_options(tree, arena_printf(tree->arena,
							   "%s/etc/modprobe.d",
							   tree->dir)));
		tree_free(tree);
	}
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

static void file_without_a_suffix_is_known_to_be_ignored(void **state)
{
	struct tree *tree = *state;
	struct modprobe_conf conf;

	tree_put(tree, "etc/modprobe.d/nvme", "options nvme poll_queues=4\n");
	tree_put(tree, "etc/modprobe.d/nvme.conf.bak",
		 "options nvme poll_queues=8\n");
	tree_put(tree, "etc/modprobe.d/nvme~", "options nvme poll_queues=9\n");
	modprobe_conf_read(tree->root, tree->arena, &conf);
	assert_int_equal(conf.options.n, 0);
	assert_int_equal(conf.ignored.n, 1);
	assert_string_equal(conf.ignored.items[0].value, "4");
	assert_string_equal(conf.ignored.items[0].file, "/etc/modprobe.d/nvme");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(options_carry_their_file_and_first_line),
		T(files_count_by_name_and_etc_masks_the_others),
		T(trailing_comment_is_a_parameter_as_the_kernel_sees_it),
		T(quotes_keep_white_space),
		T(no_folder_at_all_is_no_option),
		T(file_that_cannot_be_read_is_named),
		T(file_without_a_suffix_is_known_to_be_ignored),
		cmocka_unit_test(reader_agrees_with_libkmod),
	};

	/* It speaks of bad lines on stderr; they are meant to be bad. */
	assert_int_equal(setenv("KMOD_LOG", "0", 1), 0);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
