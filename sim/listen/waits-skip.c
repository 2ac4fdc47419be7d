/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Adds skipped periods to the sums. A period adds what the one before added, except for the first
 * issue of each warp behind the mark. In the recorded period that issue is charged with time before
 * the mark, when nothing repeated yet; in later periods it is charged with the time since its
 * warp's last action. Groups are numbered by age, in the order of launches: the group of an age at
 * the end of a period is what the group of that age was at its beginning. A warp that did nothing
 * in the period stands at its end where the next older one, which it becomes, stood at its
 * beginning. So a warp's last action some periods on is found by going from age to age as long as
 * nothing was done. An estimate repeats nothing exactly: it adds in proportion.
 */
#include "sim/listen/waits-private.h"

#include <string.h>

static void settle_all(PsWaits *waits)
{
    for (guint g = 0; g < waits->groups->len; g++)
        for (guint w = 0; w < waits->n_warps; w++)
            ps_waits_settle(waits, waits->groups->pdata[g], w);
}

void ps_waits_mark(PsWaits *waits, guint number)
{
    PsWaitMark *mark = &waits->marks[number];
    settle_all(waits);
    mark->base = waits->base;
    mark->ends = waits->ends;
    mark->n = waits->groups->len;
    g_free(mark->firsts);
    mark->firsts = g_new0(PsWaitFirst, (gsize)mark->n * waits->n_warps + 1);
    memcpy(mark->sums, waits->sums, waits->n_sums * sizeof *mark->sums);
    ps_waits_mark_pipes(waits, mark);
    for (guint g = 0; g < mark->n; g++) {
        PsWaitGroup *group = waits->groups->pdata[g];
        group->age_at_mark[number] = g;
        for (guint w = 0; w < waits->n_warps; w++)
            group->warps[w].fresh |= 1U << number;
    }
}

/* A skip of time behind a mark. */
typedef struct {
    PsWaits *waits;
    guint mark;
    gint64 times, period;
    gint64 from;     /* begin, in ticks of the run */
    gint64 recorded; /* ticks of the period on the engine's clock, without time skipped in it */
} Skip;

static PsWaitWarp *warp_at(const Skip *skip, guint age, guint warp)
{
    return &((PsWaitGroup *)skip->waits->groups->pdata[age])->warps[warp];
}

/* The group that the one of that age becomes a period later, as the age of a present group; itself
 * if it did something since the mark, or never will. */
static guint turn_of(const Skip *skip, guint age, guint warp)
{
    const PsWaitGroup *group = skip->waits->groups->pdata[age];
    const gboolean idle = (group->warps[warp].fresh >> skip->mark & 1) != 0;
    const guint before = group->age_at_mark[skip->mark];
    return idle && before < skip->waits->groups->len ? before : age;
}

/* Divides a wait between pipeline and port: an issue whose instance became ready in its period
 * waits as in the recorded one. */
static void split_again(const Skip *skip, const PsWaitFirst *first, const PsWaitWarp *warp,
                        const PsWaitIssue *issue, PsWaitCharge *charge)
{
    const PsWaits *waits = skip->waits;
    const PsWaitMark *mark = &waits->marks[skip->mark];
    const gint64 time = issue->time + waits->base, all = charge->queued + charge->ported;
    const gint64 begin = time - (time - skip->from) % skip->period;
    if (waits->schedulers == 0 || all == 0)
        return;
    const PsWaitTimes times = {skip->from - skip->period, time - all, begin};
    charge->queued = times.ready >= begin
                         ? first->charge.queued
                         : (gint64)ps_waits_busy_again(waits, mark, warp, first, &times);
    charge->ported = all - charge->queued;
}

/* Charges the same issue as in the skipped periods. Only a warp's last waits can end behind a skip
 * within the period, and then all of them do. */
static void charge_again(const Skip *skip, const PsWaitFirst *first, guint age, guint warp,
                         PsWaitSum *sums)
{
    PsWaitIssue issue = first->issue;
    gint64 left = skip->times;
    issue.time += skip->recorded + first->skipped;
    issue.ready += skip->recorded + first->skipped;
    while (left > 0) {
        const guint next = turn_of(skip, age, warp);
        PsWaitCharge charge = ps_waits_charge(skip->waits, warp_at(skip, age, warp), &issue);
        split_again(skip, first, warp_at(skip, age, warp), &issue, &charge);
        ps_waits_add(sums, &charge, next == age ? left : 1);
        left -= next == age ? left : 1;
        age = next;
        issue.time += skip->period;
        issue.ready += skip->period;
    }
}

/* The warp becomes what it is behind the skip; oldest ages first, so that the warps that others
 * become are still unchanged. */
