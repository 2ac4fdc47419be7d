# SPDX-License-Identifier: BSD-3-Clause
# make wheel: the Python package with the library, the program, the GPUs, the graphs and the schema, as one file that
# pip installs without compiler, root or network. It brings every library but libc's, and starts with glibc 2.28, though
# this machine's may be newer (python/old_glibc.py).
WHEEL_FOLDER := $(BUILD)/wheel
WHEEL_OUT    ?= $(BUILD)
WHEEL_RPATH  = -Wl,--disable-new-dtags,-rpath,'$$ORIGIN$1'

.PHONY: wheel
wheel: all $(OLD_INJECTION) ## the Python package as a file for pip
	$(call say,WHEEL)rm -rf $(WHEEL_FOLDER) $(WHEEL_OUT)/pipesim-*.whl
	@install -d $(WHEEL_FOLDER)/pipesim/bin $(WHEEL_FOLDER)/pipesim/lib/pipesim
	@install -m 644 python/pipesim/*.py python/pipesim/py.typed $(WHEEL_FOLDER)/pipesim
	@sed -i 's|@VERSION@|$(VERSION)|' $(WHEEL_FOLDER)/pipesim/__init__.py
	@$(CC) $(CFLAGS) -s -shared -fPIC -Wl,-soname,ps_glibc.so -Wl,--no-as-needed -o $(WHEEL_FOLDER)/pipesim/lib/ps_glibc.so \
	  python/glibc.c -l:libpthread.so.0 -l:libdl.so.2 -l:libm.so.6
	@$(CC) $(all_ldflags) -s -shared -Wl,-soname,$(SONAME) -Wl,-z,defs -Wl,--version-script=$(EXPORTS) \
	  $(call WHEEL_RPATH,) -o $(WHEEL_FOLDER)/pipesim/lib/$(SONAME) $(LIB_O) \
	  -Wl,--push-state,--no-as-needed $(WHEEL_FOLDER)/pipesim/lib/ps_glibc.so -Wl,--pop-state $(all_libs)
	@$(CC) $(all_ldflags) -s -o $(WHEEL_FOLDER)/pipesim/bin/pipesim $(CLI_O) $(SHARED) $(call WHEEL_RPATH,/../lib) $(all_libs)
	@$(CC) $(CFLAGS) -s -shared -fPIC -Wl,-soname,ps_icuuc.so.72 -o $(WHEEL_FOLDER)/pipesim/lib/ps_icuuc.so.72 python/icu.c
	@install -m 644 $(OLD_INJECTION) $(WHEEL_FOLDER)/pipesim/lib/pipesim
	@$(call copy_drivers,$(WHEEL_FOLDER)/pipesim/lib/pipesim/$(notdir $(DRIVER)))
	@strip $(WHEEL_FOLDER)/pipesim/lib/pipesim/$(notdir $(DRIVER))/*.so.*
	@$(call each,$(WHEEL_FOLDER)/pipesim/share/pipesim,$(DATA_FILES))
	@install -m 644 $(JSON_SCHEMA) $(WHEEL_FOLDER)/pipesim/share/pipesim
	@python3 python/make-wheel.py $(VERSION) $(WHEEL_FOLDER) $(WHEEL_OUT)
