# SPDX-License-Identifier: BSD-3-Clause
# make bundle: a folder, and an archive of it, to be unpacked on any x86-64 Linux, where it runs
# without root and without anything being installed; `./campaign` in it measures the GPU there
# (latency-bench/campaign). It brings the program with all its libraries, data, man page and
# completion, and CUDA kernels compiled beforehand, where NVRTC is on this machine, for each of
# BUNDLE_ARCHITECTURES that it knows.
#
# Why libc comes along: the libraries of a Debian 12 ask for glibc 2.36, and a Debian old enough to
# build with 2.28 is in no mirror any more. So the bundle has libc and its loader, too, but takes
# them only where the machine's own are too old (make/bundle/pipesim). Always ours would be wrong, for
# drivers are loaded into the program and were built for the machine's libc: a libc that is not older
# than that serves them, an older one does not. Thus whichever of the two is newer is used.
#
# What `pipesim profile` has CUDA load into other people's programs runs with their libc. It asks for
# nothing newer than glibc 2.17: functions that moved from libdl and libpthread into libc since then
# are asked for by the version that both places have.
BUNDLE      := $(BUILD)/pipesim-$(VERSION)-x86_64
BUNDLE_FILE := $(BUNDLE).tar.gz
BUNDLE_ARCHITECTURES ?= sm_75 sm_80 sm_86 sm_89 sm_90 sm_100 sm_120

CUBINS := $(BUNDLE_ARCHITECTURES:%=$(BUILD)/cubins/%.cubins)
# What decides their sources, and how they are kept.
CUBINS_OF := $(PIECES) $(wildcard latency-bench/plan/*.c) \
             $(addprefix latency-bench/,precompile.c validate/kernel.c device/cubins.c device/nvrtc.c device/compiler.c)

# An architecture that cannot be compiled for is said, and left out.
$(CUBINS): $(BUILD)/cubins/%.cubins: $(CUBINS_OF) | $(PROGRAM)
	$(call say,CUBINS)$(PROGRAM) bench --precompile $* --output $(@D) >/dev/null || true

MOVED := dlopen dlsym dlerror pthread_create pthread_join pthread_sigmask
OLD_INJECTION := $(BUILD)/bundle/$(notdir $(INJECTION))
$(OLD_INJECTION): $(INJECTION_C:%.c=$(BUILD)/%.o)
	@mkdir -p $(@D)
	$(call say,LINK)$(CC) $(all_ldflags) -r -nostdlib -o $@.o $^
	@objcopy $(foreach f,$(MOVED),--redefine-sym $f=$f@GLIBC_2.2.5) $@.o
	@$(CC) $(all_ldflags) -shared -s -Wl,-z,defs -Wl,--no-as-needed -o $@ $@.o -l:libpthread.so.0 -l:libdl.so.2

.PHONY: bundle
bundle: all $(CUBINS) $(OLD_INJECTION) ## a folder that runs on any x86-64 Linux, and an archive of it
	$(call say,BUNDLE)rm -rf $(BUNDLE)
	@install -d $(BUNDLE)/bin $(BUNDLE)/lib/pipesim
	@$(CC) $(all_ldflags) -s -o $(BUNDLE)/bin/pipesim $(CLI_O) $(SHARED) \
	  -Wl,--disable-new-dtags,-rpath,'$$ORIGIN/../lib' $(all_libs)
	@make/bundle/libraries $(PROGRAM) $(BUNDLE)
	@strip $(BUNDLE)/lib/$(SONAME)
	@install -m 644 $(OLD_INJECTION) $(BUNDLE)/lib/pipesim
	@$(call copy_drivers,$(BUNDLE)/lib/pipesim/$(notdir $(DRIVER)))
	@$(call each,$(BUNDLE)/share/pipesim,$(DATA_FILES))
	@install -m 644 $(JSON_SCHEMA) $(BUNDLE)/share/pipesim
	@install -D -m 644 -t $(BUNDLE)/share/man/man1 $(MANPAGE)
	@install -D -m 644 $(COMPLETION) $(BUNDLE)/share/bash-completion/completions/pipesim
	@install -m 755 latency-bench/campaign make/bundle/pipesim $(BUNDLE)
	@install -m 644 make/bundle/README.md LICENSE $(BUNDLE)
	@{ git describe --always --dirty 2>/dev/null || echo unknown; } > $(BUNDLE)/commit
	@for file in $(CUBINS); do test ! -e $$file || install -D -m 644 -t $(BUNDLE)/cubins $$file; done
	@test -d $(BUNDLE)/cubins || echo 'make bundle: without cubins, NVRTC is needed where a GPU is measured' >&2
	@tar -C $(dir $(BUNDLE)) --owner=0 --group=0 -czf $(BUNDLE_FILE).new $(notdir $(BUNDLE))
	@mv $(BUNDLE_FILE).new $(BUNDLE_FILE)
	@du -sh --apparent-size $(BUNDLE) $(BUNDLE_FILE)
