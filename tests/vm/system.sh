#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# system.sh base
# system.sh image KERNEL_FOLDER RELEASE FOLDER SCRIPT [ARGUMENT...]
# system.sh rebuild RELEASE FOLDER ETC
#
# A whole Debian system for a guest: systemd, udev, initramfs-tools and what
# nvmetune needs, of the release that this machine runs, since the program is
# built here.  "base" makes what all images share and prints its path, under
# build/vm/system; "image" makes FOLDER/disk.raw, a file system with all of it,
# this kernel's modules and an installed nvmetune, and FOLDER/share/initrd, its real
# initramfs.  In between SCRIPT runs with GUEST_BOOT=0 and the image's root in
# $GUEST_ROOT, as a build of images would.  "rebuild" makes FOLDER/share/initrd
# anew with what the archive ETC has of the guest's /etc.
#
# Packages are unpacked, not installed: none of their scripts has a part in this.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"
. "$vm_src/apt.sh"

packages='base-files base-passwd bash coreutils dash debianutils diffutils
	findutils grep gzip hostname libc-bin login mawk mount sed util-linux
	usr-is-merged systemd systemd-sysv udev kmod initramfs-tools e2fsprogs
	irqbalance numactl zstd'

# A guest needs no more: what is not here is not in its initramfs either.
modules='virtio_pci virtio_blk ext4 9pnet_virtio 9p nvme mq-deadline
	kyber-iosched bfq autofs4 loop'

# What a login, a network or an idle hour would need.
masked='getty.target serial-getty@.service systemd-logind.service
	systemd-hwdb-update.service ldconfig.service systemd-update-done.service
	systemd-journal-catalog-update.service systemd-update-utmp.service
	systemd-update-utmp-runlevel.service systemd-pstore.service
	systemd-random-seed.service systemd-firstboot.service
	systemd-machine-id-commit.service systemd-ask-password-wall.path
	systemd-ask-password-console.path systemd-tmpfiles-clean.timer
	dev-hugepages.mount dev-mqueue.mount sys-fs-fuse-connections.mount
	sys-kernel-config.mount e2scrub_all.timer e2scrub_reap.service
	apt-daily.timer fstrim.timer user.slice systemd-user-sessions.service
	proc-sys-fs-binfmt_misc.automount modprobe@.service
	systemd-sysext.service'

# All that goes into the base, the libraries of the program by the packages that
# they came in here.
wanted_packages()
{
	local files

	files=$(ldd "$vm_repo/build/nvmetune" | awk '$2 == "=>" {
		print $3, "/usr" $3 }')
	# shellcheck disable=SC2086 # words
	{
		printf '%s\n' $packages
		# A file is known by one of its two names.
		dpkg-query -S $files 2>/dev/null | cut -d: -f1 || :
	} | sort -u
}

fetch_base()
{
	local deb

	mkdir -p "$work/deb"
	apt_open system "$(. /etc/os-release && echo "$VERSION_CODENAME")"
	# shellcheck disable=SC2086 # words
	private_apt apt-get install -y --no-install-recommends \
		--download-only $wanted \
		>"$work/log" 2>&1 || {
		cat "$work/log" >&2
		die "system: cannot download its packages"
	}
	for deb in bin sbin lib lib64; do
		mkdir -p "$work/root/usr/$deb"
		ln -s "usr/$deb" "$work/root/$deb"
	done
	for deb in "$work"/cache/archives/*.deb; do
		dpkg-deb --fsys-tarfile "$deb" | tar -x -C "$work/root" \
			--no-same-owner --keep-directory-symlink
	done
}

# What the packages' scripts would have done, and what a guest can do without.
arrange_base()
{
	local unit root=$work/root

	mkdir -p "$root"/{proc,sys,dev,run,tmp,root,boot,mnt} \
		"$root"/usr/lib/modules "$root/etc/systemd/system"
	cp "$root/usr/share/base-passwd/passwd.master" "$root/etc/passwd"
	cp "$root/usr/share/base-passwd/group.master" "$root/etc/group"
	in_root "$root" ldconfig
	in_root "$root" systemd-sysusers
	ln -sf mawk "$root/usr/bin/awk"
	rm -rf "$root"/usr/share/{doc,man,locale,info,i18n,perl,perl5} \
		"$root"/usr/lib/udev/hwdb.* \
		"$root"/usr/lib/x86_64-linux-gnu/{gconv,perl*,security} \
		"$root"/usr/lib/systemd/system-generators/systemd-{cryptsetup,veritysetup,integritysetup,gpt-auto,hibernate-resume,sysv,rc-local,bless-boot,run}-generator
	sed -i 's/^COMPRESS=.*/COMPRESS=zstd/; s/^# COMPRESSLEVEL=.*/COMPRESSLEVEL=1/' \
		"$root/etc/initramfs-tools/initramfs.conf"
	echo guest >"$root/etc/hostname"
	echo 0123456789abcdef0123456789abcdef >"$root/etc/machine-id"
	echo '/dev/vda / ext4 defaults 0 0' >"$root/etc/fstab"
	for unit in $masked; do
		ln -sf /dev/null "$root/etc/systemd/system/$unit"
	done
	ln -s /usr/lib/systemd/system/multi-user.target \
		"$root/etc/systemd/system/default.target"
}

