/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/aspm.h"

#include <string.h>

#include "base/parse.h"

static const char told_off[] = "pcie_aspm=off";

bool aspm_is_told_off(const struct facts *facts)
{
	const char *line = facts->cmdline ? facts->cmdline : "";
	const size_t n = sizeof(told_off) - 1;

	for (const char *p = line; (p = strstr(p, told_off)); p += n)
		if ((p == line || p[-1] == ' ') &&
		    (p[n] == ' ' || p[n] == '\0'))
			return true;
	return false;
}

bool aspm_policy_is(const struct facts *facts, const char *policy)
{
	const struct target host = { .kind = TARGET_HOST, .name = "host" };
	const struct observation *seen =
		facts_observed(facts, "pcie.aspm_policy", &host);

	return seen && seen->value.type == VALUE_TEXT &&
	       strcmp(seen->value.u.text, policy) == 0;
}
