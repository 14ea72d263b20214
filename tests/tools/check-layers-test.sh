#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# The layer checker is tested with small trees: a clean one that passes, then
# each kind of violation alone, which must be named and must be all it names.
set -euo pipefail

check=$(dirname "$(readlink -f "$0")")/check-layers.sh
cc=${CC:-gcc}
top=$(mktemp -d)
trap 'rm -rf "$top"' EXIT
cd "$top"
number=0
failed=0

put() { # file, text
	mkdir -p "src/$(dirname "$1")"
	printf '%b\n' "$2" >"src/$1"
	case $1 in
	*.c)
		mkdir -p "build/obj/$(dirname "$1")"
		"$cc" -w -fPIE -D_GNU_SOURCE -Isrc -Istubs -c \
			-o "build/obj/${1%.c}.o" "src/$1"
		;;
	esac
}

drop() { # file
	rm -f "src/$1" "build/obj/${1%.c}.o"
}

result() { # is good, title
	number=$((number + 1))
	if [ "$1" = 0 ]; then
		echo "ok $number - $2"
	else
		failed=1
		echo "not ok $number - $2"
		sed 's/^/#   /' out
	fi
}

accepts() { # title, file, text
	put "$2" "$3"
	rc=0
	"$check" src build >out 2>&1 || rc=1
	result $rc "$1"
	drop "$2"
}

# The one line of output must hold the text.
refuses() { # title, file, text, expected
	local rc=0
	put "$2" "$3"
	if "$check" src build >out 2>&1; then
		rc=1
	fi
	[ "$(wc -l <out)" = 1 ] && grep -qF -- "$4" out || rc=1
	result $rc "$1"
	drop "$2"
}

mkdir -p stubs/json-c
for header in libudev libkmod libnvme numa ini liburing sha2 json-c/json; do
	: >"stubs/$header.h"
done
put base/err.h 'int err_set(int code);'
put base/err.c '#include <stdlib.h>\n#include "base/err.h"
int err_set(int code) { free(malloc(1)); return code; }'
put core/plan.c '#include <string.h>\n#include "base/err.h"
int plan(char *s) { return err_set((int)strlen(s)); }'
put sys/sysroot.c '#include <fcntl.h>\n#include <unistd.h>
int door(void) { return (int)write(open("/sys", O_WRONLY), "", 1); }'
put write/file.c '#include <unistd.h>\nint file(void) { return unlink("x"); }'
put probe/udev.c '#include <libudev.h>\nint udev(void) { return 0; }'
put knobs/knob_list.h 'struct knob { const char *name; };
#define KNOB_LIST(K) \\\n\tK(queue_good)
extern const struct knob knob_queue_good;'
put knobs/queue_good.c '#include "knobs/knob_list.h"
const struct knob knob_queue_good = { "queue.good" };'
put cmd/command_list.h 'struct command { const char *name; };
#define COMMAND_LIST(C) \\\n\tC(status)'
put cmd/status.c '#include <stdio.h>\n#include "cmd/command_list.h"
static const char *arg_format;
const struct command command_status = { "status" };
int status(void) { return puts(arg_format = "x"); }'
put cmd/helper.h '/* what commands share */'
put core/plan.h '/* nothing yet */'
put main.c '#include "cmd/command_list.h"\nint main(void) { return 0; }'

accepts 'a clean tree passes' core/match.c 'int match(void) { return 1; }'
accepts 'a constant table of pointers is not state' core/table.c \
	'static const char *const t[] = { "a", "b" };
const char *table(int i) { return t[i]; }'
accepts 'an object without a source is not looked at' core/gone.c \
	'int gone(void) { return 0; }'
put core/gone.c '#include <stdio.h>\nint gone(void) { return puts("x"); }'
rm src/core/gone.c
accepts 'an old object whose source went is not looked at' core/match.c \
	'int match(void) { return 1; }'

refuses 'base may not include core' base/bad.h '#include "core/plan.h"' \
	'src/base/bad.h:1: base/ may not include core/'
refuses 'knobs and probe never include one another' knobs/bad.h \
	'#include "probe/udev.h"' 'knobs/ may not include probe/'
refuses 'bench does not reach into write' bench/bad.h \
	'#include "write/txn.h"' 'bench/ may not include write/'
refuses 'an include in angle brackets is held to the table too' core/bad.h \
	'#include <sys/sysroot.h>' 'core/ may not include sys/'
refuses 'main includes only base and cmd' main.c \
	'#include <stdio.h>\n#include "core/plan.h"\nint main(void) { return 0; }' \
	'src/main.c:2: main.c may not include core/'
put main.c 'int main(void) { return 0; }'
refuses 'an include names its folder' core/bad.h '#include "plan.h"' \
	'"plan.h" does not name its folder'
refuses 'a new folder needs a row' extra/bad.h '#include <stdio.h>' \
	'folder extra is not in the layer table'

refuses 'libudev is for one file of probe' probe/second.h \
	'#include <libudev.h>' 'one file of probe/ may'
refuses 'libudev is not for sys' sys/bad.h '#include <libudev.h>' \
	'<libudev.h> may be included only by: one probe/'
refuses 'libkmod is for one file of write' write/bad.h '#include <libkmod.h>' \
	'only by: one probe/ write/module.c'
refuses 'libnvme is not for cmd' cmd/bad.h '#include <libnvme.h>' \
	'only by: one probe/ write/feature.c'
