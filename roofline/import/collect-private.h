/* SPDX-License-Identifier: BSD-3-Clause */
/* The state of a collector: entry.c keeps it, collect.c fills it, collect-end.c hands its kernels
 * on. See import.h. */
#ifndef PIPESIM_ROOFLINE_COLLECT_PRIVATE_H
#define PIPESIM_ROOFLINE_COLLECT_PRIVATE_H

#include "roofline/import/formula.h"

typedef struct {
    PsKernelKey key; /* owned */
    int line;
    gint64 launches;   /* the most that any table has */
    gint64 in_section; /* those that the present one did, */
    guint64 section;   /* this one */
    gint64 apart;      /* launches handed on */
    guint lacking;     /* metrics that some launch handed on lacked */
    gboolean only_seconds;
    gboolean is_uncounted; /* counters of some launch are 0 that cannot be */
    PsCounter *counters;   /* by slot, */
    guint room;            /* so many: files have few of the counters that formulas know */
} PsEntry;

struct PsCollector {
    const PsImport *import;
    PsCounters counters;
    GHashTable *entries; /* by key */
    GPtrArray *order;    /* as the file speaks of them; owns them */
    PsEntry *entry;      /* key of the launch that was begun last */
    PsEntry launch;      /* what is summed of the launch that is apart; its counters alone */
    PsEntry *summed;     /* entry or &launch */
    guint *slots;        /* of each counter, from 1 on; 0: the file has not had it yet */
    guint n_slots;
    PsCounter *all;    /* counters of one entry by their numbers, see ps_entry_spread */
    gboolean is_apart; /* one was begun and not handed on */
    int launch_line;
    gint64 weight; /* launches that were begun together */
    guint64 begun, section;
    guint64 taken;   /* formulas with a note */
    guint estimated; /* metrics that estimates are in */
    char *conflict;  /* the first value that was put again as another one */
    guint n_conflicts;
};

void ps_entry_free(PsEntry *entry);

/* A counter of an entry; zeros if it has none. Borrowed. */
const PsCounter *ps_entry_counter(const PsCollector *collector, const PsEntry *entry,
                                  guint counter);

/* The same for changes: the entry has the counter from then on. Valid until the next call. */
PsCounter *ps_entry_room(PsCollector *collector, PsEntry *entry, guint counter);

/* All counters of an entry by their numbers; until the next call. */
const PsCounter *ps_entry_spread(const PsCollector *collector, const PsEntry *entry);

/* Hands on the launch that is apart, if there is one. */
gboolean ps_collector_end_launch(PsCollector *collector, GError **error);

#endif
