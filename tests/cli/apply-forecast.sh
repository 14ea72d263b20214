#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# apply --dry-run --confirm: how each change would be confirmed, what could be
# seen of it and how long that takes, and nothing is written anywhere.
. tests/cli/apply-lib.sh

here=$TMPDIR # needs_strace goes elsewhere
dir=$here/host
host "$dir"
fingerprint "$dir" >"$TMPDIR/before"
cat >"$TMPDIR/some.ini" <<-INI
	[profile]
	summary = What a load shows, what none does, and what takes a reboot
	[drives]
	queue.scheduler = none
	queue.nr_requests = max
	queue.io_timeout = 60s
	[host]
	module.nvme.poll_queues = 2
INI
# Every block has one slice of 110 among three of 100, and takes 0.1 s and more.
cat >"$TMPDIR/load" <<-END
	n=\$(cat "$TMPDIR/n" 2>/dev/null || echo 0)
	echo \$((n + 1)) >"$TMPDIR/n"
	sleep 0.04
	[ \$((n % 4)) = 3 ] && echo 110 IOPS || echo 100 IOPS
END
forecast() {
	rm -f "$TMPDIR/n"
	nvmetune apply --sysroot "$dir" --profile "$TMPDIR/some.ini" --dry-run \
		--confirm --time 300 --workload "sh $TMPDIR/load" "$@"
}

forecast
expect 0
says "measured  4 blocks of 4 runs of"
says "takes     "
says "dry run: nothing was written"
for key in queue.scheduler queue.nr_requests; do
	grep -qE "^  $key +throughput +10[0-9.]+ IOPS +[0-9.]+ % +8 blocks [0-9.]+ %" \
		"$out" || fail "$key is not forecast"
done
grep -qE '^  queue.io_timeout +- .* no effect that a load could show' "$out" ||
	fail "what no load shows is not said to be so"
grep -qE '^  module.nvme.poll_queues +- .* its slices cannot take turns' "$out" ||
	fail "what waits for a reboot is not said to"
same_host "$dir" "$TMPDIR/before"
[ ! -e "$dir/var/lib/nvmetune" ] || fail "it has left a state"

forecast --format json
expect 0
json '.dry_run and (has("transaction") | not) and .changed == 0'
json '.confirm.forecast | .least_ms > 1000 and .most_ms > .least_ms'
json '[.confirm.forecast.looks[].metrics[].metric] == ["rate"]'
json '.confirm.forecast.keys | map({(.key): .}) | add |
	.["queue.scheduler"] as $it | $it.metric == "rate" and $it.median > 99
	and $it.median < 111
	and $it.slices == 16 and $it.block_ppm > 40000
	and ([$it.looks[].blocks] == [8, 12, 16, 24])
	and .["queue.io_timeout"].why and (.["queue.io_timeout"] | has("metric") | not)'

# A higher least gain takes fewer blocks, and a budget is kept to.
takes() { jq '[.confirm.forecast.keys[].blocks_needed | numbers] | max' "$out"; }
before=$(takes)
forecast --format json --min-effect 5
expect 0; [ "$(takes)" -lt "$before" ] || fail "5 % takes no less than 1 %"
budget=$((4 * $(jq .confirm.forecast.most_ms "$out"))) # a busy host is slower
forecast --format json --budget "${budget}ms"
expect 0
json ".confirm.forecast.most_ms <= $budget"

# With too little time nothing is measured, and it says how much it takes.
forecast --budget 100ms
expect 1
tells "--budget 100ms is too short to tell anything: 2 comparisons by slices of"
tells "at least; nothing was changed"
nvmetune apply --sysroot "$dir" --profile "$TMPDIR/some.ini" --confirm \
	--workload "sh $TMPDIR/load" --budget 100ms
expect 1; tells "--budget 100ms is too short"
same_host "$dir" "$TMPDIR/before"
for budget in 10 -1s 1d "" s; do
	forecast --budget "$budget"
	expect 2; quiet
	tells "--budget $budget: legal is a time with its unit"
done
forecast --min-effect 0
expect 2; quiet; tells "--min-effect 0: legal is"

# No call of it could have written.
needs_strace
rm -f "$here/n"
strace -o "$TMPDIR/calls" -e trace=$changing,openat2,mkdir,rename,unlink,chmod \
	"$NVMETUNE" apply --sysroot "$dir" --profile "$here/some.ini" \
	--dry-run --confirm --workload "sh $here/load" >"$out" 2>"$err" ||
	fail "it fails below strace"
says "dry run: nothing was written"
grep -vE '^(openat|openat2)\(.*O_RDONLY|^write\([12],|^(---|\+\+\+)|O_PATH' \
	"$TMPDIR/calls" >"$TMPDIR/wrote"
[ ! -s "$TMPDIR/wrote" ] || { cat "$TMPDIR/wrote"; fail "it could have written"; }
