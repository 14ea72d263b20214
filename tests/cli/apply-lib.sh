# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of apply and rollback share, on top of lib.sh: a small host
# that can be written to, and a look at every byte of it.
# shellcheck shell=bash disable=SC2034 # variables that lib.sh and tests use
. tests/cli/lib.sh

# host DIR: two drives under mq-deadline, nr_requests 512, nothing of ours.
# Attributes are as a write leaves them, so that a tree that was written and
# taken back is the same byte for byte.
host() {
	local attr
	tests/tools/mkroot tests/roots/two-nodes.tree "$1" || fail "mkroot"
	rm -rf "$1/etc/nvmetune"
	for attr in "$1"/sys/class/block/nvme*n*/queue/*; do
		[ -w "$attr" ] || continue
		case $attr in
		*/scheduler) printf mq-deadline >"$attr" ;;
		*) printf %s "$(<"$attr")" >"$attr" ;;
		esac
	done
}

# fingerprint DIR: names, modes, links and contents, but for our own state.
fingerprint() {
	(cd "$1" && find . -path ./var -prune -o -printf '%p %y %m %l\n' |
		sort && find . -path ./var -prune -o -type f -print0 |
		sort -z | xargs -0 sha256sum)
}

# same_host DIR FILE: as it was when FILE was taken with fingerprint.
same_host() {
	fingerprint "$1" >"$TMPDIR/now"
	cmp -s "$2" "$TMPDIR/now" || {
		diff "$2" "$TMPDIR/now" | head -n 20
		fail "the host is not as before"
	}
}

# no_half_file DIR: nor does our own state hold one.
no_half_file() {
	[ -z "$(find "$1/var" -name '*.nvmetune-new')" ] ||
		fail "half a file is left"
}

scheduler() { cat "$1/sys/class/block/$2/queue/scheduler"; }

oltp() { # DIR, arguments
	local dir=$1
	shift
	nvmetune apply --sysroot "$dir" --profile tests/cli/profiles/oltp.ini "$@"
}

# What follows is for the tests that break nvmetune at every single call.

changing=openat,write,pwrite64,fsync,fdatasync,renameat,mkdirat,unlinkat
changing+=,fchmod,fchmodat,ftruncate,fallocate

needs_strace() {
	command -v strace >/dev/null || skip "no strace"
	strace -o /dev/null true 2>/dev/null || skip "ptrace is not allowed"
	strace -e inject=write:error=EIO:when=99 -o /dev/null true 2>/dev/null ||
		skip "this strace cannot inject"
	# The leak checker cannot work below strace.
	export ASAN_OPTIONS=${ASAN_OPTIONS-}:detect_leaks=0
	trap end_paused EXIT
	# Thousands of fsync: in memory they cost nothing.
	[ ! -w /dev/shm ] || {
		TMPDIR=$(mktemp -d /dev/shm/nvmetune-XXXXXX)
		trap 'end_paused; rm -rf "$TMPDIR"' EXIT
		out=$TMPDIR/stdout
		err=$TMPDIR/stderr
	}
}

# copy FROM TO: a fresh one.
copy() {
	rm -rf "$2"
	cp -a "$1" "$2"
}

# calls ARGUMENT...: lines "CALL COUNT" of what it does to the machine.
calls() {
	strace -f -o "$TMPDIR/calls" -e trace="$changing" "$NVMETUNE" "$@" \
		>/dev/null 2>&1
	sed -nE 's/^[0-9]+ +([a-z0-9]+)\(.*/\1/p' "$TMPDIR/calls" | sort |
		uniq -c | awk '{ print $2, $1 }'
}

# doing WORDS: what fail names, instead of the last command line.
doing() { ran=$*; }

# broken RULE ARGUMENT...: nvmetune with one of its calls injected; RULE is
# "CALL:error=ENOSPC:when=3".
broken() {
	local rule=$1
	shift
	ran="$* ($rule)"
	strace -f -o /dev/null -e trace="${rule%%:*}" -e inject="$rule" \
		"$NVMETUNE" "$@" >"$out" 2>"$err"
	rc=$?
}

# paused CALL NUMBER ARGUMENT...: nvmetune, up to this call of it; it waits
# there for go_on.
paused() {
	ran="${*:3} (paused at $1 $2)"
	rm -f "$TMPDIR/paused"
	strace -f -o "$TMPDIR/paused" -e trace="$1" \
		-e inject="$1:signal=STOP:when=$2" \
		"$NVMETUNE" "${@:3}" >"$out" 2>"$err" &
	tracer=$!
	until grep -qs 'stopped by SIGSTOP' "$TMPDIR/paused"; do
		# One that has ended is there, too, until it is waited for.
		grep -q '^State:.[^Z]' /proc/$tracer/status ||
			fail "ended before $1 $2"
		sleep 0.02
	done
	paused=$(sed -n 's/^\([0-9]*\) .*stopped by SIGSTOP.*/\1/p' \
		"$TMPDIR/paused")
}
# A test that fails leaves nobody waiting.
end_paused() { [ -z "${paused-}" ] || kill -KILL "$paused" 2>/dev/null; }
go_on() {
	kill -CONT "$paused"
	wait $tracer
	rc=$?
	paused=
}

# The errors that each call is given.
declare -A errors=([openat]=EROFS [write]=ENOSPC [pwrite64]=ENOSPC
	[fsync]=EIO [fdatasync]=EIO [renameat]=EROFS [mkdirat]=ENOSPC
	[unlinkat]=EROFS [fchmod]=EPERM [fchmodat]=EPERM [ftruncate]=EIO
	[fallocate]=ENOSPC)

# points N: how many were tried, for tests/tools/check-crash.sh.
points() { echo "points: $1"; }

# Every call; with sanitizers, which are slow, one in three.
if [ -n "${SANITIZED-}" ]; then stride=3; else stride=1; fi
