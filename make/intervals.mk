# SPDX-License-Identifier: BSD-3-Clause
# make intervals: are the intervals of estimates honest? Runs kernels exactly and estimated
# (tests/intervals/intervals.c, docs/evidence/intervals.md), with INTERVALS (what it is told).
.PHONY: intervals
INTERVALS   := random 20001 20700
INTERVALS_T := $(BUILD)/tests/intervals/intervals

intervals: $(INTERVALS_T) ## how often exact times lie in the intervals of estimates
	@$< $(INTERVALS)

# This program has a main of its own, so the one that calls unit programs is left out.
$(INTERVALS_T): $(INTERVALS_T).o $(filter-out %/unit-programs.o,$(TEST_HELP_O)) $(STATIC) | test-packages
	$(call say,LINK)$(CC) $(all_ldflags) -o $@ $^ $(all_libs)
