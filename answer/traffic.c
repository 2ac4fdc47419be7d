/* SPDX-License-Identifier: BSD-3-Clause */
/* See traffic.h. */
#include "answer/traffic.h"
#include "answer/answer-private.h"

#include "answer/figures.h"

#include "base/class-name.h"
#include "gpu/rows.h"

#include <math.h>

/* The least share of bytes in a pipeline's busy time at which bytes are named alone: the rest is
 * too little to tell of. */
#define MOST 0.75

gboolean ps_traffic_may_be(const char *class_name)
{
    return ps_class_is_global(class_name);
}

/* Sums over a group: cycles of a whole CU's pipeline, and bytes of one lane of each warp. */
typedef struct {
    double cycles, bytes;
} Sums;

static double busy_cycles(const PsMachine *machine, guint class_index)
{
    const PsMachineClass *bound = &machine->classes[class_index];
    const double lambda = ps_rational_to_double(bound->latency.issue);
    return bound->per_scheduler ? lambda / (double)machine->refinements.schedulers : lambda;
}

/* Adds a program's nodes of one class; times: warps that run it. */
static void add_nodes(const PsMachine *machine, guint p, guint class_index, double times,
                      Sums *sums)
{
    const PsProgram *program = &machine->kernel->programs[p];
    const double cycles = busy_cycles(machine, class_index);
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsProgramNode *node = &program->nodes[n];
        const PsRational share = node->share[PS_LEVEL_DEVICE];
        const double runs = (double)node->count * times;
        if (machine->class_of[p][n] != class_index)
            continue;
        sums->cycles += runs * cycles;
        if (ps_traffic_may_be(node->item->class_name))
            sums->bytes += !node->item->bytes || share.num < 0
                               ? NAN
                               : runs * (double)node->bytes * ps_rational_to_double(share);
    }
}

static void add_class(const PsAnswer *answer, guint class_index, Sums *sums)
{
    const PsMachine *machine = answer->machine;
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const double warps =
            ps_kernel_mean_warps(answer->kernel, p, machine->launch.warps_per_group);
        if (warps > 0)
            add_nodes(machine, p, class_index, warps, sums);
    }
}

/* Each CU has its share of the bandwidth. */
static double share_of(const PsAnswer *answer, const Sums *sums)
{
    const PsLaunch *launch = &answer->machine->launch;
    const double lanes = (double)launch->group_size / (double)launch->warps_per_group;
    const double peak = answer->roofline.peaks.value[PS_B_MEM];
    const double seconds = sums->bytes * lanes * (double)answer->gpu->compute_units / peak;
    return seconds * ps_rational_to_double(answer->clock) * 1e6 / sums->cycles;
}

/* With levels (R7) bytes keep levels busy, and requests keep pipelines busy. */
static gboolean is_of_requests(const PsAnswer *answer, guint class_index)
{
    return answer->machine->classes[class_index].by_levels;
}

double ps_traffic_of_pipeline(const PsAnswer *answer, guint pipeline)
{
    Sums sums = {0, 0};
    for (guint i = 0; i < answer->machine->n_classes; i++)
        if (answer->machine->classes[i].pipeline == pipeline)
            add_class(answer, i, &sums);
    return share_of(answer, &sums);
}

gboolean ps_traffic_is_of_class(const PsAnswer *answer, guint class_index)
{
    Sums sums = {0, 0};
    if (!ps_traffic_may_be(answer->machine->classes[class_index].asked) ||
        is_of_requests(answer, class_index))
        return FALSE;
    add_class(answer, class_index, &sums);
    const double share = share_of(answer, &sums);
    return isnan(share) || share >= MOST;
}

gboolean ps_traffic_is_of_pipeline(const PsAnswer *answer, guint pipeline, guint busiest)
{
    const double share = ps_traffic_of_pipeline(answer, pipeline);
    if (is_of_requests(answer, busiest))
        return FALSE;
    return isnan(share)
               ? ps_traffic_is_of_class(answer, busiest)
               : ps_traffic_may_be(answer->machine->classes[busiest].asked) && share >= MOST;
}

