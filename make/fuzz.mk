# SPDX-License-Identifier: BSD-3-Clause
# make check-fuzz: each tests/fuzz/NAME.c, a LLVMFuzzerTestOneInput, is built with the library and what the
# program is of by clang with libFuzzer and sanitizers, and runs FUZZ_SECONDS. Beside it may stand NAME.dict,
# words for the fuzzer, and for inputs to begin with NAME.seeds, a list of patterns of files, and NAME.sh,
# which makes some with the program. The folder of new inputs, build-fuzz/NAME, is kept, so that later runs
# go on from there; findings are in build-fuzz/found.
FUZZ_SECONDS ?= 60
FUZZ_CC      ?= clang
FUZZ_BUILD   := build-fuzz
FUZZ_FLAGS   := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
                -fno-sanitize-recover=undefined
FUZZ_C       := $(wildcard tests/fuzz/*.c)
FUZZ         := $(FUZZ_C:%.c=$(BUILD)/%.fuzz)

.PHONY: check-fuzz fuzz
check-fuzz: test-packages $(PROGRAM) ## fuzz the readers and the engine (FUZZ_SECONDS=60 for each)
	@tests/fuzz/run.sh '$(FUZZ_CC)' '$(FUZZ_SECONDS)' '$(FUZZ_BUILD)' '$(PROGRAM)' \
	  $(MAKE) --no-print-directory BUILD=$(FUZZ_BUILD) CC='$(FUZZ_CC)' \
	  CFLAGS='$(FUZZ_FLAGS) -fsanitize=fuzzer-no-link' fuzz

fuzz: $(FUZZ)

# Each takes of the program's objects what it calls.
$(BUILD)/fuzz-cli.a: $(filter-out %/main.o,$(CLI_O))
	$(call say,AR)rm -f $@ && $(AR) rcs $@ $^

$(BUILD)/tests/fuzz/%.fuzz: $(BUILD)/tests/fuzz/%.o $(BUILD)/fuzz-cli.a $(STATIC)
	$(call say,LINK)$(CC) $(all_ldflags) -fsanitize=fuzzer -o $@ $^ $(all_libs)
