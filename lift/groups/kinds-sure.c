/* SPDX-License-Identifier: BSD-3-Clause */
/* How well the kinds of some groups represent those of all. See kinds.h. */
#include "lift/groups/kinds.h"

#include <math.h>
#include <string.h>

/* What groups ask of memory hardly ever is exactly the same where places follow from data; an error
 * of half of what merging kinds may change is not worth a word. */
#define LEAST_OF_MEMORY (PS_KINDS_MERGED / 2)

/* Sums over a stratum's known groups, of what they execute. */
typedef struct {
    guint n;
    double sum, squares;
} Known;

/* The standard errors below which 95 % of an estimate's errors lie: Student's t, by its expansion
 * in the degrees of freedom. */
static double errors_of(double freedom)
{
    const double z = 1.959964, z2 = z * z;
    const double first = z * (z2 + 1) / 4, second = z * ((5 * z2 + 16) * z2 + 3) / 96;
    const double third = z * (((3 * z2 + 19) * z2 + 17) * z2 - 15) / 384;
    return z + first / freedom + second / (freedom * freedom) +
           third / (freedom * freedom * freedom);
}

static double mean_of(const Known *known)
{
    return known->sum / known->n;
}

static double variance_of(const Known *known)
{
    const double mean = mean_of(known);
    return fmax(known->squares - known->n * mean * mean, 0) / (known->n - 1);
}

/* The squared relative spread of groups within a stratum, over all strata with several known
 * groups. */
static double spread_of(const PsStrata *strata, const Known *known)
{
    double squares = 0, means = 0;
    for (guint s = 0; s < ps_strata_count(strata); s++) {
        if (known[s].n < 2)
            continue;
        const double size = (double)ps_strata_size(strata, s), mean = mean_of(&known[s]);
        squares += size * variance_of(&known[s]);
        means += size * mean * mean;
    }
    return means > 0 ? squares / means : 0;
}

static gboolean is_parted(const PsStrata *strata)
{
    return strata->classes && strata->classes->parted;
}

/* The degrees of freedom of that spread: known groups beyond one in each stratum. */
static double freedom_of(const PsStrata *strata, const Known *known)
{
    double freedom = 0;
    for (guint s = 0; s < ps_strata_count(strata); s++)
        freedom += known[s].n > 1 ? known[s].n - 1 : 0;
    return freedom;
}

/* The variance of the mean of a place's groups, since the class of some is unknown. */
static double variance_of_classes(const PsStrata *strata, const Known *known, guint place)
{
    const guint places = ps_strata_places(strata);
    const double seen = (double)ps_strata_seen(strata, place);
    double size = 0, sum = 0, squares = 0;
    for (guint s = place; s < ps_strata_count(strata); s += places) {
        const double its = (double)ps_strata_size(strata, s), mean = mean_of(&known[s]);
        size += its;
        sum += known[s].n > 0 ? its * mean : 0;
        squares += known[s].n > 0 ? its * mean * mean : 0;
    }
    if (seen < 2 || size <= seen)
        return 0;
    return fmax(squares / size - sum / size * (sum / size), 0) / (seen - 1) * (1 - seen / size);
}

/* Two standard errors of the mean, as a share of it, or the multiple that so few groups need, over
 * strata with a known group. Groups are drawn without replacement. */
static double error_of(const PsStrata *strata, const Known *known)
{
    const double spread = spread_of(strata, known), freedom = freedom_of(strata, known);
    const gboolean parted = is_parted(strata);
    double all = 0, mean = 0, variance = 0, parts = 0;
    for (guint s = 0; s < ps_strata_count(strata); s++)
        all += known[s].n > 0 ? (double)ps_strata_size(strata, s) : 0;
    for (guint s = 0; s < ps_strata_count(strata); s++) {
        if (known[s].n == 0)
            continue;
        const guint n = known[s].n;
        const double size = (double)ps_strata_size(strata, s), its = mean_of(&known[s]);
        const gboolean alone = parted || n < 2; /* others tell the spread */
        const double one = alone ? spread * its * its : variance_of(&known[s]);
        const double part = size / all * (size / all) * one / n * fmax(1 - n / size, 0);
        mean += size / all * its;
        variance += part;
        parts += alone ? 0 : part * part / (n - 1);
    }
    for (guint p = 0; p < ps_strata_places(strata); p++) {
        const double size = (double)ps_strata_place_size(strata, p);
        const double part = size / all * (size / all) * variance_of_classes(strata, known, p);
        variance += part;
        parts += part > 0 ? part * part / ((double)ps_strata_seen(strata, p) - 1) : 0;
    }
    if (parted)
        parts = freedom > 0 ? variance * variance / freedom : 0;
    return parts > 0 && mean > 0 ? errors_of(variance * variance / parts) * sqrt(variance) / mean
                                 : 0;
}

double ps_kinds_hidden(const PsStrata *strata, const GPtrArray *groups)
{
    const double all = (double)strata->grid[0] * strata->grid[1] * strata->grid[2];
    g_autofree guint *known = g_new0(guint, ps_strata_count(strata));
    double hidden = 0;
    for (guint i = 0; i < groups->len; i++)
        known[ps_strata_find(strata, ((const PsRollGroup *)groups->pdata[i])->group)]++;
    for (guint s = 0; s < ps_strata_count(strata); s++) {
        const double size = (double)ps_strata_size(strata, s), n = known[s];
        hidden += n >= size ? 0 : fmin(size - n, size * (n > 0 ? 1 - pow(0.05, 1 / n) : 1)) / all;
    }
    return hidden;
}

/* Adds up what groups take, in one measure. */
static void add_known(const PsStrata *strata, const GPtrArray *groups, guint measure, Known *known)
{
    memset(known, 0, ps_strata_count(strata) * sizeof *known);
    for (guint i = 0; i < groups->len; i++) {
        const PsRollGroup *group = groups->pdata[i];
        const double load = ps_load_of(group).of[measure];
        Known *its = &known[ps_strata_find(strata, group->group)];
        its->n++;
        its->sum += load;
        its->squares += load * load;
    }
}

/* How much of the time an error in that measure may be: ps_load_scale. */
static double part_of(const GPtrArray *groups, guint measure)
{
    PsLoad sum = {{0}};
    for (guint i = 0; i < groups->len; i++) {
        const PsLoad load = ps_load_of(groups->pdata[i]);
        for (guint l = 0; l < PS_N_LOADS; l++)
            sum.of[l] += load.of[l] / groups->len;
    }
    const PsLoad scale = ps_load_scale(&sum);
    return sum.of[measure] / scale.of[measure];
}

PsKindsSure ps_kinds_sure(const PsStrata *strata, const GPtrArray *groups)
{
    g_autofree Known *known = g_new0(Known, ps_strata_count(strata));
    const double all = (double)strata->grid[0] * strata->grid[1] * strata->grid[2];
    PsKindsSure sure = {0};
    for (guint i = 0; i < PS_N_LOADS; i++) {
        add_known(strata, groups, i, known);
        const double error = part_of(groups, i) * error_of(strata, known);
        if (i == PS_LOAD_WORK || error > LEAST_OF_MEMORY)
            sure.error = fmax(sure.error, error);
    }
    for (guint s = 0; s < ps_strata_count(strata); s++)
        sure.unseen += known[s].n == 0 ? (double)ps_strata_size(strata, s) / all : 0;
    if (sure.error > 0 && is_parted(strata)) /* similar to the error from merging */
        sure.error += PS_KINDS_MERGED;
    return sure;
}