/* ---- what caches are taken to keep ----------------------------------------------------------- */

/* Sectors of a request from which on its lanes count as apart. */
#define APART 8
/* Requests per sector from device memory from which on the data may be a table that a cache holds
 * all the time. A sector's eight words are asked for one by one, and sectors come in pairs. */
#define REUSED 16

/* A node's traffic: bytes of all groups that reach a level; NaN: the graph does not tell. */
static double bytes_at(const PsGpu *gpu, const PsProgramNode *node, guint level, double warps)
{
    const PsRational share = node->share[level];
    return !node->item->bytes || share.num < 0
               ? NAN
               : warps * (double)(gpu->warp_size * node->count * node->bytes) *
                     ps_rational_to_double(share);
}

/* Bytes of whole lines that the lanes of a load ask for, as AMD's GPUs move them. */
static double bytes_of_lines(const PsGpu *gpu, const PsProgramNode *node, double warps)
{
    const PsClassAccess access = ps_class_access(node->item->class_name);
    return warps * (double)node->count * (double)access.sectors * (double)gpu->memory.line_bytes;
}

static gboolean is_apart(const PsProgramNode *node)
{
    const char *class_name = node->item->class_name;
    return ps_traffic_may_be(class_name) && ps_class_access(class_name).sectors >= APART;
}

/* TRUE if nodes are one access of the source that a compiler has split: the first may bring data
 * that the others find. */
static gboolean is_one_access(const PsAnswer *answer, const PsProgramNode *a,
                              const PsProgramNode *b)
{
    const gboolean same_loop =
        a->n_loops == b->n_loops && (a->n_loops == 0 || a->loops[0].number == b->loops[0].number);
    if (a == b || !same_loop || strcmp(a->item->class_name, b->item->class_name) != 0)
        return a == b;
    g_autofree char *line = ps_item_line(answer->idg, a->item);
    g_autofree char *other = ps_item_line(answer->idg, b->item);
    return line && g_strcmp0(line, other) == 0;
}

/* Bytes of a launch: from device memory, and requested at the first cache. */
typedef struct {
    double moved, asked;
} Moved;

/* Sums over all later nodes of the same access; zero for a node of an earlier one's access. */
static Moved sum_of_access(const PsAnswer *answer, const PsProgram *program, guint from,
                           double warps)
{
    const PsGpu *gpu = answer->gpu;
    Moved sum = {0, 0};
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsProgramNode *node = &program->nodes[n];
        if (!is_apart(node) || !is_one_access(answer, &program->nodes[from], node))
            continue;
        if (n < from)
            return (Moved){0, 0};
        const double first = bytes_at(gpu, node, PS_LEVEL_L1, warps);
        sum.asked += isnan(first) ? bytes_at(gpu, node, PS_LEVEL_L2, warps) : first;
        sum.moved += bytes_at(gpu, node, PS_LEVEL_DEVICE, warps);
    }
    return sum;
}

/* Bytes that an access moves if caches keep none of the data around those that its lanes want, in
 * the sector or in the sectors that come with it: a later request fetches them again. 0: it reads a
 * table. A store reads the rest of its sector. */
static double bytes_unkept(const PsAnswer *answer, const PsProgramNode *node, const Moved *sum,
                           double warps)
{
    const PsGpu *gpu = answer->gpu;
    const gboolean writes = ps_class_writes(node->item->class_name);
    if (ps_gpu_is_amd(gpu))
        return writes ? 0 : bytes_of_lines(gpu, node, warps);
    const double times =
        writes ? 2 : (double)gpu->memory.fetch_bytes / (double)gpu->memory.sector_bytes;
    return sum->moved < sum->asked && sum->moved * REUSED >= sum->asked ? sum->asked * times : 0;
}

