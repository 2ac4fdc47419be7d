/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A scheduler's two banks of registers (R10): each gives one operand of a warp a cycle, and an
 * instruction has some cycles to read its operands. If these are too few, it waits, and nothing
 * issues behind it. Internal to sim/.
 */
#ifndef PIPESIM_SIM_ENGINE_READS_H
#define PIPESIM_SIM_ENGINE_READS_H

#include "sim/engine/trail.h"

#define PS_NO_READER G_MAXUINT

typedef struct {
    gint64 free_at[PS_IDG_BANKS];
    guint reader; /* the slot of the warp that read last, or PS_NO_READER */
} PsReadPorts;

/* The read ports of each scheduler; NULL if reading takes no time. Free with g_free. */
static inline PsReadPorts *ps_reads_new(const PsMachine *machine)
{
    if (machine->read_window == 0)
        return NULL;
    PsReadPorts *ports = g_new0(PsReadPorts, machine->refinements.schedulers);
    for (gint64 s = 0; s < machine->refinements.schedulers; s++)
        ports[s].reader = PS_NO_READER;
    return ports;
}

/* Begins a warp in that slot, to which the registers that the former warp read are of no use. */
static inline void ps_reads_begin(PsReadPorts *ports, guint slot)
{
    if (ports->reader == slot)
        ports->reader = PS_NO_READER;
}

/* An instance that reads issues. Returns for how long it waits for the banks. */
static inline gint64 ps_reads_wait(PsReadPorts *ports, const PsMachine *machine,
                                   const PsPlanNode *node, guint slot, gint64 now)
{
    const gboolean again = ports->reader == slot;
    gint64 takes[PS_IDG_BANKS], begin = now;
    for (guint b = 0; b < PS_IDG_BANKS; b++) {
        takes[b] = (node->banks[b] - (again ? node->kept[b] : 0)) * machine->ticks_per_cycle;
        if (takes[b] > 0)
            begin = MAX(begin, ports->free_at[b] + takes[b] - machine->read_window);
    }
    for (guint b = 0; b < PS_IDG_BANKS; b++)
        if (takes[b] > 0)
            ports->free_at[b] = MAX(ports->free_at[b], begin) + takes[b];
    ports->reader = slot;
    return begin - now;
}

/* Ticks for which a bank that is free again still has the most reads wait: more than there is time
 * for. */
static inline gint64 ps_reads_reach(const PsMachine *machine)
{
    return MAX(PS_IDG_MAX_READS * machine->ticks_per_cycle - machine->read_window, 0);
}

/* Fast-forward: what must be equal. */
static inline gboolean ps_reads_visit(const PsReadPorts *ports, const PsEngine *engine,
                                      gboolean by_place, PsTrail *trail)
{
    const gint64 reach = ps_reads_reach(engine->plan->machine);
    gboolean same = TRUE;
    for (guint b = 0; same && b < PS_IDG_BANKS; b++)
        same = ps_trail_time(trail, engine, ports->free_at[b] + reach);
    if (!same || ports->reader == PS_NO_READER)
        return same && ps_trail_word(trail, -1);
    return ps_trail_word(trail, by_place ? (gint64)ports->reader
                                         : ps_engine_by_age(engine, ports->reader));
}

#endif
