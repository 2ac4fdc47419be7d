/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A node's waits in program order (R2). When an instance of v is at its turn, all instances of x
 * that stand before it have issued: it needs as many completions as there are of these, less the
 * dependence's distance and 1. So it needs the latest completion of x, or one a fixed number before
 * it, whatever loops are around both. If there is none yet, the dependence is fulfilled.
 */
#include "sim/engine/plan.h"

/* How far before the latest completion: `per`, or 0 for a node that stands later, less the
 * distance. */
static gint64 back_of(const PsPlanEdge *edge, guint n)
{
    return (edge->on < n ? edge->per : 0) - edge->first;
}

static void number_values(PsPlanProgram *plan)
{
    plan->n_values = PS_VALUES_FIXED;
    for (guint n = 0; n < plan->n_nodes; n++)
        plan->nodes[n].value = plan->nodes[n].n_outs > 0 ? plan->n_values++ : PS_VALUE_UNUSED;
}

void ps_plan_lay_out_values(PsPlanProgram *plan)
{
    number_values(plan);
    plan->values = g_new0(guint, plan->n_edges + 1);
    plan->fars = g_new0(PsPlanFar, plan->n_edges + 1);
    guint *value = plan->values;
    PsPlanFar *far = plan->fars;
    for (guint n = 0; n < plan->n_nodes; n++) {
        PsPlanNode *node = &plan->nodes[n];
        guint near = 0;
        node->more = value;
        node->far = far;
        for (guint e = 0; e < node->n_edges; e++) {
            const gint64 back = back_of(&node->edges[e], n);
            PsPlanNode *on = &plan->nodes[node->edges[e].on];
            if (back == 0) {
                if (near < PS_PLAN_VALUES)
                    node->values[near++] = on->value;
                else
                    *value++ = on->value;
                continue;
            }
            *far++ = (PsPlanFar){node->edges[e].on, back};
            on->far_awaited = TRUE;
        }
        node->n_more = (guint)(value - node->more);
        node->n_far = (guint)(far - node->far);
    }
}
