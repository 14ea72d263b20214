/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/profile_keys.h"

#include <string.h>

#include "base/parse.h"

static bool implies(const struct knob *knob, const char *key)
{
	const char *const *name = knob ? knob->members : NULL;

	for (; name && *name; name++)
		if (strcmp(*name, key) == 0)
			return true;
	return false;
}

const char *profile_key_behind(const struct profile *profile, const char *key)
{
	VEC_EACH(&profile->sections, const struct section, section)
		VEC_EACH(&section->settings, const struct setting, it)
			if (implies(it->knob, key))
				return it->key;
	return key;
}

bool profile_requires(const struct profile *profile, const char *key)
{
	VEC_EACH(&profile->required, const char *, it)
		if (text_equal(*it, key) ||
		    text_equal(profile_key_behind(profile, *it), key))
			return true;
	return false;
}

bool profile_speaks_of(const struct profile *profile, const char *key)
{
	VEC_EACH(&profile->sections, const struct section, section)
		VEC_EACH(&section->settings, const struct setting, it)
			if (text_equal(profile_key_behind(profile, it->key),
				       key))
				return true;
	return false;
}

/* Sections of their own at the end, where nothing overrides them. */
static void take(struct arena *arena, struct profile *profile,
		 const struct profile *from, const char *key)
{
	VEC_EACH(&from->sections, const struct section, section) {
		struct section part = *section;

		memset(&part.settings, 0, sizeof(part.settings));
		VEC_EACH(&section->settings, const struct setting, it)
			if (text_equal(profile_key_behind(from, it->key), key))
				*vec_add(arena, &part.settings) = *it;
		if (part.settings.n)
			*vec_add(arena, &profile->sections) = part;
	}
}

static const struct profile_omission *
omission_of(const struct profile *profile, const struct setting *setting,
	    const struct profile_omission *omissions, size_t n)
{
	const char *key = profile_key_behind(profile, setting->key);

	for (size_t i = 0; i < n; i++)
		if (text_equal(omissions[i].key, key))
			return &omissions[i];
	return NULL;
}

const struct profile *profile_without(struct arena *arena,
				      const struct profile *profile,
				      const struct profile_omission *omissions,
				      size_t n)
{
	struct profile *ret = ARENA_NEW(arena, struct profile);

	*ret = *profile;
	memset(&ret->sections, 0, sizeof(ret->sections));
	VEC_EACH(&profile->sections, const struct section, section) {
		struct section *rest = vec_add(arena, &ret->sections);

		*rest = *section;
		memset(&rest->settings, 0, sizeof(rest->settings));
		VEC_EACH(&section->settings, const struct setting, it) {
			const struct profile_omission *omission =
				omission_of(profile, it, omissions, n);
			struct setting *setting;

			if (omission && !omission->keep)
				continue;
			setting = vec_add(arena, &rest->settings);
			*setting = *it;
			if (!omission)
				continue;
			setting->asked = (struct value){ .type = VALUE_KEEP };
			setting->text = "keep";
		}
	}
	for (size_t i = 0; i < n; i++)
		if (omissions[i].instead)
			take(arena, ret, omissions[i].instead,
			     omissions[i].key);
	return ret;
}
