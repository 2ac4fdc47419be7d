/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on barriers at which one warp comes last. See kind.h. */
#include "advice/kind.h"

#include "advice/work.h"
#include "tell/format.h"

#include <math.h>

typedef struct {
    double share; /* share of the time of all warps that is spent at barriers */
    guint warp;   /* warp that arrives last */
    gint64 other; /* warp whose code it ran in the variant */
    guint kind;   /* kind of groups that has the warp */
} Late;

/* ---- what is said of it -------------------------------------------------------------------- */

#define MOST_RANGES 4

/* Names the warps of a group of that kind that run the code of one: "warps 4 to 7 and 9". *n is
 * their number. */
static char *describe_warps(const PsAnswer *answer, guint kind, gint64 warp, gint64 *n)
{
    const PsKernel *kernel = answer->kernel;
    const gint64 warps = answer->machine->launch.warps_per_group;
    const int program = ps_kernel_program_of(kernel, kind, warp);
    g_autoptr(GPtrArray) ranges = g_ptr_array_new_with_free_func(g_free);
    *n = 0;
    for (gint64 first = 0, last; first < warps; first = last + 1) {
        last = first;
        if (ps_kernel_program_of(kernel, kind, first) != program)
            continue;
        while (last + 1 < warps && ps_kernel_program_of(kernel, kind, last + 1) == program)
            last++;
        *n += last - first + 1;
        g_ptr_array_add(ranges, first == last
                                    ? g_strdup_printf("%" G_GINT64_FORMAT, first)
                                    : g_strdup_printf("%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT,
                                                      first, last));
    }
    GString *out = g_string_new(*n == 1 ? "warp " : "warps ");
    for (guint i = 0; i < ranges->len && i < MOST_RANGES; i++)
        g_string_append_printf(out, "%s%s",
                               i == 0                ? ""
                               : i + 1 < ranges->len ? ", "
                                                     : " and ",
                               (const char *)ranges->pdata[i]);
    if (ranges->len > MOST_RANGES)
        g_string_append(out, " and more");
    return g_string_free(out, FALSE);
}

/* The variant changes all warps with the late one's code, and the sentence says so. */
static char *sentence(const PsAnswer *answer, const PsAdvice *advice)
{
    const Late *late = advice->data;
    gint64 n;
    g_autofree char *share = ps_format_share(late->share);
    g_autofree char *gives = ps_would_give(answer, advice);
    g_autofree char *warps = describe_warps(answer, late->kind, late->warp, &n);
    g_autofree char *of =
        n == 1 ? g_strdup("for it") : g_strdup_printf("for %s, which all run its code,", warps);
    return g_strdup_printf("warps spend %s of their time at the barrier, where warp %u comes last: "
                           "no more work %s than for warp %" G_GINT64_FORMAT " %s",
                           share, late->warp, of, late->other, gives);
}

static void tell_figures(const PsAdvice *advice, PsTold *facts)
{
    const Late *late = advice->data;
    ps_tell_entry_figure(facts, "at_barriers", late->share);
    ps_tell_entry_whole(facts, "warp", late->warp);
    ps_tell_entry_whole(facts, "other_warp", (double)late->other);
}

/* TRUE if advice on the same late warp was told. The warp may be compared with each kind of other
 * warp. */
static gboolean is_covered(const PsAdvice *advice, const PsAdvice *told)
{
    return told->change == advice->change;
}

static const PsAdviceChange late_warp = {.name = "late-warp",
                                         .sentence = sentence,
                                         .tell_figures = tell_figures,
                                         .is_covered = is_covered};

/* ---- which it is --------------------------------------------------------------------------- */

/* The program that a warp runs, in a group of that kind. */
static guint program_of(const PsAnswer *answer, guint kind, gint64 warp)
{
    return (guint)ps_kernel_program_of(answer->kernel, kind, warp);
}

/* A warp that runs that program, in a group of that kind. */
static gint64 warp_of(const PsAnswer *answer, guint kind, guint program)
{
    gint64 warp = 0;
    while (warp + 1 < answer->machine->launch.warps_per_group &&
           program_of(answer, kind, warp) != program)
        warp++;
    return warp;
}

/* The longest row of the path at a barrier; NULL: there is none. */
static const PsPathRow *longest_barrier(const PsAnswer *answer)
{
    const GPtrArray *path = answer->explain->path;
    for (guint i = 0; path && i < path->len; i++) {
        const PsPathRow *row = path->pdata[i];
        if (row->kind == PS_PATH_BARRIER)
            return row;
    }
    return NULL;
}

/* The share of a path's row that the late warp's extra executions account for. */
static double share_of_more(const char *key, GHashTable *late, GHashTable *other)
{
    const double times = ps_work_times(late, key);
    return times > 0 ? fmax(0, 1 - ps_work_times(other, key) / times) : 0;
}

/* Puts the advice where the late warp's code has most of the critical path beyond the other's; if
 * that is unknown, the barrier stays the place. */
static void place_late(const PsAnswer *answer, guint late, guint other, PsAdvice *advice)
{
    g_autoptr(GHashTable) does = ps_work_new(answer->kernel, late, FALSE);
    g_autoptr(GHashTable) others = ps_work_new(answer->kernel, other, FALSE);
    g_autoptr(GHashTable) shares = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    double most = 0;
    for (guint i = 0; i < answer->explain->path->len; i++) {
        const PsPathRow *row = answer->explain->path->pdata[i];
        if (row->node == G_MAXUINT || row->program != late || row->kind == PS_PATH_BARRIER)
            continue;
        char *key =
            ps_work_key(answer->kernel->idg, answer->kernel->programs[late].nodes[row->node].item);
        double *share = g_new(double, 1);
        *share = ps_work_times(shares, key) + (double)row->ticks * share_of_more(key, does, others);
        if (*share > most) {
            most = *share;
            advice->program = row->program;
            advice->node = row->node;
        }
        g_hash_table_replace(shares, key, share);
    }
}

/* If the warps of a group have different code, tries the late one with the code of each other, in
 * turn. */
static void find(PsAdvicePlan *plan)
{
    const PsAnswer *answer = plan->answer;
    const PsPathRow *row = longest_barrier(answer);
    if (!row)
        return;
    const guint kind = answer->kernel->programs[row->program].kind;
    const guint late = program_of(answer, kind, row->warp);
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const gint64 warp = warp_of(answer, kind, p);
        if (p == late || program_of(answer, kind, warp) != p)
            continue;
        PsVariant *variant = ps_variant_new(plan->question);
        variant->question.program = late;
        variant->question.other_program = p;
        variant->share = ps_explain_path_share(answer, PS_PATH_BARRIER, G_MAXUINT);
        PsAdvice *advice =
            ps_advice_add(plan, PS_CAUSE_BARRIER, &late_warp, row->class_index, variant)->advice;
        *ps_advice_data_new(advice, Late) =
            (Late){ps_explain_barrier_share(answer->explain), row->warp, warp, kind};
        place_late(answer, late, p, advice);
    }
}

const PsAdviceKind ps_advice_kind_barrier = {.find = find};
