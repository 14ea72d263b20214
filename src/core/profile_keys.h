/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "core/profile.h"

/*
 * A profile by its keys, as they are measured and left out: what a key
 * implies (power.aspm all its parts) goes with it.
 */

/* The key of the profile that stands behind one of a change: its own, or the
 * one that implies it somewhere. */
const char *profile_key_behind(const struct profile *profile, const char *key);

/* Does [confirm] require this key, or one that it implies? */
bool profile_requires(const struct profile *profile, const char *key);

/* A key that is left out, and how. */
struct profile_omission {
	const char *key; /* as of profile_key_behind() */
	bool keep;	 /* it becomes "keep" instead of going */
	/* What this one says of the key comes in its place; NULL: nothing. */
	const struct profile *instead;
};

/* Does the profile speak of this key, or of one that it implies? */
bool profile_speaks_of(const struct profile *profile, const char *key);

/* The same profile but for these keys, in the arena. */
const struct profile *profile_without(struct arena *arena,
				      const struct profile *profile,
				      const struct profile_omission *omissions,
				      size_t n);
