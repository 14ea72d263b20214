#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# elevator= on the command line is told to do nothing, and configures nothing.
. tests/field/lib.sh

host kv-fixed-rule '.cmdline += " elevator=noop"'
profile <<-END
	[drives]
	queue.scheduler = none
END
plan
advises cmdline.elevator host
json '[.advice[] | select(.id == "cmdline.elevator")][0].text |
	contains("\"elevator=noop\" does nothing for NVMe")'
json '[.changes[] | (.set_by // [])[] | select(contains("elevator"))] == []'
file $rules | grep -qF 'ATTR{queue/scheduler}="none"' || fail "not persisted"

# Words of others that only look like it.
edit '.cmdline = "quiet my.elevator=noop xelevator=deadline -- elevator=noop"'
plan
advises_not cmdline.elevator
