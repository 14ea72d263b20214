#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A host that warms up, drifts or stutters while nothing is changed is not found
# better than itself, though two single runs of it would differ by far more than 1 %.
. tests/field/lib.sh

# load WORDS: a command that says "RATE IOPS", with n the number of its run.
load() {
	cat >"$TMPDIR/load" <<-END
		n=\$(cat "$TMPDIR/n" 2>/dev/null || echo 0)
		echo \$((n + 1)) >"$TMPDIR/n"
		echo "\$(($1)) IOPS"
	END
	rm -f "$TMPDIR/n"
}
calibrate() {
	nvmetune confirm --calibrate --time 300 --format json --workload "sh $TMPDIR/load" \
		--seed "$1"
	expect 0
	json '.self_test.verdict != "CONFIRMED" and .metrics[0].slices >= 32'
}

for seed in 1 2 3; do
	# Half as fast at first.
	load 'n < 8 ? 5000 + 600 * n : 10000 + n % 3'
	calibrate $seed
	# Faster by 2 % from run to run: noise of slices, and none of blocks.
	load '10000 + 200 * n'
	calibrate $seed
	json '.metrics[0] | .lag1 > 0.8 and .slice_ppm > 100000 and
		.block_ppm < .slice_ppm / 20'
	# Every fifth run half as fast.
	load 'n % 5 == 0 ? 5000 : 10000 + n % 7'
	calibrate $seed
done
