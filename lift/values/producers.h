/* SPDX-License-Identifier: BSD-3-Clause */
/* The producers of a value, which are instances of spots. Few values are live at once, and most
 * have few producers. */
#ifndef PIPESIM_LIFT_VALUES_PRODUCERS_H
#define PIPESIM_LIFT_VALUES_PRODUCERS_H

#include <glib.h>

G_BEGIN_DECLS

/* The most producers of one register; if there are more, the latest spots are kept. */
#define PS_MOST_PRODUCERS 64

typedef struct {
    guint spot;
    gint64 index;
} PsProducer;

/* Sorted by spot. */
typedef struct {
    guint n, size;
    PsProducer *list;
} PsProducers;

/* Adds that instance of a spot; of two instances of one spot the later stays. The caller frees
 * `list`. */
void ps_producers_add(PsProducers *value, guint spot, gint64 index);

/* Adds all of another value. */
void ps_producers_add_all(PsProducers *value, const PsProducers *from);

/* Replaces the value by the other one, which may be the same. */
void ps_producers_set(PsProducers *value, const PsProducers *from);

/* Keeps no more than PS_MOST_PRODUCERS. */
void ps_producers_limit(PsProducers *value);

G_END_DECLS
#endif
