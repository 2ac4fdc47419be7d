# SPDX-License-Identifier: BSD-3-Clause
# Tools that look for what tests do not see. Builds of another kind go to a BUILD folder of their
# own, with their own program and library.
SANITIZE := -O1 -g1 -fno-omit-frame-pointer -fsanitize=address,undefined -fno-sanitize-recover=all

# GLib's slices would hide leaks and overruns from the checkers.
GLIB_PLAIN := G_SLICE=always-malloc G_DEBUG=gc-friendly

VALGRIND := valgrind --quiet --error-exitcode=99 --leak-check=full --suppressions=tests/valgrind.supp \
            --show-leak-kinds=definite,indirect --errors-for-leak-kinds=definite,indirect

.PHONY: quality-packages sanitize sanitize-build check-tsan clang valgrind valgrind-calls lint analyze cppcheck lint-c lint-format lint-style lint-data lint-shell
quality-packages:
	@$(BOOTSTRAP) --check quality

# Unit tests that are mostly compilers at work, and those that run here in `make nightly` alone. Each script says so in
# its head.
NOT_SANITIZED  := addresses bench-kernels code-compilers validate-nvcc
SLOW_SANITIZED := $(SLOW_UNITS) $(PLAIN_UNITS)
SANITIZE_STAGE ?= sanitize

# To compile with sanitizers takes longer than to run: what computes little is not optimized. Undefined behaviour is
# looked for in the library and the program, not in the tests.
sanitized = $(MAKE) --no-print-directory BUILD=build-asan CFLAGS='$(SANITIZE)' LIGHT_CFLAGS=-O0 TEST_CFLAGS=-fno-sanitize=undefined \
  UNITS='$(filter-out $(NOT_SANITIZED) $(SLOW_SANITIZED),$(basename $(notdir $(wildcard tests/unit/*.c))))'

# Ten callers of each allocation are kept. All thirty would take a sixth of the time of tests that allocate much. What is
# freed is kept until it is 32 MB: the usual 256 double a test's memory, and what the system takes for it. The
# leak checker guesses where libraries' thread-local memory lies, and reads garbage where it is wrong ("Tracer caught
# signal 11", in a program whose tests all passed). None of ours is there, so it does not look.
sanitize: ## quick unit tests and goldens with the address and undefined-behaviour sanitizers
	+$(GLIB_PLAIN) ASAN_OPTIONS=detect_leaks=1:malloc_context_size=10:quarantine_size_mb=32:intercept_tls_get_addr=0 UBSAN_OPTIONS=print_stacktrace=1 \
	  PIPESIM_CHECKER=sanitizers $(sanitized) STAGE='$(SANITIZE_STAGE)' check

sanitize-build: ## what `make sanitize` tests, which takes longer than the tests
	+$(sanitized) all unit

# What tells ThreadSanitizer of GLib's locks goes into the program and its library.
TSAN_GLIB  := build-tsan/tests/tsan/glib.o
TSAN_UNITS := $(patsubst %,build-tsan/tests/unit/%.t,ptx-together ptx-compiled library-threads)

check-tsan: ## what uses threads, with the thread sanitizer
	$(MAKE) --no-print-directory BUILD=build-tsan CFLAGS='-O1 -g -fsanitize=thread' $(TSAN_GLIB)
	$(MAKE) --no-print-directory BUILD=build-tsan CFLAGS='-O1 -g -fsanitize=thread' LDFLAGS='$(TSAN_GLIB)' build-tsan/pipesim
	$(MAKE) --no-print-directory BUILD=build-tsan CFLAGS='-O1 -g -fsanitize=thread' LDFLAGS='$(TSAN_GLIB)' $(TSAN_UNITS)
	tests/tsan/run.sh build-tsan/pipesim $(TSAN_UNITS)

clang: quality-packages ## build the program with clang, too (clang-tidy sees the tests)
	$(MAKE) --no-print-directory BUILD=build-clang CC=clang all

# Valgrind rounds vectors of numbers to nearest whatever the mode is, and does not see what code that PCRE makes has
# initialized.
NOT_IN_VALGRIND := ptx-alu-float sass-from-text

valgrind: all unit valgrind-calls ## unit tests and the main calls under valgrind (an hour)
	$(GLIB_PLAIN) PIPESIM_CHECKER=valgrind prove --merge $(PROVEFLAGS) --exec 'perl tests/alone.pl $(VALGRIND)' \
	  $(filter-out $(NOT_IN_VALGRIND:%=$(BUILD)/tests/unit/%.t),$(UNIT))

# The sanitizers see nearly all that valgrind sees, much faster; what only it sees is what is read before
# it was written.
valgrind-calls: all | quality-packages ## the main calls under valgrind
	$(GLIB_PLAIN) $(VALGRIND) $(PROGRAM) mmul08.idg --gpu pascal.xml
	$(GLIB_PLAIN) $(VALGRIND) $(PROGRAM) sweep fadd.idg --gpu fermi.xml --vary active=1..3 --jobs 2
	$(GLIB_PLAIN) $(VALGRIND) $(PROGRAM) show mmul08.idg --dot >/dev/null
	$(GLIB_PLAIN) $(VALGRIND) $(PROGRAM) build --registers none --output /dev/null \
	  $$(sed 's#@#@tests/corpus/#; s#^[a-z]#tests/corpus/&#' tests/corpus/transpose-tiled.launch)
	$(GLIB_PLAIN) $(VALGRIND) $(PROGRAM) saxpy.idg --gpu pascal.xml --groups 64 --explain --jobs 2

