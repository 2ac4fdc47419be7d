/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups whose loops run as often as numbers of their own say, in parts of about equal work: the
 * group of a part whose number is the part's mean stands for it. Parts of equal work are small
 * where groups are long, so that a few long groups are well represented.
 */
#include "lift/groups/varies.h"
#include "lift/samples-decide.h"

#define MOST_PARTS 16
/* Groups whose numbers of trips are computed, at most. */
#define MOST_TRIPS (1 << 20)

/* Bits of a number that distinguish it from others of its size. */
#define STEPS_BITS 6
#define STEPS (1 << STEPS_BITS)
#define N_BUCKETS (32 * STEPS)

/* The bucket of a number, which grows with it. */
static guint bucket_of(guint32 number)
{
    const guint bits = (guint)g_bit_storage(number);
    if (number < STEPS)
        return number;
    const guint shift = bits - 1 - STEPS_BITS;
    return (shift + 1) * STEPS + ((number >> shift) - STEPS);
}

guint ps_samples_parts(const guint32 *numbers, guint64 n, guint most, guint8 *of)
{
    g_autofree guint64 *counts = g_new0(guint64, N_BUCKETS), *sums = g_new0(guint64, N_BUCKETS);
    guint8 parts[N_BUCKETS];
    guint part = 0, last = 0;
    double all = 0, before = 0;
    gboolean any = FALSE;
    for (guint64 i = 0; i < n; i++) {
        counts[bucket_of(numbers[i])]++;
        sums[bucket_of(numbers[i])] += numbers[i];
        all += numbers[i];
    }
    for (guint b = 0; b < N_BUCKETS; b++) {
        const double middle = before + (double)sums[b] / 2;
        const guint at = all > 0 ? (guint)MIN(most * middle / all, most - 1) : 0;
        if (counts[b] > 0 && at > last) {
            part += any;
            last = at;
        }
        any |= counts[b] > 0;
        before += (double)sums[b];
        parts[b] = (guint8)part;
    }
    for (guint64 i = 0; i < n; i++)
        of[i] = parts[bucket_of(numbers[i])];
    return part + 1;
}

/* ---- numbers of trips ----------------------------------------------------------------------- */

#define MOST_NUMBERS 8
/* Least share of the variance of groups' work that their trips must explain. */
#define LEAST_TOLD 0.5

/* The numbers that determine a loop: one, such as its count, or its first and its last. */
typedef struct {
    guint n;
    guint at[MOST_NUMBERS];
    guint64 bits;
    gboolean by_thread;
} Trips;

/* Finds the number of trips that the point depends on. FALSE: there is none, or more than a number
 * of trips decides. */
static gboolean find_trips(const PsDecide *decide, guint point, Trips *trips)
{
    const PsPtxCode *code = ps_ptx_machine_code(decide->samples->machine);
    const guint loop = code->points[point].loop;
    *trips = (Trips){0};
    for (guint i = 0; i < decide->asked->len; i++) {
        const PsAsked *asked = &g_array_index(decide->asked, PsAsked, i);
        const guint number = (guint)asked->number;
        if (asked->point != point || (asked->what & PS_GROUPS_WAY) == 0 ||
            trips->bits >> number & 1)
            continue;
        if (trips->n == MOST_NUMBERS || !ps_ptx_slice_values(decide->slice, number))
            return FALSE;
        trips->at[trips->n++] = number;
        trips->bits |= (guint64)1 << number;
        trips->by_thread |= ps_ptx_slice_by_thread(decide->slice, number);
    }
    return loop != PS_PTX_NOWHERE && code->loops[loop].parent == PS_PTX_NOWHERE &&
           (!trips->by_thread || ps_ptx_slice_grows(decide->slice, trips->bits));
}

/* A lane's number of trips, or a multiple of it: the distance of its numbers, which may have 32
 * bits. *less: the first is less than another, or than zero. Which of them the loop begins with is
 * unknown; if it is the larger one, the loop may not run. */
