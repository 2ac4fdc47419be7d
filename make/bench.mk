# SPDX-License-Identifier: BSD-3-Clause
# Benchmarks print figures and judge nothing; figures worth keeping are ratios within one run.
.PHONY: bench
bench: $(BUILD)/tests/bench/speed
	$<

$(BUILD)/tests/bench/speed: $(BUILD)/tests/bench/speed.o $(BUILD)/libpipesim.a
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(all_libs)