static void advance(const Skip *skip, guint age, guint warp)
{
    PsWaitWarp *to = warp_at(skip, age, warp);
    gint64 periods = 0;
    guint from = age, next;
    while (periods < skip->times && (next = turn_of(skip, from, warp)) != from) {
        from = next;
        periods++;
    }
    const gboolean idle = (warp_at(skip, from, warp)->fresh >> skip->mark & 1) != 0;
    if (idle) /* the group stays unchanged */
        periods = skip->times;
    if (periods > 0)
        ps_waits_copy(to, warp_at(skip, from, warp), periods * skip->period);
}

/* The age a period later of the group of this age; the same age if the group stays, or is gone. */
static guint age_after(const Skip *skip, guint age)
{
    const GPtrArray *groups = skip->waits->groups;
    for (guint g = 0; g < groups->len; g++)
        if (((const PsWaitGroup *)groups->pdata[g])->age_at_mark[skip->mark] == age)
            return g;
    return age;
}

/* The warp's next issue, had nothing been skipped: that of the warp of its age behind the mark. A
 * warp that does nothing any more has issued all. */
static PsWaitIssue next_issue(const Skip *skip, guint age, guint warp)
{
    const PsWaitMark *mark = &skip->waits->marks[skip->mark];
    const PsWaitIssue never = {G_MAXINT64 / 2, G_MAXINT64 / 2, G_MAXINT64, PS_WAITS_NO_NODE, 0, 0};
    gint64 shift = skip->recorded;
    for (guint before = G_MAXUINT; age != before && age < mark->n;) {
        const PsWaitFirst *first = &mark->firsts[age * skip->waits->n_warps + warp];
        PsWaitIssue issue = first->issue;
        issue.time += shift + first->skipped;
        issue.ready += shift + first->skipped;
        if (first->seen)
            return issue;
        shift += skip->period;
        before = age;
        age = age_after(skip, age);
    }
    return never;
}

/* TRUE if the warp did nothing in the period and stays so: it starves, or has issued all. */
static gboolean stays_idle(const Skip *skip, guint age, guint warp)
{
    return (warp_at(skip, age, warp)->fresh >> skip->mark & 1) != 0 &&
           turn_of(skip, age, warp) == age;
}

/* Reports the time of warps since their last issue, before it is shifted. The cause of an idle
 * warp's wait is known when it goes on. */
static void tell_open(const Skip *skip, gboolean estimated)
{
    const PsWaits *waits = skip->waits;
    for (guint g = 0; g < waits->groups->len; g++)
        for (guint w = 0; w < waits->n_warps; w++) {
            PsWaitWarp *warp = warp_at(skip, g, w);
            if (!estimated && stays_idle(skip, g, w)) {
                warp->kept_open = TRUE;
                continue;
            }
            const PsWaitIssue issue = next_issue(skip, g, w);
            const PsWaitCharge charge = ps_waits_charge(waits, warp, &issue);
            waits->told(waits->data, waits->groups->pdata[g], w, &issue, &charge);
            warp->kept_open = FALSE;
        }
}

static void charge_all(const Skip *skip)
{
    PsWaits *waits = skip->waits;
    const PsWaitMark *mark = &waits->marks[skip->mark];
    g_autofree PsWaitSum *again = g_new0(PsWaitSum, waits->n_sums);
    g_autofree PsWaitSum *once = g_new0(PsWaitSum, waits->n_sums);
    for (guint g = 0; g < mark->n && g < waits->groups->len; g++)
        for (guint w = 0; w < waits->n_warps; w++) {
            const PsWaitFirst *first = &mark->firsts[g * waits->n_warps + w];
            if (!first->seen)
                continue;
            ps_waits_add(once, &first->charge, 1);
            charge_again(skip, first, g, w, again);
        }
    for (guint i = 0; i < waits->n_sums; i++)
        waits->sums[i] += skip->times * (waits->sums[i] - mark->sums[i] - once[i]) + again[i];
}

/* In an estimate warps go on unchanged, and all sums grow at their rates. */
static void charge_estimate(PsWaits *waits, const PsSkip *skipped)
{
    const PsWaitMark *mark = &waits->marks[skipped->mark];
    for (guint i = 0; i < waits->n_sums; i++)
        waits->sums[i] += ps_repeat(skipped, waits->sums[i] - mark->sums[i]);
}

void ps_waits_skip(PsWaits *waits, const PsSkip *skipped)
{
    const PsWaitMark *mark = &waits->marks[skipped->mark];
    const Skip skip = {waits,          skipped->mark,
                       skipped->times, skipped->period,
                       skipped->from,  skipped->period - (waits->base - mark->base)};
    settle_all(waits);
    ps_waits_skip_pipes(waits, skipped);
    if (waits->told)
        tell_open(&skip, skipped->estimated);
    if (skipped->estimated)
        charge_estimate(waits, skipped);
    else
        charge_all(&skip);
    for (guint g = 0; g < waits->groups->len && !skipped->estimated; g++)
        for (guint w = 0; w < waits->n_warps; w++)
            advance(&skip, g, w);
    waits->base += skipped->to - skipped->from;
}
