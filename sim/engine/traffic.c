/* SPDX-License-Identifier: BSD-3-Clause */
/* See traffic.h. */
#include "sim/engine/traffic.h"

#include "base/class-name.h"
#include "gpu/rows.h"

#include <math.h>

#define PARTS PS_STOP_WHOLE

gboolean ps_node_is_atomic(const PsProgramNode *node)
{
    return ps_class_covers("atomic", node->item->class_name);
}

gboolean ps_memory_rules(const PsMachine *machine, const PsProgramNode *node, const PsClass *class)
{
    const char *asked = node->item->class_name;
    if (!machine->refinements.levels || ps_class_covers("memory.fence", asked) ||
        ps_class_covers("atomic.local", asked))
        return FALSE;
    if (ps_class_is_copy(asked))
        return TRUE;
    const gboolean of_pattern = !class->derived && ps_class_n_parts(class->name) > 2;
    return !of_pattern && (ps_class_is_global(asked) || ps_node_is_atomic(node));
}

/* If the graph does not state a level's share, it is that of the next level that the graph states;
 * beyond these, that of the last one. A graph without l0 means by l1 the cache of a CU: an L1
 * shared by several CUs has no hits for its misses. */
PsRational ps_node_share(const PsMachine *machine, const PsProgramNode *node, PsLevel level)
{
    if (level == PS_LEVEL_DEVICE && machine->warm)
        return PS_RATIONAL_INT(0);
    const gboolean shared = level == PS_LEVEL_L1 && node->share[PS_LEVEL_L0].num < 0 &&
                            ps_gpu_level(machine->gpu, PS_LEVEL_L0);
    for (int i = (int)level + shared; i < PS_N_LEVELS; i++)
        if (node->share[i].num >= 0)
            return node->share[i];
    for (int i = (int)level; i >= 0; i--)
        if (node->share[i].num >= 0)
            return node->share[i];
    return PS_RATIONAL_INT(1);
}

static gboolean body_counts(const GPtrArray *body)
{
    for (guint i = 0; i < body->len; i++) {
        const PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP ? body_counts(item->body) : item->wavefronts != NULL)
            return TRUE;
    }
    return FALSE;
}

gboolean ps_traffic_is_counted(const PsMachine *machine)
{
    const GPtrArray *codes = machine->kernel->idg->codes;
    for (guint i = 0; machine->gpu->memory.wavefront.num > 0 && i < codes->len; i++)
        if (body_counts(((const PsIdgCode *)codes->pdata[i])->body))
            return TRUE;
    return FALSE;
}

gboolean ps_node_is_store(const PsProgramNode *node)
{
    return ps_class_writes(node->item->class_name) && !ps_node_is_atomic(node);
}

/* TRUE if the node's share at L2 exceeds that of its lanes. The one lane of a copy asks for all of
 * its bytes. Shares refer to a mean warp, which has fewer threads than a whole one if the group's
 * last warp is not full. */
static gboolean moves_more(const PsMachine *machine, const PsProgramNode *node)
{
    const PsLaunch *launch = &machine->launch;
    PsRational lanes = node->lanes;
    return !ps_class_covers("copy", node->item->class_name) &&
           (node->item->lanes || ps_rational_make(launch->warps_per_group * machine->gpu->warp_size,
                                                  launch->group_size, &lanes)) &&
           ps_rational_cmp(ps_node_share(machine, node, PS_LEVEL_L2), lanes) > 0;
}

PsRational ps_node_partial(const PsMachine *machine, const PsProgramNode *node)
{
    const PsRational share = ps_node_share(machine, node, PS_LEVEL_L2);
    if (!ps_class_writes(node->item->class_name))
        return PS_RATIONAL_INT(0);
    if (node->partial.num >= 0)
        return ps_rational_cmp(node->partial, share) < 0 ? node->partial : share;
    return moves_more(machine, node) ? share : PS_RATIONAL_INT(0);
}

/* Adds the traffic of so many instances of a node. */
static void add_node(const PsMachine *machine, const PsProgramNode *node, double times,
                     PsLaunchTraffic *traffic)
{
    const double bytes = times * (double)(node->bytes > 0 ? node->bytes : 4);
    const double l2 = ps_rational_to_double(ps_node_share(machine, node, PS_LEVEL_L2));
    const double partial = ps_rational_to_double(ps_node_partial(machine, node));
    *(ps_class_writes(node->item->class_name) ? &traffic->written : &traffic->read) +=
        bytes * ps_rational_to_double(ps_node_share(machine, node, PS_LEVEL_DEVICE));
    traffic->partial += bytes * partial;
    traffic->whole += ps_node_is_store(node) ? bytes * (l2 - partial) : 0;
    traffic->parts |= times > 0 && partial > 0;
    traffic->stored |= times > 0 && ps_node_is_store(node);
}

PsLaunchTraffic ps_traffic_of_launch(const PsMachine *machine)
{
    const PsLaunch *launch = &machine->launch;
    const double threads = (double)launch->group_size / (double)launch->warps_per_group;
    PsLaunchTraffic traffic = {0};
    for (guint p = 0; p < machine->kernel->n_programs; p++) {
        const PsProgram *program = &machine->kernel->programs[p];
        const double times = ps_kernel_mean_warps(machine->kernel, p, launch->warps_per_group) *
                             threads * (double)launch->groups;
        for (guint n = 0; n < program->n_nodes; n++) {
            const PsProgramNode *node = &program->nodes[n];
            const PsClass *class = ps_gpu_class(machine->gpu, node->item->class_name, NULL);
            if (class && ps_memory_rules(machine, node, class))
                add_node(machine, node, times * (double)node->count, &traffic);
        }
    }
    return traffic;
}

gboolean ps_traffic_fits(const PsMachine *machine, const PsLaunchTraffic *traffic)
{
    const GArray *levels = machine->gpu->memory.levels;
    const guint n = levels->len;
    return n > 1 && traffic->read + traffic->written <=
                        (double)g_array_index(levels, PsMemoryLevel, n - 2).bytes;
}

gint64 ps_traffic_written_back(const PsMachine *machine, PsLaunchTraffic *traffic)
{
    const GArray *levels = machine->gpu->memory.levels;
    if (machine->refinements.cache != PS_CACHE_DIRTY || traffic->read <= 0)
        return 0;
    const PsMemoryLevel *cache = &g_array_index(levels, PsMemoryLevel, levels->len - 2);
    const double bytes = (double)cache->bytes;
    const double back = ps_rational_to_double(cache->dirty) * bytes *
                        exp(-traffic->written / bytes) * (1 - exp(-traffic->read / bytes));
    traffic->written += back;
    return (gint64)(PARTS * back / traffic->read + 0.5);
}
