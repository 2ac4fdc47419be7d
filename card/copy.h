/* SPDX-License-Identifier: BSD-3-Clause */
/* The time of a copy. */
#ifndef PIPESIM_CARD_COPY_H
#define PIPESIM_CARD_COPY_H

#include "card/log.h"
#include "gpu/gpu.h"

G_BEGIN_DECLS
#pragma GCC visibility push(default)

/* Seconds of a copy of so many bytes, or of setting them: over the link to the host, or as device
 * memory reads and writes. NaN: the description does not say how fast that is. */
double ps_card_copy_seconds(const PsGpu *gpu, PsCardWay way, guint64 bytes);

#pragma GCC visibility pop
G_END_DECLS
#endif
