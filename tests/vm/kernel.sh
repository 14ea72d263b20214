#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# kernel.sh NAME: find or fetch a stock kernel and print three lines: its
# image, the folder that holds lib/modules, its release.
#
# NAME is a row of suites_of(), or the path of a folder with "vmlinuz" and
# "lib/modules/RELEASE".  Kernels come as packages from the Debian mirror that
# this machine already uses, are unpacked (never installed) and stay under
# build/vm/kernels; from then on no network is needed.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"
. "$vm_src/apt.sh"

meta=linux-image-amd64

# The suites that may hold the kernel, and what its version begins with.
suites_of()
{
	case $1 in
	5.10) echo 'bullseye' ;;
	6.1) echo 'bookworm' ;;
	6.12) echo 'trixie' ;;
	newest) echo 'trixie trixie-backports' ;;
	*) return 1 ;;
	esac
}

# depends_of PACKAGE VERSION - its dependencies, one name a line.
depends_of()
{
	private_apt apt-cache show "$1=$2" |
		sed -n 's/^Depends: //p' | tr ',' '\n' |
		sed 's/^ *//; s/[ (|].*//'
}

# The highest version of the meta package that fits NAME.
pick_version()
{
	local version best=

	for version in $(private_apt apt-cache show "$meta" |
		sed -n 's/^Version: //p'); do
		case $name in
		newest) ;;
		*) [ "${version#"$name".}" != "$version" ] || continue ;;
		esac
		if [ -z "$best" ] ||
			dpkg --compare-versions "$version" gt "$best"; then
			best=$version
		fi
	done
	printf '%s' "$best"
}

# Newer archives split the image into base (module indexes), binary (vmlinuz)
# and modules: packages of one version that the image depends on.
pick_packages()
{
	local image package

	image=$(depends_of "$meta" "$version" |
		grep -m1 '^linux-image-[0-9]') ||
		die "kernel $name: $meta $version names no image package"
	printf '%s\n' "$image"
	for package in $(depends_of "$image" "$version" |
		grep -E '^linux-(base|binary|modules)-[0-9]' || :); do
		printf '%s\n' "$package"
	done
}

fetch()
{
	local suites version package packages deb

	vm_need depmod
	suites=$(suites_of "$name") || die "kernel \"$name\" is not known;" \
		"use 5.10, 6.1, 6.12, newest or the path of a folder with vmlinuz and lib/modules"
	# shellcheck disable=SC2086 # words
	apt_open "kernel $name" $suites
	mkdir -p "$work/deb" "$work/root"
	version=$(pick_version)
	[ -n "$version" ] || die "kernel $name: $suites: no $meta that fits"
	packages=$(pick_packages)
	for package in $packages; do
		(cd "$work/deb" && private_apt apt-get download \
			"$package=$version") >"$work/log" 2>&1 || {
			cat "$work/log" >&2
			die "kernel $name: cannot download $package $version"
		}
	done
	for deb in "$work"/deb/*.deb; do
		dpkg -x "$deb" "$work/root"
	done
	arrange
}

# From the packages' layout to vmlinuz, release, lib/modules; then publish.
arrange()
{
	local modules release image

	modules=$work/root/usr/lib/modules
	[ -d "$modules" ] || modules=$work/root/lib/modules
	[ -d "$modules" ] || die "kernel $name: the packages hold no modules"
	release=$(ls "$modules")
	for image in "$work/root/boot/vmlinuz-$release" \
		"$modules/$release/vmlinuz"; do
		[ ! -f "$image" ] || break
	done
	[ -f "$image" ] || die "kernel $name: the packages hold no vmlinuz"
	[ -f "$modules/$release/modules.builtin" ] ||
		die "kernel $name: the packages hold no modules.builtin"

	mkdir -p "$work/new/lib"
	mv "$image" "$work/new/vmlinuz"
	mv "$modules" "$work/new/lib/modules"
	rm -f "$work/new/lib/modules/$release/build" \
		"$work/new/lib/modules/$release/source"
	depmod -b "$work/new" "$release"
	echo "$release" >"$work/new/release"
	rm -rf "$kernel"
	mv "$work/new" "$kernel"
	say "kernel $name: $release is in $kernel"
}

if [ $# -ne 1 ] || [ -z "$1" ]; then
	echo "usage: $0 5.10|6.1|6.12|newest|FOLDER" >&2
	exit 2
fi
name=$1
case $name in
*/*) kernel=$name ;;
*) kernel=$vm_dir/kernels/$name ;;
esac
if [ ! -f "$kernel/vmlinuz" ] && [ "$kernel" != "$name" ]; then
	mkdir -p "$vm_dir/kernels"
	work=$(mktemp -d "$vm_dir/kernels/.fetch.XXXXXX")
	trap 'rm -rf -- "$work"' EXIT
	fetch
fi
kernel=$(cd -- "$kernel" 2>/dev/null && pwd -P) ||
	die "$name: no such folder; it should hold vmlinuz and lib/modules/RELEASE"
[ -r "$kernel/vmlinuz" ] || die "$kernel/vmlinuz: not there or not readable"
set -- "$kernel"/lib/modules/*/modules.dep
if [ $# -ne 1 ] || [ ! -f "$1" ]; then
	die "$kernel/lib/modules: needs exactly one release with" \
		"modules.dep; run \"depmod -b $kernel RELEASE\""
fi
release=${1%/modules.dep}
printf '%s\n' "$kernel/vmlinuz" "$kernel" "${release##*/}"
