# SPDX-License-Identifier: BSD-3-Clause
# The libraries that programs of CUDA find in place of NVIDIA's when `pipesim program` runs them. They are beside the
# program's library in a folder of their own, which no linker searches by itself.
DRIVER     := $(OUT)/libpipesim-driver
DRIVER_O   := $(patsubst %.c,$(BUILD)/%.o,$(wildcard driver/cuda-*.c) driver/state.c driver/graph.c driver/graph-run.c driver/graph-memory.c driver/error-names.c) $(BUILD)/driver/entries-cuda.o
RUNTIME_O  := $(patsubst %.c,$(BUILD)/%.o,$(wildcard driver/runtime-*.c) driver/error-names.c)
RUNTIME_O13 := $(RUNTIME_O) $(BUILD)/driver/changed.o $(BUILD)/driver/entries-cudart13.o
RUNTIME_O12 := $(RUNTIME_O) $(BUILD)/driver/changed-12.o $(BUILD)/driver/older.o $(BUILD)/driver/entries-cudart12.o
BLAS_O     := $(patsubst %.c,$(BUILD)/%.o,$(filter-out driver/blas-handle.c,$(wildcard driver/blas-*.c)))
BLAS_O13   := $(BLAS_O) $(BUILD)/driver/blas-handle.o $(BUILD)/driver/entries-cublas13.o
BLAS_O12   := $(BLAS_O) $(BUILD)/driver/blas-handle-12.o $(BUILD)/driver/entries-cublas12.o
DRIVER_SO  := $(DRIVER)/libcuda.so.1
RUNTIME_SO := $(DRIVER)/libcudart.so.13
RUNTIME_SO12 := $(DRIVER)/libcudart.so.12
# What linkers of CUDA 12 find in place of the names of 13.
DRIVER_LIBS12 := $(DRIVER)/12/libcudart.so $(DRIVER)/12/libcudart_static.a
# By which programs find all these, whatever search paths their own libraries have.
SEARCH_SO  := $(DRIVER)/libpipesim-search.so
DRIVER_LIBS := $(SEARCH_SO) $(DRIVER_SO) $(RUNTIME_SO) $(RUNTIME_SO12) $(DRIVER)/libcudart.so $(DRIVER)/libcuda.so $(DRIVER)/libcudart_static.a
# What --stand-in blas puts before all these.
BLAS       := $(DRIVER)/blas
BLAS_LIBS12 := $(addprefix $(BLAS)/12/,libcublas.so libcublas_static.a libcublasLt.so libcublasLt_static.a)
BLAS_LIBS  := $(addprefix $(BLAS)/,libcublas.so.13 libcublas.so.12 libcublasLt.so.13 libcublasLt.so.12 libcublas.so libcublas_static.a libcublasLt.so libcublasLt_static.a)

all: $(DRIVER_LIBS) $(DRIVER_LIBS12) $(BLAS_LIBS) $(BLAS_LIBS12)

# Programs see these entries as others declare them: nothing here declares them all.
$(DRIVER_O) $(RUNTIME_O13) $(RUNTIME_O12) $(BLAS_O13) $(BLAS_O12): more_cflags = -Wno-missing-prototypes -Wno-missing-declarations

# What programs of CUDA 12 know by other names.
$(BUILD)/driver/changed-12.o $(BUILD)/driver/blas-handle-12.o: $(BUILD)/driver/%-12.o: driver/%.c | $(GENERATED_H)
	@mkdir -p $(@D)
	$(call say,CC)$(CC) $(all_cflags) $(more_cflags) -DCUDA_12 -c -o $@ $<

# $(call entries_of,LIBRARY,NODE,TABLE)
define entries_of
$$(BUILD)/driver/entries-$1.c: driver/entries.awk driver/$3.table
	@mkdir -p $$(@D)
	$$(call say,AWK)awk -v library=$1 -v what=c -f $$^ > $$@
$$(BUILD)/driver/$1.map: driver/entries.awk driver/$3.table
	@mkdir -p $$(@D)
	$$(call say,AWK)awk -v library=$1 -v what=map -v node=$2 -f $$^ > $$@
