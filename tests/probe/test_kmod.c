/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scanned.h"

#include <elf.h>

#define RELEASE "9.9.0-lab"

/*
 * The smallest object file that libkmod and depmod take for a module: an ELF
 * header and the sections .modinfo and .shstrtab.
 */
static void put_module(struct tree *tree, const char *path, const char *modinfo,
		       size_t n)
{
	static const char names[] = "\0.modinfo\0.shstrtab";
	Elf64_Ehdr header = {
		.e_ident = { ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64,
			     ELFDATA2LSB, EV_CURRENT },
		.e_type = ET_REL,
		.e_machine = EM_X86_64,
		.e_version = EV_CURRENT,
		.e_ehsize = sizeof(Elf64_Ehdr),
		.e_shentsize = sizeof(Elf64_Shdr),
		.e_shnum = 3,
		.e_shstrndx = 2,
	};
	Elf64_Shdr sections[3] = {
		[1] = { .sh_name = 1,
			.sh_type = SHT_PROGBITS,
			.sh_flags = SHF_ALLOC,
			.sh_offset = sizeof(header),
			.sh_size = n,
			.sh_addralign = 1 },
		[2] = { .sh_name = 10,
			.sh_type = SHT_STRTAB,
			.sh_offset = sizeof(header) + n,
			.sh_size = sizeof(names),
			.sh_addralign = 1 },
	};
	FILE *file = fopen(tree_path(tree, path), "we");

	assert_non_null(file);
	header.e_shoff = sizeof(header) + n + sizeof(names);
	assert_int_equal(fwrite(&header, sizeof(header), 1, file), 1);
	assert_int_equal(fwrite(modinfo, n, 1, file), 1);
	assert_int_equal(fwrite(names, sizeof(names), 1, file), 1);
	assert_int_equal(fwrite(sections, sizeof(sections), 1, file), 1);
	assert_int_equal(fclose(file), 0);
}

#define PUT_MODULE(tree, path, text) put_module(tree, path, text, sizeof(text))

static int set_up(void **state)
{
	struct tree *tree = tree_new();

	tree_put(tree, "proc/sys/kernel/osrelease", RELEASE "\n");
	PUT_MODULE(tree,
		   "lib/modules/" RELEASE
		   "/kernel/drivers/nvme/host/nvme-core.ko",
		   "license=GPL\0"
		   "parmtype=io_timeout:uint\0"
		   "parm=io_timeout:timeout in seconds for I/O\0"
		   "parmtype=multipath:bool\0"
		   "name=nvme_core");
	PUT_MODULE(tree,
		   "lib/modules/" RELEASE "/kernel/drivers/nvme/host/nvme.ko",
		   "parm=poll_queues:Number of queues: for polled IO\0"
		   "parmtype=use_threaded_interrupts:int\0"
		   "depends=nvme-core\0"
		   "name=nvme");
	tree_put(tree, "lib/modules/" RELEASE "/modules.order", "");
	tree_put(tree, "lib/modules/" RELEASE "/modules.builtin", "");
	*state = tree;
	return 0;
}

static int tear_down(void **state)
{
	tree_free(*state);
	return 0;
}

/* Its index is binary, so kmod's own tool has to write it. */
static void depmod(struct tree *tree)
{
	if (system("PATH=$PATH:/usr/sbin:/sbin command -v depmod >/dev/null"))
		skip();
	tree_run(arena_printf(
		tree->arena,
		"PATH=$PATH:/usr/sbin:/sbin depmod -b '%s' " RELEASE
		" 2>/dev/null",
		tree->dir));
}

static void parameters_are_those_of_the_roots_kernel(void **state)
{
	struct tree *tree = *state;
	const struct facts *facts;
	const struct module *nvme, *core;

	depmod(tree);
	facts = scanned(tree);
	core = facts_module(facts, "nvme_core");
	nvme = facts_module(facts, "nvme");
	assert_string_equal(core->state, "loadable");
	assert_int_equal(core->params.n, 2);
	assert_string_equal(core->params.items[0].name, "io_timeout");
	assert_string_equal(core->params.items[0].description,
			    "timeout in seconds for I/O");
	assert_null(core->params.items[0].live);
	assert_string_equal(core->params.items[1].name, "multipath");
	assert_null(core->params.items[1].description);
	assert_int_equal(nvme->params.n, 2);
	assert_string_equal(module_find(nvme, "poll_queues")->description,
			    "Number of queues: for polled IO");
	assert_string_equal(blind_of(tree, facts), "");
}

static void live_values_join_what_modinfo_knows(void **state)
{
	struct tree *tree = *state;
	const struct module *nvme;

	depmod(tree);
	tree_put(tree, "sys/module/nvme/initstate", "live\n");
	tree_put(tree, "sys/module/nvme/parameters/poll_queues", "2\n");
	tree_put(tree, "sys/module/nvme/parameters/added_by_vendor", "Y\n");
	nvme = facts_module(scanned(tree), "nvme");
	assert_string_equal(nvme->state, "live");
	assert_int_equal(nvme->params.n, 3);
	assert_string_equal(module_find(nvme, "poll_queues")->live, "2");
	assert_non_null(module_find(nvme, "poll_queues")->description);
	assert_string_equal(module_find(nvme, "added_by_vendor")->live, "Y");
}

