/* SPDX-License-Identifier: BSD-3-Clause */
/* See ring-change.h. */
#include "advice/ring-change.h"

#include "base/class-name.h"
#include "idg/edit.h"
#include "launch/shape.h"

#include <math.h>
#include <string.h>

gboolean ps_ring_is_clustered(const PsAdvicePlan *plan)
{
    const PsPtxFunction *kernel = plan->question->code ? plan->question->code->kernel : NULL;
    return kernel && (kernel->in_clusters || kernel->cluster[0] > 1 || kernel->cluster[1] > 1 ||
                      kernel->cluster[2] > 1);
}

double ps_ring_hunger(const PsAnswer *answer)
{
    const PsRoleTable *table = answer->explain ? answer->explain->roles : NULL;
    double most = 0;
    for (guint r = 0; table && r < table->roles->len; r++) {
        const PsRole *role = table->roles->pdata[r];
        for (guint i = 0; i < role->waits->len; i++) {
            const PsRoleWait *wait = &g_array_index(role->waits, PsRoleWait, i);
            most = wait->what == PS_ROLE_FOR_COPIES ? fmax(most, wait->share) : most;
        }
    }
    return most;
}

gint64 ps_ring_groups(const PsAnswer *answer, gint64 threads, gint64 registers, gint64 local_memory)
{
    PsGroupNeeds needs = ps_kernel_needs(answer->kernel, threads);
    PsOccupancy occupancy;
    needs.registers = registers;
    needs.local_memory = local_memory;
    return ps_gpu_occupancy(answer->gpu, &needs, &occupancy, NULL) ? occupancy.groups : 0;
}

const PsProgramNode *ps_ring_copy(const PsAnswer *answer, const PsRing *ring, guint i)
{
    return &answer->kernel->programs[ring->producer]
                .nodes[g_array_index(ring->copies, PsRingCopy, i).node];
}

gboolean ps_ring_is_one_line(const PsIdgItem *a, const PsIdgItem *b)
{
    return a->source_line == b->source_line && g_strcmp0(a->file, b->file) == 0;
}

gboolean ps_ring_is_taken_by(const PsRing *ring, guint program)
{
    for (guint i = 0; i < ring->takes->len; i++)
        if (g_array_index(ring->takes, PsRingNode, i).program == program)
            return TRUE;
    return FALSE;
}

gint64 ps_ring_factor_bytes(const PsAnswer *answer, const PsRing *ring, gboolean first)
{
    const PsIdgItem *one = ps_ring_copy(answer, ring, 0)->item, *other = NULL;
    gint64 bytes = 0;
    for (guint i = 0; i < ring->copies->len; i++) {
        const PsProgramNode *copy = ps_ring_copy(answer, ring, i);
        const gboolean is_first = ps_ring_is_one_line(copy->item, one);
        if (!is_first)
            other = other ? other : copy->item;
        if (copy->item->source_line == 0 || !ps_class_covers("copy.load", copy->item->class_name) ||
            (!is_first && !ps_ring_is_one_line(copy->item, other)))
            return -1;
        bytes += is_first == first ? copy->count * copy->bytes : 0;
    }
    return other ? bytes : -1;
}

gboolean ps_ring_is_shared(const PsProgramNode *copy)
{
    const double l2 = ps_rational_to_double(copy->share[PS_LEVEL_L2]);
    double device = ps_rational_to_double(copy->share[PS_LEVEL_DEVICE]);
    for (guint l = 1; l < copy->n_loops; l++)
        device *= (double)copy->loops[l].trips;
    return ps_class_covers("copy.load", copy->item->class_name) && device > 0 && 2 * device <= l2;
}

gboolean ps_ring_factor_is_shared(const PsAnswer *answer, const PsRing *ring, gboolean first)
{
    for (guint i = 0; i < ring->copies->len; i++) {
        const PsProgramNode *copy = ps_ring_copy(answer, ring, i);
        if (ps_ring_is_one_line(copy->item, ps_ring_copy(answer, ring, 0)->item) == first &&
            !ps_ring_is_shared(copy))
            return FALSE;
    }
    return TRUE;
}

