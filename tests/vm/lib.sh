# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
#
# Sourced by the lab's scripts on the building machine: where things are, and
# how failures are told.  The guest's counterpart is guest-lib.sh.

export PATH="$PATH:/usr/sbin:/sbin" LC_ALL=C.UTF-8

vm_src=$(cd -- "$(dirname -- "${BASH_SOURCE[0]}")" && pwd -P)
vm_repo=$(cd -- "$vm_src/../.." && pwd -P)
# shellcheck disable=SC2034 # used by the scripts that source this file
vm_dir=${NVMETUNE_VM_DIR:-$vm_repo/build/vm}

die()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

say()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# vm_need PROGRAM... - one line for all that is missing.
vm_need()
{
	local program missing=

	for program; do
		command -v "$program" >/dev/null || missing="$missing $program"
	done
	[ -z "$missing" ] ||
		die "programs not found:$missing; \"make deps\" installs them"
}
