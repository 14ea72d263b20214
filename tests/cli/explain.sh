#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# explain: every knob and advice has a page; a change is found again.
set -euo pipefail

fail() { echo "$*"; exit 1; }
expect() { # what, expected, actual
	[ "$2" = "$3" ] || fail "$1: expected <$2>, got <$3>"
}

"$NVMETUNE" explain --format json >"$TMPDIR/list.json"
expect "schema" nvmetune.knobs/1 "$(jq -r .schema "$TMPDIR/list.json")"
[ "$(jq '.topics | length' "$TMPDIR/list.json")" -gt 10 ]

while IFS=$'\t' read -r name kind; do
	page=$("$NVMETUNE" explain "$name" --format json)
	expect "$name" "$kind" "$(jq -r .kind <<<"$page")"
	for member in summary source; do
		jq -e ".$member | length > 10" <<<"$page" >/dev/null ||
			fail "$name: no $member"
	done
	[ "$kind" = advice ] || jq -e '[.effect, .cost, .values, .kept_by,
		.measured] | all(length > 3)' <<<"$page" >/dev/null ||
		fail "$name: incomplete"
	"$NVMETUNE" explain "$name" >"$TMPDIR/page"
	grep -qF "$name: " "$TMPDIR/page" || fail "$name: no page"
done < <(jq -r '.topics[] | [.name, .kind] | @tsv' "$TMPDIR/list.json")

host=tests/hosts/kv-leftover-rule.json
page=$("$NVMETUNE" explain queue.scheduler@nvme0n1 --profile oltp --facts $host)
grep -q '^queue.scheduler@nvme0n1: change, from mq-deadline to none$' <<<"$page"
grep -q 'set by */etc/udev/rules.d/60-io-scheduler.rules:1: ' <<<"$page"
grep -q 'asked *none, by profiles/base.ini:' <<<"$page"
change=$("$NVMETUNE" explain queue.scheduler@nvme0n1 --profile oltp \
	--facts $host --format json)
expect "as in the plan" \
	"$("$NVMETUNE" plan --profile oltp --facts $host --format json |
		jq -c '.changes[] | select(.id == "queue.scheduler@nvme0n1")')" \
	"$(jq -c .change <<<"$change")"

# The family is a knob; with a profile the parameter is a change.
page=$("$NVMETUNE" explain module.nvme.io_queues)
grep -q 'no mainline kernel has this parameter' <<<"$page"
page=$("$NVMETUNE" explain module.nvme.poll_queues --profile low-latency \
	--facts tests/hosts/two-socket-32cpu.json)
grep -q '^module.nvme.poll_queues: later, from 0 to 8$' <<<"$page"

refuse() { # expected status, sentence, arguments...
	local status=0 want=$1 sentence=$2
	shift 2
	"$NVMETUNE" explain "$@" >"$TMPDIR/out" 2>"$TMPDIR/err" || status=$?
	expect "explain $*" "$want" $status
	grep -qF "$sentence" "$TMPDIR/err" || fail "$(cat "$TMPDIR/err")"
}
refuse 1 'did you mean queue.scheduler?' queue.schedular
refuse 1 '"nvmetune explain" lists them' nonsense
refuse 1 'did you mean queue.scheduler@nvme0n1?' queue.scheduler@nvme0n7 \
	--profile oltp --facts $host
multipath=tests/hosts/multipath-2node.json
refuse 1 'queue.scheduler is set on its paths: queue.scheduler@nvme0c0n1, queue.scheduler@nvme0c1n1' \
	queue.scheduler@nvme0n1 --profile oltp --facts $multipath
page=$("$NVMETUNE" explain queue.scheduler@nvme0c1n1 --profile oltp \
	--facts $multipath)
grep -q '^  path to     nvme0n1, over nvme1$' <<<"$page"
grep -q 'the hidden disk of each path (nvme0c0n1)' <<<"$page"
refuse 2 'one argument too many' queue.scheduler queue.iostats