/* TRUE if its warps wait for nothing but copies, and for each other. */
static gboolean waits_for_copies(const PsAnswer *answer, const PsRing *ring, guint program)
{
    const PsProgram *of = &answer->kernel->programs[program];
    for (guint n = 0; n < of->n_nodes; n++)
        for (guint w = 0; w < of->nodes[n].n_waits; w++) {
            const PsProgramWait *wait = &of->nodes[n].waits[w];
            const PsProgram *on = &answer->kernel->programs[wait->program];
            if (!ps_class_fills_stage(on->nodes[wait->on].item->class_name) &&
                !ps_ring_is_taken_by(ring, wait->program))
                return FALSE;
        }
    return TRUE;
}

gboolean ps_ring_feeds_products(const PsAnswer *answer, const PsRing *ring)
{
    const PsKernel *kernel = answer->kernel;
    for (guint p = 0; p < kernel->n_programs; p++)
        if (ps_ring_is_taken_by(ring, p) &&
            (!(ps_role_does(&kernel->programs[p]) & PS_ROLE_PRODUCTS) ||
             !waits_for_copies(answer, ring, p)))
            return FALSE;
    return kernel->n_kinds == 1 && answer->explain->roles->rings->len == 1 && ring->stages > 0 &&
           !ps_ring_is_taken_by(ring, ring->producer) &&
           ps_role_does(&kernel->programs[ring->producer]) == PS_ROLE_COPIES &&
           kernel->groups % 2 == 0 && kernel->registers > 0;
}

void ps_ring_double(PsIdg *idg, const PsAnswer *answer, const PsRing *ring, gboolean first)
{
    for (guint i = 0; i < ring->copies->len; i++) {
        const PsProgramNode *copy = ps_ring_copy(answer, ring, i);
        PsIdgItem *item = ps_idg_find(idg, ring->producer, copy->item->name);
        if (ps_ring_is_one_line(copy->item, ps_ring_copy(answer, ring, 0)->item) == first)
            ps_ring_set(&item->bytes, 2 * copy->bytes);
        else if (2 * ps_rational_to_double(copy->share[PS_LEVEL_DEVICE]) <= 1)
            ps_ring_times(&item->share[PS_LEVEL_DEVICE], 2, 1);
    }
}

void ps_ring_place(const PsAnswer *answer, const PsRing *ring, PsAdvice *advice)
{
    const GPtrArray *path = answer->explain->path;
    gint64 most = 0;
    advice->program = ring->producer;
    advice->node = g_array_index(ring->copies, PsRingCopy, 0).node;
    for (guint i = 0; path && i < path->len; i++) {
        const PsPathRow *row = path->pdata[i];
        for (guint c = 0; row->program == ring->producer && c < ring->copies->len; c++)
            if (g_array_index(ring->copies, PsRingCopy, c).node == row->node && row->ticks > most) {
                most = row->ticks;
                advice->node = row->node;
            }
    }
}

void ps_ring_set(PsExpr **expr, gint64 number)
{
    ps_expr_free(*expr);
    *expr = ps_idg_number(number);
}

/* Sets the expression that a text states. */
static void set_text(PsExpr **expr, const char *text)
{
    const PsPlace nowhere = {0};
    ps_expr_free(*expr);
    *expr = ps_expr_new(text, nowhere, NULL);
}

void ps_ring_times(PsExpr **expr, gint64 times, gint64 of)
{
    if (!*expr)
        return;
    g_autofree char *text = g_strdup_printf("(%s)*%" G_GINT64_FORMAT "/%" G_GINT64_FORMAT,
                                            ps_expr_text(*expr), times, of);
    set_text(expr, text);
}

/* ---- more stages --------------------------------------------------------------------------- */

/* A ring that becomes longer. */
typedef struct {
    PsIdg *idg;
    const PsKernel *kernel;
    const PsRing *ring;
    gint64 more;
} Longer;

static const PsProgram *producer_of(const Longer *longer)
{
    return &longer->kernel->programs[longer->ring->producer];
}

