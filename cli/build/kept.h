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

/* The store that the environment asks for (ps_store_free): in PIPESIM_CACHE, else in pipesim in the
 * user's cache folder, and as large as PIPESIM_CACHE_SIZE says. NULL and *error for a size that is
 * none. */
PsStore *kept_open(GError **error);

/* As ps_store_find; NULL also where nothing is kept. Nothing can be
 * added to the key any more. */
GBytes *kept_find(const BuildOptions *build, GChecksum *key, PsStoreInputs *inputs);

/* As ps_store_keep. */
void kept_put(const BuildOptions *build, GChecksum *key, const PsStoreInputs *inputs,
              GBytes *bytes);

#endif
