# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";
include "hygon";
hygon("64/0/0"; "96/0/32")
