/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <string.h>

#include "base/parse.h"
#include "cmd/command_list.h"
#include "cmd/context.h"
#include "cmd/drives.h"
#include "cmd/remarks.h"
#include "cmd/status_rows.h"
#include "knobs/knob_list.h"
#include "json/write.h"

#define SCHEMA "nvmetune.status/1"
#define LABEL_COLUMNS 9U

struct page {
	const struct context *ctx;
	const struct facts *facts;
	struct arena *arena;
	struct status_rows rows;
	struct status_nodes nodes;
	struct plan plan; /* of no profile: its advice alone */
	struct strbuf out;
};

static struct table drives_table(const struct page *page)
{
	return (struct table){
		.columns = status_columns,
		.rows = page->rows.rows.items,
		.n = page->rows.rows.n,
		.size = sizeof(struct status_row),
	};
}

static struct table nodes_table(const struct page *page)
{
	return (struct table){
		.columns = status_node_columns,
		.rows = page->nodes.rows.items,
		.n = page->nodes.rows.n,
		.size = sizeof(struct status_node),
	};
}

/* "governor   performance" */
static void put_line(struct page *page, const char *label, const char *text)
{
	strbuf_puts(&page->out, tone_on(TONE_STRONG, page->ctx->color));
	strbuf_puts(&page->out, label);
	strbuf_puts(&page->out, tone_off(TONE_STRONG, page->ctx->color));
	strbuf_pad(&page->out, LABEL_COLUMNS + 2 - out_columns(label));
	out_wrapped(&page->out, text, LABEL_COLUMNS + 2, page->ctx->width);
	strbuf_putc(&page->out, '\n');
}

static const char *or_unknown(const char *text)
{
	return text ? text : "unknown";
}

static char *host_text(const struct page *page)
{
	const struct facts *facts = page->facts;
	struct strbuf sb;

	strbuf_init(&sb, page->arena);
	strbuf_printf(&sb, "%s, %s, Linux %s %s", or_unknown(facts->hostname),
		      or_unknown(facts->os_name), or_unknown(facts->kernel),
		      facts->machine ? facts->machine : "");
	if (text_equal(facts->hypervisor, "unknown"))
		strbuf_puts(&sb, ", a virtual machine");
	else if (facts->hypervisor)
		strbuf_printf(&sb, ", guest of %s", facts->hypervisor);
	if (facts->container)
		strbuf_printf(&sb, ", inside %s", facts->container);
	return sb.text;
}

static char *cpus_text(const struct page *page)
{
	const struct facts *facts = page->facts;
	struct strbuf sb;

	strbuf_init(&sb, page->arena);
	if (cpuset_is_empty(&facts->online))
		strbuf_puts(&sb, "unknown");
	else
		strbuf_printf(&sb, "%u online of %u possible",
			      cpuset_count(&facts->online),
			      cpuset_count(&facts->possible));
	if (!cpuset_is_empty(&facts->isolated)) {
		strbuf_puts(&sb, ", isolated ");
		cpuset_to_text(&facts->isolated, &sb);
	}
	strbuf_printf(&sb, ", governor %s",
		      facts->governor ? facts->governor : "-");
	return sb.text;
}

static char *iommu_text(const struct page *page)
{
	static const char *const types[][2] = {
		{ "identity", "identity (pass-through)" },
		{ "DMA", "DMA (strict)" },
		{ "DMA-FQ", "DMA-FQ (lazy)" },
	};
	const struct facts *facts = page->facts;
	const char *type = or_unknown(facts->iommu_type);

	if (!facts->iommu && !facts->iommu_type)
		return arena_strdup(page->arena, "none");
	for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
		if (!strcmp(types[i][0], type))
			type = types[i][1];
	return arena_printf(page->arena, "%s, %s", type,
			    or_unknown(facts->iommu));
}

static char *services_text(const struct page *page)
{
	struct strbuf sb;

	strbuf_init(&sb, page->arena);
	VEC_EACH(&page->facts->services, const struct service, it) {
		if (!it->state || strcmp(it->state, "running") != 0)
			continue;
		strbuf_printf(&sb, "%s%s", sb.len ? ", " : "", it->name);
		if (it->detail)
			strbuf_printf(&sb, " (%s)", it->detail);
	}
	return sb.text;
}

static void put_host(struct page *page)
{
	char *services = services_text(page);

	put_line(page, "host", host_text(page));
	put_line(page, "CPUs", cpus_text(page));
	put_line(page, "IOMMU", iommu_text(page));
	if (services[0])
		put_line(page, "services", services);
	VEC_EACH(&page->facts->jobs, const char *, it)
		put_line(page, "running", *it);
}

static void put_unmanaged(struct page *page, const struct unmanaged *it)
{
	put_line(page, "unmanaged",
		 it->driver ? arena_printf(page->arena,
					   "%s: an NVMe drive, left to %s",
					   it->address, it->driver) :
			      arena_printf(page->arena,
					   "%s: an NVMe drive without a driver",
					   it->address));
}

/*
 * Warnings in full.  What is worth to know and needs nothing done is one line
 * of ids, unless there is room for all of it.
 */
