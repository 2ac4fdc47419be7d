/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * AMD's profilers: rocprofv3, else rocprof. One run takes the times, further runs count. A run
 * counts little, since the hardware has few counters, and a program ends that is asked for more.
 */
#ifndef PIPESIM_PROFILE_ROCM_H
#define PIPESIM_PROFILE_ROCM_H

#include "roofline/profile.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* The profiler with the command behind it, for a run that writes times below the folder `where`
 * (g_strfreev). */
char **ps_rocm_times_command(gboolean is_v3, const char *where, char **command);

/* The command for these counters. NULL and *error where the profiler's list of them cannot be
 * written. */
char **ps_rocm_counters_command(gboolean is_v3, const char *where, char **counters, char **command,
                                GError **error);

/* The command that makes the profiler list its counters (g_strfreev), and the words of its list;
 * NULL where it lists none. */
char **ps_rocm_list_command(gboolean is_v3);
GHashTable *ps_rocm_listed(const char *said);

/* The next of the counters (char *) that go into one run; *at: how many have gone (g_strfreev). */
char **ps_rocm_next_counters(const GPtrArray *counters, guint *at);

/* All that runs have written below FOLDER/what, "times" or "counters", as one profile
 * (ps_profile_free), by way of a file in the folder. NULL and *error where there is none. */
PsProfile *ps_rocm_load(gboolean is_v3, const char *folder, const char *what, GError **error);

/* Gives the counts' kernels the times of the run for times. */
void ps_rocm_join(PsProfile *counts, const PsProfile *times);

/* The kernels as JSON (g_free). What the verb roofline writes has the same keys. */
char *ps_profile_kernels_json(const PsProfile *profile);

#pragma GCC visibility pop
G_END_DECLS
#endif
