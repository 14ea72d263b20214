#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
#
# What docs/contributing.md says of adding things: in a copy of the sources a
# knob is one file and one row, an advice a function and a row, a command one
# file and one row.  The rest comes from the tables: profiles, explain, the
# manual, plan, apply, verify, rollback, JSON, and the contract of test_knobs.
. tests/cli/apply-lib.sh
command -v make >/dev/null || skip "no make"
build=$(dirname "$NVMETUNE")
[ -e "$build/flags" ] || skip "$NVMETUNE is not in a build folder"

tree=$TMPDIR/tree
before=$TMPDIR/before
mkdir "$tree"
cp -a Makefile src tests profiles docs "$tree"
cp -a "$tree" "$before"

# changed LINE...: what differs since this was last asked, no more, no less.
changed() {
	diff -rq "$before" "$tree" | sed -e "s|$before/||" -e "s|$tree/||" \
		-e "s|$tree||" | sort >"$TMPDIR/changed"
	printf '%s\n' "$@" | sort | diff - "$TMPDIR/changed" ||
		fail "more or less than that was to be changed"
	rm -rf "$before"
	cp -a "$tree" "$before"
}

cat >"$tree/src/knobs/queue_toy.c" <<'C'
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "knobs/knob_list.h"

const struct knob knob_queue_toy = {
	.name = "queue.toy",
	.scope = SCOPE_QUEUE,
	.place = PLACE_MQ,
	.type = VALUE_UINT,
	.attr = "queue/toy",
	.min = 0,
	.max = 7,
	.kept = KEPT_BY_DISK_RULE,
	.evidence = EVIDENCE_NONE,
	.doc = {
		.summary = "how many toys a queue holds",
		.effect = "More toys make the drive happy.",
		.cost = "Somebody has to tidy up.",
		.source = "toy-box.rst, section 7",
	},
};
C
sed -i 's/^\tK(queue_iostats) .*/&\n\tK(queue_toy) \\/' \
	"$tree/src/knobs/knob_list.h"
changed "Only in src/knobs: queue_toy.c" \
	"Files src/knobs/knob_list.h and src/knobs/knob_list.h differ"

cat >"$TMPDIR/function" <<'C'
static void toys(const struct advisor *advisor)
{
	advise(advisor, "host", "the toys are on the floor");
}

C
cat >"$TMPDIR/row" <<'C'
	{ .doc = { .id = "toy.floor",
		   .severity = "info",
		   .confidence = "certain",
		   .summary = "toys on the floor",
		   .evidence = "Somebody stepped on one.",
		   .remedy = "Tidy up.",
		   .source = "toy-box.rst, section 8" },
	  .check_host = toys },
C
start=$(grep -n '^static const struct advice_row rows' \
	"$tree/src/core/advice_host.c") || fail "advice_host.c has no rows"
sed -i -e "$((${start%%:*} - 1))r $TMPDIR/function" \
	-e "${start%%:*}r $TMPDIR/row" "$tree/src/core/advice_host.c"
changed "Files src/core/advice_host.c and src/core/advice_host.c differ"

cat >"$tree/src/cmd/toy.c" <<'C'
/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cmd/command_list.h"
#include "cmd/context.h"

static int toy(struct context *ctx, int argc, char **argv, struct err *err)
{
	struct strbuf out;

	(void)argv;
	if (argc)
		return command_usage(&command_toy, err, "it takes no drive");
	strbuf_init(&out, ctx->arena);
	strbuf_puts(&out, ctx->options.all ? "all toys\n" : "a toy\n");
	out_write(&out);
	return EXIT_DONE;
}

static const struct opt opts[] = {
	{ .name = "all", OPT_TO(FLAG, all), .help = "every toy there is" },
	OPT_END,
};

const struct command command_toy = {
	.name = "toy",
	.summary = "show a toy",
	.opts = opts,
	.run = toy,
};
C
sed -i 's/^\tC(status) .*/&\n\tC(toy) \\/' "$tree/src/cmd/command_list.h"
changed "Only in src/cmd: toy.c" \
	"Files src/cmd/command_list.h and src/cmd/command_list.h differ"

