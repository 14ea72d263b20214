#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Where memory cannot be bound, or io_uring not be had, the measurement goes on with
# what there is, and the result says so.
# shellcheck disable=SC2034 # what expect and fail of lib.sh read
. tests/field/drives.sh

command -v strace >/dev/null || skip "no strace"
strace -o /dev/null true 2>/dev/null || skip "ptrace is not allowed"
# The leak checker cannot work below strace.
export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
refused() { # rule, arguments
	local rule=$1
	shift
	ran="bench $* ($rule)"
	below strace -qq -f -o /dev/null -e trace="${rule%%:*}" \
		-e inject="$rule" "$NVMETUNE" bench --time 1 --passes 1 \
		--node 0 "$@" nvme0n1 >"$out" 2>"$err"
	rc=$?
}
drives two-nodes nvme0n1
refused set_mempolicy:error=EPERM --format json
expect 0
json '.cells[0].method | .memory_bound == false and (.memory_why | length > 0)'
refused set_mempolicy:error=EPERM
expect 0
says "memory"

refused io_uring_setup:error=EPERM --format json
expect 0
json '.cells[0].method | .engine == "aio" and
	(.fallback | contains("io_uring"))'
refused io_uring_setup:error=EPERM
expect 0
says "io_uring is not permitted here"