/* An image root says no release; one kernel in it is the one. */
static void only_kernel_of_an_image_is_the_roots_kernel(void **state)
{
	struct tree *tree = *state;

	depmod(tree);
	tree_remove(tree, "proc");
	assert_string_equal(facts_module(scanned(tree), "nvme")->state,
			    "loadable");
	tree_put(tree, "lib/modules/9.9.1-lab/modules.builtin", "");
	assert_string_equal(facts_module(scanned(tree), "nvme")->state,
			    "absent");
}

static void builtin_is_known_from_its_list_before_it_runs(void **state)
{
	struct tree *tree = *state;
	const struct facts *facts;

	tree_put(tree, "lib/modules/" RELEASE "/modules.builtin",
		 "kernel/block/kyber-iosched.ko\n"
		 "kernel/drivers/nvme/host/nvme-core.ko\n");
	facts = scanned(tree);
	assert_string_equal(facts_module(facts, "nvme_core")->state, "builtin");
	assert_string_equal(facts_module(facts, "nvme")->state, "absent");
}

static void links_of_the_root_stay_inside_for_libkmod_too(void **state)
{
	struct tree *tree = *state;

	depmod(tree);
	tree_run(arena_printf(tree->arena,
			      "mkdir '%s/usr' && mv '%s/lib' '%s/usr/lib'",
			      tree->dir, tree->dir, tree->dir));
	tree_link(tree, "lib", "/usr/lib");
	assert_string_equal(facts_module(scanned(tree), "nvme")->state,
			    "loadable");
}

/* Two kernels, the second with nvme_core built in and no nvme. */
static void every_kernel_of_an_image_is_looked_at(void **state)
{
	struct tree *tree = *state;
	const struct facts *facts;

	depmod(tree);
	tree_remove(tree, "proc");
	tree_put(tree, "lib/modules/9.10.0-lab/modules.builtin",
		 "kernel/drivers/nvme/host/nvme-core.ko\n");
	tree_put(tree, "lib/modules/leftover/README", "");
	facts = scanned_image(tree, 4);
	assert_true(facts->image.known);
	assert_int_equal(facts->kernels.n, 2);
	assert_string_equal(facts->kernels.items[0].release, RELEASE);
	assert_string_equal(facts->kernels.items[0].modules.items[1].state,
			    "loadable");
	assert_string_equal(facts->kernels.items[1].release, "9.10.0-lab");
	assert_string_equal(facts->kernels.items[1].modules.items[0].state,
			    "builtin");
	assert_string_equal(facts->kernels.items[1].modules.items[1].state,
			    "absent");
	assert_string_equal(facts_module(facts, "nvme")->state, "loadable");
	assert_int_equal(facts_module(facts, "nvme")->params.n, 2);
	assert_string_equal(cpus_of(tree, &facts->possible), "0-3");
}

/* As in a chroot that the builder's own /proc and /sys are mounted in. */
static void an_image_has_nothing_of_the_machine_that_builds_it(void **state)
{
	struct tree *tree = *state;
	const struct facts *facts;

	tree_put(tree, "proc/sys/kernel/hostname", "builder\n");
	tree_put(tree, "proc/cmdline", "nvme.poll_queues=8\n");
	tree_put(tree, "sys/class/nvme/nvme0/model", "Builder\n");
	tree_put(tree, "sys/module/nvme/parameters/poll_queues", "8\n");
	tree_put(tree, "sys/devices/system/cpu/possible", "0-63\n");
	tree_put(tree, "run/ostree-booted", "");
	tree_put(tree, "etc/hostname", "builder\n");
	facts = scanned_image(tree, 0);
	assert_null(facts->hostname);
	assert_null(facts->kernel);
	assert_null(facts->machine);
	assert_null(facts->cmdline);
	assert_null(facts->initramfs_tool);
	assert_false(facts->root.known);
	assert_int_equal(facts->options.n, 0);
	assert_int_equal(facts->ctrls.n, 0);
	assert_string_equal(cpus_of(tree, &facts->possible), "0");
	assert_null(module_find(facts_module(facts, "nvme"), "poll_queues"));
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(parameters_are_those_of_the_roots_kernel),
		T(live_values_join_what_modinfo_knows),
		T(only_kernel_of_an_image_is_the_roots_kernel),
		T(builtin_is_known_from_its_list_before_it_runs),
		T(links_of_the_root_stay_inside_for_libkmod_too),
		T(every_kernel_of_an_image_is_looked_at),
		T(an_image_has_nothing_of_the_machine_that_builds_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
