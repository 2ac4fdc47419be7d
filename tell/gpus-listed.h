/* SPDX-License-Identifier: BSD-3-Clause */
/* The GPUs that folders describe, read, and their document. */
#ifndef PIPESIM_TELL_GPUS_LISTED_H
#define PIPESIM_TELL_GPUS_LISTED_H

#include "gpu/gpu.h"

G_BEGIN_DECLS

/* The GPUs of the folders (NULL ends the list), by their names (PsGpu; g_ptr_array_unref). A
 * warning (char *) says why a file is left out. */
GPtrArray *ps_gpus_listed(const char *const *folders, GPtrArray *warnings);

/* The document that ps_gpus_json tells of these (g_free). */
char *ps_gpus_listed_json(const GPtrArray *gpus, const GPtrArray *warnings);

G_END_DECLS
#endif