endef
$(eval $(call entries_of,cuda,,entries))
$(eval $(call entries_of,cudart13,libcudart.so.13,entries))
$(eval $(call entries_of,cudart12,libcudart.so.12,entries))
$(eval $(call entries_of,cublas13,libcublas.so.13,blas))
$(eval $(call entries_of,cublas12,libcublas.so.12,blas))
$(eval $(call entries_of,cublaslt13,libcublasLt.so.13,blas))
$(eval $(call entries_of,cublaslt12,libcublasLt.so.12,blas))

# Calls between entries stay within a library, whatever the program has of that name. They look for pipesim's library
# beside their folder (in a checkout) and beside the folder pipesim/ that theirs is in (where it is installed); what
# that library loads, in a wheel or a bundle, is found there, too.
DRIVER_LINK = $(CC) $(all_ldflags) -shared -Wl,-z,defs -Wl,-Bsymbolic \
  -Wl,--disable-new-dtags,-rpath,'$$ORIGIN:$$ORIGIN/..:$$ORIGIN/../..' -Wl,-rpath-link,$(OUT)

# $(call copy_drivers,FOLDER): all of them into a folder of that name below pipesim's own.
copy_drivers = install -d $1/12 $1/blas/12 && cp -P $(DRIVER_LIBS) $1 && cp -P $(DRIVER_LIBS12) $1/12 && \
  cp -P $(BLAS_LIBS) $1/blas && cp -P $(BLAS_LIBS12) $1/blas/12

$(DRIVER_SO): $(DRIVER_O) $(SHARED) $(BUILD)/driver/cuda.map
	@mkdir -p $(@D)
	$(call say,LINK)$(DRIVER_LINK) -Wl,-soname,$(@F) -Wl,--version-script=$(BUILD)/driver/cuda.map -o $@ \
	  $(DRIVER_O) $(SHARED) $(all_libs)

# The loader takes it before the program is there, so it has neither a sanitizer inside nor other libraries.
$(BUILD)/driver/search.o: more_cflags = -fno-sanitize=all
$(SEARCH_SO): $(BUILD)/driver/search.o
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) -shared -o $@ $<

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

# $(call blas_link,SCRIPT): of the objects before the driver; it is a folder above.
blas_link = mkdir -p $(@D) && $(DRIVER_LINK) -Wl,-soname,$(@F) -Wl,--version-script=$(BUILD)/driver/$1.map -o $@ \
  $(filter %.o,$^) $(DRIVER_SO) $(all_libs)

$(BLAS)/libcublas.so.13: $(BLAS_O13) $(DRIVER_SO) $(BUILD)/driver/cublas13.map
	$(call say,LINK)$(call blas_link,cublas13)
$(BLAS)/libcublas.so.12: $(BLAS_O12) $(DRIVER_SO) $(BUILD)/driver/cublas12.map
	$(call say,LINK)$(call blas_link,cublas12)
$(BLAS)/libcublasLt.so.13: $(filter-out %/entries-cublas13.o,$(BLAS_O13)) $(BUILD)/driver/entries-cublaslt13.o $(DRIVER_SO) $(BUILD)/driver/cublaslt13.map
	$(call say,LINK)$(call blas_link,cublaslt13)
$(BLAS)/libcublasLt.so.12: $(filter-out %/entries-cublas12.o,$(BLAS_O12)) $(BUILD)/driver/entries-cublaslt12.o $(DRIVER_SO) $(BUILD)/driver/cublaslt12.map
	$(call say,LINK)$(call blas_link,cublaslt12)

$(BLAS)/%.so: $(BLAS)/%.so.13
	@ln -sfn $(<F) $@
$(BLAS)/%_static.a: $(BLAS)/%.so.13
	@echo 'INPUT ( $(<F) )' > $@
$(BLAS)/12/%.so: $(BLAS)/%.so.12
	@mkdir -p $(@D) && ln -sfn ../$(<F) $@
$(BLAS)/12/%_static.a: $(BLAS)/%.so.12
	@mkdir -p $(@D) && echo 'INPUT ( $(<F) )' > $@
