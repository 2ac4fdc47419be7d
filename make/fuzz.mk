# SPDX-License-Identifier: BSD-3-Clause
# make check-fuzz: each tests/fuzz/NAME.c, a LLVMFuzzerTestOneInput, is built with the library by
# clang with libFuzzer and sanitizers, and runs FUZZ_SECONDS. Beside it may stand NAME.dict, words for
# the fuzzer, and NAME.seeds, a list of patterns of files to begin with. The folder of new inputs,
# build-fuzz/NAME, is kept, so that later runs go on from there; findings are in build-fuzz/found.
FUZZ_SECONDS ?= 60
FUZZ_CC      ?= clang
FUZZ_BUILD   := build-fuzz
FUZZ_FLAGS   := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
                -fno-sanitize-recover=undefined
FUZZ_C       := $(wildcard tests/fuzz/*.c)
FUZZ         := $(FUZZ_C:%.c=$(BUILD)/%.fuzz)

.PHONY: check-fuzz fuzz
check-fuzz: test-packages ## fuzz the readers (FUZZ_SECONDS=60 for each)
	@tests/fuzz/run.sh '$(FUZZ_CC)' '$(FUZZ_SECONDS)' '$(FUZZ_BUILD)' \
	  $(MAKE) --no-print-directory BUILD=$(FUZZ_BUILD) CC='$(FUZZ_CC)' \
	  CFLAGS='$(FUZZ_FLAGS) -fsanitize=fuzzer-no-link' fuzz

fuzz: $(FUZZ)

$(BUILD)/tests/fuzz/%.fuzz: $(BUILD)/tests/fuzz/%.o $(STATIC)
	$(call say,LINK)$(CC) $(all_ldflags) -fsanitize=fuzzer -o $@ $^ $(all_libs)
