#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The drive's grant counts from zero, and with the vectors of its table and the CPUs
# it decides which queues a parameter really gives.
. tests/field/lib.sh

profile <<-END
	[host]
	module.nvme.poll_queues = 4
END
# A drive that grants eight.
host two-socket-32cpu '.ctrls[0] |= (.queue_grant = 8 | .queue_count = 9 |
	.queues_default = 8)'
plan
json '.splits[0].next == {default: 4, read: 0, poll: 4}'
json '.splits[0].reason | contains("4 queues with interrupts for 32 CPUs")'
# Eight are granted, and there are vectors for three of them.
edit '.ctrls[0].msix_size = 4'
plan
json '.splits[0].next.default <= 3'
# 128 are granted: nothing is missing.
host two-socket-32cpu '.ctrls[0].queue_grant = 128'
plan
json '.splits[0] | .next == {default: 32, read: 0, poll: 4} and .reason == null'
# That feature 07h counts from zero is held by tests/drive/test_admin.c.
