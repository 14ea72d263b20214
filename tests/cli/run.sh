#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# run becomes the command, bound to a node, or says why it cannot.
. tests/cli/lib.sh

nvmetune run
expect 2; quiet; one_line; tells "run: no command"
nvmetune run --node 0
expect 2; tells "run: no command"
nvmetune run -- true
expect 2; tells "run: no drive"
nvmetune run nvme77 -- true
expect 1; quiet; one_line; tells "nvme77: no such drive"
nvmetune run --node 4711 -- true
expect 1; quiet; one_line; tells "this host has no node 4711"

[ -d /sys/devices/system/node/node0 ] || skip "this kernel has no NUMA nodes"
# shellcheck disable=SC2016 # for the shell that is run
nvmetune run --node 0 -- sh -c 'echo "said: $1"; exit 42' sh "two  words"
expect 42; says "said: two  words"
nvmetune run --node 0 -- /no/such/command
expect 127; quiet; tells "/no/such/command: cannot run it"
: >"$TMPDIR/plain"
nvmetune run --node 0 -- "$TMPDIR/plain"
expect 126; tells "Permission denied"
# A broken pipe ends a bound command as it ends any other.
nvmetune run --node 0 -- bash -c 'kill -PIPE $$; echo survived'
expect 141; quiet
nvmetune run --node 0 -- cat /proc/self/status
expect 0
cpus=$(sed -n 's/^Cpus_allowed_list:\t//p' "$out")
nvmetune run --node 0 -- nproc
says "$(nproc)"
[ -n "$cpus" ] || fail "no CPUs"

# Where memory policies are forbidden, CPUs are bound all the same.
command -v strace >/dev/null || skip "no strace"
strace -qq -f -o /dev/null -e inject=set_mempolicy:error=EPERM \
	"$NVMETUNE" run --node 0 -- echo bound >"$out" 2>"$err"
says bound; one_line; tells "only CPUs are bound"
