#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# confirm --calibrate: noise of the host against itself, by the user's own command.
. tests/cli/lib.sh

nvmetune confirm
expect 2; quiet; one_line; tells "--calibrate"
nvmetune confirm --calibrate --passes 7
expect 2; quiet; one_line; tells "--passes 7: legal is 8 to 1000 blocks"
nvmetune confirm --calibrate --depth 5000
expect 2; quiet; one_line; tells "--depth 5000 is above 1024"
for effect in 0 -1 101 1x x "" 1%%; do
	nvmetune confirm --calibrate --min-effect "$effect"
	expect 2; quiet; one_line
	tells "--min-effect $effect: legal is a percentage above 0 and up to 100"
done
nvmetune confirm --calibrate --workload true nvme0
expect 2; quiet; tells "--workload reads what it reads"
nvmetune confirm --calibrate nvme77
expect 1; quiet; one_line; tells "nvme77: no such drive"

# A run that a busy machine holds up for long is none that has failed: with as much
# time as that each block counts, and so many runs are made.
calibrate() { nvmetune confirm --calibrate --time 300 "$@"; }

# A steady figure has no noise at all, and is not better than itself.
calibrate --workload 'echo x >>$TMPDIR/runs; echo tps = 12.5k'
expect 0
says "8 blocks of 4 runs of"
says '"tps"'
says "12500 tps"
says "the host against itself: REJECTED (too small): throughput"
says "1.0 %: 8 blocks, "
# One to know what is measured, then the blocks.
[ "$(wc -l <"$TMPDIR/runs")" = 33 ] || fail "$(wc -l <"$TMPDIR/runs") runs"
calibrate --format raw --workload 'echo 7'
expect 0
[ "$(cut -f 1,2,3 "$out")" = "$(printf 'rate\t7\t0')" ] || fail "raw"

# Noise that is known: every block has one slice of 110 among three of 100.
cat >"$TMPDIR/noisy" <<-'END'
	n=$(cat "$TMPDIR/n" 2>/dev/null || echo 0)
	echo $((n + 1)) >"$TMPDIR/n"
	[ $((n % 4)) = 3 ] && echo 110 IOPS || echo 100 IOPS
END
calibrate --seed 5 --min-effect 2.5% --passes 12 \
	--format json --workload "sh $TMPDIR/noisy"
expect 0
json '.schema == "nvmetune.calibrate/1" and .seed == 5 and .blocks == 12'
json '.metrics | length == 1'
json '.metrics[0] | .metric == "rate" and .unit == "IOPS" and .median == 100
	and .slices == 48 and .min_effect_ppm == 25000'
json '.metrics[0] | .slice_ppm > 35000 and .slice_ppm < 50000
	and .block_ppm > 40000 and .block_ppm < 55000'
json '[.metrics[0].looks[].blocks] == [8, 12, 16, 24]'
json '.metrics[0].looks | [.[].detectable_ppm] | . == (sort | reverse)'
json '[.slices[] | .rate] | length == 48'
json '[.slices[] | select(.side == "b")] | length == 24'
json '.self_test.verdict != "CONFIRMED"'

# Without a figure it is the time, of which a busy machine may find itself better.
calibrate --min-effect 100 --workload 'sleep 0.02'
[ "$rc" = 1 ] && tells "the host was found better than itself" || expect 0
says "by the time until it ends"; says "against itself:"

# What fails at once is not measured; what fails later is left out.
calibrate --workload 'echo 5 tps; exit 3'
expect 1; quiet; one_line; tells "the workload ended with status 3"
calibrate --workload "$TMPDIR/nowhere 2>/dev/null"
expect 1; quiet; one_line; tells "status 127: there is no such command"
cat >"$TMPDIR/failing" <<-'END'
	n=$(cat "$TMPDIR/n" 2>/dev/null || echo 0)
	echo $((n + 1)) >"$TMPDIR/n"
	[ $n != 6 ] || exit 9
	echo 100 IOPS
END
rm "$TMPDIR/n"
calibrate --format json --workload "sh $TMPDIR/failing"
expect 0; tells "a block does not count: the workload ended with status 9"
json '.blocks == 9 and .disturbed == 1 and .metrics[0].slices == 32'
json '[.slices[] | select(.disturbed) | .block] == [1, 1, 1, 1]'
rm "$TMPDIR/n"
sed -i 's/\$n != 6/$((n % 6)) != 5/' "$TMPDIR/failing"
calibrate --workload "sh $TMPDIR/failing"
expect 0; says "INCONCLUSIVE (contaminated)"
echo 'rm "$0"; echo 5 tps' >"$TMPDIR/once"
calibrate --workload "sh $TMPDIR/once 2>/dev/null"
expect 1; says "INCONCLUSIVE (contaminated)"; tells "too few blocks count"

# A host that is better than itself is not believed: the sides of the first run
# tell the second one when to be faster.
calibrate --seed 9 --format json --workload 'echo 1 tps'
expect 0
{ echo a; jq -r '.slices[].side' "$out"; } >"$TMPDIR/sides"
cat >"$TMPDIR/partial" <<-'END'
	side=$(head -n 1 "$TMPDIR/sides")
	sed -i 1d "$TMPDIR/sides"
	[ "$side" = a ] && echo 100 tps || echo 105 tps
END
calibrate --seed 9 --workload "sh $TMPDIR/partial"
expect 1; says "CONFIRMED"; tells "the host was found better than itself"

# The command's bytes are not the terminal's.
calibrate --workload "printf '\\033[31m%s tps\\n' 5 #$(printf '\033')"
expect 0
! grep -q "$(printf '\033')" "$out" "$err" || fail "an escape came through"
