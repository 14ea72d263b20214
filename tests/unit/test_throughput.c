/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/arena.h"
#include "bench/throughput.h"

struct sample {
	const char *text;
	double value; /* 0: there is none */
	const char *name;
};

#define N(rows) (sizeof(rows) / sizeof((rows)[0]))

static void expect(const struct sample *rows, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		_cleanup_arena_ struct arena *arena = arena_new();
		struct throughput got = { 0 };
		bool has = throughput_find(arena, rows[i].text, &got);

		if (has != (rows[i].value > 0))
			fail_msg("\"%s\": %s", rows[i].text,
				 has ? got.name : "nothing");
		if (!has)
			continue;
		if (got.value < rows[i].value * 0.999999 ||
		    got.value > rows[i].value * 1.000001)
			fail_msg("\"%s\": %f", rows[i].text, got.value);
		if (rows[i].name && strcmp(got.name, rows[i].name) != 0)
			fail_msg("\"%s\": \"%s\"", rows[i].text, got.name);
	}
}

static void a_number_with_a_unit_is_a_rate(void **state)
{
	static const struct sample rows[] = {
		{ "1.2GiB/s", 1.2 * (1 << 30), "B/s" },
		{ "48.0MiB/s", 48.0 * (1 << 20), "B/s" },
		{ "50.3MB/s", 50.3e6, "B/s" },
		{ "2.1 GB/s", 2.1e9, "B/s" },
		{ "9.41 Gbits/sec", 9.41e9, "bits/sec" },
		{ "12.3k IOPS", 12300, "IOPS" },
		{ "12.3kIOPS", 12300, "IOPS" },
		{ "1234 iops", 1234, "iops" },
		{ "55 TPS", 55, "TPS" },
		{ "99 Transactions/s", 99, "Transactions/s" },
		{ "(123.40 per sec.)", 123.4, "per sec" },
		{ "123456.78 requests per second, p50=1", 123456.78,
		  "requests per second" },
		{ "1.5e+06 ops/s", 1.5e6, "ops/s" },
	};

	(void)state;
	expect(rows, N(rows));
}

static void a_name_in_front_makes_a_rate(void **state)
{
	static const struct sample rows[] = {
		{ "tps = 1234.567 (without initial connection time)", 1234.567,
		  "tps" },
		{ "IOPS=12.3k", 12300, "IOPS" },
		{ "Requests per second: 998.5 [#/sec] (mean)", 998.5,
		  "Requests per second" },
		{ "Requests/sec:  12345.67", 12345.67, "Requests/sec" },
		{ "[OVERALL], Throughput(ops/sec), 4321.5", 4321.5, NULL },
		{ "bw=2G", 2e9, "bw" },
	};

	(void)state;
	expect(rows, N(rows));
}

/* As programs that people load drives with print it. */
static void the_last_rate_of_a_program_counts(void **state)
{
	static const struct sample rows[] = {
		{ "  read: IOPS=12.3k, BW=48.0MiB/s (50.3MB/s)(480MiB/1s)\n"
		  "    clat (usec): min=5, max=99, avg=10.2, stdev=1\n"
		  "Run status group 0 (all jobs):\n"
		  "   READ: bw=48.0MiB/s (50.3MB/s), "
		  "48.0MiB/s-48.0MiB/s (50.4MB/s-50.4MB/s), "
		  "io=480MiB (503MB), run=10001-10001msec\n"
		  "Disk stats (read/write):\n"
		  "  nvme0n1: ios=122880/0, merge=0/0, util=99.50%\n",
		  50.4e6, "READ, B/s" },
		{ "transaction type: <builtin: TPC-B (sort of)>\n"
		  "number of transactions actually processed: 1000/1000\n"
		  "latency average = 1.25 ms\n"
		  "tps = 800.25 (without initial connection time)\n",
		  800.25, "tps" },
		{ "    queries:            2468   (246.80 per sec.)\n"
		  "    ignored errors:     0      (0.00 per sec.)\n"
		  "    reconnects:         0      (0.00 per sec.)\n"
		  "General statistics:\n"
		  "    total time:         10.0003s\n"
		  "    total number of events: 1234\n",
		  246.8, "queries, per sec" },
		{ "1073741824 bytes (1.1 GB, 1.0 GiB) copied, 0.5 s, 2.1 GB/s",
		  2.1e9, "B/s" },
		{ "Requests/sec:  12345.67\nTransfer/sec:      1.23MB\n",
		  1.23e6, "Transfer/sec" },
		{ "a: 5 tps\r\nb: 6 tps\r\n", 6, "b, tps" },
	};

	(void)state;
	expect(rows, N(rows));
}

