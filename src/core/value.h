/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

/*
 * A knob's value: what a profile asks for, what a host has, what a plan
 * wants.  Plain data that can be copied; a zeroed value is VALUE_NONE.
 */

enum value_type {
	VALUE_NONE,  /* absent: this kernel or drive has no such thing */
	VALUE_UINT,  /* u.number, in the knob's unit */
	VALUE_TEXT,  /* u.text: one of the knob's choices, or a parameter */
	VALUE_KEEP,  /* asked only: leave it as it is */
	VALUE_MAX,   /* asked only: the most this drive allows */
	VALUE_SHARE, /* asked only: u.number per cent of something */
};

#define VALUE_TEXT_SIZE 128

struct value {
	enum value_type type;
	union {
		uint64_t number;
		char text[VALUE_TEXT_SIZE];
	} u;
};

struct value value_uint(uint64_t number);

/* Text longer than VALUE_TEXT_SIZE - 1 bytes is refused: false, *ret as it
 * was. */
bool value_text(const char *text, struct value *ret);

/* Decimal digits and a NUL; text has room for 11 bytes. */
void uint_to_text(unsigned int number, char *text);

bool value_equal(const struct value *a, const struct value *b);

/* As the kernel's file or a profile spells it; VALUE_NONE is "-". */
void value_to_text(const struct value *value, struct strbuf *out);
char *value_string(struct arena *arena, const struct value *value);
