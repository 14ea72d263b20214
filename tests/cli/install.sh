#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# "make install" puts these files there, and "make uninstall" takes them away.
. tests/cli/lib.sh
command -v make >/dev/null || skip "no make"

build=$(realpath --relative-to=. "$(dirname "$NVMETUNE")")
root=$TMPDIR/root
# -o all: the program is built, with flags that this script does not know.
install() { # GOAL, VARIABLE...
	make --no-print-directory -o all BUILD="$build" DESTDIR="$root" "$@" \
		>"$TMPDIR/log" 2>&1 || fail "make $*: $(cat "$TMPDIR/log")"
}
# Mode and path of every file, as they should be.
wanted() { # prefix
	local file
	echo "755 $1/bin/nvmetune"
	for file in profiles/*.ini; do
		echo "644 $1/share/nvmetune/$file"
	done
	for file in docs/man/*.in; do
		file=$(basename "$file" .in)
		echo "644 $1/share/man/man${file##*.}/$file"
	done
	for file in udev/*.rules; do
		[ ! -e "$file" ] || echo "644 $1/lib/udev/rules.d/${file##*/}"
	done
	for file in systemd/*.service systemd/*.timer; do
		[ ! -e "$file" ] || echo "644 $1/lib/systemd/system/${file##*/}"
	done
}
compare() { # prefix
	wanted "$1" | sort >"$TMPDIR/wanted"
	(cd "$root" && find . -type f -printf '%m /%P\n') | sort >"$TMPDIR/is"
	diff "$TMPDIR/wanted" "$TMPDIR/is" || fail "make install, see above"
}

umask 077
install install
compare /usr
cmp -s "$root/usr/bin/nvmetune" "$NVMETUNE" || fail "another program"
for folder in /usr/bin /usr/share/nvmetune/profiles /usr/share/man/man8; do
	[ "$(stat -c %a "$root$folder")" = 755 ] || fail "$folder: not for all"
done
"$root/usr/bin/nvmetune" profile list >"$out" || fail "does not run"

# What others keep beside it stays.
mkdir -p "$root/etc/nvmetune/profiles"
echo mine | tee "$root/etc/nvmetune/profiles/site.ini" \
	"$root/usr/share/man/man8/other.8" >"$root/usr/bin/other"
install uninstall
left=$(cd "$root" && find . -type f -printf '/%P ')
for file in /etc/nvmetune/profiles/site.ini /usr/share/man/man8/other.8 \
	/usr/bin/other; do
	case $left in
	*"$file "*) left=${left/"$file "/} ;;
	*) fail "make uninstall took $file" ;;
	esac
done
[ -z "$left" ] || fail "make uninstall left $left"

rm -rf "$root"
install install prefix=/opt/tool
compare /opt/tool
! grep -rn "usr/bin" "$root/opt/tool/lib" || fail "a rule or unit runs /usr/bin"
install uninstall prefix=/opt/tool
[ -z "$(find "$root" -type f)" ] || fail "left below another prefix"
