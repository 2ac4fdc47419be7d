/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The GPUs that have a description.
 *
 * Since: 0.1.0
 */
#ifndef PIPESIM_TELL_GPUS_JSON_H
#define PIPESIM_TELL_GPUS_JSON_H

#include "gpu/find.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* All GPUs of the folders (NULL ends the list), by their names, as the JSON document that `pipesim
 * list --gpus --format json` prints (g_free). A file that cannot be read is left out, and the
 * document's warnings say why. */
char *ps_gpus_json(const char *const *folders);

#pragma GCC visibility pop
G_END_DECLS
#endif
