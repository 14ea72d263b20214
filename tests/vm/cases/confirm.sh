# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# apply --confirm on a real kernel: what is not shown to be better is put back,
# what cannot be measured stays, and kill -9 in the middle of a block leaves
# nothing that rollback does not bring back.  Topology two-node.
# shellcheck source=../guest-lib.sh
. "$GUEST_LIB"

guest_start_udevd
guest_load_nvme
before=$(guest_state)
queue=$(guest_queue LAB0)
rules=/etc/udev/rules.d/90-nvmetune.rules
profile=/run/confirm.ini
# A scheduler costs such a drive CPU time and brings nothing; the time-out
# shows in no load.
cat >"$profile" <<'EOF'
[drives]
queue.scheduler = mq-deadline
queue.io_timeout = 60s
EOF
# One look, in about a minute.
measure=(--time 1 --jobs 2 --depth 8 --budget 60s)
check "the drive has no scheduler" none "$(guest_scheduler "$queue")"

echo "# a key that brings nothing"
check_status "a confirmed apply keeps less than was asked for" 5 \
	"$NVMETUNE" apply --profile "$profile" --confirm "${measure[@]}"
check_match "the scheduler is put back" '*queue.scheduler *put back*' "$output"
check_match "the time-out is not measurable, and kept" \
	'*queue.io_timeout *NOT MEASURABLE *kept*' "$output"
check "the drive has no scheduler" none "$(guest_scheduler "$queue")"
check "the time-out was applied" 60000 "$(<"$queue/io_timeout")"
grep -q io_timeout "$rules" || fail "the rule does not keep the time-out"
check "no rule and no profile has the scheduler" "" \
	"$(grep -l scheduler "$rules" /etc/nvmetune/applied.ini || :)"
check_status "all is as applied" 0 "$NVMETUNE" verify
check_status "the trial is in the history" 0 "$NVMETUNE" history
check_match "before what it led to" '* 1 *trial*2 *committed*' "$output"
check "every slice is kept" true "$("$NVMETUNE" history show 1 --format json |
	jq '.confirm.keys[0].slices | length >= 8 and
		all(.[]; .drives | length == 2)')"
check "with the interrupts of both drives" true \
	"$("$NVMETUNE" history show 1 --format json |
	jq '[.confirm.keys[0].slices[].drives[].interrupts | map(.[1]) | add] |
		all(. > 0)')"
check "a scheduler is read back, and that is all" false \
	"$("$NVMETUNE" history show 1 --format json |
	jq '.confirm.keys[0] | has("mechanism")')"
check_status "rollback" 0 "$NVMETUNE" rollback
check_same "everything is as before" "$before" "$(guest_state)"

echo "# kill -9 in the middle of a block"
has_scheduler()
{
	[ "$(guest_scheduler "$queue")" = mq-deadline ]
}
"$NVMETUNE" apply --profile "$profile" --confirm "${measure[@]}" &
pid=$!
guest_wait 60 has_scheduler || fail "the scheduler was never tried"
kill -9 "$pid"
wait "$pid" || :
check_status "the trial is open: nothing is applied" 7 \
	"$NVMETUNE" apply --profile "$profile"
check_status "rollback takes it back" 0 "$NVMETUNE" rollback
check_same "everything is as before" "$before" "$(guest_state)"

echo "# only to try"
check_status "a trial of the set" 5 \
	"$NVMETUNE" apply --profile "$profile" --confirm=all --trial \
	"${measure[@]}"
check_match "puts everything back" '*everything is as before*' "$output"
check_same "everything is as before" "$before" "$(guest_state)"
[ ! -e "$rules" ] || fail "a trial wrote a rule"
