/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/plan_export.h"

#include <errno.h>
#include <string.h>

#include "base/parse.h"
#include "render/udev_rules.h"

static const struct {
	const char *kind;
	const char *folder; /* of the files that are of this kind */
} kinds[] = {
	{ "modprobe", "/etc/modprobe.d/" },
	{ "sysctl", "/etc/sysctl.d/" },
	{ "systemd", "/etc/systemd/system/" },
};

static void put_files(struct strbuf *out, const struct plan *plan,
		      const char *folder)
{
	size_t n = 0;

	VEC_EACH(&plan->files, const struct planned_file, it)
		n += it->want && text_has_prefix(it->path, folder);
	VEC_EACH(&plan->files, const struct planned_file, it) {
		if (!it->want || !text_has_prefix(it->path, folder))
			continue;
		if (n > 1)
			strbuf_printf(out, "# %s\n", it->path);
		strbuf_puts(out, it->want);
	}
}

static void put_words(struct strbuf *out, const struct plan *plan)
{
	const size_t before = out->len;

	VEC_EACH(&plan->intents.options, const struct module_intent, it)
		strbuf_printf(out, "%s%s.%s=%s", out->len > before ? " " : "",
			      it->module, it->param, it->value);
	if (out->len > before)
		strbuf_putc(out, '\n');
}

int plan_export(struct strbuf *out, const struct plan *plan, const char *kind,
		struct err *err)
{
	if (strcmp(kind, "cmdline") == 0) {
		put_words(out, plan);
		return 0;
	}
	if (strcmp(kind, "udev") == 0) {
		render_udev_export(&plan->intents, out);
		return 0;
	}
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strcmp(kinds[i].kind, kind) == 0) {
			put_files(out, plan, kinds[i].folder);
			return 0;
		}
	return err_set(
		err, -EINVAL,
		"--export \"%s\" is not udev, modprobe, sysctl, systemd or cmdline",
		kind);
}
