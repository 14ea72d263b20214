/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * Modules nvme and nvme_core: what parameters they have, from modinfo of the
 * root's own kernel through libkmod, and what these are now, from sysfs.
 * libkmod reads the running host's /proc/modules and /sys/module whatever
 * root it is given, so the state is found here.
 */

#include <libkmod.h>
#include <stdlib.h>
#include <string.h>

#include "base/parse.h"
#include "base/strbuf.h"
#include "probe/scan.h"
#include "sys/cmdline.h"

static void list_cleanup(struct kmod_list **list)
{
	if (*list)
		(void)kmod_module_unref_list(*list);
}

static void module_cleanup(struct kmod_module **module)
{
	if (*module)
		(void)kmod_module_unref(*module);
}

static void info_cleanup(struct kmod_list **list)
{
	if (*list)
		kmod_module_info_free_list(*list);
}

#define _cleanup_list_ __attribute__((cleanup(list_cleanup)))
#define _cleanup_module_ __attribute__((cleanup(module_cleanup)))
#define _cleanup_info_ __attribute__((cleanup(info_cleanup)))

/* "poll_queues:Number of queues to use for polled IO." */
static void add_description(struct scan *scan, struct module *module,
			    const char *text)
{
	size_t n = strcspn(text, ":");
	struct module_param *param;
	const char *name = arena_strndup(scan->arena, text, n);

	VEC_EACH(&module->params, struct module_param, it)
		if (cmdline_name_equal(it->name, name)) {
			if (!it->description && text[n])
				it->description =
					arena_strdup(scan->arena, text + n + 1);
			return;
		}
	param = vec_add(scan->arena, &module->params);
	param->name = name;
	if (text[n])
		param->description = arena_strdup(scan->arena, text + n + 1);
}

static void add_parameter(struct scan *scan, struct module *module,
			  const char *key, const char *value)
{
	char *name;

	if (strcmp(key, "parm") == 0) {
		add_description(scan, module, value);
		return;
	}
	name = arena_strdup(scan->arena, value);
	name[strcspn(name, ":")] = '\0';
	add_description(scan, module, name);
}

/* dir: the kernel's folder below lib/modules. */
static const char *kept_name(struct scan *scan, const char *dir,
			     const struct module *module)
{
	return arena_printf(scan->arena, "modinfo/%s/%s", dir, module->name);
}

/* Parameters set by callback have no parmtype, some others no parm: both
 * name them. */
static void add_info(struct scan *scan, const char *dir, struct module *module,
		     struct kmod_module *handle)
{
	_cleanup_info_ struct kmod_list *info = NULL;
	struct kmod_list *it;
	struct strbuf kept;

	if (kmod_module_get_info(handle, &info) < 0)
		return;
	strbuf_init(&kept, scan->arena);
	kmod_list_foreach(it, info)
	{
		const char *key = kmod_module_info_get_key(it);
		const char *value = kmod_module_info_get_value(it);

		if (!key || !value ||
		    (strcmp(key, "parm") != 0 && strcmp(key, "parmtype") != 0))
			continue;
		add_parameter(scan, module, key, value);
		strbuf_printf(&kept, "%s=%s\n", key, value);
	}
	sysroot_keep(scan->root, kept_name(scan, dir, module), kept.text,
		     kept.len, 0);
}

/* What libkmod told of the live host; true when it knew the module. */
static bool add_kept(struct scan *scan, const char *dir, struct module *module)
{
	char *text = sysroot_kept_text(scan->root, scan->arena,
				       kept_name(scan, dir, module));
	bool is_kept = text;
	char *line;

	while ((line = strsep(&text, "\n"))) {
		char *equals = strchr(line, '=');

		if (!equals)
			continue;
		*equals = '\0';
		add_parameter(scan, module, line, equals + 1);
	}
	return is_kept;
}

struct kernel_dir {
	const char *path; /* below the root; NULL: not known */
	struct kmod_ctx *ctx;
};

/* True when the kernel's folder has the module, as a file or built in. */
static bool scan_modinfo(struct scan *scan, const struct kernel_dir *dir,
			 struct module *module)
{
	_cleanup_list_ struct kmod_list *found = NULL;
	_cleanup_module_ struct kmod_module *handle = NULL;

	if (!dir->path)
		return false;
	if (!dir->ctx ||
	    kmod_module_new_from_lookup(dir->ctx, module->name, &found) < 0 ||
	    !found)
		return add_kept(scan, dir->path, module);
	handle = kmod_module_get_module(found);
	add_info(scan, dir->path, module, handle);
	return true;
}

/* modules.builtin: "kernel/drivers/nvme/host/nvme-core.ko" a line. */
static bool is_builtin(struct scan *scan, const char *dir, const char *module)
{
	char *text = NULL, *line;

	if (!dir || sysroot_read_file(scan->root, scan->arena,
				      arena_printf(scan->arena,
						   "%s/modules.builtin", dir),
				      4U << 20, &text) < 0)
		return false;
	while ((line = strsep(&text, "\n"))) {
		char *base = strrchr(line, '/');

		base = base ? base + 1 : line;
		base[strcspn(base, ".")] = '\0';
		if (cmdline_name_equal(base, module))
			return true;
	}
	return false;
}

/* A module that is loaded has initstate; the folder alone means builtin. */
static const char *module_state(struct scan *scan, const char *dir,
				const char *module, bool has_file)
{
	const char *state = scan_text(scan, "sys/module/%s/initstate", module);

	if (state)
		return "live";
	if (sysroot_exists(scan->root, arena_printf(scan->arena,
						    "sys/module/%s", module)) ||
	    is_builtin(scan, dir, module))
		return "builtin";
	return has_file ? "loadable" : "absent";
}

