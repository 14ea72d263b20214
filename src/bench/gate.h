/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

/*
 * How a session steers workers that never stop: one word with a phase and an
 * epoch.  A running worker looks at it once a turn; an idle one sleeps until
 * it changes.  A new slice is one store.
 */

enum bench_phase {
	BENCH_IDLE, /* let what is in flight complete, then sleep */
	BENCH_RUN,
	BENCH_STOP, /* end */
};

struct bench_gate {
	_Atomic uint32_t word;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	_Atomic uint32_t refs;
};

static inline uint32_t bench_gate_word(struct bench_gate *gate)
{
	return atomic_load_explicit(&gate->word, memory_order_acquire);
}

static inline enum bench_phase bench_word_phase(uint32_t word)
{
	return (enum bench_phase)(word & 3);
}

static inline uint32_t bench_word_epoch(uint32_t word)
{
	return word >> 2;
}

/*
 * Idle, epoch 0; NULL without memory.  Counted, as a worker stuck in the
 * kernel may look at its gate long after the session is gone.
 */
struct bench_gate *bench_gate_new(void);
struct bench_gate *bench_gate_get(struct bench_gate *gate);
void bench_gate_put(struct bench_gate *gate);

/* Begin the next epoch, in this phase; returns the new word. */
uint32_t bench_gate_next(struct bench_gate *gate, enum bench_phase phase);

/* Sleep until the word is not seen any more; returns it. */
uint32_t bench_gate_wait(struct bench_gate *gate, uint32_t seen);
