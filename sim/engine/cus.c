/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/engine/cus.h"

gboolean ps_cus_need_scout(const PsMachine *machine)
{
    return machine->n_cus > 1 && machine->group_interval == 0 &&
           machine->launch.groups > machine->n_cus * machine->launch.active_groups;
}

guint ps_cus_part(const PsMachine *machine, gint64 launched, gint64 wanted,
                  PsCus sorts[PS_CUS_SORTS])
{
    const gint64 left = machine->launch.groups - machine->n_cus * launched;
    const gint64 served = left / wanted;
    const gint64 partly = left % wanted > 0 ? 1 : 0;
    const gint64 n[PS_CUS_SORTS] = {served, partly, machine->n_cus - served - partly};
    const gint64 more[PS_CUS_SORTS] = {wanted, left % wanted, 0};
    guint first = 0, n_sorts = 0;
    for (guint i = 0; i < PS_CUS_SORTS; i++) {
        if (n[i] > 0)
            sorts[n_sorts++] = (PsCus){first, (guint)n[i], launched + more[i]};
        first += (guint)n[i];
    }
    return n_sorts;
}
