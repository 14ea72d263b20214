#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# G8: a wrapper tries whether memory may be bound; where it may not, it says so once
# and binds the CPUs alone.
# shellcheck disable=SC2034 # what expect and fail of lib.sh read
. tests/field/lib.sh

[ -d /sys/devices/system/node/node0 ] || skip "this kernel has no NUMA nodes"
command -v numactl >/dev/null || skip "no numactl"
command -v strace >/dev/null || skip "no strace"
strace -o /dev/null true 2>/dev/null || skip "ptrace is not allowed"
cpus=$(sed -n 's/^Cpus_allowed_list:\t//p' /proc/self/status)
profile <<-END
	[wrapper near]
	numa = 0
	memory = bind
END
host two-socket-32cpu ".nodes[0].cpus = \"$cpus\" | .online = \"$cpus\" |
	del(.allowed, .isolated)"
plan
file /usr/local/bin/near >"$TMPDIR/near"
chmod +x "$TMPDIR/near"
unset ASAN_OPTIONS

ran="near, where memory policies are refused"
strace -qq -f -o /dev/null -e inject=set_mempolicy:error=EPERM \
	"$TMPDIR/near" sh -c 'echo "said: $1"; exit 42' sh "two  words" \
	>"$out" 2>"$err"
rc=$?
expect 42
says "said: two  words"
one_line_of() { [ "$(wc -l <"$err")" = 1 ] || fail "more than one line"; }
one_line_of
grep -q '^near: memory policies are not permitted here' "$err" ||
	fail "it does not say so"

ran="near, where they are allowed"
"$TMPDIR/near" sh -c 'exit 7' >"$out" 2>"$err"
rc=$?
expect 7
[ ! -s "$err" ] || fail "it says something"

# No numactl: no command is run unbound.
ran="near, without numactl"
PATH=/nowhere /bin/sh "$TMPDIR/near" /bin/true >"$out" 2>"$err"
rc=$?
expect 127
