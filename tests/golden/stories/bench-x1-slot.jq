# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

{
	"a slot of one lane is not trained down": (.advice == [])
}
