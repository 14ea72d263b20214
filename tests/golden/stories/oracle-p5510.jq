# SPDX-License-Identifier: GPL-2.0-or-later
include "plan";
include "oracle";
oracle("80/0/0"; "32/80/16"; "32/76/20")