static void a_number_alone_on_the_last_line_goes_first(void **state)
{
	static const struct sample rows[] = {
		{ "tps = 5\n1234.5\n\n", 1234.5, "" },
		{ "12k", 12000, "" },
		{ " 7 ", 7, "" },
		{ "3\nthat was it\n", 0, NULL },
		{ "7%", 0, NULL },
		{ "-7", 0, NULL },
		{ "0", 0, NULL },
		{ "7 8", 0, NULL },
	};

	(void)state;
	expect(rows, N(rows));
}

static void what_is_no_rate_is_none(void **state)
{
	static const struct sample rows[] = {
		{ "", 0, NULL },
		{ "\n\n", 0, NULL },
		{ "latency average = 1.2 ms", 0, NULL },
		{ "total time: 10.0s", 0, NULL },
		{ "nvme0n1: ios=122880/0, util=99.5%", 0, NULL },
		{ "hops: 12", 0, NULL },
		{ "error rate: 12", 0, NULL },
		{ "100 GB in 5 s", 0, NULL },
		{ "0 tps", 0, NULL },
		{ "tps = nan", 0, NULL },
		{ "1e999 tps", 0, NULL },
		{ "1e308 GB/s", 0, NULL },
		{ "1e308k", 0, NULL },
		{ "-5 tps", 0, NULL },
		{ "version 1.2.3 IOPS", 0, NULL },
		{ "x86 tps", 0, NULL },
		{ "10.0.0.1/s", 0, NULL },
	};

	(void)state;
	expect(rows, N(rows));
}

static void a_comma_in_a_number_is_no_guess(void **state)
{
	static const struct sample rows[] = {
		{ "1,234 tps", 0, NULL },	  { "1,234,567 IOPS", 0, NULL },
		{ "2,125 GB/s", 0, NULL },	  { "tps = 1,234.5", 0, NULL },
		{ "tps: 5, qps: 6,\n", 6, NULL },
	};

	(void)state;
	expect(rows, N(rows));
}

static void a_name_holds_no_foreign_bytes(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct throughput got = { 0 };

	(void)state;
	assert_true(throughput_find(
		arena, "\033[31mred\033[0m \xff\xfe tps = 5\n", &got));
	for (const char *p = got.name; *p; p++)
		assert_true(*p >= ' ' && *p <= '~');
	assert_true(throughput_find(arena, "\033[1A12 \033/s 7 tps", &got));
	for (const char *p = got.name; *p; p++)
		assert_true(*p >= ' ' && *p <= '~');
}

static void the_same_unit_of_something_else_has_another_name(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	struct throughput queries = { 0 }, errors = { 0 };

	(void)state;
	assert_true(
		throughput_find(arena, "queries: 9 (2.5 per sec.)", &queries));
	assert_true(throughput_find(arena, "ignored errors: 9 (2.5 per sec.)",
				    &errors));
	assert_string_not_equal(queries.name, errors.name);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_number_with_a_unit_is_a_rate),
		cmocka_unit_test(a_name_in_front_makes_a_rate),
		cmocka_unit_test(the_last_rate_of_a_program_counts),
		cmocka_unit_test(a_number_alone_on_the_last_line_goes_first),
		cmocka_unit_test(what_is_no_rate_is_none),
		cmocka_unit_test(a_comma_in_a_number_is_no_guess),
		cmocka_unit_test(a_name_holds_no_foreign_bytes),
		cmocka_unit_test(
			the_same_unit_of_something_else_has_another_name),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
