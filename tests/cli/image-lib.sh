# SPDX-License-Identifier: GPL-2.0-or-later
#
# What the tests of images share, on top of apply-lib.sh.
# shellcheck shell=bash
. tests/cli/apply-lib.sh

PATH=$PATH:/usr/sbin:/sbin

# image DIR [OS-RELEASE LINE...]: the root of a system that does not run.
image() {
	local dir=$1
	shift
	[ $# -gt 0 ] || set -- ID=debian 'PRETTY_NAME="Debian GNU/Linux 12"'
	mkdir -p "$dir"/{etc,usr/lib,usr/sbin,usr/local/bin,var/lib}
	printf '%s\n' "$@" >"$dir/usr/lib/os-release"
}

# module FOLDER NAME PARAMETER...: as much of a NAME.ko as modinfo looks at.
module() {
	local folder=$1 name=$2 param
	shift 2
	mkdir -p "$folder"
	{
		echo '.section .modinfo,"a"'
		printf '.asciz "name=%s"\n' "$name"
		for param; do
			printf '.asciz "%s"\n' "parm=$param:a parameter" \
				"parmtype=$param:uint"
		done
	} | as -o "$folder/$name.ko" -
}

# kernel DIR RELEASE PARAMETER...: one whose nvme.ko has these parameters.
kernel() {
	local modules=$1/lib/modules/$2
	module "$modules/kernel/drivers/nvme/host" nvme "${@:3}"
	module "$modules/kernel/drivers/nvme/host" nvme-core io_timeout
	: >"$modules/modules.builtin"
	: >"$modules/modules.order"
	depmod -b "$1" "$2" || fail "depmod"
}

# kernel_builtin DIR RELEASE PARAMETER...: the same, with nvme built in.
kernel_builtin() {
	local modules=$1/lib/modules/$2 param
	mkdir -p "$modules"
	echo kernel/drivers/nvme/host/nvme.ko >"$modules/modules.builtin"
	: >"$modules/modules.order"
	{
		printf 'nvme.name=nvme\0'
		for param in "${@:3}"; do
			printf 'nvme.%s\0' "parm=$param:a parameter" \
				"parmtype=$param:uint"
		done
	} >"$modules/modules.builtin.modinfo"
	depmod -b "$1" "$2" || fail "depmod"
}

needs_modules() {
	command -v as >/dev/null || skip "no assembler"
	command -v depmod >/dev/null || skip "no depmod"
}
