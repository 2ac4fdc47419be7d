/* SPDX-License-Identifier: BSD-3-Clause */
/* Draws what a program's streams did over time, for its page. */
#ifndef PIPESIM_CARD_AXIS_H
#define PIPESIM_CARD_AXIS_H

#include "card/log.h"

/* Kernels have colours of their own, the dearest first; the last colour is that of all others. */
#define PS_CARD_COLOURS 8

/* Appends a bar for each stream, and for the copies of each direction. rows: PsCardRow, the dearest
 * kernel first; their order gives kernels their colours. */
void ps_card_put_axis(const PsCardRead *read, const GArray *rows, GString *out);

#endif