# Compiled as the program under test was, so that most objects are still good.
rm -rf "$before"
mkdir "$tree/build"
cp -a "$build/obj" "$build/flags" "$tree/build"
[ ! -d "$build/tests" ] || cp -a "$build/tests" "$tree/build"
contract=build/tests/unit/test_knobs
(cd "$tree" && make -j"$(nproc)" CC="$(sed 's/ -std=c11 .*//' build/flags)" \
	WERROR=1 all $contract) >"$TMPDIR/log" 2>&1 ||
	fail "make: $(tail -n 20 "$TMPDIR/log")"
(cd "$tree" && $contract) >"$TMPDIR/log" 2>&1 ||
	fail "the contract: $(cat "$TMPDIR/log")"
NVMETUNE=$tree/build/nvmetune

# Words: explain, help, the manual.
nvmetune explain queue.toy
expect 0; silent
says "queue.toy: how many toys a queue holds"; says "0..7, keep"
says "More toys make the drive happy."; says "Somebody has to tidy up."
says "toy-box.rst, section 7"; says "each disk"; says "a udev rule"
nvmetune explain queue.toi; expect 1; tells "did you mean queue.toy?"
nvmetune explain --format json
expect 0; json '[.topics[] | select(.name == "queue.toy") | .kind] == ["knob"]'
json '[.topics[] | select(.name == "toy.floor") | .kind] == ["advice"]'
nvmetune explain toy.floor; expect 0; says "Somebody stepped on one."
grep -qxF '.SS "queue.toy"' "$tree/build/man/nvmetune-knobs.5" ||
	fail "no page of the knob"
grep -qxF 'toy\-box.rst, section 8' "$tree/build/man/nvmetune-advice.7" ||
	fail "no page of the advice"
grep -qxF '.SS "toy [OPTION...]"' "$tree/build/man/nvmetune.8" || fail "no page of toy"
nvmetune help; expect 0; says "  toy       show a toy"
nvmetune toy --help; expect 0; says "--all       every toy there is"
nvmetune toy --all; expect 0; says "all toys"
nvmetune toy nvme0; expect 2; tells "it takes no drive"

# A profile with it.
profile=$TMPDIR/toy.ini
printf '[drives]\nqueue.toy = 9\n' >"$profile"
nvmetune profile check "$profile"
expect 1; tells 'queue.toy: "9" is out of range: legal is 0..7 or keep'
printf '[drives]\nqueue.toy = 5\n' >"$profile"
nvmetune profile check "$profile"
expect 0

# A host that has it on one of its drives.
dir=$TMPDIR/host
host "$dir"
printf 2 >"$dir/sys/class/block/nvme0n1/queue/toy"
fingerprint "$dir" >"$TMPDIR/fingerprint"
nvmetune capture --sysroot "$dir" -o "$TMPDIR/host.json"
expect 0
for from in "--sysroot $dir" "--facts $TMPDIR/host.json"; do
	# shellcheck disable=SC2086 # an option and its value
	nvmetune plan $from --profile "$profile" --format json
	expect 0
	json '[.changes[] | select(.key == "queue.toy")] | length == 2'
	json '.changes[] | select(.id == "queue.toy@nvme0n1") |
		.verdict == "change" and .have == 2 and .want == 5'
	json '.changes[] | select(.id == "queue.toy@nvme1n1") |
		.verdict == "cannot"'
	json '[.advice[].id] | index("toy.floor") != null'
done
nvmetune plan --sysroot "$dir" --profile "$profile"
expect 0; says "change    queue.toy on nvme0n1"
says "the toys are on the floor"

nvmetune apply --sysroot "$dir" --profile "$profile"
expect 0; tells 'nvme0n1: queue.toy: "2" -> "5"'
[ "$(<"$dir/sys/class/block/nvme0n1/queue/toy")" = 5 ] || fail "not written"
grep -qF 'ATTR{queue/toy}="5"' "$dir/etc/udev/rules.d/90-nvmetune.rules" ||
	fail "not in the rules"
nvmetune verify --sysroot "$dir"; expect 0
printf 3 >"$dir/sys/class/block/nvme0n1/queue/toy"
nvmetune verify --sysroot "$dir"; expect 3; says "queue.toy@nvme0n1"
printf 5 >"$dir/sys/class/block/nvme0n1/queue/toy"
nvmetune rollback --sysroot "$dir"; expect 0
same_host "$dir" "$TMPDIR/fingerprint"
