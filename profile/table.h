/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The table of measurements.
 */
#ifndef PIPESIM_PROFILE_TABLE_H
#define PIPESIM_PROFILE_TABLE_H

#include "profile/traced.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Puts the long form of Nsight Compute's table, with a row for each metric of each launch that has
 * a time, which `pipesim roofline` and other tools read. Devices stand there by name. FALSE and
 * *error from put. */
gboolean ps_traced_table(const PsTraced *trace,
                         gboolean (*put)(const char *text, gpointer data, GError **error),
                         gpointer data, GError **error);

#pragma GCC visibility pop
G_END_DECLS
#endif