static void put_advice(struct page *page)
{
	const struct plan *plan = &page->plan;
	const char *last = NULL;
	struct strbuf ids;

	strbuf_init(&ids, page->arena);
	for (size_t i = 0; i < plan->advice.n; i++) {
		const struct advice *it = &plan->advice.items[i];
		const char *text = remark_text(page->arena, plan, i);

		if (text && (page->ctx->options.wide ||
			     strcmp(it->severity, "info") != 0)) {
			put_line(page, it->severity, text);
		} else if (text && (!last || strcmp(it->id, last) != 0)) {
			strbuf_printf(&ids, "%s%s", ids.len ? ", " : "",
				      it->id);
			last = it->id;
		}
	}
	if (ids.len)
		put_line(page, "info",
			 arena_printf(page->arena, "%s (--wide tells more)",
				      ids.text));
}

static void put_remarks(struct page *page)
{
	put_advice(page);
	VEC_EACH(&page->facts->unmanaged, const struct unmanaged, it)
		put_unmanaged(page, it);
	VEC_EACH(&page->facts->blind, const char *, it)
		put_line(page, "not seen", *it);
}

static void put_tables(struct page *page)
{
	const struct table drives = drives_table(page);
	const struct table nodes = nodes_table(page);
	struct table_view view = { .color = page->ctx->color,
				   .width = page->ctx->width };
	unsigned int last = page->ctx->options.wide ? STATUS_LIMITS :
						      STATUS_PATH;

	for (view.group = STATUS_DRIVE; view.group <= last; view.group++) {
		table_put(&page->out, &drives, &view);
		strbuf_putc(&page->out, '\n');
	}
	view.group = 0;
	table_put(&page->out, &nodes, &view);
	if (nodes.n)
		strbuf_putc(&page->out, '\n');
}

static void put_page(struct page *page)
{
	if (page->rows.rows.n == 0) {
		strbuf_puts(&page->out, "no NVMe controllers\n");
		VEC_EACH(&page->facts->unmanaged, const struct unmanaged, it)
			put_unmanaged(page, it);
		return;
	}
	put_tables(page);
	put_host(page);
	put_remarks(page);
}

/* Only real request queues and drives: a head would differ by having none. */
static struct status_rows without_heads(const struct page *page)
{
	struct status_rows kept = { 0 };

	VEC_EACH(&page->rows.rows, const struct status_row, it)
		if (!it->ns || it->ns->kind != NS_HEAD)
			*vec_add(page->arena, &kept.rows) = *it;
	return kept;
}

static bool shows_group(const struct column *columns, unsigned int group)
{
	for (; columns->name; columns++)
		if (columns->group == group &&
		    !(columns->flags & (COLUMN_KEY | COLUMN_DATA)))
			return true;
	return false;
}

static void put_comparison(struct page *page)
{
	struct table drives = drives_table(page);
	struct table_view view = { .color = page->ctx->color,
				   .width = page->ctx->width };
	bool any = false;

	if (drives.n < 2) {
		strbuf_printf(&page->out, "%s to compare\n",
			      drives.n ? "only one drive" : "no drives");
		return;
	}
	drives.columns = table_differing(&drives, page->arena);
	for (view.group = STATUS_DRIVE; view.group <= STATUS_LIMITS;
	     view.group++) {
		if (!shows_group(drives.columns, view.group))
			continue;
		if (any)
			strbuf_putc(&page->out, '\n');
		table_put(&page->out, &drives, &view);
		any = true;
	}
	if (!any)
		strbuf_printf(&page->out, "the %zu drives do not differ\n",
			      drives.n);
}

static void host_to_json(const struct page *page, struct json_writer *json)
{
	const struct facts *facts = page->facts;

	json_begin_object(json, "host");
	json_put_text(json, "hostname", facts->hostname);
	json_put_text(json, "os", facts->os_name);
	json_put_text(json, "kernel", facts->kernel);
	json_put_text(json, "machine", facts->machine);
	json_put_text(json, "hypervisor", facts->hypervisor);
	json_put_text(json, "container", facts->container);
	json_put_cpuset(json, "possible", &facts->possible);
	json_put_cpuset(json, "online", &facts->online);
	json_put_cpuset(json, "isolated", &facts->isolated);
	json_put_text(json, "governor", facts->governor);
	json_put_text(json, "iommu", facts->iommu);
	json_put_text(json, "iommu_type", facts->iommu_type);
	json_begin_array(json, "services");
	VEC_EACH(&facts->services, const struct service, it) {
		json_begin_object(json, NULL);
		json_put_text(json, "name", it->name);
		json_put_text(json, "state", it->state);
		json_put_text(json, "detail", it->detail);
		json_end(json);
	}
	json_end(json);
	json_end(json);
}

static void drive_to_json(const struct page *page, struct json_writer *json,
			  const struct table *table,
			  const struct status_row *row)
{
	struct users users = { 0 };

	json_begin_object(json, NULL);
	table_row_to_json(json, table, row, page->arena);
	if (row->ns && row->ns->kind != NS_PATH) {
		status_users(row->ns, page->arena, &users);
		json_begin_array(json, "in_use_by");
		VEC_EACH(&users.names, const char *, it)
			json_put_text(json, NULL, *it);
		json_end(json);
	}
	json_end(json);
}

