/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the numbers of a wait. Given pairs (k, number of instances that ended the wait), it finds
 * P, E and D of R12 that give each pair; if there are none, those that come nearest without
 * exceeding any.
 */
#include "lift/emit/roles-private.h"

/* Numbers up to this one may come from the code itself: stages, or tiles of an iteration. */
#define MOST_OF_CODE 16

static gint64 floor_divided(gint64 a, gint64 b)
{
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}

static gint64 needs(const PsRoleAwait *await, gint64 k, gint64 all)
{
    const gint64 n = await->per * (k / await->every + 1 - await->before);
    return CLAMP(n, 0, all);
}

/* By how much all instances together need less than they may; -1: one needs more. Between two pairs
 * an instance may need what ended an earlier wait. */
static gint64 slack(const PsRoleAwait *await, const PsRoleFit *fit)
{
    gint64 sum = 0, reached = 0;
    for (guint i = 0; i < fit->pairs->len; i++) {
        const PsRolePair *pair = &g_array_index(fit->pairs, PsRolePair, i);
        if (pair->k > 0 && needs(await, pair->k - 1, fit->all) > reached)
            return -1;
        const gint64 need = needs(await, pair->k, fit->all);
        if (need > pair->count)
            return -1;
        sum += pair->count - need;
        reached = MAX(reached, pair->count);
    }
    return needs(await, fit->waits - 1, fit->all) > reached ? -1 : sum;
}

/* The least D with which no instance needs more than what ended its wait. */
static void set_before(PsRoleAwait *await, const PsRoleFit *fit)
{
    gint64 before = G_MININT64;
    for (guint i = 0; i < fit->pairs->len; i++) {
        const PsRolePair *pair = &g_array_index(fit->pairs, PsRolePair, i);
        const gint64 may = floor_divided(pair->count, await->per);
        if (pair->count < fit->all)
            before = MAX(before, pair->k / await->every + 1 - may);
    }
    const PsRolePair *first = &g_array_index(fit->pairs, PsRolePair, 0);
    const gint64 most = fit->all / await->per + (fit->all % await->per != 0);
    if (before == G_MININT64) /* all of them, from the first wait on */
        before = first->k / await->every + 1 - most;
    await->before = before;
}

/* Tries these numbers, and keeps them in *best if they come nearer. */
static void try(const PsRoleFit *fit, gint64 per, gint64 every, PsRoleAwait *best, gint64 *least)
{
    PsRoleAwait await = *best;
    if (per < 1 || every < 1)
        return;
    await.per = per;
    await.every = every;
    set_before(&await, fit);
    for (gint64 later = 0; later < 2; later++, await.before++) {
        const gint64 sum = slack(&await, fit);
        if (sum >= 0 && (*least < 0 || sum < *least)) {
            *least = sum;
            *best = await;
            return;
        }
    }
}

gboolean ps_roles_fit(const PsRoleFit *fit, PsRoleAwait *await, gboolean *exact)
{
    gint64 least = -1, gap = 1, jump = 1;
    const PsRolePair *last = NULL;
    for (guint i = 0; i < fit->pairs->len; i++) {
        const PsRolePair *pair = &g_array_index(fit->pairs, PsRolePair, i);
        if (last && pair->count > last->count) {
            gap = pair->k - last->k;
            jump = pair->count - last->count;
            if (pair->count < fit->all)
                break; /* the last wait may have had fewer */
        }
        if (!last || pair->count > last->count)
            last = pair;
    }
    await->per = await->every = 1;
    try(fit, 1, 1, await, &least);
    if (least != 0)
        try(fit, jump, gap, await, &least);
    if (least != 0)
        try(fit, jump, 1, await, &least);
    *exact = least == 0;
    await->to_all = await->per * ((fit->waits - 1) / await->every + 1 - await->before) > fit->all;
    return least >= 0;
}

gboolean ps_role_await_is_of_code(const PsRoleAwait *await)
{
    return await->per <= MOST_OF_CODE && await->every <= MOST_OF_CODE &&
           ABS(await->before) <= MOST_OF_CODE;
}
