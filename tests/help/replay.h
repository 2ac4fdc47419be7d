/* SPDX-License-Identifier: BSD-3-Clause */
/* Sectors that are replayed through a cache. */
#ifndef PIPESIM_TESTS_HELP_REPLAY_H
#define PIPESIM_TESTS_HELP_REPLAY_H

#include <glib.h>

#define REPLAY_SECTOR 32
#define REPLAY_LINE 128

/* How many of n sectors (guint32: address / 32), touched in this order, an empty cache of so many
 * bytes does not hold when they are touched. */
gint64 replay_missed(const GArray *sectors, gint64 bytes);

#endif
