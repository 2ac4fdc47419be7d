/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Ranks that differ little are one term, so that a sum over millions has some dozens of terms.
 */
#include "lift/memory/cache-popular.h"

#include <math.h>

#define MOST_TERMS 256
#define WIDTH 1.25    /* ratio of the last rank of a term to its first */
#define MOST_SKEW 2.0 /* above it a few places are all that matters, and these follow no law */
#define STEPS 40      /* halvings of an interval */

/* Ranks as terms: the share of places in each, and how often one of these is drawn, where 1 is the
 * mean over all places. */
typedef struct {
    double share[MOST_TERMS], rate[MOST_TERMS];
    guint n;
} Ranks;

static void find_ranks(const PsPopular *popular, Ranks *ranks)
{
    const double last = floor(popular->places), first = MIN(popular->common + 1, last);
    double sum = 0, next;
    ranks->n = 0;
    for (double rank = first; rank <= last && ranks->n < MOST_TERMS; rank = next) {
        next = MIN(MAX(rank + 1, floor(rank * WIDTH)), last + 1);
        ranks->share[ranks->n] = (next - rank) / (last - first + 1);
        ranks->rate[ranks->n] = pow(sqrt(rank * (next - 1)), -popular->skew);
        sum += ranks->share[ranks->n] * ranks->rate[ranks->n];
        ranks->n++;
    }
    for (guint i = 0; i < ranks->n; i++)
        ranks->rate[i] /= sum;
}

/* The share of these places that were drawn after `turns` draws for each, */
static double seen(const Ranks *ranks, double turns)
{
    double share = 0;
    for (guint i = 0; i < ranks->n; i++)
        share -= ranks->share[i] * expm1(-ranks->rate[i] * turns);
    return share;
}

/* and the probability that the next draw is a new one. */
static double fresh(const Ranks *ranks, double turns)
{
    double share = 0;
    for (guint i = 0; i < ranks->n; i++)
        share += ranks->share[i] * ranks->rate[i] * exp(-ranks->rate[i] * turns);
    return share;
}

/* Draws for each of the places that are not common. */
static double draws(const PsPopular *popular, double turns)
{
    return turns * popular->repeated * popular->places / (popular->places - popular->common);
}

double ps_popular_seen(const PsPopular *popular, double turns)
{
    Ranks ranks;
    const double common = popular->common / popular->places;
    if (popular->skew == 0)
        return common - (1 - common) * expm1(-draws(popular, turns));
    find_ranks(popular, &ranks);
    return common + (1 - common) * seen(&ranks, draws(popular, turns));
}

double ps_popular_fresh(const PsPopular *popular, double turns)
{
    Ranks ranks;
    if (popular->skew == 0)
        return popular->repeated * exp(-draws(popular, turns));
    find_ranks(popular, &ranks);
    return popular->repeated * fresh(&ranks, draws(popular, turns));
}

/* The draws for each place after which that share was drawn. */
static double draws_until(const Ranks *ranks, double share)
{
    double least = 0, most = 1;
    while (seen(ranks, most) < share)
        most *= 2;
    for (guint i = 0; i < STEPS; i++) {
        const double middle = (least + most) / 2;
        *(seen(ranks, middle) < share ? &least : &most) = middle;
    }
    return most;
}

gboolean ps_popular_fit(PsPopular *popular, const PsDrawn *drawn)
{
    const double others = popular->places - drawn->common, one = drawn->of_one - drawn->of_common;
    double least = 0, most = MOST_SKEW, draws = 0;
    Ranks ranks;
    if (one <= 0 || one >= others)
        return FALSE;
    popular->common = drawn->common;
    for (guint i = 0; i < STEPS; i++) {
        popular->skew = (least + most) / 2;
        find_ranks(popular, &ranks);
        draws = draws_until(&ranks, one / others);
        const double all = others * seen(&ranks, drawn->groups * draws);
        *(all > drawn->of_all - drawn->common ? &least : &most) = popular->skew;
    }
    popular->repeated = draws * others / drawn->of_one;
    return most < MOST_SKEW && (least > 0 || drawn->common > 0);
}