static void remarks_to_json(const struct page *page, struct json_writer *json)
{
	json_begin_array(json, "unmanaged");
	VEC_EACH(&page->facts->unmanaged, const struct unmanaged, it) {
		json_begin_object(json, NULL);
		json_put_text(json, "address", it->address);
		json_put_text(json, "driver", it->driver);
		json_end(json);
	}
	json_end(json);
	json_begin_array(json, "advice");
	VEC_EACH(&page->plan.advice, const struct advice, it) {
		json_begin_object(json, NULL);
		json_put_text(json, "id", it->id);
		json_put_text(json, "severity", it->severity);
		json_put_text(json, "subject", it->subject);
		json_put_text(json, "text", it->text);
		json_end(json);
	}
	json_end(json);
	json_begin_array(json, "blind");
	VEC_EACH(&page->facts->blind, const char *, it)
		json_put_text(json, NULL, *it);
	json_end(json);
}

static void put_json(struct page *page)
{
	const struct table drives = drives_table(page);
	const struct table nodes = nodes_table(page);
	struct json_writer json;

	json_writer_init(&json, &page->out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", SCHEMA);
	host_to_json(page, &json);
	table_to_json(&json, "nodes", &nodes, page->arena);
	json_begin_array(&json, "drives");
	VEC_EACH(&page->rows.rows, const struct status_row, it)
		drive_to_json(page, &json, &drives, it);
	json_end(&json);
	remarks_to_json(page, &json);
	json_end(&json);
}

static void put_comparison_json(struct page *page)
{
	struct table drives = drives_table(page);
	struct json_writer json;

	drives.columns = table_differing(&drives, page->arena);
	json_writer_init(&json, &page->out, JSON_PAGE);
	json_begin_object(&json, NULL);
	json_put_text(&json, "schema", SCHEMA);
	table_to_json(&json, "differing", &drives, page->arena);
	json_end(&json);
}

/* Advice needs no profile: that of a plan which asks for nothing. */
static int advise(struct page *page, struct err *err)
{
	struct problems problems = { .arena = page->arena };
	struct profile none = { .name = "" };
	struct plan_input input = {
		.facts = page->facts,
		.profile = &none,
		.knobs = knobs_all(),
	};
	struct plan plan = { 0 };
	int r = plan_build(page->arena, &input, &plan, &problems);

	if (r < 0)
		return err_errno(err, r, "advice");
	page->plan = plan;
	return 0;
}

static int status(struct context *ctx, int argc, char **argv, struct err *err)
{
	struct page page = { .ctx = ctx, .arena = ctx->arena };
	struct drives drives = { 0 };
	bool compare = ctx->options.compare;
	struct table table;
	int r;

	r = context_facts(ctx, err);
	if (r < 0)
		return EXIT_FAILED;
	page.facts = ctx->facts;
	r = drives_resolve(ctx->facts, ctx->root, ctx->arena, argc, argv,
			   &drives, err);
	if (r == 0)
		r = advise(&page, err);
	if (r < 0)
		return EXIT_FAILED;
	strbuf_init(&page.out, ctx->arena);
	status_rows(page.facts, &drives, ctx->arena, &page.rows);
	status_nodes(page.facts, &drives, ctx->arena, &page.nodes);
	if (compare)
		page.rows = without_heads(&page);

	table = drives_table(&page);
	if (compare && ctx->format != OUT_TABLE)
		table.columns = table_differing(&table, ctx->arena);
	switch (ctx->format) {
	case OUT_TABLE:
		compare ? put_comparison(&page) : put_page(&page);
		break;
	case OUT_JSON:
		compare ? put_comparison_json(&page) : put_json(&page);
		break;
	case OUT_RAW:
		table_put_raw(&page.out, &table);
		break;
	}
	out_write(&page.out);
	return EXIT_DONE;
}

static const struct opt opts[] = {
	{ .name = "wide",
	  .letter = 'w',
	  OPT_TO(FLAG, wide),
	  .help = "also show serial, address, largest transfer, SGL, command limit, link bandwidth" },
	{ .name = "compare",
	  OPT_TO(FLAG, compare),
	  .help = "show only what differs between drives",
	  .excludes = "wide" },
	OPTS_READ,
	OPT_END,
};

const struct command command_status = {
	.name = "status",
	.args = "[DRIVE...]",
	.summary =
		"show drives, links, queues and interrupts, and what is wrong",
	.opts = opts,
	.run = status,
	.details =
		"QUEUES D/R/P counts the queues for writes and everything else (default), for\n"
		"reads and for polling.  LOCAL IRQS is how many of the I/O queues' interrupts\n"
		"arrive at CPUs of the drive's node.  AT MOST is the fastest link that drive and\n"
		"slot both support.  The time under APST is the longest wake-up that the kernel\n"
		"accepts from a power state.  COALESCING is completions/time.  \"unknown\" could\n"
		"not be read (often because only root may), \"-\" does not apply.",
};
