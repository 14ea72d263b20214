/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/aspm.h"

#include <string.h>

#include "base/parse.h"

bool aspm_is_told_off(const struct facts *facts)
{
	return text_has_word(facts->cmdline, "pcie_aspm=off");
}

bool aspm_is_firmwares(const struct facts *facts)
{
	VEC_EACH(&facts->log, const struct log_count, it)
		if (text_equal(it->kind, "aspm-firmware"))
			return !text_has_word(facts->cmdline,
					      "pcie_aspm=force");
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
