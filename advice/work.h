/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The work of warps, by source line and class, by which codes that were rolled up differently can
 * be compared.
 */
#ifndef PIPESIM_ADVICE_WORK_H
#define PIPESIM_ADVICE_WORK_H

#include "answer/answer.h"

/* What a node does, as a text (g_free): its line and the first parts of its class; without a line
 * its name. */
char *ps_work_key(const PsIdg *idg, const PsIdgItem *node);

/* Such texts -> how often a warp that runs the program does it (double *); straight: outside of
 * loops. The caller's (g_hash_table_unref). */
GHashTable *ps_work_new(const PsKernel *kernel, guint program, gboolean straight);

/* Whether the groups of a kernel as it would be do as much as now, but for 2 %: instructions, and
 * bytes at each level of memory. */
gboolean ps_work_is_as_much(const PsKernel *now, const PsKernel *then, gint64 warps_per_group);

/* 0 of what is not done. */
double ps_work_times(GHashTable *work, const char *key);

#endif
