/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Rules R7 and R8 of docs/reference/model.md, word for word and slowly: from what a graph says of a
 * node's bytes and a description of its memory to what the slow simulator charges for an instance.
 */
#ifndef PIPESIM_TESTS_HELP_REFERENCE_TRAFFIC_H
#define PIPESIM_TESTS_HELP_REFERENCE_TRAFFIC_H

#include "sim/sim.h"
#include "tests/help/reference.h"

/* What a graph runs on. */
typedef struct {
    const PsGpu *gpu;
    PsRational clock;   /* MHz, of the run */
    gint64 sharing;     /* c: the compute units that have work */
    gint64 schedulers;  /* R1; 0: none */
    gint64 group_size;  /* threads */
    gint64 warps;       /* of a group */
    gint64 groups;      /* of the whole launch */
    PsCacheState cache; /* --cache */
    gint64 mixed;       /* parts of 1024; found by ref_traffic_new, like back */
    gint64 back;        /* parts of 1024: written back for each byte read (--cache dirty) */
    gint64 ticks_per_cycle;
} RefMemory;

/* The nodes of the graph that go through memory levels: PsIdgItem to RefTraffic, both as long as
 * the graph and the table live. scope has every parameter. Free with g_hash_table_unref. */
GHashTable *ref_traffic_new(const RefMemory *memory, const PsIdg *idg, const PsScope *scope);

/* R7: ticks that a load waits at a device memory that is always busy, and of the work that is
 * before it then; 0 where the description does not say. */
void ref_queue(const RefMemory *memory, const PsIdg *idg, const PsScope *scope, gint64 *queue,
               gint64 *window);

/* R5 with R7: ticks until a compute unit has the kernel's first instructions and its arguments. */
gint64 ref_fetch(const RefMemory *memory);

#endif
