/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/parse.h"
#include "cmd/bench_mode.h"
#include "core/target.h"
#include "knobs/knob_list.h"
#include "probe/probe.h"

#define KIB 1024U
#define MIB (1024U * KIB)

/*
 * A command points to two pages by itself; more of them need a list in
 * memory.  drivers/nvme/host/pci.c, nvme_pci_setup_prps().
 */
#define PAGE_BYTES 4096U
#define WITHOUT_LIST (2 * PAGE_BYTES)

static int cells(struct bench_page *page, struct err *err)
{
	(void)err;
	for (size_t i = 0; i < page->load.drives.n; i++)
		for (uint32_t bytes = 4 * KIB; bytes <= MIB; bytes *= 2) {
			const struct bench_want want = {
				.drive = i,
				.shape.block_bytes = bytes,
				.label = arena_printf(page->ctx->arena, "%uk",
						      bytes / KIB),
			};

			bench_page_want(page, &want);
		}
	return 0;
}

/* Of the drive's request queue; of a head that of a path below it. */
static struct num max_sectors_kb(const struct facts *facts, const char *disk)
{
	VEC_EACH(&facts->observed, const struct observation, it) {
		const struct ns *ns;

		if (it->target_kind != TARGET_QUEUE ||
		    !text_equal(it->knob, "queue.max_sectors_kb") ||
		    it->value.type != VALUE_UINT)
			continue;
		ns = facts_ns(facts, it->target);
		if (ns &&
		    (text_equal(ns->name, disk) || text_equal(ns->head, disk)))
			return num_known((int64_t)it->value.u.number);
	}
	return num_unknown(0);
}

static const char *disk_of(const struct bench_row *row)
{
	return row->matrix->drives.items[row->cell->drive];
}

static void get_requests(const void *data, struct cell *cell)
{
	const struct bench_row *row = data;
	const struct num most = max_sectors_kb(row->facts, disk_of(row));
	int64_t kb = row->cell->method.block_bytes / KIB;

	if (row->cell->skipped)
		cell_none(cell);
	else if (most.known && most.value > 0)
		cell_num(cell, num_known((kb + most.value - 1) / most.value));
}

static void get_list(const void *data, struct cell *cell)
{
	const struct bench_row *row = data;
	bool yes = row->cell->method.block_bytes > WITHOUT_LIST;

	if (row->cell->skipped)
		cell_none(cell);
	else
		cell_bool(cell, yes, yes ? "yes" : "no");
}

/* Blocks of the pools that lists come from, ever made; -1: not seen. */
static int64_t blocks_ever(const struct facts *facts, const struct ns *ns)
{
	const struct ctrl *ctrl =
		ns->kind == NS_HEAD ? NULL : facts_ns_ctrl(facts, ns);
	int64_t blocks = 0;

	if (!ctrl || ctrl->pools.n == 0)
		return -1;
	VEC_EACH(&ctrl->pools, const struct dma_pool, it)
		blocks += it->blocks_ever;
	return blocks;
}

struct pools {
	int64_t before;
	int64_t after;
};

/* The host is looked at once more: what was made meanwhile was needed. */
static struct pools pools_of(const struct bench_page *page, const struct ns *ns)
{
	const struct probe_options options = { 0 };
	struct facts *after = ARENA_NEW(page->ctx->arena, struct facts);
	const struct ns *now;
	struct pools pools = { blocks_ever(page->ctx->facts, ns), -1 };

	if (pools.before < 0 ||
	    probe_host(page->ctx->root, knobs_all(), &options, page->ctx->arena,
		       after, NULL) < 0)
		return pools;
	now = facts_ns(after, ns->name);
	if (now)
		pools.after = blocks_ever(after, now);
	return pools;
}

static void put_drive(const struct bench_page *page, const struct ns *ns,
		      struct strbuf *out)
{
	const struct num most = max_sectors_kb(page->ctx->facts, ns->name);
	const struct pools pools = pools_of(page, ns);

	strbuf_printf(out, "%s: ", ns->name);
	if (most.known)
		strbuf_printf(
			out, "requests split above %lld KiB%s",
			(long long)most.value,
			ns->max_hw_sectors_kb.known &&
					most.value <
						ns->max_hw_sectors_kb.value ?
				" (queue.max_sectors_kb; the drive takes more)" :
				"");
	else
		strbuf_puts(out, "where requests split is not known");
	strbuf_printf(out, "; PRP lists begin above %u KiB\n",
		      WITHOUT_LIST / KIB);
	if (pools.after >= 0)
		strbuf_printf(
			out,
			"  device/pools: %lld blocks for lists ever before, %lld after\n",
			(long long)pools.before, (long long)pools.after);
}

static void put(const struct bench_page *page, struct strbuf *out)
{
	VEC_EACH(&page->load.drives, const struct load_drive, it)
		put_drive(page, it->ns, out);
}

static void json(const struct bench_page *page, struct json_writer *writer)
{
	json_begin_array(writer, "sizes");
	VEC_EACH(&page->load.drives, const struct load_drive, it) {
		const struct pools pools = pools_of(page, it->ns);

		json_begin_object(writer, NULL);
		json_put_text(writer, "drive", it->ns->name);
		json_put_num(writer, "split_above_kb",
			     max_sectors_kb(page->ctx->facts, it->ns->name));
		json_put_num(writer, "max_hw_sectors_kb",
			     it->ns->max_hw_sectors_kb);
		json_put_uint(writer, "lists_above_kb", WITHOUT_LIST / KIB);
		if (pools.after >= 0) {
			json_put_int(writer, "pool_blocks_before",
				     pools.before);
			json_put_int(writer, "pool_blocks_after", pools.after);
		}
		json_end(writer);
	}
	json_end(writer);
}

static const struct column columns[] = {
	BENCH_DRIVE,
	BENCH_LABEL("SIZE"),
	BENCH_NODE,
	BENCH_JOBS,
	BENCH_QD,
	BENCH_IOPS,
	BENCH_RANGE,
	BENCH_MBS,
	BENCH_MEAN,
	BENCH_P99,
	{ "requests", "REQUESTS", get_requests, COLUMN_RIGHT, 0 },
	{ "prp_list", "PRP LIST", get_list, 0, 0 },
	BENCH_SHARES,
	BENCH_REMARK,
	BENCH_COLUMNS_END,
};

const struct bench_mode bench_mode_sizes = {
	.name = "sizes",
	.columns = columns,
	.usual = { .passes = 6, .seconds = 2, .jobs = 1, .depth = 32 },
	.cells = cells,
	.put = put,
	.json = json,
};