static void scan_live_values(struct scan *scan, struct module *module)
{
	const char *dir = arena_printf(scan->arena, "sys/module/%s/parameters",
				       module->name);
	struct names list = { { 0 } };

	(void)sysroot_list(scan->root, scan->arena, dir, &list);
	VEC_EACH(&list.names, char *, name) {
		add_description(scan, module, *name);
		VEC_EACH(&module->params, struct module_param, param)
			if (cmdline_name_equal(param->name, *name))
				param->live =
					scan_text(scan, "%s/%s", dir, *name);
	}
}

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct module_param *)a)->name,
		      ((const struct module_param *)b)->name);
}

static void kernel_dir_close(struct kernel_dir *dir)
{
	if (dir->ctx)
		(void)kmod_unref(dir->ctx);
}

#define _cleanup_dir_ __attribute__((cleanup(kernel_dir_close)))

/* libkmod takes the path as the system sees it, so links are resolved here. */
static struct kernel_dir open_dir(struct scan *scan, const char *release)
{
	static const char *const no_config[] = { NULL };
	struct kernel_dir dir = { 0 };

	if (!release)
		return dir;
	dir.path = sysroot_resolve(
		scan->root, scan->arena,
		arena_printf(scan->arena, "lib/modules/%s", release), NULL);
	if (dir.path)
		dir.ctx = kmod_new(arena_printf(scan->arena, "%s/%s",
						sysroot_path(scan->root),
						dir.path),
				   no_config);
	if (dir.ctx)
		kmod_set_log_priority(dir.ctx, 0); /* it would use stderr */
	return dir;
}

static void sort_params(struct module *module)
{
	if (module->params.n)
		qsort(module->params.items, module->params.n,
		      sizeof(struct module_param), by_name);
}

static struct module module_of(struct scan *scan, const struct kernel_dir *dir,
			       const char *name)
{
	struct module module = { .name = name };
	bool has_file = scan_modinfo(scan, dir, &module);

	module.state = module_state(scan, dir->path, name, has_file);
	scan_live_values(scan, &module);
	sort_params(&module);
	if (!has_file && strcmp(module.state, "absent") != 0)
		scan_blind(
			scan,
			"modinfo of %s was not found: parameters that sysfs does not show are unknown",
			name);
	return module;
}

/* The root's kernel, never the one that runs us. */
static const char *release_of(struct scan *scan)
{
	struct names list = { { 0 } };

	if (scan->facts->kernel)
		return scan->facts->kernel;
	(void)sysroot_list(scan->root, scan->arena, "lib/modules", &list);
	return list.names.n == 1 ? list.names.items[0] : NULL;
}

static void scan_multipath(struct scan *scan)
{
	const struct module *core = facts_module(scan->facts, "nvme_core");
	const struct module_param *param = module_find(core, "multipath");

	if (param && param->live)
		scan->facts->multipath =
			num_known(strcmp(param->live, "Y") == 0);
}

static const char *const module_names[] = { "nvme_core", "nvme" };
#define NR_MODULES (sizeof(module_names) / sizeof(*module_names))

/* What any kernel of an image knows of a module. */
static void merge(struct scan *scan, struct module *into,
		  const struct module *module)
{
	VEC_EACH(&module->params, struct module_param, param)
		if (!module_find(into, param->name))
			*vec_add(scan->arena, &into->params) = *param;
	if (strcmp(into->state, "absent") == 0 ||
	    strcmp(module->state, "loadable") == 0)
		into->state = module->state;
}

static bool is_kernel(struct scan *scan, const char *release)
{
	return sysroot_exists(scan->root,
			      arena_printf(scan->arena,
					   "lib/modules/%s/modules.builtin",
					   release)) ||
	       sysroot_exists(scan->root,
			      arena_printf(scan->arena,
					   "lib/modules/%s/modules.dep",
					   release));
}

static void scan_kernel(struct scan *scan, const char *release)
{
	_cleanup_dir_ struct kernel_dir dir = open_dir(scan, release);
	struct image_kernel *kernel =
		vec_add(scan->arena, &scan->facts->kernels);

	kernel->release = release;
	for (size_t i = 0; i < NR_MODULES; i++) {
		struct module module = module_of(scan, &dir, module_names[i]);

		*vec_add(scan->arena, &kernel->modules) = module;
		merge(scan, &scan->facts->modules.items[i], &module);
	}
}

/* One that does not run yet may boot any of its kernels. */
static void scan_kernels(struct scan *scan)
{
	struct names list = { { 0 } };

	for (size_t i = 0; i < NR_MODULES; i++)
		*vec_add(scan->arena, &scan->facts->modules) =
			(struct module){ .name = module_names[i],
					 .state = "absent" };
	(void)sysroot_list(scan->root, scan->arena, "lib/modules", &list);
	VEC_EACH(&list.names, char *, release)
		if (is_kernel(scan, *release))
			scan_kernel(scan, *release);
	VEC_EACH(&scan->facts->modules, struct module, module)
		sort_params(module);
}

void kmod_scan(struct scan *scan)
{
	_cleanup_dir_ struct kernel_dir dir = { 0 };

	if (sysroot_is_image(scan->root)) {
		scan_kernels(scan);
		return;
	}
	dir = open_dir(scan, release_of(scan));
	for (size_t i = 0; i < NR_MODULES; i++) {
		struct module module = module_of(scan, &dir, module_names[i]);

		*vec_add(scan->arena, &scan->facts->modules) = module;
	}
	scan_multipath(scan);
}
