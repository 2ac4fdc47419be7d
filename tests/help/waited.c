/* SPDX-License-Identifier: BSD-3-Clause */
#include "tests/help/waited.h"

void waited_clear(Waited *waited)
{
    g_clear_pointer(&waited->rows, g_ptr_array_unref);
    g_clear_pointer(&waited->nodes, g_array_unref);
}

gboolean wait_for(const PsMachine *machine, gboolean every_one, Waited *waited, GError **error)
{
    g_autoptr(PsWaits) waits = ps_waits_new(machine);
    const PsListener listener = ps_waits_listener(waits);
    const PsSimOptions options = {
        .listeners = &listener, .n_listeners = 1, .no_fast_forward = every_one};
    if (!ps_sim_run(machine, &options, &waited->result, error))
        return FALSE;
    waited->rows = ps_waits_rows(waits, waited->result.ticks);
    waited->nodes = ps_waits_of_nodes(waits);
    ps_waits_occupancy(waits, waited->result.ticks, WAITED_PARTS, waited->occupancy);
    waited->tail = ps_waits_tail(waits, waited->result.ticks);
    return TRUE;
}

double ticks_of(const GPtrArray *rows, PsWaitKind kind, guint which)
{
    for (guint i = 0; i < rows->len; i++) {
        const PsWaitRow *row = rows->pdata[i];
        if (row->kind == kind && row->which == which)
            return row->ticks;
    }
    return 0;
}
