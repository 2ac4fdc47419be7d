# SPDX-License-Identifier: BSD-3-Clause
# make mutants: how many small faults the tests find (tests/mutants/run.pl), with MUTANTS (how many), SEED (which),
# MUTANTS_BUDGET (seconds of tests for each), MUTANTS_LONGEST (of one test), MUTANTS_WITHOUT (folders that are
# left out) and MUTANT_DIRS (folders, all rooms if it is not given; cli=30 draws no more than 30 of that one).
# MUTANTS_NEAR=1 takes the tests that are near by their names, for which nothing needs to be measured. An interrupted
# run goes on where it was. Not in the gate.
MUTANT_DIRS    := $(sort $(foreach dir,$(LIB_DIRS) cli driver,$(firstword $(subst /, ,$(dir)))))
MUTANT_SCRIPTS := $(filter-out tests/golden.t,$(call runs_in,check))
MUTANTS ?= 300
SEED    ?= 1
MUTANTS_BUDGET  ?= 60
MUTANTS_LONGEST ?= 10

.PHONY: mutants compiler
mutants: test-packages ## small faults in the code, and docs/evidence/mutants.md: which of them tests find (hours)
	@tests/mutants/run.pl $(if $(MUTANTS_NEAR),--near) --count $(MUTANTS) --seed $(SEED) --budget $(MUTANTS_BUDGET) --longest $(MUTANTS_LONGEST) \
	  $(addprefix --folder ,$(MUTANT_DIRS)) $(addprefix --without ,$(MUTANTS_WITHOUT)) $(MUTANT_SCRIPTS)
	@perl tests/mutants/page.pl $(if $(MUTANTS_NEAR),--near) --seed $(SEED) --longest $(MUTANTS_LONGEST) --scripts $(words $(MUTANT_SCRIPTS)) \
	  $(addprefix --folder ,$(MUTANT_DIRS)) $(addprefix --without ,$(MUTANTS_WITHOUT)) $(QUICK) > docs/evidence/mutants.md

# The command that compiles, for who makes single objects.
compiler:
	@:$(info $(CC) $(all_cflags))
