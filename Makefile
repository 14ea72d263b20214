# SPDX-License-Identifier: GPL-2.0-or-later
#
#	make			build/nvmetune
#	make demo		see it work in a guest with two NVMe drives
#	make check		every test that needs no guest
#	make check-vm		the tests on real kernels, in guests
#	make check-crash	break apply at every call, and count
#	make bench-self		what nvmetune itself costs, in instructions
#	make deps		install, or name, all that these need
#	make install		DESTDIR and prefix are honoured
#	make docs		the manual pages, in build/man; looks for dead links
#	make format clean
#
# V=1 shows the commands, WERROR=1 turns warnings into errors.  A variant is
# another build folder: make BUILD=build/clang CC=clang.

ifeq ($(origin CC),default)
CC := gcc
endif
CFLAGS ?= -O2 -g
PKG_CONFIG ?= pkg-config
CLANG_FORMAT ?= clang-format
INSTALL ?= install

BUILD ?= build
VERSION ?= 0.1

prefix ?= /usr
sysconfdir ?= /etc
bindir ?= $(prefix)/bin
datadir ?= $(prefix)/share
mandir ?= $(datadir)/man
udevrulesdir ?= $(prefix)/lib/udev/rules.d
systemunitdir ?= $(prefix)/lib/systemd/system
profiledir = $(datadir)/nvmetune/profiles

WARNINGS = -Wall -Wextra -Wpedantic -Wshadow -Wvla -Wundef -Wformat=2 \
	-Wwrite-strings -Wmissing-prototypes -Wstrict-prototypes \
	-Wold-style-definition -Wswitch-enum -Wmissing-noreturn
# Only clang names a knob without its row, and takes "(void)" for an answer
# where a result is ignored.
WARNINGS += $(if $(findstring clang,$(CC)),\
	-Wmissing-variable-declarations,-Wno-unused-result)

# Some compilers come with a _FORTIFY_SOURCE of their own: take it out first.
HARDENING ?= -U_FORTIFY_SOURCE -D_FORTIFY_SOURCE=2 -fstack-protector-strong
HARDENING_LD ?= -Wl,-z,relro,-z,now

LIBS := libnvme libudev libkmod json-c liburing libmd numa inih

# Goals that need no library; all others ask for them before compiling.
PLAIN := check check-vm check-crash demo bench-self deps format clean uninstall
ifneq ($(filter-out $(PLAIN),$(or $(MAKECMDGOALS),all)),)
  TEST_LIBS := $(if $(filter tests,$(MAKECMDGOALS)),cmocka)
  ifneq ($(shell $(PKG_CONFIG) --exists $(LIBS) $(TEST_LIBS) \
    2>/dev/null && echo y),y)
    $(error missing: $(strip $(shell command -v $(PKG_CONFIG) >/dev/null || \
	echo $(PKG_CONFIG)) $(foreach l,$(LIBS) $(TEST_LIBS),$(shell \
	$(PKG_CONFIG) --exists $(l) 2>/dev/null || echo $(l)))); \
	"make deps" installs or names the packages)
  endif
  # -isystem: what a library's own headers would warn about is not our code.
  LIB_CFLAGS := $(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags $(LIBS)))
  LIB_LDLIBS := $(shell $(PKG_CONFIG) --libs $(LIBS)) -lm
endif

