/* SPDX-License-Identifier: BSD-3-Clause */
/* Joins two codes that one wave runs into one. Internal to idg/. */
#ifndef PIPESIM_IDG_WAVES_JOIN_H
#define PIPESIM_IDG_WAVES_JOIN_H

#include "idg/idg.h"

/* What some warps of a wave run. */
typedef struct {
    const GPtrArray *body; /* PsIdgItem */
    gint64 warps, threads;
} PsHalf;

/* Appends to `body`, which is empty, what both halves run together; the scope has the parameters'
 * values. FALSE where the halves cannot be joined: they meet at different barriers, are too long to
 * be compared, or a mean of theirs is no fraction of 64 bits. The body is then of no use. */
gboolean ps_waves_join(const PsHalf halves[2], const PsScope *scope, GPtrArray *body);

#endif
