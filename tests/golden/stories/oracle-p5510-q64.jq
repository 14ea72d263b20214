# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";
include "oracle";
oracle("64/0/0"; "32/16/16"; "32/12/20")
