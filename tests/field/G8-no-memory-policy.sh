#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Where a container forbids memory policies, the command runs with its CPUs bound,
# and one line says what was refused and how it could be allowed.
# shellcheck disable=SC2034 # what expect and fail of lib.sh read
. tests/field/lib.sh

[ -d /sys/devices/system/node/node0 ] || skip "this kernel has no NUMA nodes"
command -v strace >/dev/null || skip "no strace"
strace -o /dev/null true 2>/dev/null || skip "ptrace is not allowed"
# The leak checker cannot work below strace.
export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
ran="run --node 0 -- cat /proc/self/status"
strace -qq -f -o /dev/null -e inject=set_mempolicy,mbind:error=EPERM \
	"$NVMETUNE" run --node 0 -- cat /proc/self/status >"$out" 2>"$err"
rc=$?
expect 0
one_line
tells "only CPUs are bound"
tells "CAP_SYS_NICE"
grep -q '^Cpus_allowed_list:' "$out" || fail "the command did not run"
# Without that it says nothing.
nvmetune run --node 0 -- true
expect 0
[ ! -s "$err" ] || tells "only CPUs are bound"
