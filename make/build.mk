# SPDX-License-Identifier: BSD-3-Clause
# The library from the folders of LIB_DIRS, the program from those of CLI_DIRS. Generated C (grammars, schemas
# as strings) goes to $(BUILD), never into the source folders.
LIB_DIRS := base draw idg ptx $(addprefix ptx/,code step alu native run) sass lift $(addprefix lift/,memory loops groups values rules emit) gpu launch code sim/engine sim/listen roofline roofline/import roofline/draw latency-bench $(addprefix latency-bench/,code device plan fit raw describe schedule validate) answer tell tell/page tell/bench sweep advice gate card check serve profile
LIB_C    := $(foreach d,$(LIB_DIRS),$(wildcard $(d)/*.c))
LEX      := $(wildcard idg/*.l ptx/*.l)
YACC     := $(wildcard idg/*.y ptx/*.y)
FORMATS  := gpu idg
# Pieces of the micro-benchmarks' kernels, which devices compile when they run.
PIECES   := $(wildcard latency-bench/kernels/*.h latency-bench/validation/*.h)
# Graphs of the kernels that validate a description, which a device that simulates needs, too.
VALIDATION_GRAPHS := $(addprefix graphs/,$(addsuffix .idg,mmul08 mmul16 mmul08-conflict mmul16-conflict memory \
  volkov saxpy transpose transpose-conflict reduction stencil))

GENERATED_C := $(LEX:%.l=$(BUILD)/%.lex.c) $(YACC:%.y=$(BUILD)/%.tab.c) \
               $(PIECES:%.h=$(BUILD)/%.text.c) $(VALIDATION_GRAPHS:%.idg=$(BUILD)/embedded/%.graph.c) \
               $(foreach f,$(FORMATS),$(BUILD)/$f/$f.rng.c $(BUILD)/$f/$f-fields.c) \
               $(BUILD)/base/source-digest.c $(BUILD)/tell/fact-table.c $(BUILD)/tell/view-table.c
GENERATED_H := $(LEX:%.l=$(BUILD)/%.lex.h) $(YACC:%.y=$(BUILD)/%.tab.h) $(BUILD)/cli/option-ids.h $(BUILD)/tell/fact-ids.h $(BUILD)/tell/view-ids.h \
               $(foreach f,$(FORMATS),$(BUILD)/$f/$f-fields.h)
# Kept, or make would take them for intermediate files and write them anew each time.
.SECONDARY: $(foreach f,$(FORMATS),$(BUILD)/$f/$f.rng) $(GENERATED_C) $(GENERATED_H) $(BUILD)/cli/option-table.c
LIB_O    := $(LIB_C:%.c=$(BUILD)/%.o) $(GENERATED_C:%.c=%.o)
CLI_DIRS := cli $(patsubst %/,%,$(wildcard cli/*/))
CLI_O    := $(patsubst %.c,$(BUILD)/%.o,$(foreach d,$(CLI_DIRS),$(wildcard $(d)/*.c))) $(BUILD)/cli/option-table.o

# What the table of options and the texts of the verbs become: C, the man page and the completion.
OPTIONS    := cli/options.table $(wildcard cli/*/help.txt)
MANPAGE    := $(BUILD)/man/pipesim.1
COMPLETION := $(BUILD)/completion/pipesim.bash

# What the table of facts becomes, beside C.
JSON_SCHEMA := $(BUILD)/tell/pipesim.schema.json

# The library's interface: what pipesim.h includes is installed; what pipesim-private.h does is for the
# program alone. Both are what the library exports, and nothing else is (make/exports.pl).
includes_of = $(shell sed -n 's/^\#include "\(.*\)"/\1/p' $1)
PUBLIC_H  := pipesim.h $(call includes_of,pipesim.h)
PRIVATE_H := $(filter-out pipesim.h,$(call includes_of,pipesim-private.h))
EXPORTS   := $(BUILD)/libpipesim.map

PROGRAM  := $(OUT)/pipesim
SONAME   := libpipesim.so.$(SOVERSION)
SHARED   := $(OUT)/$(SONAME)
STATIC   := $(BUILD)/libpipesim.a

# What CUDA loads into programs that `pipesim profile` runs: for itself, with nothing but libc.
INJECTION   := $(OUT)/libpipesim-cupti.so
INJECTION_C := $(wildcard latency-bench/profile/*.c)

# The program finds its data beside itself, as it does in the root.
DATA     := graphs gpus
DATA_LINKS := $(if $(filter .,$(OUT)),,$(DATA:%=$(OUT)/%))

.PHONY: all clean
.DEFAULT_GOAL := all
all: $(PROGRAM) $(INJECTION) $(MANPAGE) $(COMPLETION) $(JSON_SCHEMA) ## the library and the program (the default)

# $(call link_program,FILE,FOLDER): the program, which looks for its library in FOLDER, seen from
# its own: beside it in a checkout; make/install.mk links another one.
link_program = $(CC) $(all_ldflags) -o $1 $(CLI_O) $(SHARED) -Wl,-rpath,'$$ORIGIN/$2' $(all_libs)

# The PTX of tests/pairs is kept packed: guide, goldens and scripts name it where it lies.
PAIRS := tests/pairs/.unpacked

$(PAIRS): tests/pairs/ptx.tar.gz
	$(call say,UNPACK)tar -xzmf $< -C tests/pairs && touch $@

$(PROGRAM): $(CLI_O) $(SHARED) | $(DATA_LINKS) $(PAIRS)
	$(call say,LINK)$(call link_program,$@,.)

$(SHARED): $(LIB_O) $(EXPORTS)
	$(call say,LINK)$(CC) $(all_ldflags) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs -Wl,--version-script=$(EXPORTS) \
	  -o $@ $(LIB_O) $(all_libs)

$(EXPORTS): make/exports.pl pipesim.h pipesim-private.h $(PUBLIC_H) $(PRIVATE_H)
	@mkdir -p $(@D)
	$(call say,PERL)make/exports.pl --private=$(VERSION) $(PUBLIC_H) -- $(PRIVATE_H) > $@

$(INJECTION): $(INJECTION_C:%.c=$(BUILD)/%.o)
	$(call say,LINK)$(CC) $(all_ldflags) -shared -Wl,-z,defs -o $@ $^ -lm

$(STATIC): $(LIB_O)
	$(call say,AR)rm -f $@ && $(AR) rcs $@ $^

$(DATA_LINKS):
	@mkdir -p $(@D) && ln -sfn $(CURDIR)/$(@F) $@

# Generated headers must be there for the first build; after it the .d files know who needs them.
$(BUILD)/%.o: %.c | $(GENERATED_H)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(all_cflags) $(more_cflags) -c -o $@ $<

# What computes little can be compiled otherwise: with LIGHT_CFLAGS=-O0 where that is faster (make/quality.mk). draw/
# places labels, which takes long.
LIGHT_DIRS := advice answer card check gate sass $(filter lift%,$(LIB_DIRS)) code gpu launch roofline serve profile sweep $(filter tell%,$(LIB_DIRS)) $(filter latency-bench% roofline/%,$(LIB_DIRS)) $(CLI_DIRS)
$(foreach d,$(LIGHT_DIRS),$(patsubst %.c,$(BUILD)/%.o,$(wildcard $d/*.c))): more_cflags = $(LIGHT_CFLAGS)

$(BUILD)/%.o: $(BUILD)/%.c | $(GENERATED_H)
	$(call say,CC)$(CC) $(all_cflags) $(GENERATED_WARNINGS) -c -o $@ $<

# Code that flex and bison write is theirs to keep clean.
GENERATED_WARNINGS := -Wno-all -Wno-extra -Wno-pedantic -Wno-shadow -Wno-missing-prototypes \
                      -Wno-unused -Wno-overlength-strings -Wno-redundant-decls

$(BUILD)/%.lex.c $(BUILD)/%.lex.h: %.l
	@mkdir -p $(@D)
	$(call say,FLEX)flex --outfile=$(BUILD)/$*.lex.c --header-file=$(BUILD)/$*.lex.h $<

$(BUILD)/%.tab.c $(BUILD)/%.tab.h: %.y
	@mkdir -p $(@D)
	$(call say,BISON)bison -Werror --output=$(BUILD)/$*.tab.c --header=$(BUILD)/$*.tab.h $<

# $(call embed,NAME): the source file as const char NAME[] in C.
embed = { printf 'extern const char %s[];\nconst char %s[] =\n' $1 $1; \
  sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/"/' -e 's/$$/\\n"/' $<; echo ';'; } > $@

# $(call from_fields,WHAT): from a format's types and its table, gpu/gpu.rng.in and gpu/gpu.fields for files of build/gpu.
from_fields = $(call say,AWK)mkdir -p $(@D) && awk -v what=$1 -v format=$(*F) -f make/fields.awk $(filter %.in %.fields,$^) > $@

$(BUILD)/%.rng: %.rng.in %.fields make/fields.awk
	$(call from_fields,rng)
$(BUILD)/%.md: %.rng.in %.fields make/fields.awk
	$(call from_fields,md)
$(BUILD)/%-fields.h: %.rng.in %.fields make/fields.awk
	$(call from_fields,h)
$(BUILD)/%-fields.c: %.rng.in %.fields make/fields.awk
	$(call from_fields,c)

# build/gpu/gpu.rng becomes ps_gpu_rng in build/gpu/gpu.rng.c.
$(BUILD)/%.rng.c: $(BUILD)/%.rng
	$(call say,RNG)$(call embed,ps_$(*F)_rng)

# latency-bench/kernels/prelude-hip.h becomes ps_text_prelude_hip.
$(BUILD)/%.text.c: %.h
	@mkdir -p $(@D)
	$(call say,TEXT)$(call embed,ps_text_$(subst -,_,$(*F)))

# What results that are kept were computed by (base/store.h): the sources of the library and of the program.
DIGESTED := $(sort $(foreach d,$(LIB_DIRS) $(CLI_DIRS),$(wildcard $(d)/*.[chly] $(d)/*.fields $(d)/*.table)))
$(BUILD)/base/source-digest.c: $(DIGESTED)
	@mkdir -p $(@D)
	$(call say,DIGEST)cat $^ | sha256sum | \
	  sed 's/^\([0-9a-f]*\).*/extern const char ps_source_digest[];\nconst char ps_source_digest[] = "\1";/' > $@

# graphs/mmul08.idg becomes ps_graph_mmul08; $(BUILD)/graphs may be a link to the source folder.
$(BUILD)/embedded/%.graph.c: %.idg
	@mkdir -p $(@D)
	$(call say,GRAPH)$(call embed,ps_graph_$(subst -,_,$(*F)))

# The ids of facts, and their table; and the schema of the JSON that they are told in.
$(BUILD)/tell/fact-ids.h $(BUILD)/tell/fact-table.c: make/facts/read.awk make/facts/c.awk tell/facts.table
	@mkdir -p $(@D)
	$(call say,AWK)awk -v what=$(patsubst fact-%,%,$(basename $(@F))) -f $(<) -f $(word 2,$^) $(lastword $^) > $@

$(JSON_SCHEMA): make/facts/read.awk make/facts/schema.awk tell/facts.table
	@mkdir -p $(@D)
	$(call say,AWK)awk -f $(<) -f $(word 2,$^) $(lastword $^) > $@

# Views of facts.
$(BUILD)/tell/view-ids.h $(BUILD)/tell/view-table.c: make/views.awk $(BUILD)/tell/fact-ids.h tell/views.table
	@mkdir -p $(@D)
	$(call say,AWK)awk -v what=$(patsubst view-%,%,$(basename $(@F))) -f $^ > $@

# $(call from_options,SCRIPT,ASSIGNMENT)
from_options = awk -v '$2' -f make/options/read.awk -f make/options/$1.awk $(OPTIONS) > $@

$(BUILD)/cli/option-ids.h: make/options/read.awk make/options/c.awk $(OPTIONS)
	@mkdir -p $(@D)
	$(call say,AWK)$(call from_options,c,what=ids)

$(BUILD)/cli/option-table.c: make/options/read.awk make/options/c.awk $(OPTIONS)
	@mkdir -p $(@D)
	$(call say,AWK)$(call from_options,c,what=table)

$(MANPAGE): man/pipesim.1.in make/options/read.awk make/options/man.awk $(OPTIONS)
	@mkdir -p $(@D)
	$(call say,AWK)$(call from_options,man,template=$<)

$(COMPLETION): completion/pipesim.bash.in make/options/read.awk make/options/bash.awk $(OPTIONS)
	@mkdir -p $(@D)
	$(call say,AWK)$(call from_options,bash,template=$<)

# A recipe that fails half-way leaves no half target behind.
.DELETE_ON_ERROR:

clean: ## remove what was built
	rm -rf $(BUILD) build-asan build-clang build-fuzz build-tsan $(OUT)/pipesim $(OUT)/libpipesim.so.* $(INJECTION) $(DRIVER)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
