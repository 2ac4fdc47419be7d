# SPDX-License-Identifier: BSD-3-Clause
# Benchmarks print figures and judge nothing; figures worth keeping are ratios within one run, and
# counts of instructions.
.PHONY: bench bench-counts bench-table answers
BENCH   := $(BUILD)/tests/bench/bench
BENCH_O := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/bench/*.c))

bench: $(BENCH) ## speed beside llvm-mca, gain and cost of fast-forward, executed code
	@$(BOOTSTRAP) --check bench
	@$<

bench-counts: $(BENCH) ## instructions per simulated instruction (callgrind)
	@$(BOOTSTRAP) --check quality
	@tests/bench/counts.sh $<

bench-table: all ## time and memory of rooflines of very many kernels
	@PIPESIM=$(PROGRAM) tests/bench/table.sh

answers: all ## how long an answer takes: all kernels, GPUs and sizes; ten minutes
	@PIPESIM=$(PROGRAM) tests/bench/answers.pl

$(BENCH): $(BENCH_O) $(STATIC)
	$(call say,LINK)$(CC) $(all_ldflags) -o $@ $^ $(all_libs)

# make footprints: docs/evidence/footprints.md, what micro-benchmarks touch of memory.
.PHONY: footprints
footprints: $(BUILD)/tests/unit/footprint-page.t ## docs/evidence/footprints.md anew: what micro-benchmarks touch
	@PIPESIM_FOOTPRINTS=docs/evidence $< >/dev/null
