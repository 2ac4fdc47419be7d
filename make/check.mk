# SPDX-License-Identifier: BSD-3-Clause
# Tests in TAP, run by prove: every tests/unit/*.c is a program (make/unit.mk), every tests/*.t an executable
# script (tests/tap.sh). Scripts find the program under test through PIPESIM and how it was built through BUILD, CC
# and CFLAGS.
# A third beside two cores: some tests wait.
PROVEFLAGS ?= -j3

# Libraries that play the part of drivers; tests find them beside themselves.
STAND_INS := $(addprefix $(BUILD)/tests/stand-in/,cuda.so hip.so opencl.so)

# What says which packages are missing; nothing here installs any. BOOTSTRAP=true goes on without them.
BOOTSTRAP ?= ./bootstrap

# Each script says in its head where it runs: "# Runs: quick check sanitize" is in `make quick`, `make check` and
# `make sanitize`, "# Runs: nightly" in `make nightly` alone, and "# Runs: check nightly-sanitize" with the sanitizers there.
# The gate has what finds most for its time; docs/evidence/mutants.md counts who finds faults.
runs_in = $(shell grep -lE '^\# Runs:(.*) ($1)( |$$)' tests/*.t)

# Unit tests that take longest are in `make check` and `make nightly`, but neither in the gate nor in `make quick`.
SLOW_UNITS := addresses addresses-mmul advice-cost answer-strength answer-sweep answer-weigh bench-kernels bench-levels \
  code-compilers fit fit-unknown measure occupancy-amd opencl operations ptx-alu-wmma ptx-compiled-values ptx-graph-trace ptx-roll sass-image \
  validate-nvcc
# The gate has these; `make quick` does without, since each works for two seconds or more.
DEAR_UNITS := align answer-bound answer-variant ptx-border ptx-chance ptx-compiled ptx-compiled-ends ptx-run-hopper recording \
  what-if
# What holds figures of all descriptions, cards or kernels, or whole documents, takes the same lines again and again: in
# the gate it runs as users compile it, and with the sanitizers in `make nightly`.
PLAIN_UNITS := bench-bursts compare-json footprint-page gpu-classes gpu-find gpu-named intervals machine-graph
QUICK_UNIT := $(filter-out $(patsubst %,$(BUILD)/tests/unit/%.t,$(SLOW_UNITS) $(DEAR_UNITS) $(PLAIN_UNITS)),$(UNIT))
QUICK      := $(call runs_in,quick) $(QUICK_UNIT)

# What `make check` runs: the scripts of this stage, and unit tests; the quick ones first.
STAGE ?= check
TESTS  = $(filter $(UNIT) $(call runs_in,$(STAGE)),$(QUICK) $(filter-out $(QUICK),$(UNIT) $(wildcard tests/*.t)))
# How many times as many random cases as usual (tests/help/seeds.h).
SEEDS_TIMES ?= 1

# Each test says how long it took; tests/slowest.pm lists the longest before the summary.
PROVE = PIPESIM_CACHE='$(abspath $(BUILD))/tests/kept' PIPESIM='$(OUT)/pipesim' BUILD='$(BUILD)' CC='$(CC)' CFLAGS='$(CFLAGS)' LDFLAGS='$(LDFLAGS)' \
  PIPESIM_SEEDS_TIMES='$(SEEDS_TIMES)' \
  PERL5LIB=tests prove --timer --formatter slowest --exec 'perl tests/alone.pl' --merge $(PROVEFLAGS)

.PHONY: check check-plain quick nightly test-packages
check: test-packages all unit $(STAND_INS) ## all tests but for the nightly ones (PROVEFLAGS=-v shows each)
	@echo '$(words $(TESTS)) programs and scripts test; they take some minutes on two idle cores.'
	@$(PROVE) $(TESTS)

# The literal reference gets eight times as many random cases here as with the sanitizers.
check-plain: ## what the gate tests beside `make sanitize`: scripts, and unit tests that need no sanitizer
	+@$(MAKE) --no-print-directory UNITS='reference% $(PLAIN_UNITS)' check

quick: SEEDS_TIMES := 0.04
quick: test-packages all $(QUICK_UNIT) $(STAND_INS) ## the tests that find most in a minute
	@$(PROVE) $(QUICK)

# What the gate leaves out, and ten times as many random cases.
nightly: clang valgrind check-tsan check-fuzz analyze ## what is too slow for the gate; before a release, or an issue is closed (hours)
	@command -v chromium >/dev/null || echo 'NO BROWSER: nothing looks at pages (./bootstrap --only browser)'
	$(MAKE) --no-print-directory SEEDS_TIMES=10 SANITIZE_STAGE='sanitize|nightly-sanitize' SLOW_SANITIZED= sanitize
	$(MAKE) --no-print-directory SEEDS_TIMES=10 STAGE='check|nightly' check

test-packages:
	@$(BOOTSTRAP) --check run test

$(BUILD)/tests/%.o: tests/%.c | $(GENERATED_H) test-packages
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(all_cflags) $(more_cflags) -c -o $@ $<

$(addprefix $(BUILD)/tests/unit/,devices.t devices-cuda.t devices-hip.t nvrtc.t cubins.t): | $(STAND_INS)

$(STAND_INS): %.so: %.o
	$(call say,LINK)$(CC) $(all_ldflags) -shared -o $@ $< $(all_libs)
.PRECIOUS: $(BUILD)/tests/%.o
