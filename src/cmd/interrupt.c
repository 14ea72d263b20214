/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/interrupt.h"

#include <stddef.h>

/* A handler has no argument of its own to put this in. */
static volatile sig_atomic_t interrupted;

static void note(int number)
{
	(void)number;
	interrupted = 1;
}

const volatile sig_atomic_t *interrupt_flag(void)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
	struct sigaction action = { .sa_handler = note };

	(void)sigemptyset(&action.sa_mask);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++) {
		struct sigaction before;

		/* nohup's wish stays. */
		if (sigaction(signals[i], NULL, &before) == 0 &&
		    before.sa_handler != SIG_IGN)
			(void)sigaction(signals[i], &action, NULL);
	}
	return &interrupted;
}
