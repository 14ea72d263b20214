/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/remarks.h"

#include <string.h>

#include "base/strbuf.h"

static bool is_same(const struct advice *a, const struct advice *b)
{
	return strcmp(a->id, b->id) == 0 && strcmp(a->text, b->text) == 0;
}

const char *remark_text(struct arena *arena, const struct plan *plan, size_t nr)
{
	const struct advice *advice = &plan->advice.items[nr];
	struct strbuf out;

	for (size_t i = 0; i < nr; i++)
		if (is_same(&plan->advice.items[i], advice))
			return NULL;
	strbuf_init(&out, arena);
	strbuf_puts(&out, advice->subject);
	for (size_t i = nr + 1; i < plan->advice.n; i++)
		if (is_same(&plan->advice.items[i], advice))
			strbuf_printf(&out, ", %s",
				      plan->advice.items[i].subject);
	strbuf_printf(&out, ": %s", advice->text);
	return out.text;
}
