/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "tree.h"

#include "core/facts.h"
#include "drive.h"
#include "write/execute.h"

/*
 * A host with one controller, nvme0, live and local, on which the stand-in
 * drive answers.  Tests add what they are about.
 */

#define CTRL "sys/class/nvme/nvme0"
#define CTRL_ID "nqn.test/1"

struct fixture {
	struct tree *tree;
	struct drive drive;
	struct facts facts; /* for tests that plan; empty */
	char why[512];	    /* of what was refused or failed last */
};

struct fixture *fixture_new(void);

/* cmocka's: *state is a fixture. */
int fixture_tear_down(void **state);

/* What a transaction tells: data is a fixture, whose why it sets. */
void fixture_hear(void *data, const struct execute_event *event);

/* execute_plan() of values alone, heard by the fixture. */
int fixture_execute(struct fixture *f, struct plan *plan,
		    struct execute_result *ret, struct err *err);

/* How many of its commands had this opcode. */
unsigned int fixture_count(const struct fixture *f, uint8_t opcode);
