/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A collector's entry for one kernel: counters in the order in which the file first had them. See
 * collect-private.h.
 */
#include "roofline/import/collect-private.h"

#include <string.h>

PsCounter *ps_entry_room(PsCollector *collector, PsEntry *entry, guint counter)
{
    guint *slot = &collector->slots[counter];
    if (*slot == 0)
        *slot = ++collector->n_slots;
    if (*slot > entry->room) {
        entry->counters = g_renew(PsCounter, entry->counters, collector->n_slots);
        memset(entry->counters + entry->room, 0,
               (collector->n_slots - entry->room) * sizeof *entry->counters);
        entry->room = collector->n_slots;
    }
    return &entry->counters[*slot - 1];
}

const PsCounter *ps_entry_counter(const PsCollector *collector, const PsEntry *entry, guint counter)
{
    static const PsCounter none = {0};
    const guint slot = collector->slots[counter];
    return slot > 0 && slot <= entry->room ? &entry->counters[slot - 1] : &none;
}

const PsCounter *ps_entry_spread(const PsCollector *collector, const PsEntry *entry)
{
    for (guint i = 0; i < collector->counters.names->len; i++)
        collector->all[i] = *ps_entry_counter(collector, entry, i);
    return collector->all;
}

void ps_entry_free(PsEntry *entry)
{
    g_free((char *)entry->key.name);
    g_free((char *)entry->key.device);
    g_free(entry->counters);
    g_free(entry);
}
