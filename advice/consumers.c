/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice on products of matrices with one group of consuming warps: add a second one, and make the
 * tile twice as large, so that each byte of one factor's tile serves both. See kind.h. The
 * variant's graph has the consumers' code twice and half as many groups. Copies come from two
 * lines, which must bring as much; it copies one line's bytes twice. Which of the two makes no
 * difference as long as other groups copy the same bytes of the other line.
 */
#include "advice/kind.h"

#include "advice/ring-change.h"
#include "idg/edit.h"
#include "tell/format.h"

/* Warps of a warpgroup. */
#define WARPS 4

/* Registers per thread: what setmaxnreg leaves to warps that only copy, the most that it can give,
 * and the unit of both. */
#define FEW 40
#define MANY 240
#define UNIT 8

typedef struct {
    gint64 registers; /* per thread, at the launch */
    gint64 given;     /* that setmaxnreg gives to the consumers; 0: it is not needed */
    gint64 bytes;     /* bytes of a group's memory */
} Two;

/* ---- what is said of it -------------------------------------------------------------------- */

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const Two *two = advice->data;
    g_autofree char *gives = ps_would_give(answer, advice);
    g_autofree char *bytes = ps_format_noun(two->bytes, "byte");
    g_autofree char *split =
        two->given > 0 ? g_strdup_printf(" (setmaxnreg %d for warps that copy, %" G_GINT64_FORMAT
                                         " for those that multiply)",
                                         FEW, two->given)
                       : g_strdup("");
    return g_strdup_printf("a second group of consuming warps, with a tile twice as large, half as "
                           "many groups, %s of shared memory each and %" G_GINT64_FORMAT
                           " registers per thread%s, %s",
                           bytes, two->registers, split, gives);
}

static void tell_figures(const PsAdvice *advice, PsTold *facts)
{
    const Two *two = advice->data;
    ps_tell_entry_whole(facts, "local_memory_bytes", (double)two->bytes);
    ps_tell_entry_whole(facts, "registers", (double)two->registers);
    if (two->given > 0)
        ps_tell_entry_whole(facts, "registers_given", (double)two->given);
}

static const PsAdviceChange consumers = {
    .name = "consumers", .sentence = sentence, .tell_figures = tell_figures};

/* ---- which kernels ------------------------------------------------------------------------- */

/* TRUE if one warpgroup multiplies, and both factors bring equal bytes. */
static gboolean has_one_consumer(const PsAnswer *answer, const PsRing *ring)
{
    const gint64 first = ps_ring_factor_bytes(answer, ring, TRUE);
    return ps_ring_feeds_products(answer, ring) && ring->takers == WARPS && first > 0 &&
           first == ps_ring_factor_bytes(answer, ring, FALSE) &&
           (ps_ring_factor_is_shared(answer, ring, TRUE) ||
            ps_ring_factor_is_shared(answer, ring, FALSE));
}

/* ---- what it needs ------------------------------------------------------------------------- */

static gint64 bytes_then(const PsAnswer *answer, const PsRing *ring)
{
    return answer->kernel->local_memory +
           ring->stages * (ring->bytes * answer->gpu->warp_size / ring->fills) / 2;
}

/* Finds the registers with which a group fits. If these are fewer than now, setmaxnreg must give
 * the consumers the present number. FALSE if it cannot. */
static gboolean find_needs(const PsAnswer *answer, const PsRing *ring, Two *two)
{
    const gint64 size = answer->gpu->warp_size, now = answer->kernel->registers;
    const gint64 threads = answer->machine->launch.group_size + WARPS * size;
    const gint64 many = 2 * WARPS * size;
    *two = (Two){.registers = now, .bytes = bytes_then(answer, ring)};
    while (two->registers > 0 && ps_ring_groups(answer, threads, two->registers, two->bytes) == 0)
        two->registers = (two->registers - 1) / UNIT * UNIT;
    if (two->registers == now || two->registers == 0)
        return two->registers > 0;
    two->given = (two->registers * threads - FEW * (threads - many)) / many / UNIT * UNIT;
    two->given = MIN(two->given, MANY);
    return two->given >= now;
}

/* ---- the graph ----------------------------------------------------------------------------- */

/* The role's name in the second group, for a role of the first (g_free). */
static char *twin_of(const char *role)
{
    return g_strconcat(role, "_twin", NULL);
}

