# SPDX-License-Identifier: BSD-3-Clause
# make kit: a folder, and an archive of it, to be copied to a machine of the same kind with a GPU,
# where nothing is installed but its driver: `./campaign` measures there (latency-bench/campaign).
# It brings the program with the libraries that it needs but for those of libc, and CUDA kernels
# compiled beforehand, where NVRTC is on this machine, for each of KIT_ARCHITECTURES that it knows.
KIT      := $(BUILD)/kit
KIT_FILE := $(BUILD)/pipesim-kit.tar.gz
KIT_ARCHITECTURES ?= sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120

CUBINS := $(KIT_ARCHITECTURES:%=$(BUILD)/cubins/%.cubins)
# What decides their sources, and how they are kept.
CUBINS_OF := $(PIECES) $(wildcard latency-bench/plan/*.c) \
             $(addprefix latency-bench/,precompile.c validate/kernel.c device/cubins.c device/nvrtc.c device/compiler.c)

# An architecture that cannot be compiled for is said, and left out.
$(CUBINS): $(BUILD)/cubins/%.cubins: $(CUBINS_OF) | $(PROGRAM)
	$(call say,CUBINS)$(PROGRAM) bench --precompile $* --output $(@D) >/dev/null || true

# libc's own parts must be the machine's. So shall be the C++ library, which drivers need, too, and
# maybe a newer one: latency-bench/kit-start takes ours where there is none.
OF_LIBC := /libc. /libm. /libdl. /libpthread. /librt. /ld-linux
OF_CXX  := /libstdc++. /libgcc_s.
any_of  = $(foreach name,$1,-e '$(name)')

# $(call copy_libraries,FOLDER,FILTER): those that the program needs, as grep FILTER says.
copy_libraries = ldd $(PROGRAM) | sed -n 's/.* => \(\/[^ ]*\) .*/\1/p' | \
  grep -v -F $(call any_of,$(OF_LIBC)) | grep $2 -F $(call any_of,$(OF_CXX)) | \
  while read -r file; do cp -L "$$file" $1; done

.PHONY: kit
kit: all $(CUBINS) ## to measure on another machine: a folder, and an archive of it
	$(call say,KIT)rm -rf $(KIT)
	@install -d $(KIT)/bin $(KIT)/lib/pipesim $(KIT)/lib/fallback
	@$(CC) $(all_ldflags) -s -o $(KIT)/bin/pipesim $(CLI_O) $(SHARED) \
	  -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib' $(all_libs)
	@$(call copy_libraries,$(KIT)/lib,-v)
	@$(call copy_libraries,$(KIT)/lib/fallback)
	@strip $(KIT)/lib/$(SONAME)
	@install -s -m 644 $(INJECTION) $(KIT)/lib/pipesim
	@$(call each,$(KIT)/share/pipesim,$(DATA_FILES))
	@install -m 755 latency-bench/campaign $(KIT)/campaign
	@install -m 755 latency-bench/kit-start $(KIT)/pipesim
	@install -m 644 latency-bench/kit-readme.md $(KIT)/README.md
	@install -m 644 LICENSE $(KIT)
	@{ git describe --always --dirty 2>/dev/null || echo unknown; } > $(KIT)/commit
	@for file in $(CUBINS); do test ! -e $$file || install -D -m 644 -t $(KIT)/cubins $$file; done
	@test -d $(KIT)/cubins || echo 'make kit: without cubins, NVRTC is needed where the kit runs' >&2
	@tar -C $(dir $(KIT)) --owner=0 --group=0 -czf $(KIT_FILE).new $(notdir $(KIT))
	@mv $(KIT_FILE).new $(KIT_FILE)
	@du -sh --apparent-size $(KIT) $(KIT_FILE)
