/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/gate.h"

#include <stdlib.h>

struct bench_gate *bench_gate_new(void)
{
	struct bench_gate *gate = calloc(1, sizeof(*gate));

	if (!gate)
		return NULL;
	atomic_init(&gate->word, BENCH_IDLE);
	atomic_init(&gate->refs, 1);
	(void)pthread_mutex_init(&gate->lock, NULL);
	(void)pthread_cond_init(&gate->changed, NULL);
	return gate;
}

struct bench_gate *bench_gate_get(struct bench_gate *gate)
{
	(void)atomic_fetch_add(&gate->refs, 1);
	return gate;
}

void bench_gate_put(struct bench_gate *gate)
{
	if (atomic_fetch_sub(&gate->refs, 1) != 1)
		return;
	(void)pthread_cond_destroy(&gate->changed);
	(void)pthread_mutex_destroy(&gate->lock);
	free(gate);
}

uint32_t bench_gate_next(struct bench_gate *gate, enum bench_phase phase)
{
	uint32_t word;

	(void)pthread_mutex_lock(&gate->lock);
	word = (bench_word_epoch(bench_gate_word(gate)) + 1) << 2 |
	       (uint32_t)phase;
	atomic_store_explicit(&gate->word, word, memory_order_release);
	(void)pthread_cond_broadcast(&gate->changed);
	(void)pthread_mutex_unlock(&gate->lock);
	return word;
}

uint32_t bench_gate_wait(struct bench_gate *gate, uint32_t seen)
{
	uint32_t word;

	(void)pthread_mutex_lock(&gate->lock);
	while ((word = bench_gate_word(gate)) == seen)
		(void)pthread_cond_wait(&gate->changed, &gate->lock);
	(void)pthread_mutex_unlock(&gate->lock);
	return word;
}
