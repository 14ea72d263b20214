/* SPDX-License-Identifier: GPL-2.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <string.h>

#include "base/vec.h"

static void memory_is_zeroed_aligned_and_apart(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	unsigned char *last = NULL;
	size_t last_size = 0;

	(void)state;
	for (size_t size = 0; size < 3000; size += 7) {
		unsigned char *memory = arena_alloc(arena, size);

		assert_int_equal((uintptr_t)memory % _Alignof(max_align_t), 0);
		for (size_t i = 0; i < size; i++)
			assert_int_equal(memory[i], 0);
		memset(memory, 0xff, size);
		for (size_t i = 0; i < last_size; i++)
			assert_int_equal(last[i], 0xff);
		last = memory;
		last_size = size;
	}
}

static void no_size_still_is_a_place_of_its_own(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	void *a = arena_alloc(arena, 0), *b = arena_alloc(arena, 0);

	(void)state;
	assert_non_null(a);
	assert_ptr_not_equal(a, b);
	assert_non_null(arena_array(arena, 0, 8));
	assert_non_null(arena_array(arena, 8, 0));
}

static void a_large_piece_leaves_the_small_ones_alone(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	char *before = arena_strdup(arena, "before");
	char *large = arena_alloc(arena, 1024 * 1024);
	char *after = arena_strdup(arena, "after");

	(void)state;
	memset(large, 'x', 1024 * 1024);
	assert_string_equal(before, "before");
	assert_string_equal(after, "after");
}

static void what_is_reserved_is_one_piece(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	char *first;

	(void)state;
	(void)arena_alloc(arena, 65000);
	arena_reserve(arena, 1600);
	first = arena_alloc(arena, 16);
	for (size_t i = 1; i < 100; i++)
		assert_ptr_equal(arena_alloc(arena, 16), first + i * 16);
	arena_reserve(arena, 200000);
	first = arena_alloc(arena, 100000);
	assert_ptr_equal(arena_alloc(arena, 100000), first + 100000);
}

static void texts_are_copies(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	char text[] = "abc";
	char *whole = arena_strdup(arena, text);
	char *part = arena_strndup(arena, text, 2);
	char *printed = arena_printf(arena, "%s-%d", text, 7);

	(void)state;
	memset(text, 'x', sizeof(text) - 1);
	assert_string_equal(whole, "abc");
	assert_string_equal(part, "ab");
	assert_string_equal(printed, "abc-7");
	assert_string_equal(arena_strdup(arena, ""), "");
	assert_string_equal(arena_strndup(arena, "abc", 0), "");
}

static void an_arena_that_is_not_there_is_released_too(void **state)
{
	struct arena *none = NULL;

	(void)state;
	arena_free(NULL);
	arena_freep(&none);
}

struct pair {
	int64_t number;
	const char *text;
};

static void a_vec_grows_and_keeps_its_items(void **state)
{
	_cleanup_arena_ struct arena *arena = arena_new();
	VEC(struct pair) pairs = { 0 };
	int64_t sum = 0;

	(void)state;
	for (int64_t i = 0; i < 1000; i++) {
		struct pair *pair = vec_add(arena, &pairs);

		assert_int_equal(pair->number, 0);
		assert_null(pair->text);
		pair->number = i;
	}
	assert_int_equal(pairs.n, 1000);
	VEC_EACH(&pairs, struct pair, pair)
		assert_int_equal(pair->number, sum++);
}

static void an_empty_vec_has_no_turn(void **state)
{
	VEC(struct pair) none = { 0 };

	(void)state;
	VEC_EACH(&none, struct pair, pair)
		fail_msg("%s", pair->text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(memory_is_zeroed_aligned_and_apart),
		cmocka_unit_test(no_size_still_is_a_place_of_its_own),
		cmocka_unit_test(a_large_piece_leaves_the_small_ones_alone),
		cmocka_unit_test(what_is_reserved_is_one_piece),
		cmocka_unit_test(texts_are_copies),
		cmocka_unit_test(an_arena_that_is_not_there_is_released_too),
		cmocka_unit_test(a_vec_grows_and_keeps_its_items),
		cmocka_unit_test(an_empty_vec_has_no_turn),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
