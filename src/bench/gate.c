/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "bench/gate.h"

void bench_gate_init(struct bench_gate *gate)
{
	atomic_init(&gate->word, BENCH_IDLE);
	(void)pthread_mutex_init(&gate->lock, NULL);
	(void)pthread_cond_init(&gate->changed, NULL);
}

void bench_gate_done(struct bench_gate *gate)
{
	(void)pthread_cond_destroy(&gate->changed);
	(void)pthread_mutex_destroy(&gate->lock);
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
