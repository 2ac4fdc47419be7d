/* SPDX-License-Identifier: BSD-3-Clause */
/* What a collector knows: collect.c fills it, collect-end.c hands its kernels on. See import.h. */
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
    PsCounter counters[];
} PsEntry;

struct PsCollector {
    const PsImport *import;
    PsCounters counters;
    GHashTable *entries; /* by key */
    GPtrArray *order;    /* as the file speaks of them; owns them */
    PsEntry *entry;      /* of what was begun last */
    PsCounter *sums;     /* its counters, or the launch's own */
    PsCounter *launch;   /* counters of the launch that is apart */
    gboolean is_apart;   /* one was begun and not handed on */
    int launch_line;
    gint64 weight; /* launches that were begun together */
    guint64 begun, section;
    guint64 taken;   /* formulas with a note */
    guint estimated; /* metrics that estimates are in */
    char *conflict;  /* the first value that was put again as another one */
    guint n_conflicts;
};

void ps_entry_free(PsEntry *entry);

/* Hands on the launch that is apart, if there is one. */
gboolean ps_collector_end_launch(PsCollector *collector, GError **error);

#endif
