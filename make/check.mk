# SPDX-License-Identifier: BSD-3-Clause
# Tests in TAP, run by prove: every tests/unit/*.c is a program against the static library, every
# tests/*.t an executable script (tests/tap.sh). Scripts find the program under test through PIPESIM
# and how it was built through BUILD, CC and CFLAGS.
UNIT := $(patsubst %.c,$(BUILD)/%.t,$(wildcard tests/unit/*.c))
TEST_HELP_O := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/help/*.c))
# What unit tests are linked with: the static library, whose every function they reach.
UNIT_LIB ?= $(STATIC)
PROVEFLAGS ?= -j2

# Libraries that play the part of drivers; tests find them beside themselves.
STAND_INS := $(addprefix $(BUILD)/tests/stand-in/,cuda.so hip.so opencl.so)

# What says which packages are missing; nothing here installs any. BOOTSTRAP=true goes on without them.
BOOTSTRAP ?= ./bootstrap

.PHONY: check unit test-packages
check: test-packages all unit ## all tests (PROVEFLAGS=-v shows each)
	@PIPESIM='$(OUT)/pipesim' BUILD='$(BUILD)' CC='$(CC)' CFLAGS='$(CFLAGS)' LDFLAGS='$(LDFLAGS)' \
	  prove --exec '' --merge $(PROVEFLAGS) $(UNIT) $(filter-out $(SKIPPED),$(wildcard tests/*.t))

unit: $(UNIT) ## build the unit tests without running them

test-packages:
	@$(BOOTSTRAP) --check run test

$(BUILD)/tests/%.o: tests/%.c | $(GENERATED_H) test-packages
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(all_cflags) -c -o $@ $<

$(BUILD)/tests/unit/%.t: $(BUILD)/tests/unit/%.o $(TEST_HELP_O) $(UNIT_LIB) | test-packages
	$(call say,LINK)$(CC) $(all_ldflags) -o $@ $^ $(all_libs)

$(addprefix $(BUILD)/tests/unit/,devices.t devices-cuda.t devices-hip.t nvrtc.t cubins.t): | $(STAND_INS)

$(STAND_INS): %.so: %.o
	$(call say,LINK)$(CC) $(all_ldflags) -shared -o $@ $< $(all_libs)
.PRECIOUS: $(BUILD)/tests/%.o
