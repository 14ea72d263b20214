#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# check-layers.sh SRC BUILD: hold the architecture against the sources in SRC
# and the objects in BUILD/obj.  Each violation is one line; any is exit 1.
#
# The tables below are the rules.  Whoever needs an exception adds a row with
# its reason, where a reviewer sees it.
set -euo pipefail
export LC_ALL=C

[ $# = 2 ] || { echo "usage: check-layers.sh SRC BUILD" >&2; exit 2; }
src=${1%/}
obj=${2%/}/obj

# 1. Which folder may include which.
includes='
base    base
core    base core
render  base core render
json    base core json
sys     base core sys
probe   base core sys probe
write   base core render json sys write
knobs   base core sys write knobs
bench   base core sys bench
trace   base core sys write trace
cmd     base core render json sys probe write knobs bench trace cmd
main.c  base cmd
'

# 2. Where a library's header may be included.  A name that ends with a slash is
# a folder; "one" in front of it: one single file of that folder.
libraries='
libudev.h        one probe/
libkmod.h        one probe/ write/module.c
libnvme.h        one probe/ write/feature.c
nvme/*           one probe/ write/feature.c
xfs/*            one probe/
numa.h           sys/numa.c
numaif.h         sys/numa.c
ini.h            sys/profile_lines.c
json-c/*         json/
json.h           json/
liburing.h       bench/
liburing/*       bench/
sha2.h           sys/hash.c
sha*.h           sys/hash.c
md5.h            sys/hash.c
tracefs.h        trace/
tracefs/*        trace/
event-parse.h    trace/
traceevent/*     trace/
cmocka.h         nowhere
'

# 3. What the objects of the pure folders may ask of libc (whole names, as
# extended regular expressions), beside what base/ and their own layer define.
pure='mem(chr|cmp|cpy|move|rchr|set|mem)|bcmp'
pure+='|str(cat|chr|chrnul|cmp|cspn|len|casecmp|ncasecmp|ncmp|nlen|pbrk|rchr)'
pure+='|str(sep|spn|str|casestr|tok_r|verscmp|error|ncat|cpy|ncpy)'
pure+='|stp(cpy|ncpy)|v?snprintf|qsort|bsearch|abs|labs'
pure+='|__errno_location|__ctype_(b|tolower|toupper)_loc|to(lower|upper)'
pure+='|__assert_fail|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_|__(asan|ubsan)_.*'
pure+='|__[a-z]+[sdt]i[0-9]' # arithmetic that the compiler keeps in libgcc
allocation='malloc|calloc|realloc|reallocarray|free|abort'

# 4. Calls that change the machine: write/ alone may make them.
mutating='unlink(at)?|remove|rename(at|at2)?|mkdir(at)?|rmdir|sym?link(at)?'
mutating+='|symlink(at)?|link(at)?|mknod(at)?|mkfifo(at)?|mk(o?s?)temps?|mkdtemp'
mutating+='|tmpfile|f?chmod(at)?|[fl]?chown(at)?|f?truncate|(posix_)?fallocate'
mutating+='|u?mount|umount2|mount_setattr|fsync|fdatasync|sync|syncfs'
mutating+='|[fl]?(set|remove)xattr|utimensat|futimens|utimes?|creat|p?write|p?writev'
mutating+='|pwritev2|sendfile|copy_file_range|splice|system|popen|fork|vfork'
mutating+='|posix_spawnp?|exec[vl]p?e?|execveat|fexecve|daemon|ioctl|syscall'
mutating+='|reboot|sethostname|settimeofday|clock_settime|swapo(n|ff)|kill'
mutating+='|(init|finit|delete)_module|kmod_module_(insert|remove|probe_insert)_module'
mutating+='|nvme_(set_features.*|format_nvm.*|fw_.*|ns_mgmt.*|ns_attach.*|sanitize.*)'
mutating+='|nvme_(submit_)?(admin|io)_passthru.*|nvme_(ctrl|subsystem|ns)_reset|nvme_write.*'
mutating+='|json_object_to_f(ile|d).*|f(re|d)?open|openlog'

# 5. Calls that open or look at paths: sys/ alone may make them, so that one
# root and one set of hooks stand between nvmetune and the host.
opening='open(at|at2|_by_handle_at)?|creat|f(re|d)?open|(fd)?opendir|scandir(at)?|n?ftw'
opening+='|fts_open|glob|wordexp|realpath|canonicalize_file_name|[fl]?stat(at)?x?'
opening+='|fstatat|statv?fs|f?accessat|access|eaccess|euidaccess|readlink(at)?'
opening+='|inotify_add_watch|name_to_handle_at|getmntent|setmntent|json_object_from_f(ile|d).*'

# 6. Names that only the two modules that wrap them may use.
unsafe='strto[a-z]+|ato(i|l|ll|f)|v?f?s?scanf|v?sprintf|strcpy|strncpy|strcat|strncat|gets'

# 7. The exceptions: rule, file or folder, calls, why.
exceptions='
mutating|write/|.*|the only door out
mutating|sys/sysroot.c|write|sysfs attributes, for write/; one write, never O_CREAT
mutating|sys/sysroot.c|syscall|openat2, which glibc does not wrap
mutating|sys/device.c|ioctl|BLKGETSIZE64 and BLKSSZGET, which only ask
mutating|probe/xfs.c|ioctl|XFS_IOC_FSGEOMETRY, which only asks
mutating|bench/aio.c|syscall|io_submit and its kin, on a read-only descriptor
mutating|cmd/out.c|ioctl|the width of the terminal
mutating|cmd/progress.c|ioctl|the same
mutating|cmd/run.c|execvp|becomes the command that the user asked for
mutating|cmd/leash.c|fork|the command of --workload, and a guard over its group
mutating|cmd/leash.c|kill|that group and its guard, and no other
mutating|cmd/workload.c|execl|--workload runs a command that the user gives
mutating|cmd/workload.c|kill|the process group of that command, and no other
mutating|sys/log.c|openlog|names the process in syslog, changes nothing
opening|sys/|.*|the door in
opening|cmd/workload.c|open|/dev/null, for the command of --workload to read
opening|write/|.*|temporary, rename and journal need real paths
unsafe|base/parse.c|.*|wraps them, strictly
unsafe|base/strbuf.c|.*|wraps them, with bounds
state|cmd/|arg_.*|options of the command line
state|sys/log.c|.*|the level
state|cmd/interrupt.c|interrupted|a signal handler has nowhere else to put it
flags|sys/sysroot.c|O_(WRONLY|RDWR|TRUNC|CREAT)|sysfs attributes, for write/; O_CREAT only to refuse it
flags|write/|.*|the only door out
'

found=$(mktemp -d)
trap 'rm -rf "$found"' EXIT
tell() { cat >>"$found/all"; }
lines() { grep "$@" || [ $? = 1 ]; } # finding none is no failure

mapfile -t sources < <(cd "$src" && find . -name '*.[ch]' -printf '%P\n' | sort)
mapfile -t units < <(printf '%s\n' "${sources[@]}" | lines '\.c$')

check_includes() {
	lines -nE '^[[:space:]]*#[[:space:]]*include' /dev/null "${sources[@]}" |
		awk -v table="$includes" -v libs="$libraries" '
	BEGIN {
		rows = split(table, row, "\n")
		for (i = 1; i <= rows; i++) {
			n = split(row[i], w, " ")
			if (n > 0) known[w[1]] = 1
			for (j = 2; j <= n; j++) may[w[1], w[j]] = 1
		}
		nlibs = split(libs, lib, "\n")
	}
	function folder(path) {
		return index(path, "/") ? substr(path, 1, index(path, "/") - 1) : path
	}
	function is_header(name, pattern) {
		gsub(/\./, "\\.", pattern)
		gsub(/\*/, ".*", pattern)
		return name ~ "^" pattern "$"
	}
	function library(where, file, name,    i, j, n, w, one, place, seen) {
		for (i = 1; i <= nlibs; i++) {
			n = split(lib[i], w, " ")
			if (n < 2 || !is_header(name, w[1])) continue
			for (j = 2; j <= n; j++) {
				one = w[j] == "one"
				if (one) j++
				place = w[j]
				if (index(file, place) != 1) continue
				if (one && place ~ /\/$/) {
					seen = w[1] " " place
					if ((seen in owner) && owner[seen] != file)
						print where ": <" name "> is already included by " \
							owner[seen] ", and one file of " place " may"
					owner[seen] = file
				}
				return
			}
			sub(/^[^ ]+ +/, "", lib[i])
			print where ": <" name "> may be included only by: " lib[i]
			return
		}
	}
	{
		split($0, part, ":")
		file = part[1]
		where = file ":" part[2]
		from = folder(file)
		if (!(from in known)) {
			if (!(from in told))
				print file ": folder " from " is not in the layer table"
			told[from] = 1
			next
		}
		name = $0
		if (!sub(/^[^<"]*[<"]/, "", name)) next
		sub(/[>"].*$/, "", name)
		to = folder(name)
		if ((from, to) in may) next
		if (to in known) {
			print where ": " from (from ~ /\./ ? "" : "/") " may not include " to "/"
			next
		}
		if ($0 ~ /include[ \t]*"/) {
			print where ": \"" name "\" does not name its folder"
			next
		}
		library(where, file, name)
	}' | tell
}

# The objects of the sources there are: an old one without a source is not ours.
objects() {
	for unit in "${units[@]}"; do
		[[ $1 = . || $unit = $1/* ]] || continue
		[ ! -e "$obj/${unit%.c}.o" ] || echo "${unit%.c}.o"
	done
}

# Their names are read back as words, so the path before them stays out.
on_objects() { [ ! -d "$obj" ] || (cd "$obj" && xargs -r "$@"); }

# Each undefined symbol as "file.c name", with the names that headers and the
# compiler put in place of a call (fortify, large files) turned back.
undefined() {
	objects . | on_objects nm -A -u | awk '
	{
		file = $1
		sub(/\.o:.*$/, ".c", file)
		name = $NF
		sub(/@.*/, "", name)
		if (name ~ /^__[a-z0-9_]+_chk$/) {
			sub(/^__/, "", name)
			sub(/_chk$/, "", name)
		}
		sub(/^__isoc[0-9]+_/, "", name)
		sub(/^__xpg_/, "", name)
		if (name ~ /^__open(at)?(64)?_2$/) { sub(/^__/, "", name); sub(/_2$/, "", name) }
		if (name ~ /^(open|openat|creat|fopen|freopen|scandir|glob|nftw|ftw|[fl]?stat|fstatat|stat[v]?fs|f?truncate|fallocate|posix_fallocate|p?writev?|mk[o]?s?temps?|sendfile|readdir|tmpfile)64$/)
			sub(/64$/, "", name)
		print file, name
	}'
}

check_built() {
	for unit in "${units[@]}"; do
		[ -e "$obj/${unit%.c}.o" ] || echo "$unit: not built, so not checked"
	done | tell
}

# The symbols that a pure folder's objects may use because a pure folder has them.
defined() {
	for folder in "$@"; do
		objects "$folder"
	done | on_objects nm --defined-only -g | awk 'NF == 3 { print $3 }'
}

check_pure() {
	local folder=$1 allowed=$2
	shift 2
	defined "$@" >"$found/own"
	lines "^$folder/" "$found/undefined" | awk -v allowed="^($allowed)\$" '
	NR == FNR { own[$1] = 1; next }
	!($2 in own) && $2 !~ allowed {
		print $1 ": not pure: uses " $2
	}' "$found/own" - | tell
}

# Lines "file name" on stdin: those whose name a rule forbids and no row excepts.
forbid() {
	awk -v rule="$1" -v names="^($2)\$" -v text="$3" -v table="$exceptions" '
	BEGIN {
		n = split(table, row, "\n")
		for (i = 1; i <= n; i++) {
			# The third column may itself hold "|", in brackets.
			if (split(row[i], w, "|") < 4 || w[1] != rule) continue
			rows++
			place[rows] = w[2]
			calls = substr(row[i], length(w[1]) + length(w[2]) + 3)
			sub(/\|[^|]*$/, "", calls)
			except[rows] = "^(" calls ")$"
		}
	}
	$2 ~ names {
		for (i = 1; i <= rows; i++)
			if (index($1, place[i]) == 1 && $2 ~ except[i]) next
		print $1 ": " text " " $2
	}' | tell
}

# Mutable objects at file scope.  Constant tables that hold pointers sit in
# .data.rel.ro, and are none.
check_state() {
	objects . | on_objects objdump -t | awk '
	/file format/ {
		file = $1
		sub(/\.o:$/, ".c", file)
	}
	/ O (\.data|\.bss|\.tdata|\.tbss|\*COM\*)/ && !/ O \.data\.rel\.ro/ {
		name = $NF
		sub(/\.[0-9]+$/, "", name)
		print file, name
	}' | lines -v ' __' | forbid state '.*' "mutable at file scope:"
}

# Opening for writing cannot be seen in an object, so the flags are sought in
# the text, without its strings and comments.
check_flags() {
	awk '
	FNR == 1 { inside = 0 }
	{
		text = $0
		gsub(/"([^"\\]|\\.)*"/, "", text)
		gsub(/\/\*([^*]|\*+[^*\/])*\*+\//, "", text)
		if (inside && !sub(/^.*\*\//, "", text)) next
		inside = sub(/\/\*.*$/, "", text)
		while (match(text, /O_(WRONLY|RDWR|CREAT|TRUNC|APPEND|TMPFILE)/)) {
			print FILENAME, substr(text, RSTART, RLENGTH)
			text = substr(text, RSTART + RLENGTH)
		}
	}' /dev/null "${sources[@]}" | forbid flags '.*' "opens for writing:"
}

# Every "const struct KIND KIND_x" of a folder has its row K(x) in the
# folder's list, and sits in the file that bears its name.
check_rows() {
	local folder=$1 kind=$2 list=$3
	[ -e "$list" ] || return 0
	lines -oE "^const struct $kind ${kind}_[a-z0-9_]+" /dev/null "$folder"/*.c |
		sed "s/:const struct $kind ${kind}_/ /" >"$found/rows"
	while read -r file id; do
		grep -qE "\\b[A-Z]+\\($id\\)" "$list" ||
			echo "$file: ${kind}_$id has no row in $list"
	done <"$found/rows" | tell
	awk '{ n[$2]++ } END { for (id in n) if (n[id] > 1) print id }' \
		"$found/rows" | sed "s|^|$folder: defined twice: ${kind}_|" | tell
}

# A file of knobs/ that holds no knob is the registry, or has a header.
check_knobs() {
	for file in knobs/*.c; do
		[ ! -e "$file" ] || [ -e "${file%.c}.h" ] ||
			[ "$file" = knobs/registry.c ] ||
			grep -qE '^const struct knob knob_' "$file" ||
			echo "$file: no knob in it, and no header either"
	done | tell
}

here=$PWD
case $obj in /*) ;; *) obj=$here/$obj ;; esac
cd "$src"

: >"$found/all"
check_includes
check_built
undefined >"$found/undefined"

check_pure base "$pure|$allocation|$unsafe|strdup|strndup" base
check_pure core "$pure" base core
check_pure render "$pure" base core render
forbid mutating "$mutating" "changes the machine:" <"$found/undefined"
forbid opening "$opening" "opens a path outside sys/:" <"$found/undefined"
forbid unsafe "$unsafe" "base/parse.h and base/strbuf.h have a safe one for" \
	<"$found/undefined"
check_state
check_flags
check_rows knobs knob knobs/knob_list.h
check_knobs
check_rows cmd command cmd/command_list.h

if [ -s "$found/all" ]; then
	sed "s|^|$src/|" "$found/all"
	exit 1
fi
echo "${#sources[@]} files keep to the layers"
