/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "render/runner.h"

#include <string.h>

#include "base/escape.h"
#include "render/header.h"

static void put_source(const struct runner_intent *intent, struct strbuf *out)
{
	strbuf_puts(out, "\n# ");
	escape_to(out, intent->file);
	strbuf_printf(out, ":%u", intent->line);
	if (intent->about) {
		strbuf_puts(out, ", ");
		escape_to(out, intent->about);
	}
	strbuf_putc(out, '\n');
}

static void put_unit(const struct runner_intent *intent, const char *profile,
		     struct strbuf *out)
{
	render_header(out, profile);
	put_source(intent, out);
	strbuf_puts(out, "[Service]\n");
	strbuf_puts(out, intent->lines);
}

static bool has_memory(const struct binding *binding)
{
	return binding->memory_node != BINDING_NO_NODE ||
	       !cpuset_is_empty(&binding->memory_nodes);
}

/*
 * Containers often refuse set_mempolicy(), and numactl then starts nothing.
 * What it says when it cannot bind the CPUs either is its own to say.
 */
static void put_script(const struct runner_intent *intent, const char *profile,
		       struct strbuf *out)
{
	const char *all = binding_numactl_text(out->arena, &intent->binding);
	const char *cpus =
		binding_numactl_cpus_text(out->arena, &intent->binding);

	strbuf_puts(out, "#!/bin/sh\n");
	render_header(out, profile);
	put_source(intent, out);
	strbuf_puts(out, "[ $# -gt 0 ] || set -- \"${SHELL:-/bin/sh}\"\n");
	if (has_memory(&intent->binding)) {
		strbuf_printf(
			out,
			"if %s true 2>/dev/null || ! %s true 2>/dev/null; then\n",
			all, cpus);
		strbuf_puts(out, intent->lines);
		strbuf_printf(
			out,
			"fi\necho \"%s: memory policies are not permitted here (a container needs CAP_SYS_NICE or a seccomp profile that allows set_mempolicy): only CPUs are bound\" >&2\n"
			"exec %s \"$@\"\n",
			intent->name, cpus);
	} else {
		strbuf_puts(out, intent->lines);
	}
}

void render_runner(const struct runner_intent *intent, const char *profile,
		   struct strbuf *out)
{
	if (intent->is_service)
		put_unit(intent, profile, out);
	else
		put_script(intent, profile, out);
}

unsigned int render_runner_mode(const struct runner_intent *intent)
{
	return intent->is_service ? 0644 : 0755;
}
