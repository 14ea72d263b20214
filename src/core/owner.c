/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "core/owner.h"

#include <string.h>

#include "base/parse.h"

bool owner_is_us(const char *content)
{
	const char *second;

	if (!content)
		return false;
	if (text_has_prefix(content, "#!")) {
		second = strchr(content, '\n');
		return second && text_has_prefix(second + 1, OWNER_MARK);
	}
	return text_has_prefix(content, OWNER_MARK);
}
