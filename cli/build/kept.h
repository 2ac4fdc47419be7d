/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What other programs made of a kernel's code, and the graphs of it, kept by content
 * (base/store.h) in the user's cache folder. A folder that cannot be written is told once; all goes
 * on without it.
 */
#ifndef PIPESIM_CLI_BUILD_KEPT_H
#define PIPESIM_CLI_BUILD_KEPT_H

#include "cli/build/options.h"
#include "pipesim-private.h"

/* As ps_store_find; NULL also where nothing is kept. Nothing can be
 * added to the key any more. */
GBytes *kept_find(const BuildOptions *build, GChecksum *key, PsStoreInputs *inputs);

/* As ps_store_keep. */
void kept_put(const BuildOptions *build, GChecksum *key, const PsStoreInputs *inputs,
              GBytes *bytes);

#endif
