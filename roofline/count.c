/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A kernel's metrics counted from its graph and launch, in place of a profiler. Counts are doubles:
 * a large launch's instructions times threads would overflow 64 bits.
 */
#include "roofline/params.h"

#include "base/class-name.h"
#include "base/message.h"
#include "roofline/terms.h"

#include <math.h>
#include <string.h>

/* The factor of a program's counts: threads for counts without idle lanes, whole warps for
 * M_inst. */
typedef struct {
    double threads;
    double lanes; /* the warps' threads, idle ones included */
    double mean;  /* threads of the group's warps on average: the base of shares */
} Width;

/* Nodes that do not say how much of their traffic reaches device memory. */
typedef struct {
    const PsIdgItem *first;
    guint nodes;
} Silent;

/* ---- which warps run what
 * ------------------------------------------------------------------------- */

/* Threads of warps first..last of a group; the last warp of the group may be partly empty. */
static gint64 threads_in(gint64 first, gint64 last, gint64 group_size, gint64 warp_size)
{
    return MIN(group_size, (last + 1) * warp_size) - first * warp_size;
}

/* Adds the widths of the programs of a kind of groups, by the kind's share. Ranges of warps may
 * have any length. */
static void add_widths(const PsKernel *kernel, const PsKernelKind *kind, gint64 group_size,
                       gint64 warp_size, Width *widths)
{
    const gint64 warps = (group_size - 1) / warp_size + 1;
    gint64 rest_threads = group_size, rest_warps = warps;
    const double share = (double)kind->share / (double)kernel->parts;
    for (guint i = 0; i < kind->n_warps; i++) {
        const PsKernelWarps *range = &kind->warps[i];
        const gboolean rest = range->last == G_MAXINT64 && i + 1 == kind->n_warps;
        if (range->first >= warps && !rest)
            continue;
        const gint64 last = MIN(range->last, warps - 1);
        const gint64 threads =
            rest ? rest_threads : threads_in(range->first, last, group_size, warp_size);
        const gint64 count = rest ? rest_warps : last - range->first + 1;
        widths[range->program].threads += share * (double)threads;
        widths[range->program].lanes += share * (double)count * (double)warp_size;
        widths[range->program].mean += share * ((double)count * (double)group_size / (double)warps);
        rest_threads -= threads;
        rest_warps -= count;
    }
}

/* Widths of the programs of a group, on average over all groups. */
static Width *widths_of(const PsKernel *kernel, gint64 group_size, gint64 warp_size)
{
    Width *widths = g_new0(Width, kernel->n_programs);
    for (guint k = 0; k < kernel->n_kinds; k++)
        add_widths(kernel, &kernel->kinds[k], group_size, warp_size, widths);
    return widths;
}

/* ---- instructions -------------------------------------------------------------------------- */

/* Operations of the largest instruction of a type that the class may be. */
static double most_operations(PsKType type, const char *class_name, double stated)
{
    const gboolean whole = ps_class_covers("imad.dot", class_name); /* four products, or two */
    return whole || !(ps_k_type_ops(type) > 0) ? stated : ps_k_type_ops(type);
}

double ps_node_instructions(const PsProgramNode *node, PsKType type)
{
    if (!node->ops || ps_k_type_of(node->item->type) != type)
        return 0;
    const double ops = (double)node->ops;
    return ceil(ops / most_operations(type, node->item->class_name, ops));
}

/* Adds the operations of a node; returns the number of instructions. A node with more operations
 * than the largest instruction of its type stands for as many of these as that takes. */
static double count_operations(const PsProgramNode *node, double runs, PsMetrics *metrics)
{
    double *m = metrics->value;
    const PsKType type = ps_k_type_of(node->item->type);
    if (!node->ops || type == PS_K_UNKNOWN)
        return 1;
    const double ops = (double)node->ops;
    const double instructions = ps_node_instructions(node, type);
    switch (type) {
    case PS_K_FP64:
        m[PS_M_FP64] += instructions * runs;
        m[PS_M_FMA64] += (ops - instructions) * runs;
        if (ps_class_is_special(node->item->class_name))
            metrics->special64 += instructions * runs;
        break;
    case PS_K_FP32:
        m[ps_class_is_special(node->item->class_name) ? PS_M_SPECIAL : PS_M_FMA_PIPE] +=
            instructions * runs;
        m[PS_M_FP32] += instructions * runs;
        m[PS_M_FMA32] += (ops - instructions) * runs;
        break;
    case PS_K_FP16:
        m[PS_M_FP16] += instructions * runs;
        m[PS_M_OPS16] += ops * runs;
        break;
    case PS_K_TENSOR:
        m[PS_M_TENSOR] += instructions * runs;
        m[PS_M_OPS_TENSOR] += ops * runs;
        ps_products_count(node->item->class_name, ops * runs, metrics);
        break;
    default:
        m[PS_M_INT] += instructions * runs;
    }
    return instructions;
}

/* ---- memory -------------------------------------------------------------------------------- */

/* Bytes of a node's threads that reach a level; NaN where the graph does not say. */
static double bytes_at(const PsProgramNode *node, PsLevel level, double runs)
{
    if (!node->item->bytes || node->share[level].num < 0)
        return NAN;
    return (double)node->bytes * ps_rational_to_double(node->share[level]) * runs;
}

