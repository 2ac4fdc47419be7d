/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on accesses of adjacent threads that begin within a sector (PsIdgItem, offset). See
 * kind.h. */
#include "advice/access.h"

#include "base/class-name.h"
#include "idg/edit.h"
#include "tell/format.h"

#include <math.h>

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const PsMoved *moved = advice->data;
    g_autofree char *sectors =
        g_strdup_printf("a request touches %" G_GINT64_FORMAT " sectors where %" G_GINT64_FORMAT
                        " would do, since it begins",
                        moved->now, moved->then);
    if (moved->offset == PS_IDG_ANY_OFFSET)
        return ps_moved_sentence(
            answer, advice,
            g_strconcat(sectors, " anywhere in a sector: rows of a multiple of 32 bytes", NULL));
    g_autofree char *bytes = ps_format_noun(moved->offset, "byte");
    return ps_moved_sentence(
        answer, advice,
        g_strdup_printf("%s %s after a multiple of 32: to begin at one", sectors, bytes));
}

static const PsAdviceChange at_sectors = PS_MOVED_CHANGE("aligned", sentence);

#define SECTOR 32 /* bytes */
#define WORD 4.0  /* bytes of each thread that fill one wavefront */

/* The most sectors that any level moves for a full warp's bytes. */
static gint64 sectors_of(const PsAnswer *answer, const PsProgramNode *node)
{
    const PsAccessTraffic traffic = ps_access_traffic(node);
    const gint64 named = ps_class_access(node->item->class_name).sectors;
    double most = traffic.bytes;
    for (guint level = 0; level < PS_N_LEVELS; level++)
        most = fmax(most, traffic.reach[level]);
    const double sectors = ceil(most * (double)answer->gpu->warp_size / SECTOR);
    return MAX(named, (gint64)sectors);
}

/* Accesses that begin at a sector make each level see each byte at most once. */
static void align(PsIdg *idg, guint program, const PsProgramNode *node)
{
    PsIdgItem *item = ps_idg_find(idg, program, node->item->name);
    PsAccessTraffic traffic = ps_access_traffic(node);
    PsClassAccess access = ps_class_access(item->class_name);
    access.sectors = 1;
    char *aligned = ps_access_class(item->class_name, &access);
    g_free(item->class_name);
    item->class_name = aligned;
    for (guint level = 0; level < PS_N_LEVELS; level++)
        traffic.reach[level] = fmin(traffic.reach[level], traffic.bytes);
    traffic.wavefronts = fmin(traffic.wavefronts, ceil(traffic.bytes / WORD));
    ps_access_set_traffic(item, &traffic);
}

static void find(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    g_autoptr(PsIdg) idg = ps_idg_copy(plan->question->idg);
    g_auto(PsAccessPlaces) places = ps_access_places();
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        for (guint n = 0; n < answer->kernel->programs[p].n_nodes; n++) {
            const PsProgramNode *node = &answer->kernel->programs[p].nodes[n];
            if (!node->item->offset || node->bytes <= 0)
                continue;
            align(idg, p, node);
            ps_access_add_place(&places, answer, p, n);
        }
    if (places.node == G_MAXUINT)
        return;
    const PsProgramNode *node = &answer->kernel->programs[places.program].nodes[places.node];
    PsAdvice *advice =
        ps_access_advise(plan, PS_CAUSE_MISALIGNED, &at_sectors, g_steal_pointer(&idg), &places);
    PsMoved *moved = advice->data;
    moved->now = sectors_of(answer, node);
    moved->then = node->bytes * answer->gpu->warp_size / SECTOR;
    moved->offset = node->item->offset;
}

const PsAdviceKind ps_advice_kind_align = {.find = find, .copies_graph = TRUE};
