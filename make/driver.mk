# SPDX-License-Identifier: BSD-3-Clause
# The libraries that programs of CUDA find in place of NVIDIA's when `pipesim program` runs them. They are beside the
# program's library in a folder of their own, which no linker searches by itself.
DRIVER     := $(OUT)/libpipesim-driver
DRIVER_O   := $(patsubst %.c,$(BUILD)/%.o,$(wildcard driver/cuda-*.c) driver/state.c driver/graph.c driver/graph-run.c driver/graph-memory.c driver/error-names.c) $(BUILD)/driver/entries-cuda.o
RUNTIME_O  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard driver/runtime-*.c) driver/error-names.c)
RUNTIME_O13 := $(RUNTIME_O) $(BUILD)/driver/changed.o $(BUILD)/driver/entries-cudart13.o
RUNTIME_O12 := $(RUNTIME_O) $(BUILD)/driver/changed-12.o $(BUILD)/driver/older.o $(BUILD)/driver/entries-cudart12.o
DRIVER_SO  := $(DRIVER)/libcuda.so.1
RUNTIME_SO := $(DRIVER)/libcudart.so.13
RUNTIME_SO12 := $(DRIVER)/libcudart.so.12
# What linkers of CUDA 12 find in place of the names of 13.
DRIVER_LIBS12 := $(DRIVER)/12/libcudart.so $(DRIVER)/12/libcudart_static.a
DRIVER_LIBS := $(DRIVER_SO) $(RUNTIME_SO) $(RUNTIME_SO12) $(DRIVER)/libcudart.so $(DRIVER)/libcuda.so $(DRIVER)/libcudart_static.a

all: $(DRIVER_LIBS) $(DRIVER_LIBS12)

# Programs see these entries as others declare them: nothing here declares them all.
$(DRIVER_O) $(RUNTIME_O13) $(RUNTIME_O12): more_cflags = -Wno-missing-prototypes -Wno-missing-declarations

# What programs of CUDA 12 know by other names.
$(BUILD)/driver/changed-12.o: driver/changed.c | $(GENERATED_H)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(all_cflags) $(more_cflags) -DCUDA_12 -c -o $@ $<

# $(call entries_of,LIBRARY,NODE)
define entries_of
$$(BUILD)/driver/entries-$1.c: driver/entries.awk driver/entries.table
	@mkdir -p $$(@D)
	$$(call say,AWK)awk -v library=$1 -v what=c -f $$^ > $$@
$$(BUILD)/driver/$1.map: driver/entries.awk driver/entries.table
	@mkdir -p $$(@D)
	$$(call say,AWK)awk -v library=$1 -v what=map -v node=$2 -f $$^ > $$@
endef
$(eval $(call entries_of,cuda))
$(eval $(call entries_of,cudart13,libcudart.so.13))
$(eval $(call entries_of,cudart12,libcudart.so.12))

# Calls between entries stay within a library, whatever the program has of that name. They look for pipesim's library
# beside their folder (in a checkout) and beside the folder pipesim/ that theirs is in (where it is installed); what
# that library loads, in a wheel or a bundle, is found there, too.
DRIVER_LINK = $(CC) $(all_ldflags) -shared -Wl,-z,defs -Wl,-Bsymbolic \
  -Wl,--disable-new-dtags,-rpath,'$$ORIGIN:$$ORIGIN/..:$$ORIGIN/../..' -Wl,-rpath-link,$(OUT)

# $(call copy_drivers,FOLDER): all of them into a folder of that name below pipesim's own.
copy_drivers = install -d $1/12 && cp -P $(DRIVER_LIBS) $1 && cp -P $(DRIVER_LIBS12) $1/12

$(DRIVER_SO): $(DRIVER_O) $(SHARED) $(BUILD)/driver/cuda.map
	@mkdir -p $(@D)
	$(call say,LINK)$(DRIVER_LINK) -Wl,-soname,$(@F) -Wl,--version-script=$(BUILD)/driver/cuda.map -o $@ \
	  $(DRIVER_O) $(SHARED) $(all_libs)

$(RUNTIME_SO): $(RUNTIME_O13) $(DRIVER_SO) $(BUILD)/driver/cudart13.map
	$(call say,LINK)$(DRIVER_LINK) -Wl,-soname,$(@F) -Wl,--version-script=$(BUILD)/driver/cudart13.map -o $@ \
	  $(RUNTIME_O13) $(DRIVER_SO) $(all_libs)

$(RUNTIME_SO12): $(RUNTIME_O12) $(DRIVER_SO) $(BUILD)/driver/cudart12.map
	$(call say,LINK)$(DRIVER_LINK) -Wl,-soname,$(@F) -Wl,--version-script=$(BUILD)/driver/cudart12.map -o $@ \
	  $(RUNTIME_O12) $(DRIVER_SO) $(all_libs)

$(DRIVER)/libcudart.so: $(RUNTIME_SO)
	@ln -sfn $(<F) $@
$(DRIVER)/libcuda.so: $(DRIVER_SO)
	@ln -sfn $(<F) $@

# What nvcc links programs with unless it is told otherwise: a linker reads it as a script, and takes the shared one.
$(DRIVER)/libcudart_static.a: $(RUNTIME_SO)
	@echo 'INPUT ( $(<F) )' > $@

$(DRIVER)/12/libcudart.so: $(RUNTIME_SO12)
	@mkdir -p $(@D) && ln -sfn ../$(<F) $@
$(DRIVER)/12/libcudart_static.a: $(RUNTIME_SO12)
	@mkdir -p $(@D) && echo 'INPUT ( $(<F) )' > $@
