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
#include "probe/scan.h"
#include "sys/cmdline.h"

static void kmod_cleanup(struct kmod_ctx **ctx)
{
	if (*ctx)
		(void)kmod_unref(*ctx);
}

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

#define _cleanup_kmod_ __attribute__((cleanup(kmod_cleanup)))
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

/* Parameters set by callback have no parmtype, some others no parm: both
 * name them. */
static void add_info(struct scan *scan, struct module *module,
		     struct kmod_module *handle)
{
	_cleanup_info_ struct kmod_list *info = NULL;
	struct kmod_list *it;

	if (kmod_module_get_info(handle, &info) < 0)
		return;
	kmod_list_foreach(it, info)
	{
		const char *key = kmod_module_info_get_key(it);
		const char *value = kmod_module_info_get_value(it);

		if (key && value && strcmp(key, "parm") == 0) {
			add_description(scan, module, value);
		} else if (key && value && strcmp(key, "parmtype") == 0) {
			char *name = arena_strdup(scan->arena, value);

			name[strcspn(name, ":")] = '\0';
			add_description(scan, module, name);
		}
	}
}

/* True when the kernel's folder has the module, as a file or built in. */
static bool scan_modinfo(struct scan *scan, struct kmod_ctx *ctx,
			 struct module *module)
{
	_cleanup_list_ struct kmod_list *found = NULL;
	_cleanup_module_ struct kmod_module *handle = NULL;

	if (!ctx ||
	    kmod_module_new_from_lookup(ctx, module->name, &found) < 0 ||
	    !found)
		return false;
	handle = kmod_module_get_module(found);
	add_info(scan, module, handle);
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

static void scan_module(struct scan *scan, struct kmod_ctx *ctx,
			const char *dir, const char *name)
{
	struct module *module = vec_add(scan->arena, &scan->facts->modules);
	bool has_file;

	module->name = name;
	has_file = scan_modinfo(scan, ctx, module);
	module->state = module_state(scan, dir, name, has_file);
	scan_live_values(scan, module);
	if (module->params.n)
		qsort(module->params.items, module->params.n,
		      sizeof(struct module_param), by_name);
	if (!has_file && strcmp(module->state, "absent") != 0)
		scan_blind(
			scan,
			"modinfo of %s was not found: parameters that sysfs does not show are unknown",
			name);
}

/* Below the root; the root's kernel, never the one that runs us. */
static const char *modules_dir(struct scan *scan)
{
	struct names list = { { 0 } };
	const char *release = scan->facts->kernel;

	if (!release) {
		(void)sysroot_list(scan->root, scan->arena, "lib/modules",
				   &list);
		if (list.names.n != 1)
			return NULL;
		release = list.names.items[0];
	}
	return sysroot_resolve(
		scan->root, scan->arena,
		arena_printf(scan->arena, "lib/modules/%s", release), NULL);
}

static void scan_multipath(struct scan *scan)
{
	const struct module *core = facts_module(scan->facts, "nvme_core");
	const struct module_param *param = module_find(core, "multipath");

	if (param && param->live)
		scan->facts->multipath =
			num_known(strcmp(param->live, "Y") == 0);
}

void kmod_scan(struct scan *scan)
{
	static const char *const no_config[] = { NULL };
	const char *dir = modules_dir(scan);
	_cleanup_kmod_ struct kmod_ctx *ctx = NULL;

	if (dir)
		ctx = kmod_new(arena_printf(scan->arena, "%s/%s",
					    sysroot_path(scan->root), dir),
			       no_config);
	if (ctx)
		kmod_set_log_priority(ctx, 0); /* it would speak on stderr */
	scan_module(scan, ctx, dir, "nvme_core");
	scan_module(scan, ctx, dir, "nvme");
	scan_multipath(scan);
}
