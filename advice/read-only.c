/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on loads of data that the kernel never writes, on GPUs whose L1 keeps only data from the
 * read-only path (PsIdgItem, read_only). See kind.h. */
#include "advice/access.h"

#include "base/class-name.h"
#include "idg/edit.h"
#include "tell/format.h"

#include <math.h>

/* "loading by the read-only path what the kernel never writes" */
static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsMoved *moved = advice->data;
    g_autofree char *share = ps_format_share(moved->share);
    return ps_moved_sentence(answer, advice,
                             g_strdup_printf("this GPU's L1 keeps no plain loads: loading by the "
                                             "read-only path (const __restrict__, or __ldg) what "
                                             "the kernel never writes, where L1 then has %s of "
                                             "these loads' traffic to L2,",
                                             share));
}

static void tell_figures(const PsAdvice *advice, PsTold *facts)
{
    const PsMoved *moved = advice->data;
    ps_tell_entry_figure(facts, "l2_share", moved->share);
    ps_tell_entry_whole(facts, "more_lines", moved->more_lines);
}

static const PsAdviceChange read_only = {.name = "read-only",
                                         .sentence = sentence,
                                         .tell_figures = tell_figures,
                                         .clear = ps_moved_clear};

#define LEAST_CAPABILITY 32 /* compute capability of ld.global.nc */

/* Bytes at L2 of all loads that would take the path: now, and then. */
typedef struct {
    double now, then;
} Asked;

static double read_only_of(const PsAnswer *answer, const PsProgramNode *node)
{
    PsRational share = {0, 1};
    (void)ps_expr_eval(node->item->read_only, answer->kernel->scope, (PsPlace){"read-only", 0},
                       &share, NULL);
    return ps_rational_to_double(share) * (double)node->bytes;
}

static PsAccessTraffic traffic_of(const PsAnswer *answer, const PsProgramNode *node)
{
    PsAccessTraffic traffic = ps_access_traffic(node);
    if (node->item->read_only)
        traffic.reach[PS_LEVEL_L2] = read_only_of(answer, node);
    return traffic;
}

/* ---- device memory --------------------------------------------------------------------------- */

/* By how much more a load would fetch from device memory than it asks L2 for; negative: how much
 * more it could fetch. */
static double too_much(const PsAnswer *answer, const PsAccessTraffic *traffic)
{
    const PsMemory *memory = &answer->gpu->memory;
    const double wide = (double)MAX(memory->fetch_bytes, memory->sector_bytes) /
                        (double)MAX(memory->sector_bytes, 1);
    return traffic->reach[PS_LEVEL_DEVICE] - wide * traffic->reach[PS_LEVEL_L2];
}

static gboolean is_load(const PsProgramNode *node)
{
    return ps_class_covers("global.load", node->item->class_name) &&
           ps_rational_to_double(node->share[PS_LEVEL_L2]) >= 0 &&
           ps_rational_to_double(node->share[PS_LEVEL_DEVICE]) >= 0;
}

/* The launch fetches as much as before: other loads, which ask L2 for more, fetch what L1 no longer
 * lets through. Returns the share that they fetch of what they could. */
static double find_taken(const PsAnswer *answer)
{
    const PsKernel *kernel = answer->kernel;
    double over = 0, room = 0;
    for (guint p = 0; p < kernel->n_programs; p++) {
        const double warps =
            ps_kernel_mean_warps(kernel, p, answer->machine->launch.warps_per_group);
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++) {
            const PsProgramNode *node = &kernel->programs[p].nodes[n];
            if (!is_load(node))
                continue;
            const PsAccessTraffic traffic = traffic_of(answer, node);
            const double more = too_much(answer, &traffic) * warps * (double)node->count;
            over += fmax(more, 0);
            room += fmax(-more, 0);
        }
    }
    return room > 0 ? fmin(over / room, 1) : 0;
}

/* ---- the graph with such loads --------------------------------------------------------------- */

/* Moves the loads of a program to the read-only path. */
static void change_program(const PsAnswer *answer, guint p, double taken, PsIdg *idg, Asked *asked,
                           PsAccessPlaces *places)
{
    const PsProgram *program = &answer->kernel->programs[p];
    for (guint n = 0; n < program->n_nodes; n++) {
        const PsProgramNode *node = &program->nodes[n];
        if (!is_load(node))
            continue;
        PsAccessTraffic traffic = traffic_of(answer, node);
        const double more = too_much(answer, &traffic);
        if (node->item->read_only) {
            asked->now += ps_access_traffic(node).reach[PS_LEVEL_L2] * (double)node->count;
            asked->then += traffic.reach[PS_LEVEL_L2] * (double)node->count;
            ps_access_add_place(places, answer, p, n);
        }
        traffic.reach[PS_LEVEL_DEVICE] -= more > 0 ? more : taken * more;
        ps_access_set_traffic(ps_idg_find(idg, p, node->item->name), &traffic);
    }
}

static gboolean says_read_only(const PsKernel *kernel)
{
    for (guint p = 0; p < kernel->n_programs; p++)
        for (guint n = 0; n < kernel->programs[p].n_nodes; n++)
            if (kernel->programs[p].nodes[n].item->read_only)
                return TRUE;
    return FALSE;
}

static void find(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    if (answer->machine->n_levels == 0 || answer->gpu->memory.l1_global ||
        answer->gpu->capability < LEAST_CAPABILITY || !says_read_only(answer->kernel))
        return;
    g_autoptr(PsIdg) idg = ps_idg_copy(plan->question->idg);
    g_auto(PsAccessPlaces) places = ps_access_places();
    const double taken = find_taken(answer);
    Asked asked = {0, 0};
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        change_program(answer, p, taken, idg, &asked, &places);
    if (places.node == G_MAXUINT)
        return;
    PsAdvice *advice =
        ps_access_advise(plan, PS_CAUSE_READ_ONLY, &read_only, g_steal_pointer(&idg), &places);
    ((PsMoved *)advice->data)->share = asked.now > 0 ? 1 - asked.then / asked.now : 0;
}

const PsAdviceKind ps_advice_kind_read_only = {.find = find, .copies_graph = TRUE};
