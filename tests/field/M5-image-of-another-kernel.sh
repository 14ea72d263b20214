#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# In an image each kernel below lib/modules is looked at, the builder's own is never
# asked for, and a rebuild is told for each kernel with its version.
. tests/field/lib.sh

command -v objcopy >/dev/null || skip "no objcopy to make modules with"
PATH=$PATH:/usr/sbin:/sbin
command -v depmod >/dev/null || skip "no depmod"

# module VERSION NAME FILE TEXT...: with these lines for modinfo.
module() {
	local folder=$root/lib/modules/$1/kernel/drivers/nvme/host name=$2 file=$3

	shift 3
	mkdir -p "$folder"
	printf '%s\0' "name=$name" license=GPL "$@" >"$TMPDIR/modinfo"
	objcopy -I binary -O elf64-x86-64 \
		--rename-section .data=.modinfo,contents,readonly,data \
		"$TMPDIR/modinfo" "$folder/$file" || fail "objcopy"
}

# image LINES: a root of two kernels; LINES are modules.builtin of the second.
image() {
	local version

	root=$TMPDIR/image
	rm -rf "$root"
	mkdir -p "$root"/{etc,usr/lib,usr/sbin,boot}
	echo 'ID=debian' >"$root/usr/lib/os-release"
	: >"$root/usr/sbin/update-initramfs"
	for version in 5.10.0-29-lab 6.12.9-lab; do
		module $version nvme nvme.ko parm=poll_queues:many
		module $version nvme_core nvme-core.ko parm=io_timeout:long
		: >"$root/boot/initrd.img-$version"
		: >"$root/lib/modules/$version/modules.builtin"
		: >"$root/lib/modules/$version/modules.order"
		[ "$version" != 6.12.9-lab ] ||
			printf "$1" >"$root/lib/modules/$version/modules.builtin"
		depmod -b "$root" $version 2>/dev/null
	done
}
profile <<-END
	[host]
	module.nvme.poll_queues = 4
END
image ""
nvmetune apply --root "$root" --profile "$profile" --min-cpus 4
expect 0
says "update-initramfs -u -k 5.10.0-29-lab"
says "update-initramfs -u -k 6.12.9-lab"
! grep -qF "$(uname -r)" "$out" || fail "the builder's kernel is named"
! grep -rqF "$(uname -r)" "$root/etc" || fail "the builder's kernel is written"
grep -q "^options nvme poll_queues=4" "$root/etc/modprobe.d/nvmetune.conf" ||
	fail "no option"

# One kernel has the driver built in and reads no modprobe.d: said, by name.
image 'kernel/drivers/nvme/host/nvme-core.ko\nkernel/drivers/nvme/host/nvme.ko\n'
nvmetune plan --root "$root" --profile "$profile" --min-cpus 4
expect 0
says "6.12.9-lab"
says "nvme.poll_queues=4"
nvmetune plan --root "$root" --profile "$profile" --min-cpus 4 --export cmdline
expect 0
says "nvme.poll_queues=4"

# A fleet's number of CPUs is not known to the builder.
image ""
nvmetune apply --root "$root" --profile "$profile"
[ ! -e "$root/etc/modprobe.d/nvmetune.conf" ] ||
	fail "a count that may keep nvme from loading was written"
grep -q -e --min-cpus "$out" "$err" || fail "--min-cpus is not told"