static const PsProgramNode *wait_at(const Longer *longer, guint i)
{
    return &producer_of(longer)->nodes[g_array_index(longer->ring->waits, guint, i)];
}

static void put_off(PsIdgAwait *await, gint64 before)
{
    g_autofree char *text = await->before ? g_strdup_printf("(%s)+%" G_GINT64_FORMAT,
                                                            ps_expr_text(await->before), before)
                                          : g_strdup_printf("%" G_GINT64_FORMAT, before);
    set_text(&await->before, text);
}

static PsIdgAwait *await_of(PsIdgItem *item, const char *role, const char *on)
{
    for (guint i = 0; item->awaits.list && i < item->awaits.list->len; i++) {
        PsIdgAwait *await = item->awaits.list->pdata[i];
        if (strcmp(await->role, role) == 0 && strcmp(await->on, on) == 0)
            return await;
    }
    return NULL;
}

/* The waits before the i-th wait of a node of a program. */
typedef struct {
    guint on;
    gint64 needs;
} Earlier;

/* Appends to list (Earlier) a wait that stands before the i-th needed one of the same program.
 * FALSE if its node gives more than is waited for. */
static gboolean add_earlier(const Longer *longer, const PsProgramWait *wait,
                            const PsProgramNode *node, GArray *list)
{
    const PsProgram *giver = &longer->kernel->programs[wait->program];
    for (guint w = 0; w < node->n_waits; w++) {
        const PsProgramWait *other = &node->waits[w];
        const Earlier one = {other->on, ps_program_wait_needs(other, node->count - 1)};
        if (other->program != wait->program || other->on == wait->on || one.needs <= 0)
            continue;
        if (one.needs != giver->nodes[one.on].count)
            return FALSE;
        g_array_append_val(list, one);
    }
    return TRUE;
}

/* Instance k of the i-th wait needs a number of fillings in all, of which the nodes of earlier
 * waits give the first. So where it needs fewer, it needs these nodes instead, as long as it needs
 * no more than they give. */
static gboolean await_earlier(const Longer *longer, guint i, PsIdgItem *item,
                              const PsProgramWait *wait)
{
    const PsProgram *giver = &longer->kernel->programs[wait->program];
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(Earlier));
    gint64 left = 0;
    for (guint j = 0; j < i; j++)
        if (!add_earlier(longer, wait, wait_at(longer, j), list))
            return FALSE;
    for (guint e = 0; e < list->len; e++)
        left += g_array_index(list, Earlier, e).needs;
    for (guint e = 0; e < list->len; e++) {
        const Earlier *earlier = &g_array_index(list, Earlier, e);
        PsIdgAwait *await =
            ps_idg_add_await(item, giver->role, giver->nodes[earlier->on].item->name);
        await->before = ps_idg_number(1 - wait->first + longer->more - left);
        await->to_all = TRUE;
        left -= earlier->needs;
    }
    return TRUE;
}

/* FALSE if the wait does not need one more each time. */
static gboolean lengthen_wait(const Longer *longer, guint i)
{
    const PsProgramNode *node = wait_at(longer, i);
    PsIdgItem *item = ps_idg_find(longer->idg, longer->ring->producer, node->item->name);
    for (guint w = 0; item && w < node->n_waits; w++) {
        const PsProgramWait *wait = &node->waits[w];
        const PsProgram *giver = &longer->kernel->programs[wait->program];
        PsIdgAwait *await = await_of(item, giver->role, giver->nodes[wait->on].item->name);
        if (wait->per != 1 || wait->every != 1 || !await || await->all ||
            !await_earlier(longer, i, item, wait))
            return FALSE;
        put_off(await, longer->more);
    }
    return item != NULL;
}

gboolean ps_ring_lengthen(PsIdg *idg, const PsAnswer *answer, const PsRing *ring, gint64 more)
{
    const Longer longer = {idg, answer->kernel, ring, more};
    for (guint i = 0; i < ring->waits->len; i++)
        if (!lengthen_wait(&longer, i))
            return FALSE;
    return ring->stages > 0 && ring->waits->len > 0;
}
