# SPDX-License-Identifier: BSD-3-Clause
# PRECOMPILED=yes reads GLib's headers once for all objects, which saves a sixth of a build without ccache: ccache takes
# no such builds. A build without it finds the file that lacks an include.
ifneq ($(PRECOMPILED),)
PRECOMPILED_H := $(BUILD)/precompiled/glib.h

# A compiler takes the one that was made with an object's own flags.
PRECOMPILED_FOR := $(addprefix $(PRECOMPILED_H).gch/,plain light)
$(PRECOMPILED_FOR): precompiled =
$(PRECOMPILED_H).gch/plain: more_cflags =
$(PRECOMPILED_H).gch/light: more_cflags = $(LIGHT_CFLAGS)
$(PRECOMPILED_FOR): | test-packages
	@mkdir -p $(@D) && echo '#include <glib.h>' > $(PRECOMPILED_H)
	$(call say,GCH)$(CC) $(filter-out -MMD -MP,$(all_cflags)) $(more_cflags) -x c-header -o $@ $(PRECOMPILED_H)

# A file that asks the C library for more does so before any header.
ASKS_MORE := $(shell grep -rlE '^\#define _(GNU|DEFAULT|XOPEN|POSIX)' $(LIB_DIRS) $(CLI_DIRS) tests/unit tests/help)
PRECOMPILED_O := $(filter-out $(patsubst %.c,$(BUILD)/%.o,$(ASKS_MORE)),$(LIB_O) $(CLI_O) $(UNIT_O) $(TEST_HELP_O))
$(PRECOMPILED_O): precompiled = -include $(PRECOMPILED_H)
$(PRECOMPILED_O): | $(PRECOMPILED_FOR)
endif
