/* SPDX-License-Identifier: BSD-3-Clause */
/* Advice on what warps wait for beside data and pipelines: each other, and issue ports. See
 * advice-private.h. */
#include "answer/advice-private.h"
#include "cli/report/format.h"

/* ---- barriers ------------------------------------------------------------------------------ */

static double waiting_at_barriers(const Answer *answer)
{
    double share = 0;
    for (guint i = 0; i < answer->explain->waits->len; i++) {
        const PsWaitRow *row = answer->explain->waits->pdata[i];
        if (row->kind == PS_WAIT_BARRIER)
            share += explain_wait_share(answer->explain, row);
    }
    return share;
}

#define MOST_RANGES 4

/* The warps of a group that run a program: "warps 4 to 7 and 9" (g_free). *n is how many. */
static char *describe_warps(const Answer *answer, int program, gint64 *n)
{
    const gint64 warps = answer->machine->launch.warps_per_group;
    g_autoptr(GPtrArray) ranges = g_ptr_array_new_with_free_func(g_free);
    *n = 0;
    for (gint64 first = 0, last; first < warps; first = last + 1) {
        last = first;
        if (ps_kernel_program_of(answer->kernel, first) != program)
            continue;
        while (last + 1 < warps && ps_kernel_program_of(answer->kernel, last + 1) == program)
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

/* All warps of the late one's code are changed in the trial, and so it says. */
static char *tell_late_warp(const AdvicePlan *plan, const AdviceItem *item)
{
    const Answer *answer = plan->answer;
    gint64 n;
    g_autofree char *share = format_share(waiting_at_barriers(answer));
    g_autofree char *gives = advice_would_give(plan, item);
    g_autofree char *warps =
        describe_warps(answer, ps_kernel_program_of(answer->kernel, item->index), &n);
    g_autofree char *of =
        n == 1 ? g_strdup("for it") : g_strdup_printf("for %s, which all run its code,", warps);
    return g_strdup_printf("warps spend %s of their time at the barrier, where warp %u comes last: "
                           "no more work %s than for warp %" G_GINT64_FORMAT " %s",
                           share, item->index, of, item->number, gives);
}

/* A warp of the group that runs that program. */
static gint64 warp_of(const Answer *answer, guint program)
{
    gint64 warp = 0;
    while (warp + 1 < answer->machine->launch.warps_per_group &&
           ps_kernel_program_of(answer->kernel, warp) != (int)program)
        warp++;
    return warp;
}

/* The barrier's row of the path that takes longest; NULL where none is on it. */
static const PsPathRow *longest_barrier(const Answer *answer)
{
    const GPtrArray *path = answer->explain->path;
    for (guint i = 0; path && i < path->len; i++) {
        const PsPathRow *row = path->pdata[i];
        if (row->kind == PS_PATH_BARRIER)
            return row;
    }
    return NULL;
}

/* Where the warps of a group have different code, the late one gets that of each other, in turn. */
void advice_barriers(AdvicePlan *plan)
{
    const Answer *answer = plan->answer;
    const PsPathRow *row = longest_barrier(answer);
    const int late = row ? ps_kernel_program_of(answer->kernel, row->warp) : -1;
    if (late < 0)
        return;
    for (guint p = 0; p < answer->kernel->n_programs; p++) {
        const gint64 warp = warp_of(answer, p);
        if ((int)p == late || ps_kernel_program_of(answer->kernel, warp) != (int)p)
            continue;
        Trial *trial = trial_new(plan->question);
        trial->question.program = (guint)late;
        trial->question.other_program = p;
        AdviceItem *item = advice_add(plan, "barrier", tell_late_warp, trial);
        item->klass = answer->machine->classes[row->class_].asked;
        item->class_ = row->class_;
        item->index = row->warp;
        item->number = warp;
    }
}

/* ---- issue ports --------------------------------------------------------------------------- */

/* The share of the critical path that waits for issue ports, and the class that holds them
 * longest. */
static double waiting_for_ports(const Answer *answer, guint *class_)
{
    const GPtrArray *shares = answer->explain->by_class;
    double sum = 0;
    *class_ = G_MAXUINT;
    for (guint i = 0; shares && i < shares->len; i++) {
        const ExplainShare *share = shares->pdata[i];
        if (share->kind != PS_PATH_PORT)
            continue;
        if (*class_ == G_MAXUINT)
            *class_ = share->class_;
        sum += share->share;
    }
    return sum;
}

static char *tell_ports(const AdvicePlan *plan, const AdviceItem *item)
{
    guint class_;
    g_autofree char *share = format_share(waiting_for_ports(plan->answer, &class_));
    g_autofree char *klass = ps_text_clean(item->klass);
    g_autofree char *gives = advice_would_give(plan, item);
    g_autofree char *width = format_rational(plan->answer->machine->refinements.issue_width);
    return g_strdup_printf("schedulers issue %s per cycle at most: %s of the critical path waits "
                           "for their ports (%s above all), so fewer instructions of any class "
                           "help; twice as many per cycle %s",
                           width, share, klass, gives);
}

/* Every instruction takes its port for equally long, so ports twice as wide are what half as many
 * instructions would leave of them. */
void advice_ports(AdvicePlan *plan)
{
    const Answer *answer = plan->answer;
    guint class_;
    if (answer->machine->refinements.schedulers == 0 || !(waiting_for_ports(answer, &class_) > 0) ||
        class_ == G_MAXUINT)
        return;
    Trial *trial = trial_new(plan->question);
    trial->question.ports = 2;
    trial->question.clamp = CLAMP_NONE;
    AdviceItem *item = advice_add(plan, "issue-port", tell_ports, trial);
    item->klass = answer->machine->classes[class_].asked;
    item->class_ = class_;
}
