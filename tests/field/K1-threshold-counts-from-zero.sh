#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# 8 completions in 100 us is the number 0x0107; a time that is no multiple of 100 us is
# an error, and no time or a threshold of one is off.
. tests/field/lib.sh

host two-socket-32cpu
asks() { # value
	profile <<-END
		[drives]
		irq.coalescing = $1
	END
}
asks 8/100us
plan
change irq.coalescing@nvme0 '.want == "8/100us"'
# That number, read from a drive, is the same: nothing to be done.
edit '.ctrls[0].coalescing = 263 |
	(.observed[] | select(.knob == "irq.coalescing")).value = "8/100us"'
status
json '.drives[0] | .coalescing_completions == 8 and .coalescing_us == 100'
plan
verdict irq.coalescing@nvme0 keep
# 0x020a: eleven in 200 us, not ten.
edit '.ctrls[0].coalescing = 522'
status
json '.drives[0] | .coalescing_completions == 11 and .coalescing_us == 200'
for value in 8/150us 8/10us 0/100us 257/100us 8/100; do
	asks "$value"
	check
	expect 1; quiet; one_line
	tells irq.coalescing
done
asks 8/150us
check
tells "write 100us or 200us"
# One completion at a time, or no time to wait for more, is what off is.
host two-socket-32cpu
for value in off 1/100us 8/0us; do
	asks "$value"
	plan
	change irq.coalescing@nvme0 '.verdict == "keep" and .want == "off"'
done