static guint64 trips_at(const PsDecide *decide, const Trips *trips, guint lane, gboolean *less)
{
    gint64 least = trips->n > 1 ? G_MAXINT64 : 0, most = trips->n > 1 ? G_MININT64 : 0;
    guint64 any = 0;
    for (guint i = 0; i < trips->n; i++)
        any |= ps_ptx_slice_values(decide->slice, trips->at[i])[lane];
    for (guint i = 0; i < trips->n; i++) {
        const guint64 value = ps_ptx_slice_values(decide->slice, trips->at[i])[lane];
        const gint64 number = any >> 32 ? (gint64)value : (gint32)(guint32)value;
        *less = i == 0 ? number < most : *less || number > least;
        least = MIN(least, number);
        most = MAX(most, number);
    }
    return (guint64)most - (guint64)least;
}

/* How well numbers explain the work of executed groups: 1 less the share of variance that remains
 * around a line through them, one line for each sign. */
static double told_by(const PsDecide *decide, const guint64 *more, const guint8 *less)
{
    const PsSamples *samples = decide->samples;
    double n[2] = {0}, x[2] = {0}, y[2] = {0}, xx[2] = {0}, xy[2] = {0}, yy[2] = {0};
    for (guint i = 0; i < samples->shown->len; i++) {
        const PsRollGroup *group = samples->shown->pdata[i], *as = group->as ? group->as : group;
        const guint64 place = ps_samples_place(samples, group->group);
        const guint sign = decide->signs[place] ^ less[place];
        const double trips = (double)(decide->trips[place] + more[place]);
        const double work = (double)(as->length - as->off);
        n[sign]++;
        x[sign] += trips;
        y[sign] += work;
        xx[sign] += trips * trips;
        xy[sign] += trips * work;
        yy[sign] += work * work;
    }
    const double all = n[0] + n[1], mean = (y[0] + y[1]) / MAX(all, 1);
    const double variance = yy[0] + yy[1] - all * mean * mean;
    double left = 0;
    for (guint s = 0; s < 2; s++) {
        const double of = n[s] > 0 ? xx[s] - x[s] * x[s] / n[s] : 0;
        const double both = n[s] > 0 ? xy[s] - x[s] * y[s] / n[s] : 0;
        left += n[s] > 0 ? yy[s] - y[s] * y[s] / n[s] - (of > 0 ? both * both / of : 0) : 0;
    }
    return variance > 0 ? 1 - left / variance : 0;
}

/* Adds a loop's trips to those of each group: those of its first thread, if threads differ. *good
 * becomes FALSE if that explains no more of the groups' work: then a number is none of trips, for
 * example the register's former value. FALSE: the time is over. */
static gboolean add_trips(PsDecide *decide, const Trips *trips, gboolean *good)
{
    const guint corners = trips->by_thread ? ps_ptx_slice_corners(decide->slice) : 1;
    const guint step = PS_PTX_LANES / corners;
    g_autofree guint64 *more = g_new(guint64, decide->all);
    g_autofree guint8 *less = g_new(guint8, decide->all);
    guint32 lanes[PS_PTX_SLICE_OUTPUTS], sure;
    *good = ps_decide_has_time(decide, trips->bits, decide->all / step + 1);
    for (guint64 first = 0; *good && first < decide->all; first += step) {
        const guint n = (guint)MIN(decide->all - first, step);
        if (!ps_decide_spend(decide) ||
            !(trips->by_thread
                  ? ps_ptx_slice_at_corners(decide->slice, trips->bits, first, n, lanes, &sure)
                  : ps_ptx_slice_groups(decide->slice, trips->bits, first, n, lanes)))
            return FALSE;
        for (guint i = 0; i < n; i++) {
            gboolean is_less = FALSE;
            more[first + i] = trips_at(decide, trips, i * corners, &is_less);
            less[first + i] = (guint8)is_less;
        }
    }
    const double told = *good ? told_by(decide, more, less) : 0;
    *good = told > LEAST_TOLD && told > decide->told;
    decide->told = *good ? told : decide->told;
    for (guint64 i = 0; *good && i < decide->all; i++) {
        decide->trips[i] = (guint32)MIN(decide->trips[i] + more[i], G_MAXUINT32);
        decide->signs[i] ^= less[i];
    }
    return TRUE;
}

