/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Buffers whose bytes somebody lends from memory, in place of a file's. A text stands for each of
 * them in PsLaunchTexts.lent.
 */
#ifndef PIPESIM_LAUNCH_LENT_H
#define PIPESIM_LAUNCH_LENT_H

#include "launch/launch.h"

typedef struct {
    gconstpointer data; /* borrowed */
    gsize size;
    gboolean read_only; /* no kernel may write there */
} PsLent;

/* The bytes for which the value stands; NULL if it is another text. */
const PsLent *ps_lent_find(GHashTable *lent, const char *value);

/* The bytes (ps_fill_free). A block of them is copied when a kernel touches it, so that the lent
 * bytes stay as they are. NULL and *error (PS_ERROR_LIMIT) if there are not enough addresses. */
guint8 *ps_lent_make(const PsLent *lent, gsize *size, PsPtxBlocks **blocks, GError **error);

/* FALSE and *error (PS_ERROR_VALUE), which names the argument, where a kernel that was executed on
 * these arguments wrote bytes that may only be read. */
gboolean ps_lent_check(const PsLaunchArguments *arguments, const PsLaunchTexts *texts,
                       GError **error);

#endif
