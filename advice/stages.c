/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on software pipelines whose copies arrive too late: more stages. See kind.h. */
#include "advice/kind.h"

#include "advice/ring-change.h"
#include "idg/edit.h"
#include "idg/words.h"
#include "tell/format.h"

/* Bytes of a stage's two mbarriers. */
#define BARRIERS 16

/* Additional stages that are tried, at most. */
#define MOST 8

typedef struct {
    const PsRing *first;
    gint64 stages, more; /* now, and in addition, of each pipeline or of the first */
    gint64 bytes;        /* additional bytes of a group's memory */
    guint pipelines;
} More;

/* ---- what is said of it -------------------------------------------------------------------- */

static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const More *more = advice->data;
    g_autofree char *gives = ps_would_give(answer, advice);
    g_autofree char *bytes = ps_format_noun(more->bytes, "byte");
    g_autofree char *all = more->pipelines > 1
                               ? g_strdup_printf("each of %u software pipelines", more->pipelines)
                               : g_strdup("the software pipeline");
    return g_strdup_printf("%" G_GINT64_FORMAT " stages of %s instead of %" G_GINT64_FORMAT
                           ", for %s of %s more, %s",
                           more->stages + more->more, all, more->stages, bytes,
                           ps_idg_local_memory(answer->idg), gives);
}

static void tell_figures(const PsAdvice *advice, PsTold *facts)
{
    const More *more = advice->data;
    ps_tell_entry_whole(facts, "stages", (double)more->stages);
    ps_tell_entry_whole(facts, "stages_then", (double)(more->stages + more->more));
    ps_tell_entry_whole(facts, "local_memory_bytes", (double)more->bytes);
}

static gboolean is_covered(const PsAdvice *advice, const PsAdvice *told)
{
    (void)advice;
    return told->cause == PS_CAUSE_STAGES;
}

static const PsAdviceChange one_more = {
    .name = "stage", .sentence = sentence, .tell_figures = tell_figures, .is_covered = is_covered};
static const PsAdviceChange many_more = {
    .name = "stages", .sentence = sentence, .tell_figures = tell_figures, .is_covered = is_covered};

/* ---- which they are ------------------------------------------------------------------------ */

/* The rings of one kind of groups, and the bytes of a stage of each. */
static More find_rings(const PsAnswer *answer, guint kind)
{
    const PsRoleTable *table = answer->explain->roles;
    More all = {0};
    for (guint r = 0; r < table->rings->len; r++) {
        const PsRing *ring = table->rings->pdata[r];
        if (ring->kind != kind || ring->stages == 0)
            continue;
        all.first = all.first ? all.first : ring;
        all.stages = all.first->stages;
        all.bytes += ring->bytes * answer->gpu->warp_size / ring->fills + BARRIERS;
        all.pipelines++;
    }
    return all;
}

/* NULL if a ring cannot be made longer. */
static PsIdg *make_longer(const PsAdvicePlan *plan, gint64 more, gint64 bytes)
{
    const PsAnswer *answer = plan->answer;
    const GPtrArray *rings = answer->explain->roles->rings;
    g_autoptr(PsIdg) idg = ps_idg_copy(answer->kernel->idg);
    for (guint r = 0; r < rings->len; r++) {
        const PsRing *ring = rings->pdata[r];
        if (ring->stages > 0 && !ps_ring_lengthen(idg, answer, ring, more))
            return NULL;
    }
    ps_ring_set(&idg->launch.local_memory, answer->kernel->local_memory + bytes);
    return g_steal_pointer(&idg);
}

static void add_more(PsAdvicePlan *plan, const More *rings, gint64 more)
{
    PsIdg *idg = make_longer(plan, more, more * rings->bytes);
    if (!idg)
        return;
    PsVariant *variant = ps_variant_new(plan->question);
    variant->question.idg = variant->idg = idg;
    variant->share = ps_ring_hunger(plan->answer);
    PsAdviceItem *item = ps_advice_add(plan, PS_CAUSE_STAGES, more == 1 ? &one_more : &many_more,
                                       G_MAXUINT, variant);
    item->more_than = more == 1 ? NULL : &one_more;
    ps_ring_place(plan->answer, rings->first, item->advice);
    *ps_advice_data_new(item->advice, More) =
        (More){rings->first, rings->stages, more, more * rings->bytes, rings->pipelines};
}

/* The additional stages that leave the number of groups at once unchanged. */
static gint64 that_fit(const PsAnswer *answer, gint64 bytes)
{
    const PsLaunch *launch = &answer->machine->launch;
    const PsKernel *kernel = answer->kernel;
    gint64 more = 0;
    while (more < MOST &&
           ps_ring_groups(answer, launch->group_size, kernel->registers,
                          kernel->local_memory + (more + 1) * bytes) >= launch->active_groups)
        more++;
    return more;
}

static void find(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    if (ps_ring_hunger(answer) < ps_advice_least_gain(answer) || ps_ring_is_clustered(plan))
        return;
    const More rings = find_rings(answer, 0);
    const gint64 most = rings.pipelines > 0 ? that_fit(answer, rings.bytes) : 0;
    if (most > 0)
        add_more(plan, &rings, 1);
    if (most > 1)
        add_more(plan, &rings, most);
}

const PsAdviceKind ps_advice_kind_stages = {.find = find, .copies_graph = TRUE};