static void note_known(const PsDecide *decide, guint point)
{
    for (guint i = 0; i < decide->asked->len; i++) {
        PsAsked *asked = &g_array_index(decide->asked, PsAsked, i);
        asked->known |= asked->point == point;
    }
}

/* Sums the trips of all loops whose numbers are too many for classes. FALSE: there are none, or the
 * time is over. */
static gboolean add_all_trips(PsDecide *decide)
{
    gboolean any = FALSE;
    for (guint i = 0; i < decide->asked->len; i++) {
        const PsAsked *asked = &g_array_index(decide->asked, PsAsked, i);
        Trips trips;
        if (asked->known || (asked->what & PS_GROUPS_WAY) == 0)
            continue;
        gboolean good;
        if (!find_trips(decide, asked->point, &trips))
            continue;
        if (!add_trips(decide, &trips, &good))
            return FALSE;
        if (!good)
            continue;
        note_known(decide, asked->point);
        any = TRUE;
    }
    return any;
}

gboolean ps_decide_knows_all(const PsDecide *decide)
{
    gboolean all = TRUE;
    for (guint i = 0; i < decide->asked->len; i++) {
        const PsAsked *asked = &g_array_index(decide->asked, PsAsked, i);
        all = all && (asked->known || (asked->what & PS_GROUPS_WAY) == 0);
    }
    return all;
}

/* Divides all groups into parts; those with most trips are parts of their own, since a launch may
 * end with one. */
static void cut(const PsDecide *decide, guint8 *parts)
{
    const guint most = MIN(PS_DECIDE_PARTED / decide->n / 2 - 1, MOST_PARTS);
    const guint n = ps_samples_parts(decide->trips, decide->all, most, parts);
    guint64 longest[2] = {G_MAXUINT64, G_MAXUINT64};
    for (guint64 i = 0; i < decide->all; i++) {
        guint64 *one = &longest[decide->signs[i]];
        *one = *one == G_MAXUINT64 || decide->trips[i] > decide->trips[*one] ? i : *one;
        parts[i] = (guint8)(2 * parts[i] + decide->signs[i]);
    }
    for (guint sign = 0; sign < 2; sign++)
        if (longest[sign] != G_MAXUINT64)
            parts[longest[sign]] = (guint8)(2 * n + sign);
}

/* Groups whose loops run as often as numbers of their own say belong to one class if these numbers
 * are nearly equal. */
void ps_decide_by_trips(PsDecide *decide)
{
    if (decide->all > MOST_TRIPS || ps_decide_knows_all(decide))
        return;
    g_autoptr(GArray) asked = g_array_copy(decide->asked);
    g_autofree guint8 *parts = g_new(guint8, decide->all), *signs = g_new0(guint8, decide->all);
    decide->signs = signs;
    decide->trips = g_new0(guint32, decide->all);
    if (add_all_trips(decide)) {
        cut(decide, parts);
        if (ps_decide_part(decide, parts))
            return;
    }
    g_clear_pointer(&decide->trips, g_free);
    g_array_set_size(decide->asked, 0); /* restores what was known */
    g_array_append_vals(decide->asked, asked->data, asked->len);
}

double *ps_decide_mean_trips(const PsDecide *decide)
{
    double *means = decide->trips ? g_new0(double, decide->n) : NULL;
    g_autofree guint64 *seen = g_new0(guint64, decide->n);
    for (guint64 i = 0; means && i < decide->all; i++) {
        means[decide->of[i]] += decide->trips[i];
        seen[decide->of[i]]++;
    }
    for (guint c = 0; means && c < decide->n; c++)
        means[c] /= (double)MAX(seen[c], 1);
    return means;
}
