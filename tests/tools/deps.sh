#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
#
# deps.sh GROUP...: see that a machine has what the groups build, check, vm and
# bench need.  Silent when it has.  Else, on Debian and its children as root or
# with a sudo that asks nothing, it says what it installs and does so; on
# anything else it names the packages and ends with 1.
set -eu

# group  what to look for (cmd, lib = pkg-config, file)  Debian  Fedora  Arch
# openssl is not used: libnvme.pc names it, and Debian's libnvme-dev does not
# bring it.
table='
build cmd  gcc               gcc               gcc               gcc
build file /usr/include/stdio.h libc6-dev      glibc-devel       glibc
build cmd  make              make              make              make
build cmd  pkg-config        pkg-config        pkgconf-pkg-config pkgconf
build lib  libnvme           libnvme-dev       libnvme-devel     libnvme
build lib  openssl           libssl-dev        openssl-devel     openssl
build lib  libudev           libudev-dev       systemd-devel     systemd-libs
build lib  libkmod           libkmod-dev       kmod-devel        kmod
build lib  json-c            libjson-c-dev     json-c-devel      json-c
build lib  liburing          liburing-dev      liburing-devel    liburing
build lib  libmd             libmd-dev         libmd-devel       libmd
build lib  numa              libnuma-dev       numactl-devel     numactl
build lib  inih              libinih-dev       inih-devel        libinih
check file /usr/include/xfs/xfs.h xfslibs-dev xfsprogs-devel xfsprogs
check lib  cmocka            libcmocka-dev     libcmocka-devel   cmocka
check cmd  clang             clang             clang             clang
check asan clang             libclang-rt-dev   compiler-rt       compiler-rt
check cmd  clang-format      clang-format      clang-tools-extra clang
check cmd  cppcheck          cppcheck          cppcheck          cppcheck
check cmd  jq                jq                jq                jq
check cmd  shellcheck        shellcheck        ShellCheck        shellcheck
check cmd  strace            strace            strace            strace
check cmd  fio               fio               fio               fio
check cmd  mandoc            mandoc            mandoc            mandoc
check cmd  unshare           util-linux        util-linux        util-linux
check cmd  setpriv           util-linux        util-linux        util-linux
check cmd  depmod            kmod              kmod              kmod
vm    cmd  qemu-system-x86_64 qemu-system-x86  qemu-system-x86-core qemu-system-x86
vm    cmd  busybox           busybox-static    busybox           busybox
vm    cmd  cpio              cpio              cpio              cpio
vm    cmd  modprobe          kmod              kmod              kmod
vm    cmd  udevadm           udev              systemd-udev      systemd
vm    cmd  xz                xz-utils          xz                xz
vm    cmd  zstd              zstd              zstd              zstd
vm    cmd  jq                jq                jq                jq
vm    cmd  mkfs.ext4         e2fsprogs         e2fsprogs         e2fsprogs
vm    cmd  unshare           util-linux        util-linux        util-linux
vm    cmd  numactl           numactl           numactl           numactl
vm    cmd  fio               fio               fio               fio
vm    cmd  dmsetup           dmsetup           device-mapper     device-mapper
bench cmd  valgrind          valgrind          valgrind          valgrind
bench cmd  jq                jq                jq                jq
bench cmd  strace            strace            strace            strace
'

# A user's PATH may lack the folders of modprobe and udevadm.
PATH=$PATH:/usr/local/sbin:/usr/sbin:/sbin

present() {
	case $1 in
	cmd) command -v "$2" >/dev/null ;;
	file) [ -e "$2" ] ;;
	lib) pkg-config --exists "$2" 2>/dev/null ;;
	asan) # clang's sanitizers are a package of their own
		command -v "$2" >/dev/null &&
			ls "$("$2" -print-resource-dir)"/lib/*/libclang_rt.asan* \
				>/dev/null 2>&1 ;;
	esac
}

# Every package of the groups whose part is not there, in a column of the table.
missing() {
	column=$1
	shift
	for group in "$@"; do
		printf '%s' "$table" | while read -r g kind name debian fedora arch
		do
			[ "$g" = "$group" ] || continue
			present "$kind" "$name" && continue
			case $column in
			debian) echo "$debian" ;;
			fedora) echo "$fedora" ;;
			arch) echo "$arch" ;;
			esac
		done
	done | sort -u | tr '\n' ' ' | sed 's/ $//'
}

name_packages() {
	echo "missing; please install, then try again:" >&2
	echo "  Debian, Ubuntu:  apt-get install $(missing debian "$@")" >&2
	echo "  Fedora:          dnf install $(missing fedora "$@")" >&2
	echo "  Arch:            pacman -S $(missing arch "$@")" >&2
	exit 1
}

lists_are_fresh() {
	[ -n "$(find /var/lib/apt/lists -maxdepth 1 -name '*_Packages*' \
		-mtime -1 2>/dev/null)" ]
}

# Right after its first boot a machine may be at it itself.  apt-get waits for
# dpkg's lock, but not for those of the lists and of the downloads.
apt() {
	tries=24
	until $sudo env LC_ALL=C DEBIAN_FRONTEND=noninteractive apt-get -q -y \
		-o DPkg::Lock::Timeout=120 -o Dpkg::Use-Pty=0 "$@" </dev/null \
		>"$log" 2>&1
	do
		grep -q 'Could not get lock' "$log" || return 1
		tries=$((tries - 1))
		[ $tries -gt 0 ] || return 1
		sleep 5
	done
}

failed() {
	cat "$log" >&2
	echo "apt-get $1 failed; its output is above" >&2
	exit 1
}

[ $# -gt 0 ] || { echo "usage: deps.sh build|check|vm|bench ..." >&2; exit 2; }
packages=$(missing debian "$@")
[ -n "$packages" ] || exit 0

command -v apt-get >/dev/null || name_packages "$@"
sudo=
if [ "$(id -u)" != 0 ]; then
	sudo -n true 2>/dev/null || name_packages "$@"
	sudo='sudo -n'
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
echo "installing with apt-get: $packages"
if ! lists_are_fresh; then
	apt update || failed update
fi
# The lists may name versions that the mirror has replaced since.
# shellcheck disable=SC2086 # one word a package
apt install --no-install-recommends $packages || {
	apt update || failed update
	apt install --no-install-recommends $packages || failed install
}

packages=$(missing debian "$@")
[ -z "$packages" ] || {
	echo "still missing after the installation: $packages" >&2
	exit 1
}
