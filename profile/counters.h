/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chooses the counters for a profiler that cannot say beforehand which ones it has.
 */
#ifndef PIPESIM_PROFILE_COUNTERS_H
#define PIPESIM_PROFILE_COUNTERS_H

#include <glib.h>

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The counters that tell each metric, none twice (char *). A metric has several ways to be counted:
 * the best one is taken whose counters are all in the list; NULL: the first one. profiler: "ncu",
 * "rocprofv3". */
GPtrArray *ps_counters_wanted(const char *profiler, GHashTable *known);

#pragma GCC visibility pop
G_END_DECLS
#endif
