# SPDX-License-Identifier: BSD-3-Clause
# make          the library and the program        make check      all tests
# make install  with PREFIX and DESTDIR            make help       everything else

VERSION   := 0.1.0
SOVERSION := 0
PREFIX    ?= /usr/local
CFLAGS    ?= -O2 -g

# All that is made goes to BUILD, but what people start, the program and its library, goes to OUT:
# the root of the checkout, or for another BUILD (other compilers and flags) that folder itself.
BUILD ?= build
ifeq ($(strip $(BUILD)),)
$(error BUILD is empty: name the folder for all that is made, or leave it out for BUILD=build)
endif
OUT   ?= $(if $(filter build,$(BUILD)),.,$(BUILD))

include make/flags.mk
include make/build.mk
include make/driver.mk
include make/unit.mk
include make/precompiled.mk
include make/check.mk
include make/quality.mk
include make/mutants.mk
include make/fuzz.mk
include make/bench.mk
include make/intervals.mk
include make/fidelity.mk
include make/docs.mk
include make/install.mk
include make/bundle.mk
include make/wheel.mk

.PHONY: help
help: ## this list
	@echo 'Targets (V=1 shows the commands, BUILD=FOLDER builds elsewhere):'
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-10s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