static gboolean is_consumer(const PsAnswer *answer, const PsRing *ring, const char *role)
{
    for (guint p = 0; p < answer->kernel->n_programs; p++)
        if (ps_ring_is_taken_by(ring, p) && g_strcmp0(answer->kernel->programs[p].role, role) == 0)
            return TRUE;
    return FALSE;
}

static PsExpr *copy_expr(const PsExpr *expr)
{
    const PsPlace nowhere = {0};
    return expr ? ps_expr_new(ps_expr_text(expr), nowhere, NULL) : NULL;
}

static void copy_await(PsIdgItem *item, const PsIdgAwait *await, const char *role)
{
    PsIdgAwait *copy = ps_idg_add_await(item, role, await->on);
    copy->all = await->all;
    copy->to_all = await->to_all;
    copy->per = copy_expr(await->per);
    copy->every = copy_expr(await->every);
    copy->before = copy_expr(await->before);
}

/* Nodes that await warps of the first group also await those of the second, or those instead. */
static void await_twins(GPtrArray *body, const PsAnswer *answer, const PsRing *ring, gboolean also)
{
    for (guint i = 0; i < body->len; i++) {
        PsIdgItem *item = body->pdata[i];
        if (item->kind == PS_IDG_LOOP)
            await_twins(item->body, answer, ring, also);
        const guint n = item->awaits.list ? item->awaits.list->len : 0;
        for (guint w = 0; w < n; w++) {
            PsIdgAwait *await = item->awaits.list->pdata[w];
            if (!is_consumer(answer, ring, await->role))
                continue;
            g_autofree char *twin = twin_of(await->role);
            if (also)
                copy_await(item, await, twin);
            if (!also) {
                g_free(await->role);
                await->role = g_steal_pointer(&twin);
            }
        }
    }
}

/* Adds copies of the first group's codes for the second one. */
static void add_consumers(PsIdg *idg, const PsAnswer *answer, const PsRing *ring)
{
    const gint64 warps = answer->machine->launch.warps_per_group;
    gint64 next = warps;
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const PsIdgCode *code = idg->codes->pdata[p];
        if (!ps_ring_is_taken_by(ring, p)) {
            await_twins(code->body, answer, ring, TRUE);
            continue;
        }
        PsIdgCode *twin = ps_idg_add_copy(idg, code);
        g_free(twin->name);
        twin->name = code->name ? twin_of(code->name) : NULL;
        await_twins(twin->body, answer, ring, FALSE);
        for (gint64 w = 0; w < warps; w++)
            if (ps_kernel_program_of(answer->kernel, ring->kind, w) == (int)p)
                ps_idg_add_warps(twin, ps_idg_number(next++), NULL);
    }
}

static PsIdg *make_graph(const PsAnswer *answer, const PsRing *ring, const Two *two)
{
    PsIdg *idg = ps_idg_copy(answer->kernel->idg);
    add_consumers(idg, answer, ring);
    ps_ring_double(idg, answer, ring, ps_ring_factor_is_shared(answer, ring, FALSE));
    ps_ring_set(&idg->launch.groups, answer->kernel->groups / 2);
    ps_ring_set(&idg->launch.group_size,
                answer->machine->launch.group_size + WARPS * answer->gpu->warp_size);
    ps_ring_set(&idg->launch.registers, two->registers);
    ps_ring_set(&idg->launch.local_memory, two->bytes);
    return idg;
}

static void find(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    const PsLaunchOptions *launch = &plan->question->launch;
    Two two;
    if (ps_ring_hunger(answer) < ps_advice_least_gain(answer) || launch->groups ||
        launch->group_size || launch->active || ps_ring_is_clustered(plan) ||
        answer->explain->roles->rings->len == 0)
        return;
    const PsRing *ring = answer->explain->roles->rings->pdata[0];
    if (!has_one_consumer(answer, ring) || !find_needs(answer, ring, &two))
        return;
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.idg = variant->idg = make_graph(answer, ring, &two);
    variant->share = ps_ring_hunger(answer);
    PsAdvice *advice =
        ps_advice_add(plan, PS_CAUSE_CONSUMERS, &consumers, G_MAXUINT, variant)->advice;
    ps_ring_place(answer, ring, advice);
    *ps_advice_data_new(advice, Two) = two;
}

const PsAdviceKind ps_advice_kind_consumers = {.find = find, .copies_graph = TRUE};
