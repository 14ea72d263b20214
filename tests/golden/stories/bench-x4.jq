# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";
include "bench";

bench + {
	"a link that is whole is no advice":
		all(.advice[]; .id | startswith("link.") | not)
}
