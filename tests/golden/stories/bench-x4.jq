# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";

{
	"a link that is whole is no advice": (.advice == [])
}
