#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# initramfs.sh KERNEL_FOLDER RELEASE: build the guest's first root and print
# its path.  It is cached beside the kernel and rebuilt when this script is
# newer.
#
# Busybox mounts the building machine's root read-only over 9p, puts a tmpfs
# overlay on it and starts guest-init.sh there, so that no disk image is needed
# and a freshly built program is simply there.  With "lab.disk" on the command
# line the overlay is on a virtio disk, which the next boot finds as it was left.
set -euo pipefail
. "$(dirname -- "$0")/lib.sh"

modules='virtio_pci 9pnet_virtio 9p overlay'
disk_modules='virtio_blk ext4'

# copy_modules FOLDER MODULE... - what the modules need in loading order,
# unpacked: busybox cannot.
copy_modules()
{
	local module kind file n=100 name folder=$work/root/$1

	shift
	for module; do
		modprobe -d "$kernel" -S "$release" --show-depends "$module" ||
			die "kernel $release: no module $module"
	done | awk '!seen[$0]++' >"$work/list"
	while read -r kind file; do
		[ "$kind" = insmod ] || continue
		# Options may follow; the kernel's folder may have spaces.
		file=${file#"$kernel/"}
		file=$kernel/${file%% *}
		name=$n-${file##*/} n=$((n + 1))
		case $file in
		*.ko) cp -- "$file" "$folder/$name" ;;
		*.xz) xz -dc -- "$file" >"$folder/${name%.xz}" ;;
		*.zst) zstd -dcq -- "$file" >"$folder/${name%.zst}" ;;
		*.gz) gzip -dc -- "$file" >"$folder/${name%.gz}" ;;
		*) die "$file: unknown kind of module" ;;
		esac
	done <"$work/list"
}

write_init()
{
	cat >"$work/root/init" <<'INIT'
#!/bin/busybox sh
export PATH=/bin
/bin/busybox --install -s /bin
set -e
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
for module in /m/*; do
	insmod "$module"
done
case " $(cat /proc/cmdline) " in
*' lab.disk '*)
	for module in /disk/*; do
		# Some are shared with those above.
		insmod "$module" 2>/dev/null || :
	done
	mount -t ext4 /dev/vda /upper
	;;
*) mount -t tmpfs -o mode=755 tmpfs /upper ;;
esac
mkdir -p /upper/files /upper/work
mount -t 9p -o trans=virtio,version=9p2000.L,msize=524288,cache=loose,ro \
	root /lower
mount -t overlay -o lowerdir=/lower,upperdir=/upper/files,workdir=/upper/work \
	overlay /newroot
mount -t tmpfs -o mode=755 tmpfs /newroot/run
mkdir /newroot/run/lab
mount -t 9p -o trans=virtio,version=9p2000.L,msize=131072,cache=none \
	lab /newroot/run/lab
for dir in proc sys dev; do
	mount -o move "/$dir" "/newroot/$dir"
done
. /newroot/run/lab/guest.env
exec switch_root /newroot /bin/bash "$LAB_INIT"
INIT
	chmod +x "$work/root/init"
}

if [ $# -ne 2 ]; then
	echo "usage: $0 KERNEL_FOLDER RELEASE" >&2
	exit 2
fi
kernel=$1 release=$2
out=$kernel/initramfs.gz
if [ ! -f "$out" ] || [ "$0" -nt "$out" ]; then
	vm_need busybox cpio modprobe xz zstd gzip
	work=$(mktemp -d "$kernel/.initramfs.XXXXXX")
	trap 'rm -rf -- "$work"' EXIT
	mkdir -p "$work"/root/{bin,dev,proc,sys,m,disk,lower,upper,newroot}
	cp -- "$(command -v busybox)" "$work/root/bin/busybox"
	# shellcheck disable=SC2086 # words
	copy_modules m $modules
	# shellcheck disable=SC2086 # words
	copy_modules disk $disk_modules
	write_init
	(cd "$work/root" && find . | cpio -o -H newc --quiet) |
		gzip -1 >"$work/out"
	mv -- "$work/out" "$out"
fi
printf '%s\n' "$out"