/* Sums over a launch for nodes whose lanes are apart: their bytes, their bytes if caches keep
 * nothing, and the class with most of these. */
typedef struct {
    double moved, unkept, most;
    const char *class_name;
} Apart;

static void add_apart(const PsAnswer *answer, const PsProgram *program, guint n, double warps,
                      Apart *apart)
{
    const PsProgramNode *node = &program->nodes[n];
    if (!is_apart(node))
        return;
    Moved sum = sum_of_access(answer, program, n, warps);
    if (ps_gpu_is_amd(answer->gpu))
        sum.moved = bytes_at(answer->gpu, node, PS_LEVEL_DEVICE, warps);
    const double unkept = bytes_unkept(answer, node, &sum, warps);
    if (!(unkept > 0))
        return;
    apart->moved += sum.moved;
    apart->unkept += unkept;
    if (unkept <= apart->most)
        return;
    apart->most = unkept;
    apart->class_name = node->item->class_name;
}

double ps_traffic_unkept(const PsAnswer *answer, const char **class_name)
{
    const PsLaunch *launch = &answer->machine->launch;
    Apart apart = {0};
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const PsProgram *program = &answer->kernel->programs[p];
        const double warps = ps_kernel_mean_warps(answer->kernel, p, launch->warps_per_group) *
                             (double)launch->groups;
        for (guint n = 0; n < program->n_nodes; n++)
            add_apart(answer, program, n, warps, &apart);
    }
    if (!apart.class_name)
        return 0;
    *class_name = apart.class_name;
    const double others = fmax(0, answer->roofline.params.W_traf - apart.moved);
    return (others + apart.unkept) / answer->roofline.peaks.value[PS_B_MEM];
}

/* ---- what L1 loses --------------------------------------------------------------------------- */

double ps_traffic_distinct(const PsAnswer *answer, const PsProgramNode *node)
{
    PsRational distinct = PS_RATIONAL_INT(1);
    if (node->item->distinct)
        (void)ps_expr_eval(node->item->distinct, answer->kernel->scope, (PsPlace){"distinct", 0},
                           &distinct, NULL);
    return ps_rational_to_double(distinct);
}

/* Shares of a loop's loads only have a meaning together: distinct is a mean over them. Loads of a
 * thread's own memory find what the thread has stored there. */
static double bytes_lost(const PsAnswer *answer, const PsProgramNode *node, double warps)
{
    const char *class_name = node->item->class_name;
    const gboolean own = ps_class_covers("global.load.own", class_name);
    const double l2 = bytes_at(answer->gpu, node, PS_LEVEL_L2, warps);
    const double once = own ? 0 : ps_traffic_distinct(answer, node);
    if (isnan(l2) || !(own || node->item->distinct) || ps_class_writes(class_name))
        return 0;
    return l2 - once * warps * (double)(answer->gpu->warp_size * node->count * node->bytes);
}

double ps_traffic_lost(const PsAnswer *answer)
{
    const PsLaunch *launch = &answer->machine->launch;
    double lost = 0;
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const PsProgram *program = &answer->kernel->programs[p];
        const double warps = ps_kernel_mean_warps(answer->kernel, p, launch->warps_per_group) *
                             (double)launch->groups;
        for (guint n = 0; n < program->n_nodes; n++)
            lost += bytes_lost(answer, &program->nodes[n], warps);
    }
    return answer->gpu->cache.l1_global ? fmax(0, lost) : 0;
}

/* A time that is at least so many times as long is worth a word. */
#define UNKEPT_LEAST 1.5

double ps_answer_unkept(const PsAnswer *answer, const char **class_name)
{
    const char *name = NULL;
    const double seconds = ps_traffic_unkept(answer, class_name ? class_name : &name);
    return seconds > UNKEPT_LEAST * answer->seconds ? seconds : (double)NAN;
}
