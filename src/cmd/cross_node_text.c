/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/cross_node_text.h"

#include "cmd/bench_columns.h"

static void put_list(const char *title, const char *const *texts, size_t n,
		     struct strbuf *out)
{
	if (n == 0)
		return;
	strbuf_printf(out, "  %s: ", title);
	for (size_t i = 0; i < n; i++)
		strbuf_printf(out, "%s%s", i ? "; " : "", texts[i]);
	strbuf_putc(out, '\n');
}

static void put_loss(const struct cross_node *it, struct strbuf *out)
{
	strbuf_printf(out, "%s: local/remote ", it->drive);
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
		strbuf_printf(out, "; %s on the same node keeps ", it->sibling);
		bench_ratio_text(it->sibling_ppt, out);
	}
	strbuf_putc(out, '\n');
	put_list("not the cause", it->ruled_out.items, it->ruled_out.n, out);
	put_list("possible here", it->possible.items, it->possible.n, out);
}

void cross_node_put(const struct cross_nodes *nodes, struct strbuf *out)
{
	VEC_EACH(&nodes->items, const struct cross_node, it)
		if (it->state == CROSS_NODE_REVERSED)
			strbuf_printf(
				out,
				"%s: node %lld is faster than its own node %lld: compare governor and idle states of both nodes, and in which slot the drive really sits\n",
				it->drive, (long long)it->remote,
				(long long)it->local);
		else
			put_loss(it, out);
}
