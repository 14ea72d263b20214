/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/cross_node_text.h"

#include "base/escape.h"
#include "cmd/bench_columns.h"

static void put_list(const char *title, const char *const *texts, size_t n,
		     struct strbuf *out)
{
	if (n == 0)
		return;
	strbuf_printf(out, "  %s: ", title);
	for (size_t i = 0; i < n; i++) {
		strbuf_puts(out, i ? "; " : "");
		escape_to(out, texts[i]);
	}
	strbuf_putc(out, '\n');
}

static void put_loss(const struct cross_node *it, struct strbuf *out)
{
	escape_to(out, it->drive);
	strbuf_puts(out, ": local/remote ");
	if (it->kept_ppt > 0)
		bench_ratio_text((1000000 + it->kept_ppt / 2) / it->kept_ppt,
				 out);
	else
		strbuf_putc(out, '-');
	strbuf_printf(out, " (node %lld over node %lld), which keeps ",
		      (long long)it->local, (long long)it->remote);
	bench_ratio_text(it->kept_ppt, out);
	strbuf_printf(out, ": %s", cross_node_name(it->state));
	if (it->state == CROSS_NODE_ABNORMAL && it->sibling) {
		strbuf_puts(out, "; ");
		escape_to(out, it->sibling);
		strbuf_puts(out, " on the same node keeps ");
		bench_ratio_text(it->sibling_ppt, out);
	}
	strbuf_putc(out, '\n');
	put_list("not the cause", it->ruled_out.items, it->ruled_out.n, out);
	put_list("possible here", it->possible.items, it->possible.n, out);
}

static void put_reversed(const struct cross_node *it, struct strbuf *out)
{
	escape_to(out, it->drive);
	strbuf_printf(
		out,
		": node %lld is faster than its own node %lld: compare governor and idle states of both nodes, and in which slot the drive really sits\n",
		(long long)it->remote, (long long)it->local);
}

void cross_node_put(const struct cross_nodes *nodes, struct strbuf *out)
{
	VEC_EACH(&nodes->items, const struct cross_node, it)
		if (it->state == CROSS_NODE_REVERSED)
			put_reversed(it, out);
		else
			put_loss(it, out);
}
