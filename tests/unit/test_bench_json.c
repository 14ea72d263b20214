/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "base/strbuf.h"
#include "core/bench_result.h"
#include "json/bench_json.h"

static struct arena *arena;

static int set_up(void **state)
{
	(void)state;
	arena = arena_new();
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	arena_free(arena);
	return 0;
}

static struct histogram *latencies(uint64_t a, uint64_t b)
{
	struct histogram *h = ARENA_NEW(arena, struct histogram);

	histogram_add(h, a);
	histogram_add(h, b);
	return h;
}

static void add_cell(struct bench_matrix *matrix, int64_t node,
		     const char *skipped)
{
	struct bench_cell *cell = vec_add(arena, &matrix->cells);
	struct bench_slice *slice = vec_add(arena, &cell->slices);

	cell->node = node;
	cell->skipped = skipped;
	cell->of_local_ppt = -1;
	cell->method.engine = "aio";
	cell->method.fallback = "not \"permitted\"";
	cell->summary.iops = 1000;
	cell->summary.latency = latencies(10, 100000);
	slice->ios = 2;
	slice->latency = latencies(10, 100000);
}

static const char *matrix_text(const struct bench_matrix *matrix)
{
	struct json_writer json;
	struct strbuf out;

	strbuf_init(&out, arena);
	json_writer_init(&json, &out, JSON_LINE);
	json_begin_object(&json, NULL);
	bench_matrix_to_json(matrix, &json);
	json_end(&json);
	return out.text;
}

static void assert_has(const char *text, const char *part)
{
	char *squeezed = arena_strdup(arena, text), *to = squeezed;

	for (const char *from = text; *from; from++)
		if (*from != ' ' && *from != '\n')
			*to++ = *from;
	*to = '\0';
	if (!strstr(squeezed, part))
		fail_msg("%s is not in %s", part, squeezed);
}

static void cell_keeps_its_slices_and_latencies(void **state)
{
	struct bench_matrix matrix = { .seed = 9 };
	const char *text;

	(void)state;
	*vec_add(arena, &matrix.drives) = "nvme0n1";
	add_cell(&matrix, 1, NULL);
	text = matrix_text(&matrix);
	assert_has(text, "\"seed\":9");
	assert_has(text, "\"drive\":\"nvme0n1\",\"node\":1");
	assert_has(text, "\"iops\":1000");
	assert_has(text, "\"slices\":[{\"sequence\":0");
	assert_has(text, "\"latency_ns\":[[10,1],[100351,1]]");
	assert_has(text, "\"max_ns\":100000");
	assert_has(text, "\"fallback\":\"not\\\"permitted\\\"\"");
}

static void
cell_tells_its_shape_and_what_another_engine_made_of_it(void **state)
{
	struct bench_matrix matrix = { 0 };
	struct bench_check check = { .command = "fio --readonly" };
	struct bench_cell *cell;
	const char *text;

	(void)state;
	*vec_add(arena, &matrix.drives) = "nvme0n1";
	add_cell(&matrix, 1, NULL);
	text = matrix_text(&matrix);
	assert_null(strstr(text, "\"label\""));
	assert_null(strstr(text, "\"fio\""));
	cell = &matrix.cells.items[0];
	cell->label = "QD 8";
	cell->of_link_ppt = 371;
	cell->summary.confidence_ppt = 969;
	cell->summary.cores_milli = num_known(1250);
	check.summary.iops = 500;
	check.summary.latency = ARENA_NEW(arena, struct histogram);
	cell->check = &check;
	/* Not every fio tells of latencies, and 0 is none. */
	text = strstr(matrix_text(&matrix), "\"fio\"");
	assert_non_null(text);
	assert_true(strstr(text, "\"p50_ns\"") > strstr(text, "\"method\""));
	check.summary.latency = latencies(20, 30);
	text = matrix_text(&matrix);
	assert_has(text, "\"label\":\"QD8\"");
	assert_has(text, "\"of_link_ppt\":371");
	assert_has(text, "\"confidence_ppt\":969");
	assert_has(text, "\"cores_per_100k_milli\":1250");
	assert_has(text, "\"fio\":{\"command\":\"fio--readonly\"");
	assert_has(text, "\"iops\":500");
}

