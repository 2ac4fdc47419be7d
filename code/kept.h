/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Keeps what other programs made of a kernel's code, and its graphs, by content (base/store.h) in
 * the user's cache folder. A folder that cannot be written is told once; all goes on without it.
 */
#ifndef PIPESIM_CODE_KEPT_H
#define PIPESIM_CODE_KEPT_H

#include "code/options.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* As ps_store_find; NULL also if nothing is kept. Nothing can be added to the key any more. */
GBytes *ps_kept_find(const PsCodeOptions *build, GChecksum *key, PsStoreInputs *inputs);

/* As ps_store_keep. */
void ps_kept_put(const PsCodeOptions *build, GChecksum *key, const PsStoreInputs *inputs,
                 GBytes *bytes);

#pragma GCC visibility pop
G_END_DECLS
#endif
