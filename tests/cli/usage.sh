#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Wrong usage is exit 2, one line, and names what was probably meant.
. tests/cli/lib.sh

refused() { # TEXT, arguments
	local text=$1
	shift
	nvmetune "$@"
	expect 2; quiet; one_line; tells "$text"
}

refused 'unknown command "frobnicate"' frobnicate
refused '(did you mean "status"?)' statsu
refused 'unknown option "--quickly"' --quickly
refused 'unknown option "--wde" (did you mean "--wide"?)' status --wde
refused 'unknown option "-Z"' status -Z
refused '--wide takes no value' status --wide=yes
refused '--facts needs a FILE' status --facts
refused '--profile needs a PROFILE' plan -p
refused '--compare and --wide exclude each other' status --wide --compare
refused '--sysroot and --facts exclude each other' status --sysroot / --facts x
refused '--format "xml" is not table, json or raw' status --format xml
refused 'unknown command "statis" (did you mean "status"?)' help statis
refused 'one argument too many' help status plan
refused 'see "nvmetune help status"' status --format xml
refused 'a whole host is saved' capture nvme0