refuses 'numa.h is for sys/numa.c' sys/bad.h '#include <numa.h>' \
	'only by: sys/numa.c'
refuses 'ini.h is for sys/profile_lines.c' core/bad.h '#include <ini.h>' \
	'only by: sys/profile_lines.c'
refuses 'json-c stays in json' cmd/bad.h '#include <json-c/json.h>' \
	'only by: json/'
refuses 'liburing stays in bench' sys/bad.h '#include <liburing.h>' \
	'only by: bench/'
refuses 'sha2.h is for sys/hash.c' core/bad.h '#include <sha2.h>' \
	'only by: sys/hash.c'

refuses 'core does no I/O' core/bad.c \
	'#include <stdio.h>\nint bad(void) { return puts("x"); }' \
	'src/core/bad.c: not pure: uses puts'
refuses 'core reads no environment' core/bad.c \
	'#include <stdlib.h>\nchar *bad(void) { return getenv("x"); }' \
	'not pure: uses getenv'
refuses 'core knows no clock' core/bad.c \
	'#include <time.h>\nlong bad(void) { return time(0); }' \
	'not pure: uses time'
refuses 'core allocates only in arenas' core/bad.c \
	'#include <stdlib.h>\nvoid *bad(void) { return malloc(9); }' \
	'not pure: uses malloc'
refuses 'render does no I/O' render/bad.c \
	'#include <stdio.h>\nint bad(FILE *f) { return fclose(f); }' \
	'not pure: uses fclose'
refuses 'core may not call render' core/bad.c \
	'int render_rule(void);\nint bad(void) { return render_rule(); }' \
	'not pure: uses render_rule'
refuses 'base does no I/O' base/bad.c \
	'#include <stdio.h>\nint bad(void) { return putchar(1); }' \
	'src/base/bad.c: not pure: uses putc'

refuses 'only write removes files' cmd/helper.c \
	'#include <unistd.h>\nint bad(void) { return unlink("x"); }' \
	'src/cmd/helper.c: changes the machine: unlink'
refuses 'the large-file name of a call is the same call' bench/bad.c \
	'int ftruncate64(int, long);\nint bad(void) { return ftruncate64(1, 2); }' \
	'changes the machine: ftruncate'
refuses 'only write sets a feature' probe/bad.c \
	'int nvme_set_features(void *);\nint bad(void) { return nvme_set_features(0); }' \
	'changes the machine: nvme_set_features'
refuses 'only write starts programs' bench/bad.c \
	'#include <unistd.h>\nint bad(char **a) { return execv("x", a); }' \
	'changes the machine: execv'
refuses 'sysroot may write but not rename' sys/sysroot.c \
	'#include <stdio.h>\nint bad(void) { return rename("x", "y"); }' \
	'src/sys/sysroot.c: changes the machine: rename'
refuses 'opening for writing is seen in the text' sys/bad.c \
	'#include <fcntl.h>\nint bad(void) { return open("x", O_RDWR | O_CLOEXEC); }' \
	'src/sys/bad.c: opens for writing: O_RDWR'

accepts 'the flag may be spoken of' sys/good.c \
	'/* O_RDWR\n * O_CREAT */ char *good(void) { return "O_TRUNC"; }'

refuses 'only sys opens paths' probe/bad.c \
	'#include <fcntl.h>\nint bad(void) { return open("x", O_RDONLY); }' \
	'src/probe/bad.c: opens a path outside sys/: open'
refuses 'only sys looks at paths' cmd/helper.c \
	'#include <sys/stat.h>\nint bad(struct stat *s) { return stat("x", s); }' \
	'opens a path outside sys/: stat'
refuses 'only sys reads links' bench/bad.c \
	'#include <unistd.h>\nint bad(char *b) { return (int)readlink("x", b, 1); }' \
	'opens a path outside sys/: readlink'

refuses 'numbers are parsed by base/parse' sys/bad.c \
	'#include <stdlib.h>\nlong bad(char *s) { return strtol(s, 0, 0); }' \
	'base/parse.h and base/strbuf.h have a safe one for strtol'
refuses 'a mutable variable at file scope is refused' sys/bad.c \
	'static int n;\nint bad(void) { return ++n; }' \
	'src/sys/bad.c: mutable at file scope: n'
refuses 'cmd may keep its options only' cmd/helper.c \
	'static int total;\nint bad(void) { return ++total; }' \
	'src/cmd/helper.c: mutable at file scope: total'

refuses 'a knob without a row is named' knobs/queue_lost.c \
	'#include "knobs/knob_list.h"\nconst struct knob knob_queue_lost = { "x" };' \
	'knobs/queue_lost.c: knob_queue_lost has no row in knobs/knob_list.h'
refuses 'a knobs file that holds no knob has a header' knobs/helper.c \
	'int helper(void) { return 0; }' 'knobs/helper.c: no knob in it'
refuses 'a command without a row is named' cmd/lost.c \
	'#include "cmd/command_list.h"\nconst struct command command_lost = { "x" };' \
	'cmd/lost.c: command_lost has no row in cmd/command_list.h'
put core/late.c 'int late(void) { return 0; }'
rm build/obj/core/late.o
refuses 'a source that was not built is not passed over' core/late.h \
	'/* nothing */' 'src/core/late.c: not built'

echo "1..$number"
exit $failed
