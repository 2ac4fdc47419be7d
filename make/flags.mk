# SPDX-License-Identifier: BSD-3-Clause
# Compiler flags that every object needs, whatever CFLAGS the user sets.
PACKAGES := glib-2.0 libxml-2.0 libelf sqlite3 zlib
PKG_CONFIG ?= pkg-config

WARNINGS := -Wall -Wextra -Wpedantic -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
            -Wpointer-arith -Wwrite-strings -Wvla -Wredundant-decls
STANDARD := -std=c11 -D_POSIX_C_SOURCE=200809L -DG_LOG_DOMAIN='"pipesim"'

# Asked at the first use, then kept: a bare machine has no pkg-config before ./bootstrap.
package_cflags = $(eval package_cflags := $$(shell $(PKG_CONFIG) --cflags $(PACKAGES)))$(package_cflags)
package_libs   = $(eval package_libs := $$(shell $(PKG_CONFIG) --libs $(PACKAGES)))$(package_libs)

all_cppflags = $(STANDARD) -I. -I$(BUILD) -DPIPESIM_VERSION='"$(VERSION)"' $(package_cflags)
# Nobody asks errno about roots, and without it compilers have vectors for them. No product and sum become one rounding
# that the source does not ask for, on whatever processor.
all_cflags   = $(all_cppflags) $(precompiled) $(WARNINGS) -fno-math-errno -ffp-contract=off -fPIC -fvisibility=hidden -MMD -MP $(CFLAGS)
all_ldflags  = $(CFLAGS) -Wl,--as-needed $(LDFLAGS)
all_libs     = $(package_libs) -lm

# $(call say,WORD) before a command shows "WORD target" instead of the command; V=1 shows both.
say = $(if $(V),,@)printf '  %-7s %s\n' '$1' '$@';
