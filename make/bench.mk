# SPDX-License-Identifier: BSD-3-Clause
# Benchmarks print figures and judge nothing; figures worth keeping are ratios within one run.
.PHONY: bench
bench: $(BUILD)/tests/bench/speed ## speed of the engine beside llvm-mca, in one run
	@$(BOOTSTRAP) --only bench
	@$<

$(BUILD)/tests/bench/speed: $(BUILD)/tests/bench/speed.o $(STATIC)
	$(call say,LINK)$(CC) $(all_ldflags) -o $@ $^ $(all_libs)
