# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";
include "hygon";
hygon("128/0/0"; "64/0/64")
