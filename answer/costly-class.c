/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds classes that cost more than necessary, by their names and the traffic of their nodes. See
 * avoidable.h. */
#include "answer/avoidable.h"

#include "answer/answer-private.h"
#include "answer/figures.h"
#include "base/class-name.h"

#include <math.h>
#include <string.h>

#define SECTOR 32 /* bytes */

/* Sectors that a full warp's bytes fill, by the node with most of them; 0 if a node does not
 * tell. */
static gint64 least_sectors(const PsAnswer *answer, guint class_index)
{
    const PsMachine *machine = answer->machine;
    gint64 most = 0;
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const PsProgram *program = &answer->kernel->programs[p];
        for (guint n = 0; n < program->n_nodes; n++) {
            if (machine->class_of[p][n] != class_index)
                continue;
            if (program->nodes[n].bytes <= 0 || program->nodes[n].bytes > G_MAXINT32)
                return 0;
            most = MAX(most, program->nodes[n].bytes);
        }
    }
    return (most * answer->gpu->warp_size + SECTOR - 1) / SECTOR;
}

/* TRUE if a class has other latencies than the plain one, by the GPU's description or a what-if. */
static gboolean costs(const PsAnswer *answer, guint class_index, const char *plain)
{
    const PsMachineClass *bound = &answer->machine->classes[class_index];
    const PsLatency own = ps_what_if_latency(answer->machine, class_index);
    PsMatch match;
    const PsClass *other = ps_gpu_class(answer->gpu, plain, &match);
    return other && match != PS_MATCH_DEFAULT &&
           (other != bound->class || ps_rational_cmp(own.issue, other->latency.issue) != 0 ||
            ps_rational_cmp(own.completion, other->latency.completion) != 0);
}

/* The largest share of a node's bytes at any level: above 1 it moves sectors that threads want only
 * in part. */
static double largest_share(const PsProgramNode *node)
{
    double most = 0;
    for (guint level = 0; level < PS_N_LEVELS; level++)
        most = fmax(most, ps_rational_to_double(node->share[level]));
    return most;
}

/* Most sectors that any node moves for a full warp, where levels determine its cost (R7). */
static gint64 moved_sectors(const PsAnswer *answer, guint class_index)
{
    const PsMachine *machine = answer->machine;
    double most = 0;
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const PsProgram *program = &answer->kernel->programs[p];
        for (guint n = 0; n < program->n_nodes; n++)
            if (machine->class_of[p][n] == class_index)
                most =
                    fmax(most, largest_share(&program->nodes[n]) * (double)program->nodes[n].bytes);
    }
    return (gint64)ceil(fmin(most * (double)answer->gpu->warp_size / SECTOR, G_MAXINT32));
}

/* Bytes of a thread that this node and those beside it move. */
static gint64 bytes_beside(const PsProgram *program, const PsProgramNode *node)
{
    gint64 bytes = node->item->vector ? node->bytes * node->item->vector : node->bytes;
    for (guint n = 0; node->item->beside && n < program->n_nodes; n++) {
        const PsProgramNode *other = &program->nodes[n];
        if (other != node && g_strcmp0(other->item->beside, node->item->beside) == 0)
            bytes += other->bytes;
    }
    return bytes;
}

/* TRUE if all nodes of a class are narrow accesses that a wider one would replace, with so many
 * sectors: then narrowness is the cost. */
static gboolean is_narrow(const PsAnswer *answer, guint class_index, gint64 sectors)
{
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const PsProgram *program = &answer->kernel->programs[p];
        for (guint n = 0; n < program->n_nodes; n++)
            if (answer->machine->class_of[p][n] == class_index &&
                bytes_beside(program, &program->nodes[n]) * answer->gpu->warp_size <
                    sectors * SECTOR)
                return FALSE;
    }
    return TRUE;
}

/* TRUE if sectors show scattered accesses. Adjacent threads touch one sector more than necessary if
 * they begin within one: coalescing is not at fault. */
static gboolean is_scattered(const PsAnswer *answer, guint class_index, gint64 sectors,
                             gint64 least)
{
    return sectors > least + 1 && !is_narrow(answer, class_index, sectors);
}

/* The coalesced class: with levels a class costs what its bytes do, so it stays the same but for
 * the number of sectors. */
static char *coalesced_at_levels(const PsAnswer *answer, guint class_index, gint64 *sectors,
                                 gint64 *least)
{
    const char *asked = answer->machine->classes[class_index].asked;
    char *plain = ps_class_coalesced(asked);
    *sectors = moved_sectors(answer, class_index);
    *least = least_sectors(answer, class_index);
    if (*least > 0 && is_scattered(answer, class_index, *sectors, *least) &&
        !ps_class_covers("atomic", asked))
        return plain ? plain : g_strdup(asked);
    g_free(plain);
    return NULL;
}

char *ps_costly_coalesced(const PsAnswer *answer, guint class_index, gint64 *sectors, gint64 *least)
{
    const char *asked = answer->machine->classes[class_index].asked;
    if (answer->machine->classes[class_index].by_levels)
        return coalesced_at_levels(answer, class_index, sectors, least);
    g_autofree char *plain = ps_class_coalesced(asked);
    if (!plain || !costs(answer, class_index, plain))
        return NULL;
    *sectors = ps_class_access(asked).sectors;
    *least = least_sectors(answer, class_index);
    return is_scattered(answer, class_index, *sectors, *least) ? g_steal_pointer(&plain) : NULL;
}

PsCause ps_avoidable_cause(const PsAnswer *answer, guint class_index)
{
    gint64 sectors, least;
    g_autofree char *conflict_free =
        ps_class_without_conflict(answer->machine->classes[class_index].asked);
    if (conflict_free && costs(answer, class_index, conflict_free))
        return PS_CAUSE_BANK_CONFLICT;
    g_autofree char *coalesced = ps_costly_coalesced(answer, class_index, &sectors, &least);
    return coalesced ? PS_CAUSE_UNCOALESCED : PS_CAUSE_NOTHING;
}

/* ---- latencies ----------------------------------------------------------------------------- */

gboolean ps_latency_is_avoidable(const char *class_name)
{
    static const char *const waits[] = {"global",  "local", "memory", "constant", "atomic",
                                        "barrier", "idiv",  "fdiv",   "ddiv",     NULL};
    return ps_class_is_one_of(class_name, waits);
}

double ps_latency_most_gain(const PsAnswer *answer)
{
    static const double little = 0.001;
    double least = 0;
    for (guint i = 0; i < answer->gpu->pipelines->len; i++)
        least = fmax(least, ps_pipeline_utilization(answer, i));
    return 1 + little - least;
}

gboolean ps_latency_may_help(const PsAnswer *answer, guint class_index)
{
    if (!ps_latency_is_avoidable(answer->machine->classes[class_index].asked))
        return FALSE;
    if (!answer->explain->by_class)
        return TRUE;
    const double share = ps_explain_path_share(answer, PS_PATH_COMPLETION, class_index) +
                         ps_explain_path_share(answer, PS_PATH_BARRIER, class_index) +
                         ps_explain_path_share(answer, PS_PATH_HOLD, class_index);
    return share / 2 >= PS_ADVICE_LEAST;
}