static void count_traffic(const PsProgramNode *node, double runs, PsMetrics *metrics,
                          Silent *silent)
{
    double *m = metrics->value;
    const double device = bytes_at(node, PS_LEVEL_DEVICE, runs);
    m[PS_M_L1] += bytes_at(node, PS_LEVEL_L1, runs);
    m[PS_M_L2] += bytes_at(node, PS_LEVEL_L2, runs);
    m[PS_M_L3] += bytes_at(node, PS_LEVEL_L3, runs);
    m[PS_M_L4] += bytes_at(node, PS_LEVEL_L4, runs);
    /* Atomics that write count as writes, as at device memory (docs/reference/model.md, R7). */
    m[ps_class_writes(node->item->class_name) ? PS_M_TRAN_W : PS_M_TRAN_R] += device;
    if (!isnan(device))
        return;
    if (!silent->nodes++)
        silent->first = node->item;
}

/* Forgets caches that no node has traffic for: they do not exist. */
static void forget_levels(PsMetrics *metrics)
{
    static const PsMetric levels[] = {PS_M_L3, PS_M_L4};
    for (guint i = 0; i < G_N_ELEMENTS(levels); i++)
        if (metrics->value[levels[i]] == 0)
            metrics->value[levels[i]] = NAN;
}

/* Counts local memory. An access counts its wavefronts, each as an access of 4 bytes per thread
 * without conflicts. */
static void count_local(const char *class_name, double runs, PsMetrics *metrics)
{
    const PsClassAccess access = ps_class_access(class_name);
    const double passes = (double)ps_class_wavefronts(&access);
    metrics->value[PS_M_LOCAL] += 4 * runs * passes;
    PsClassAccess apart = access;
    apart.conflicts = 1;
    metrics->conflicts += 4 * runs * (passes - 1);
    metrics->replays += runs * (passes - (double)ps_class_wavefronts(&apart));
}

/* TRUE for instructions that move nothing beyond the chip unless the node says so: accesses to a
 * group's own memory, atomics included, and to constants, which have a cache of their own; fences;
 * and prefetches, since the load that follows counts the bytes that they bring. */
static gboolean stays_on_chip(const PsProgramNode *node)
{
    static const char *const others[] = {"constant", "memory.fence", "global.load.prefetch", NULL};
    const char *class_name = node->item->class_name;
    return node->share[PS_LEVEL_DEVICE].num < 0 &&
           (ps_class_is_local(class_name) || ps_class_is_one_of(class_name, others));
}

/* ---- nodes --------------------------------------------------------------------------------- */

static void count_node(const PsProgramNode *node, const Width *width, PsMetrics *metrics,
                       Silent *silent)
{
    static const char *const far[] = {"global", "memory", "copy", "atomic", NULL};
    const char *class_name = node->item->class_name;
    const double runs = (double)node->count * width->threads;
    const gboolean local = ps_class_covers("local", class_name);
    const gboolean moves = node->item->bytes || ps_class_is_one_of(class_name, far);
    const double instructions = count_operations(node, runs, metrics);
    metrics->value[PS_M_INST] += instructions * (double)node->count * width->lanes;
    if (local || moves)
        metrics->value[PS_M_LDST] += runs;
    if (!local && ps_class_covers("atomic", class_name))
        metrics->atomics += runs;
    if (local)
        count_local(class_name, runs, metrics);
    if (moves && !local && !stays_on_chip(node))
        count_traffic(node, (double)node->count * width->mean, metrics, silent);
}

static void warn(const PsKernel *kernel, const Silent *silent, GPtrArray *warnings)
{
    const PsIdgItem *item = silent->first;
    if (!item || !warnings)
        return;
    g_autofree char *others =
        silent->nodes > 1 ? g_strdup_printf(" (one of %u)", silent->nodes) : g_strdup("");
    /* a GError only for its form: place, one line, no control characters */
    g_autoptr(GError) text = NULL;
    ps_error_at(&text, PS_ERROR_VALUE, ps_idg_place(kernel->idg, item->line),
                "node \"%s\"%s does not say how much of its traffic reaches device memory, so that "
                "W_traf is not known; state it with %sdevice=\"1\", or the share that misses the "
                "caches",
                item->name, others, item->bytes ? "" : "bytes=\"...\" per thread and ");
    g_ptr_array_add(warnings, g_strdup(text->message));
}

void ps_metrics_count(const PsKernel *kernel, gint64 groups, gint64 group_size, gint64 warp_size,
                      PsMetrics *metrics, GPtrArray *warnings)
{
    Silent silent = {NULL, 0};
    g_autofree Width *widths = widths_of(kernel, group_size, warp_size);
    ps_metrics_init(metrics);
    for (guint i = 0; i < PS_N_METRICS; i++)
        metrics->value[i] = 0;
    metrics->value[PS_M_SECONDS] = metrics->value[PS_M_CYCLES] = NAN;
    metrics->value[PS_M_OPS64] = metrics->value[PS_M_OPS32] = NAN;
    metrics->value[PS_M_BEHIND_L2] = NAN;
    for (guint p = 0; p < kernel->n_programs; p++) {
        const PsProgram *program = &kernel->programs[p];
        const Width width = {widths[p].threads * (double)groups, widths[p].lanes * (double)groups,
                             widths[p].mean * (double)groups};
        for (guint n = 0; n < program->n_nodes && width.threads > 0; n++)
            count_node(&program->nodes[n], &width, metrics, &silent);
    }
    metrics->stored = metrics->value[PS_M_TRAN_W];
    metrics->graph = TRUE;
    forget_levels(metrics);
    warn(kernel, &silent, warnings);
}
