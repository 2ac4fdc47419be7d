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

# The quick tests find most of what all find, in less than a minute: goldens, unit tests but for those that take longest,
# and the scripts that take least. They come first in `make check`, too.
SLOW_UNITS    := addresses bench-kernels code-compilers ptx-alu-wmma ptx-graph-trace
QUICK_SCRIPTS := golden compare forward golden-self json list roofline schema show timeline
QUICK_UNIT := $(filter-out $(SLOW_UNITS:%=$(BUILD)/tests/unit/%.t),$(UNIT))
QUICK      := $(QUICK_SCRIPTS:%=tests/%.t) $(QUICK_UNIT)
SLOW       := $(filter-out $(QUICK),$(UNIT) $(wildcard tests/*.t))

# Each test says how long it took; tests/slowest.pm lists the longest before the summary.
PROVE = PIPESIM_CACHE='$(abspath $(BUILD))/tests/kept' PIPESIM='$(OUT)/pipesim' BUILD='$(BUILD)' CC='$(CC)' CFLAGS='$(CFLAGS)' LDFLAGS='$(LDFLAGS)' \
  PERL5LIB=tests prove --timer --formatter slowest --exec 'perl tests/alone.pl' --merge $(PROVEFLAGS)

.PHONY: check quick test-packages
check: test-packages all unit ## all tests (PROVEFLAGS=-v shows each)
	@echo '$(words $(QUICK) $(SLOW)) programs and scripts test; they take some six minutes on two idle cores.'
	@$(PROVE) $(filter-out $(SKIPPED),$(QUICK) $(SLOW))

quick: test-packages all $(QUICK_UNIT) ## the tests that find most in a minute
	@$(PROVE) $(QUICK)

test-packages:
	@$(BOOTSTRAP) --check run test

$(BUILD)/tests/%.o: tests/%.c | $(GENERATED_H) test-packages
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(all_cflags) -c -o $@ $<

$(addprefix $(BUILD)/tests/unit/,devices.t devices-cuda.t devices-hip.t nvrtc.t cubins.t): | $(STAND_INS)

$(STAND_INS): %.so: %.o
	$(call say,LINK)$(CC) $(all_ldflags) -shared -o $@ $< $(all_libs)
.PRECIOUS: $(BUILD)/tests/%.o
