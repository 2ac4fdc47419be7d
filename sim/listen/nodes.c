/* SPDX-License-Identifier: BSD-3-Clause */
#include "sim/listen/nodes.h"

static PsMachineNode lay_out_node(const PsMachine *machine, guint p, guint n)
{
    const PsProgramNode *node = &machine->kernel->programs[p].nodes[n];
    const guint class_index = machine->class_of[p][n];
    const PsMachineClass *class = &machine->classes[class_index];
    const PsNodeCost *cost = &machine->costs[p][n];
    return (PsMachineNode){.node = node,
                           .class = class,
                           .program = p,
                           .class_index = class_index,
                           .pipeline = class->pipeline,
                           .issue = cost->issue,
                           .completion = cost->completion,
                           .hold = cost->hold};
}

/* How far the engine looks ahead (sim/engine/stage-fifo.h): no instance completes sooner after its
 * issue. The other engines report issues in order of time. Issues of one warp at one instant, on
 * several pipelines, may be out of order only without schedulers and in dataflow order. */
static gint64 find_lag(const PsNodes *nodes, const PsRefinements *refinements)
{
    gint64 lag = G_MAXINT64 / 4;
    if (refinements->order == PS_ORDER_PROGRAM || refinements->schedulers > 0)
        return 0;
    if (refinements->policy != PS_POLICY_FIFO || refinements->levels)
        return 1;
    for (guint n = 0; n < nodes->n_nodes; n++)
        lag = MIN(lag, nodes->all[n].completion);
    return lag;
}

void ps_nodes_init(PsNodes *nodes, const PsMachine *machine)
{
    const PsKernel *kernel = machine->kernel;
    guint at = 0;
    nodes->first_node = g_new0(guint, kernel->n_programs + 1);
    for (guint p = 0; p < kernel->n_programs; p++)
        nodes->first_node[p + 1] = nodes->first_node[p] + kernel->programs[p].n_nodes;
    nodes->n_nodes = nodes->first_node[kernel->n_programs];
    nodes->all = g_new0(PsMachineNode, nodes->n_nodes + 1);
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++)
            nodes->all[at++] = lay_out_node(machine, p, n);
    nodes->lag = find_lag(nodes, &machine->refinements);
}

void ps_nodes_clear(PsNodes *nodes)
{
    g_free(nodes->first_node);
    g_free(nodes->all);
}
