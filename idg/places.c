/* SPDX-License-Identifier: BSD-3-Clause */
#include "idg/places.h"

gint64 ps_program_instances_before(const PsProgramNode *node, gint64 position)
{
    gint64 rest = position - node->position, each = node->count, before = 0;
    if (rest <= 0)
        return 0;
    for (guint l = node->n_loops; l-- > 0;) {
        const PsProgramLoop *loop = &node->loops[l];
        const gint64 trips = MIN(rest / loop->stride, loop->trips);
        each /= loop->trips;
        before += trips * each;
        rest -= trips * loop->stride;
        if (trips == loop->trips)
            return before;
    }
    return before + (rest > 0);
}

gint64 ps_program_position_of(const PsProgramNode *node, gint64 k)
{
    gint64 position = node->position;
    for (guint l = 0; l < node->n_loops; l++) {
        position += k % node->loops[l].trips * node->loops[l].stride;
        k /= node->loops[l].trips;
    }
    return position;
}