static void what_is_unknown_is_absent_and_never_a_number(void **state)
{
	struct bench_matrix matrix = { 0 };
	const char *text;

	(void)state;
	*vec_add(arena, &matrix.drives) = "nvme0n1";
	add_cell(&matrix, -1, NULL);
	text = matrix_text(&matrix);
	assert_null(strstr(text, "\"node\""));
	assert_null(strstr(text, "of_local_ppt"));
	assert_null(strstr(text, "memory_why"));
}

static void shape_and_host_of_a_measurement_are_told(void **state)
{
	struct bench_matrix matrix = { 0 };
	struct bench_cell *cell;
	struct bench_slice *slice;
	const char *text;

	(void)state;
	*vec_add(arena, &matrix.drives) = "nvme0n1";
	add_cell(&matrix, 1, NULL);
	text = matrix_text(&matrix);
	assert_has(text, "\"pattern\":\"randomread\"");
	assert_has(text, "\"batching\":\"natural\"");
	assert_has(text, "\"polled\":false");
	assert_has(text, "\"cpu_source\":\"none\"");
	for (const char *const *absent =
		     (const char *const[]){
			     "run_ns", "steal_ppt", "merges", "foreign_ios",
			     "offline", "void", "interrupts", "gap_ns",
			     "writes", "held_milli", "zero_pages_ppt", NULL };
	     *absent; absent++)
		if (strstr(text, *absent))
			fail_msg("%s is there", *absent);

	cell = &matrix.cells.items[0];
	cell->method.write_ppt = 300;
	cell->method.sequential = true;
	cell->method.batch = 8;
	cell->method.gap_ns = 1000;
	cell->method.poisson = true;
	cell->summary.zero_ppt = num_known(999);
	cell->summary.writes = latencies(20, 30);
	slice = &cell->slices.items[0];
	slice->run_ns = 77;
	slice->cpu_source = BENCH_CPU_SCHEDSTAT;
	slice->foreign_ios = num_known(0);
	slice->has_interrupts = true;
	cpuset_add(arena, &slice->interrupts.cpus, 3);
	cpuset_add(arena, &slice->interrupts.cpus, 130);
	*vec_add(arena, &slice->interrupts.counts) = 17;
	*vec_add(arena, &slice->interrupts.counts) = 1;
	slice->late = 3;
	slice->void_why = "I/Os failed";
	text = matrix_text(&matrix);
	assert_has(text, "\"pattern\":\"sequentialreadandwrite\"");
	assert_has(text, "\"write_ppt\":300");
	assert_has(text, "\"batching\":\"fixed\",\"batch\":8");
	assert_has(text, "\"gap_ns\":1000,\"poisson\":true");
	assert_has(text, "\"zero_pages_ppt\":999");
	assert_has(text, "\"writes\":{\"ios\":2,\"mean_ns\":25");
	assert_has(text, "\"run_ns\":77,\"cpu_source\":\"schedstat\"");
	assert_has(text, "\"foreign_ios\":0");
	assert_has(text, "\"interrupts\":[[3,17],[130,1]]");
	assert_has(text, "\"late\":3");
	assert_has(text, "\"void\":\"I/Osfailed\"");
}

static void skipped_cell_has_its_reason_and_no_figures(void **state)
{
	struct bench_matrix matrix = { 0 };
	const char *text;

	(void)state;
	*vec_add(arena, &matrix.drives) = "nvme0n1";
	add_cell(&matrix, 2, "no CPU");
	text = matrix_text(&matrix);
	assert_has(text, "\"skipped\":\"noCPU\"");
	assert_null(strstr(text, "iops"));
	assert_null(strstr(text, "slices"));
}

#define T(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

int main(void)
{
	const struct CMUnitTest tests[] = {
		T(cell_keeps_its_slices_and_latencies),
		T(cell_tells_its_shape_and_what_another_engine_made_of_it),
		T(what_is_unknown_is_absent_and_never_a_number),
		T(shape_and_host_of_a_measurement_are_told),
		T(skipped_cell_has_its_reason_and_no_figures),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
