/* SPDX-License-Identifier: GPL-2.0-or-later */

/*
 * A host that refuses io_uring, as containers and the sysctl
 * kernel.io_uring_disabled do.  The filters stay for the rest of the process;
 * the errno of the newest one counts.
 */

#include "fixture.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/err.h"
#include "bench/ceiling.h"
#include "cmd/meter.h"

#define SIZE (UINT64_C(1) << 20)

/* False: filters are refused here themselves. */
static bool refuse_io_uring(uint32_t with)
{
	struct sock_filter code[] = {
		BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
			 offsetof(struct seccomp_data, nr)),
		BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | with),
		BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
	};
	struct sock_fprog program = {
		.len = sizeof(code) / sizeof(code[0]),
		.filter = code,
	};

	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
	       prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static const struct bench_session_config config = {
	.jobs = 2,
	.depth = 8,
	.seed = 1,
	.settle_ms = 5,
	.measure_ms = 30,
	.hang_ms = 60000,
};

/* In the line that says how it was measured. */
static void assert_told_once(struct arena *arena,
			     const struct bench_session *session, size_t group,
			     const char *words)
{
	struct bench_method method = bench_session_method(session, group);
	const struct meter meter = { .arena = arena, .team.methods = &method };
	const char *told = strstr(meter_text(&meter), ", by aio as ");

	assert_non_null(told);
	told = strstr(told, words);
	assert_non_null(told);
	assert_null(strstr(told + 1, words));
}

/* Both arms are slices of one session: whatever it got, they share. */
static void measure_arms(const char *words)
{
	struct arena *arena = arena_new();
	struct bench_drive drive = memory_drive("memory", SIZE);
	struct binding place = anywhere(arena);
	struct bench_session *session;
	struct err err = { 0 };
	size_t groups[2];

	assert_int_equal(bench_session_new(&session, arena, &config, &err), 0);
	for (size_t i = 0; i < 2; i++) {
		struct bench_method method;
		struct bench_slice slice;

		if (bench_session_add(session, &drive, &place, NULL, &groups[i],
				      &err) < 0 ||
		    bench_session_run(session, &groups[i], 1, &err) < 0 ||
		    bench_session_measure(session, &groups[i], 1, &slice,
					  &err) < 0)
			fail_msg("%s", err.text);
		assert_int_equal(slice.errors, 0);
		assert_true(slice.ios > 0);
		method = bench_session_method(session, groups[i]);
		assert_string_equal(method.engine, "aio");
		assert_false(method.ring_restricted);
		assert_non_null(strstr(method.fallback, words));
	}
	assert_told_once(arena, session, groups[0], words);
	bench_session_free(session);
	(void)close(drive.fd);
	arena_free(arena);
}

static void refused_io_uring_is_aio_on_both_arms_and_says_why(void **state)
{
	(void)state;
	if (!refuse_io_uring(EPERM))
		skip();
	measure_arms("io_uring is not permitted here");
}

static void kernel_without_io_uring_is_aio_too(void **state)
{
	(void)state;
	if (!refuse_io_uring(ENOSYS))
		skip();
	measure_arms("has no io_uring");
}

static void what_only_io_uring_can_do_is_not_supported_here(void **state)
{
	struct arena *arena = arena_new();
	struct bench_drive drive = memory_drive("memory", SIZE);
	struct binding place = anywhere(arena);
	const struct bench_shape polled = { .poll = true };
	struct bench_session *session;
	struct bench_ceiling ceiling;
	struct err err = { 0 };
	size_t group;

	(void)state;
	if (!refuse_io_uring(ENOSYS))
		skip();
	assert_int_equal(bench_session_new(&session, arena, &config, &err), 0);
	assert_int_equal(bench_session_add(session, &drive, &place, &polled,
					   &group, &err),
			 -EOPNOTSUPP);
	assert_non_null(strstr(err.text, "and AIO cannot poll"));
	bench_session_free(session);
	assert_int_equal(
		bench_ceiling(arena, (unsigned int)cpuset_next(&place.cpus, 0),
			      10, &ceiling, &err),
		-EOPNOTSUPP);
	(void)close(drive.fd);
	arena_free(arena);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(
			refused_io_uring_is_aio_on_both_arms_and_says_why),
		cmocka_unit_test(kernel_without_io_uring_is_aio_too),
		cmocka_unit_test(
			what_only_io_uring_can_do_is_not_supported_here),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
