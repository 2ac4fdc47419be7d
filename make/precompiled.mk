# SPDX-License-Identifier: BSD-3-Clause
# PRECOMPILED=yes reads GLib's headers once for all objects, which saves a sixth of a build without ccache: ccache takes
# no such builds. A build without it finds the file that lacks an include.
precompiled = $(if $(PRECOMPILED),-include $(PRECOMPILED_H))
PRECOMPILED_H := $(BUILD)/precompiled/glib.h

ifneq ($(PRECOMPILED),)
# A compiler takes the one that was made with an object's own flags.
PRECOMPILED_FOR := $(addprefix $(PRECOMPILED_H).gch/,plain light)
$(PRECOMPILED_FOR): precompiled =
$(PRECOMPILED_H).gch/light: more_cflags = $(LIGHT_CFLAGS)
$(PRECOMPILED_FOR): | test-packages
	@mkdir -p $(@D) && echo '#include <glib.h>' > $(PRECOMPILED_H)
	$(call say,GCH)$(CC) $(filter-out -MMD -MP,$(all_cflags)) $(more_cflags) -x c-header -o $@ $(PRECOMPILED_H)

# What a profiler loads has nothing of GLib. A file that asks the C library for more does so before any header.
$(INJECTION_C:%.c=$(BUILD)/%.o): precompiled =
ASKS_MORE := $(shell grep -rlE '^\#define _(GNU|DEFAULT|XOPEN|POSIX)' $(LIB_DIRS) latency-bench/profile $(CLI_DIRS) tests/unit tests/help)
$(patsubst %.c,$(BUILD)/%.o,$(filter %.c,$(ASKS_MORE))): precompiled =
$(LIB_O) $(CLI_O) $(UNIT_O) $(TEST_HELP_O): | $(PRECOMPILED_FOR)
endif
