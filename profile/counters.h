/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the counters that are asked of a profiler which cannot be asked first.
 */
#ifndef PIPESIM_PROFILE_COUNTERS_H
#define PIPESIM_PROFILE_COUNTERS_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The best way to know each metric, of those whose counters are in a list (NULL: the first ways):
 * an array of char *, none twice. profiler: "ncu", "rocprofv3". */
GPtrArray *ps_counters_wanted(const char *profiler, GHashTable *known);

#pragma GCC visibility pop
G_END_DECLS
#endif