SRCS := $(wildcard src/*/*.c) src/main.c
OBJS := $(SRCS:src/%.c=$(BUILD)/obj/%.o)
MAIN := $(BUILD)/obj/main.o
LIB := $(BUILD)/libnvmetune.a
PAGES := $(patsubst docs/man/%.in,$(BUILD)/man/%,$(wildcard docs/man/*.in))

# A test is one executable.  Other files of its folder are linked into it, and
# of those that lie right below tests/ what it calls.
TEST_SRCS := $(wildcard tests/*/test_*.c)
TESTS := $(TEST_SRCS:%.c=$(BUILD)/%)
folder_of = $(patsubst $(BUILD)/%/,%,$(dir $(1)))
helpers = $(patsubst %.c,$(BUILD)/%.o,$(filter-out \
	$(1)/test_%.c,$(wildcard $(1)/*.c)))
TEST_LIB := $(BUILD)/tests/common.a
COMMON := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/*.c))
TEST_OBJS := $(TESTS:=.o) $(COMMON) $(foreach d,$(sort \
	$(call folder_of,$(TESTS))),$(call helpers,$(d)))

# What runs only in guests: a program for each source.
GUEST := $(patsubst %.c,$(BUILD)/%,$(wildcard tests/vm/*.c))

DEFINES = -D_GNU_SOURCE -DNVMETUNE_VERSION=\"$(VERSION)\" \
	-DPROFILE_DIR=\"$(profiledir)\" -DSYSCONF_DIR=\"$(sysconfdir)\"
COMPILE = $(CC) -std=c11 $(WARNINGS) $(HARDENING) -fPIE $(DEFINES) -Isrc \
	$(LIB_CFLAGS) $(CPPFLAGS) $(CFLAGS)
# --as-needed: a program loads only the libraries that it calls.
LINK = $(CC) $(CFLAGS) -pie $(HARDENING_LD) -Wl,--as-needed $(LDFLAGS)
STRICT = $(if $(WERROR),-Werror)

Q := $(if $(V),,@)
say = $(if $(V),,@printf '  %-7s %s\n' $(1) $@)

.SUFFIXES:
.DELETE_ON_ERROR:
.SECONDEXPANSION:
.PHONY: all objs tests guest check check-vm check-crash demo bench-self deps docs format \
	install uninstall clean FORCE

all: $(BUILD)/nvmetune $(PAGES)
objs: $(OBJS)
tests: $(TESTS) $(GUEST)
guest: $(BUILD)/nvmetune $(GUEST)

$(BUILD)/nvmetune: $(MAIN) $(LIB)
	$(call say,LINK)
	$(Q)$(LINK) -o $@ $^ $(LIB_LDLIBS) $(LDLIBS)

# The tables of a page are the program's own, which prints them.
$(PAGES): $(BUILD)/man/%: docs/man/%.in docs/man/make-page $(BUILD)/nvmetune
	$(call say,MAN)
	$(Q)mkdir -p $(@D)
	$(Q)docs/man/make-page $(BUILD)/nvmetune '$(VERSION)' $< >$@

# Made anew each time, so that a removed file leaves no member behind; q and
# not r, since two folders may each have a plan.o.
$(LIB): $(filter-out $(MAIN),$(OBJS)) $(BUILD)/sources
	$(call say,AR)
	$(Q)rm -f $@ && $(AR) qcs $@ $(filter %.o,$^)

$(TEST_LIB): $(COMMON) $(BUILD)/sources
	$(Q)mkdir -p $(@D)
	$(Q)rm -f $@ && $(AR) qcs $@ $(filter %.o,$^)

# PRELUDE is the analyzer's: it redefines what base/err.c defines.
$(filter-out %/base/err.o,$(OBJS)): STRICT += $(PRELUDE)
$(BUILD)/obj/%.o: src/%.c $(BUILD)/flags
	$(call say,CC)
	$(Q)mkdir -p $(@D)
	$(Q)$(COMPILE) $(STRICT) -MMD -MP -c -o $@ $<

$(BUILD)/tests/%.o: tests/%.c $(BUILD)/flags
	$(call say,CC)
	$(Q)mkdir -p $(@D)
	$(Q)$(COMPILE) $(STRICT) -Itests -MMD -MP -c -o $@ $<

# -rdynamic: a test that defines ioctl() stands in for the kernel below a
# library only if the library can see the symbol.
$(TESTS): %: %.o $$(call helpers,$$(call folder_of,$$@)) $(TEST_LIB) $(LIB)
	$(call say,LINK)
	$(Q)$(LINK) -rdynamic -o $@ $^ $(shell $(PKG_CONFIG) --libs cmocka) \
		$(LIB_LDLIBS) $(LDLIBS)

$(GUEST): %: %.o $(LIB)
	$(call say,LINK)
	$(Q)$(LINK) -o $@ $^ $(LIB_LDLIBS) $(LDLIBS)

# Changed flags rebuild everything, a changed list of files the archive.
# -Werror is not among the flags: the check has variants that never ran
# without it, and going to and fro must not cost a full build.
$(BUILD)/flags: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(COMPILE)' | cmp -s - $@ || \
		printf '%s\n' '$(COMPILE)' > $@
$(BUILD)/sources: FORCE
	@mkdir -p $(@D)
	@printf '%s\n' '$(SRCS) $(COMMON)' | cmp -s - $@ || \
		printf '%s\n' '$(SRCS) $(COMMON)' > $@

# One job a CPU, where the caller's -j says nothing else.
PARALLEL = $(if $(filter -j% --jobserver%,$(MAKEFLAGS)),,-j$(shell nproc))

# These prepare the machine first, and only then start the make that looks
# for libraries: on a fresh machine each is the only command.
check:
	@tests/tools/deps.sh build check
	@MAKE='$(MAKE)' tests/tools/check.sh
check-vm:
	@tests/tools/deps.sh build vm
	+@$(MAKE) $(PARALLEL) --no-print-directory all guest
	@tests/vm/run
check-crash:
	@tests/tools/deps.sh build check
	+@$(MAKE) $(PARALLEL) --no-print-directory all
	@tests/tools/check-crash.sh
demo:
	@tests/tools/deps.sh build vm
	+@$(MAKE) $(PARALLEL) --no-print-directory all
	@tests/vm/demo
bench-self:
	@tests/tools/deps.sh build bench
	+@$(MAKE) $(PARALLEL) --no-print-directory all
	@tests/tools/bench-self.sh $(BUILD)
deps:
	@tests/tools/deps.sh build check vm bench

docs: $(PAGES)
	@tests/tools/check-links.sh README.md docs

format:
	$(Q)$(CLANG_FORMAT) -i $(wildcard src/*.c src/*/*.[ch] \
		tests/*.[ch] tests/*/*.[ch] tests/*/*/*.[ch])

put = $(if $(2),$(INSTALL) -d $(DESTDIR)$(3) && \
	$(INSTALL) -m $(1) $(2) $(DESTDIR)$(3))
RULES := $(wildcard udev/*.rules)
UNITS := $(wildcard systemd/*.service systemd/*.timer)
# They name the program by the path that it is installed to.
PLACED = $(addprefix $(BUILD)/placed/,$(1))
pages = $(filter %.$(1),$(PAGES))

install: all $(call PLACED,$(RULES) $(UNITS))
	$(Q)$(call put,755,$(BUILD)/nvmetune,$(bindir))
	$(Q)$(call put,644,$(wildcard profiles/*.ini),$(profiledir))
	$(Q)$(call put,644,$(call PLACED,$(RULES)),$(udevrulesdir))
	$(Q)$(call put,644,$(call PLACED,$(UNITS)),$(systemunitdir))
	$(Q)$(call put,644,$(call pages,5),$(mandir)/man5)
	$(Q)$(call put,644,$(call pages,7),$(mandir)/man7)
	$(Q)$(call put,644,$(call pages,8),$(mandir)/man8)

$(BUILD)/placed/%: % FORCE
	$(Q)mkdir -p $(@D)
	$(Q)sed 's,/usr/bin/nvmetune,$(bindir)/nvmetune,' $< >$@

# What apply wrote on this host is not the package's: "nvmetune rollback --all"
# takes that back, before this.
uninstall:
	$(Q)cd $(DESTDIR)/ && rm -rf .$(bindir)/nvmetune .$(datadir)/nvmetune \
		$(addprefix .$(udevrulesdir)/,$(notdir $(RULES))) \
		$(addprefix .$(systemunitdir)/,$(notdir $(UNITS))) \
		$(foreach s,5 7 8,$(addprefix .$(mandir)/man$(s)/,\
			$(notdir $(call pages,$(s)))))

clean:
	$(Q)rm -rf $(BUILD)

-include $(OBJS:.o=.d) $(TEST_OBJS:.o=.d) $(GUEST:=.d)
