#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# plan works for every saved host: same input, same bytes, same hash.
. tests/cli/lib.sh

for host in tests/hosts/*.json; do
	for profile in base oltp low-latency; do
		nvmetune plan --facts "$host" --profile $profile --format json
		expect 0; silent
		json '.schema == "nvmetune.plan/1"'
		json '.changes | all(has("verdict") and has("reason"))'
		cp "$out" "$TMPDIR/first"
		hash=$(sha256sum <"$out" | cut -d' ' -f1)
		work=$(jq .summary.has_work "$out")

		nvmetune plan --facts "$host" --profile $profile --format json
		cmp -s "$out" "$TMPDIR/first" || fail "not twice the same"

		nvmetune plan --facts "$host" --profile $profile
		expect 0; silent
		[ "$work" = false ] || says "--expect $hash"

		nvmetune plan --facts "$host" --profile $profile \
			--detailed-exitcode
		[ "$work" = false ] || expect 3

		nvmetune plan --facts "$host" --profile $profile --wide
		expect 0; silent
		nvmetune plan --facts "$host" --profile $profile --format raw
		expect 0; silent
		[ "$(wc -l <"$out")" = "$(jq '.changes | length' "$TMPDIR/first")" ] ||
			fail "not one line a change"
	done
done