# as_root COMMAND... - in a mount namespace of its own; without root's rights
# in one where the user is called root.
as_root()
{
	local map=

	[ "$(id -u)" -eq 0 ] || map=--map-root-user
	unshare --mount $map "$@"
}

# beside FOLDER COMMAND... - with /dev and /proc mounted below the folder.
beside()
{
	# shellcheck disable=SC2016 # for the inner shell
	as_root bash -c 'root=$1 && shift
		for dir in dev proc; do
			mount --rbind "/$dir" "$root/$dir"
		done
		exec "$@"' beside "$@"
}

# in_root FOLDER COMMAND...
in_root()
{
	beside "$1" env -i PATH=/usr/sbin:/usr/bin LC_ALL=C chroot "$@"
}

make_base()
{
	local wanted

	mkdir -p "$vm_dir/system"
	exec 8>"$vm_dir/system/lock"
	flock 8
	wanted=$(wanted_packages)
	[ ! -d "$base" ] || [ "$0" -nt "$base" ] ||
		[ "$(<"$base/wanted")" != "$wanted" ] ||
		return 0
	work=$(mktemp -d "$vm_dir/system/.new.XXXXXX")
	trap 'rm -rf -- "$work"' EXIT
	fetch_base
	arrange_base
	rm -rf -- "$base"
	printf '%s\n' "$wanted" >"$work/root/wanted"
	mv "$work/root" "$base"
}

# put_modules TREE - the modules and what they depend on, unpacked: less work
# for the guest.  The kernel's configuration is all that mkinitramfs asks of it.
put_modules()
{
	local module kind file name folder=$1/usr/lib/modules/$release

	mkdir -p "$folder"
	cp "$kernel/lib/modules/$release"/modules.{order,builtin,builtin.modinfo} \
		"$folder/"
	for module in $modules; do
		modprobe -d "$kernel" -S "$release" --show-depends "$module" ||
			die "kernel $release: no module $module"
	done | sort -u | while read -r kind file; do
		[ "$kind" = insmod ] || continue
		file=${file#"$kernel/lib/modules/$release/"}
		file=${file%% *}
		name=$folder/$file
		mkdir -p "${name%/*}"
		file=$kernel/lib/modules/$release/$file
		case $file in
		*.ko) cp -- "$file" "$name" ;;
		*.xz) xz -dc -- "$file" >"${name%.xz}" ;;
		*.zst) zstd -dcq -- "$file" >"${name%.zst}" ;;
		*) die "$file: unknown kind of module" ;;
		esac
	done
	depmod -b "$1/usr" "$release"
	printf 'CONFIG_RD_%s=y\n' GZIP ZSTD >"$1/boot/config-$release"
}

# The unit that runs the script, once all others have been started.
put_lab()
{
	local etc=$1/etc/systemd/system

	install -D "$vm_src/guest-system.sh" "$1/usr/lib/lab/guest-system.sh"
	mkdir -p "$etc/multi-user.target.wants"
	cat >"$etc/lab.service" <<'UNIT'
[Unit]
Description=the lab's script
After=multi-user.target

[Service]
Type=exec
ExecStart=/usr/lib/lab/guest-system.sh
StandardOutput=null
StandardError=null
UNIT
	ln -s ../lab.service "$etc/multi-user.target.wants/lab.service"
}

make_image()
{
	local tree=$folder/tree

	vm_need modprobe depmod xz zstd mkfs.ext4 unshare
	cp -al "$base" "$tree"
	rm "$tree/wanted"
	put_modules "$tree"
	put_lab "$tree"
	in_root "$tree" update-initramfs -c -k "$release"
	# What the build has made is installed, and nothing made anew.
	env -u MAKEFLAGS -u MAKELEVEL make -s -C "$vm_repo" -o all install \
		DESTDIR="$tree"
	GUEST_BOOT=0 GUEST_ROOT=$tree GUEST_LIB=$vm_src/guest-lib.sh \
		GUEST_RELEASE=$release NVMETUNE=$vm_repo/build/nvmetune \
		beside "$tree" bash "$@"
	mv "$tree/usr/sbin/update-initramfs" "$tree/usr/sbin/update-initramfs.real"
	install "$vm_src/guest-rebuild.sh" "$tree/usr/sbin/update-initramfs"
	as_root mkfs.ext4 -q -F -d "$tree" "$folder/disk.raw" 512M
	cp "$tree/boot/initrd.img-$release" "$folder/share/initrd"
}

rebuild()
{
	local tree=$folder/tree

	rm -rf "${tree:?}/etc"
	tar -x -f "$1" -C "$tree" --no-same-owner
	in_root "$tree" update-initramfs.real -u -k "$release"
	cp "$tree/boot/initrd.img-$release" "$folder/share/initrd.new"
	mv "$folder/share/initrd.new" "$folder/share/initrd"
}

base=$vm_dir/system/base
case ${1-}:$# in
base:1)
	make_base
	echo "$base"
	;;
image:[5-9])
	kernel=$2 release=$3 folder=$4
	shift 4
	make_image "$@"
	;;
rebuild:4)
	release=$2 folder=$3
	rebuild "$4"
	;;
*)
	echo "usage: $0 base | image KERNEL_FOLDER RELEASE FOLDER SCRIPT |" \
		"rebuild RELEASE FOLDER ETC" >&2
	exit 2
	;;
esac