# ---- lint ----------------------------------------------------------------------------------------

SOURCE_DIRS := $(LIB_DIRS) driver latency-bench/profile $(CLI_DIRS) $(patsubst %/,%,$(wildcard tests/*/))
LINT_C  := $(foreach d,$(SOURCE_DIRS),$(wildcard $(d)/*.c))
LINT_H  := pipesim.h pipesim-private.h $(foreach d,$(SOURCE_DIRS),$(wildcard $(d)/*.h))
LINT_SH := bootstrap .ci/run latency-bench/campaign make/bundle/pipesim make/bundle/libraries $(wildcard tests/*.t tests/*.sh tests/corpus/*.sh tests/fuzz/*.sh tests/tsan/*.sh tests/chroot/*.sh tests/compiler/*.sh tests/compiler/ptxas tests/bench/*.sh tests/validate/*.sh docs/make/*.sh editors/*.sh) $(COMPLETION)

lint: lint-format lint-style lint-shell lint-data lint-c ## clang-tidy, clang-format, shellcheck, schemas

lint-format: | quality-packages
	@clang-format --dry-run -Werror $(LINT_C) $(LINT_H)

lint-style: ## one way of writing where clang-format has no opinion
	@make/style.pl $(LINT_C) $(LINT_H)

# SC2317: it does not see that tests' functions run through tap_ok.
lint-shell: $(COMPLETION) | quality-packages
	@shellcheck -x --exclude=SC2317 $(LINT_SH)

# Descriptions that extend a family are complete only together with it.
CARDS := $(shell grep -l ' extends="' gpus/*.xml)

lint-data: $(PROGRAM) $(foreach f,$(FORMATS),$(BUILD)/$f/$f.rng) | quality-packages
	@xmllint --nonet --noout --relaxng $(BUILD)/idg/idg.rng graphs/*.idg
	@xmllint --nonet --noout --relaxng $(BUILD)/gpu/gpu.rng $(filter-out $(CARDS),$(wildcard gpus/*.xml))
	@xmllint --nonet --noout gpus/families/*.xml
	@for card in $(CARDS); do $(PROGRAM) show $$card --xml | xmllint --nonet --noout --relaxng $(BUILD)/gpu/gpu.rng - || exit 1; done

# Checks of clang-tidy that take a third of its time, for what compilers warn of with WARNINGS, what no source has
# (assert, names beyond ASCII), or what has never happened (a FILE that is copied). `make analyze` has them.
SLOW_CHECKS := readability-redundant-declaration readability-misleading-indentation misc-misleading-identifier \
  misc-misleading-bidirectional misc-non-copyable-objects bugprone-assert-side-effect \
  bugprone-multiple-statement-macro bugprone-suspicious-semicolon
comma := ,
empty :=
without_slow = $(subst $(empty) $(empty),$(comma),$(SLOW_CHECKS:%=-%))

# $(call tidy,CHECKS,FILES)
tidy = printf '%s\n' $2 | \
  xargs -P "$$(nproc)" -n 8 sh -c 'clang-tidy --quiet --checks="$1" "$$@" -- $(tidy_flags)' clang-tidy

# In tests a compiler's warnings, long functions and divisions of whole numbers are looked for, in the rest nearly all.
lint-c: $(GENERATED_H) $(UNIT_LIST) | quality-packages
	@$(call tidy,-clang-analyzer-*$(comma)$(without_slow),$(filter-out tests/%,$(LINT_C)))
	@$(call tidy,-*$(comma)clang-diagnostic-*$(comma)readability-function-*$(comma)bugprone-integer-division,$(filter tests/%,$(LINT_C)))

# GLib's headers are a system's, and so its macros are its own. The compiler's warning is an error by clang-tidy's
# word, which heeds NOLINT.
tidy_flags = $(subst ','\'',$(all_cppflags:-I/%=-isystem/%) $(WARNINGS) -Wreserved-identifier -Wreserved-macro-identifier \
  -Wno-error=reserved-identifier -Wno-error=reserved-macro-identifier)

# Tests hand memory to threads and callbacks, which cppcheck takes for leaks, and call functions in
# GLib's test assertions, which unlike assert are never compiled out.
cppcheck: $(GENERATED_H) $(UNIT_LIST) | quality-packages ## cppcheck on all C files
	@cppcheck --quiet --std=c11 --library=gtk --enable=warning,performance,portability \
	  --inline-suppr --suppress='memleak:tests/*' --suppress='assertWithSideEffect:tests/*' \
	  --error-exitcode=1 -j2 -I. -I$(BUILD) $(LINT_C)

# The path analyzer takes longer than all other checks together. The sanitizers run the tests' paths in the gate; it is
# for those that no test takes.
analyze: $(GENERATED_H) $(UNIT_LIST) cppcheck | quality-packages ## cppcheck, all of clang-tidy, its path analyzer on the program
	@$(call tidy,-clang-analyzer-*,$(LINT_C))
	@printf '%s\n' $(filter-out tests/%,$(LINT_C)) | \
	  xargs -P "$$(nproc)" -I FILE clang-tidy --quiet --checks='-*,clang-analyzer-*' FILE -- $(all_cppflags) $(WARNINGS)
