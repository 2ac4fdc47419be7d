# SPDX-License-Identifier: BSD-3-Clause
# One program holds all unit tests. The main of tests/unit/NAME.c is compiled as main_of_NAME, with _ for -, and
# tests/help/unit-programs.c calls the one that is named as the program was started. Each $(BUILD)/tests/unit/NAME.t is
# a link to the program: each test stays a process of its own, and an edit costs one link.
# UNITS='reference% sim' makes and runs these alone.
UNITS  ?= %
UNIT_C := $(filter $(UNITS:%=tests/unit/%.c),$(wildcard tests/unit/*.c))
UNIT_O := $(UNIT_C:%.c=$(BUILD)/%.o)
UNIT   := $(UNIT_C:%.c=$(BUILD)/%.t)
UNIT_PROGRAM := $(BUILD)/tests/unit/programs
UNIT_LIST    := $(BUILD)/tests/help/unit-programs.h
TEST_HELP_O  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard tests/help/*.c))
# The literal reference computes much, what else tests share does not.
$(filter-out $(BUILD)/tests/help/reference%,$(TEST_HELP_O)): more_cflags = $(LIGHT_CFLAGS) $(TEST_CFLAGS)
# What the program is linked with: the static library, whose every function the tests reach.
UNIT_LIB ?= $(STATIC)

.PHONY: unit
unit: $(UNIT) ## build the unit tests without running them

# $(call main_of,FILE...): the names that their functions main get.
main_of = $(addprefix main_of_,$(subst -,_,$(basename $(notdir $1))))

# This file has these objects' flags. The name comes with its declaration, which main does without, in a file: no
# precompiled header goes with a main that the command line defines. To optimize tests like the library would take longer
# than it saves.
$(UNIT_O): $(BUILD)/%.o: %.c make/unit.mk | $(GENERATED_H) test-packages
	@mkdir -p $(@D)
	@echo '#define main(...) $(call main_of,$<)(__VA_ARGS__); int $(call main_of,$<)(__VA_ARGS__)' > $(@:.o=.main.h)
	$(call say,CC)$(CC) $(all_cflags:-O2=-O1) $(LIGHT_CFLAGS) $(TEST_CFLAGS) -include $(@:.o=.main.h) -c -o $@ $<

# The list stays as old as it is until a test comes or goes, or UNITS is another.
$(UNIT_LIST): FORCE
	@mkdir -p $(@D)
	@printf 'UNIT_PROGRAM("%s", %s)\n' $(foreach c,$(UNIT_C),$(basename $(notdir $c)) $(call main_of,$c)) > $@.new
	@cmp -s $@.new $@ && rm $@.new || mv $@.new $@
FORCE:

$(BUILD)/tests/help/unit-programs.o: $(UNIT_LIST)

$(UNIT_PROGRAM): $(UNIT_O) $(TEST_HELP_O) $(UNIT_LIB)
	$(call say,LINK)$(CC) $(all_ldflags) -o $@ $^ $(all_libs)

$(UNIT): $(UNIT_PROGRAM)
	@ln -sfn $(<F) $@
