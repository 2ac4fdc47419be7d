/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What groups share that run at the same time, wherever they lie in the grid.
 *
 * Neighbours in x, y and z say what groups share where tiles go by the grid's axes. A kernel may
 * give its groups another order (rows of tiles in blocks, so that those that run at once read the
 * same). So the groups of one wave, those that all compute units hold, begin one after the other,
 * as far as their loops' first loads. What share of the sectors of these loads is new, group by
 * group, is taken for the share of all that these loads touch: loads of a loop that begin at the
 * same lines go on to the same. Groups that were executed to the end must agree with that; where
 * they share less, nothing is said of that load. Where they share far more, since groups come later
 * to what others began with (windows that move along, turned orders), neighbours have a say, too.
 *
 * A wave's groups ask for the same at about the same time, so that is fetched once. Further groups
 * before it count as far as L2 keeps what they touched.
 */
#include "lift/memory/cache-private.h"

#define LEAST_AGREEMENT 0.25 /* share that whole groups may find newer */
#define LEAST_ALIKE 0.75     /* least share of what seemed new that is new */

/* A line: the sectors that groups touched, and the last group that touched it, with its sectors. */
typedef struct {
    guint sectors, last, own;
} Line;

/* What loads of a point touched, by groups of the wave. */
typedef struct {
    PsLines lines;
    GArray *known;    /* Line, by number */
    GArray *touched;  /* Touched */
    GArray *by_group; /* Counted */
} Loads;

typedef struct {
    guint group, line; /* numbers */
    guint sectors;
} Touched;

/* Sectors that a group touched, and those of them that no earlier group had; the same for lines. */
typedef struct {
    guint all, fresh;
    guint lines, fresh_lines;
} Counted;

struct PsWave {
    guint64 first; /* group of the launch */
    guint n;       /* groups */
    guint n_points;
    Loads **loads; /* by point; NULL: none so far */
};

static void loads_free(Loads *loads)
{
    if (!loads)
        return;
    ps_lines_clear(&loads->lines);
    g_array_unref(loads->known);
    g_array_unref(loads->touched);
    g_array_unref(loads->by_group);
    g_free(loads);
}

PsWave *ps_wave_new(guint n_points, guint64 first)
{
    PsWave *wave = g_new0(PsWave, 1);
    wave->first = first;
    wave->n_points = n_points;
    wave->loads = g_new0(Loads *, n_points + 1);
    return wave;
}

void ps_wave_free(PsWave *wave)
{
    if (!wave)
        return;
    for (guint p = 0; p < wave->n_points; p++)
        loads_free(wave->loads[p]);
    g_free(wave->loads);
    g_free(wave);
}

void ps_wave_begin(PsWave *wave)
{
    wave->n++;
}

static Loads *loads_new(void)
{
    Loads *loads = g_new0(Loads, 1);
    loads->known = g_array_new(FALSE, TRUE, sizeof(Line));
    loads->touched = g_array_new(FALSE, FALSE, sizeof(Touched));
    loads->by_group = g_array_new(FALSE, TRUE, sizeof(Counted));
    return loads;
}

static Loads *loads_of(PsWave *wave, guint point)
{
    if (!wave->loads[point])
        wave->loads[point] = loads_new();
    return wave->loads[point];
}

static guint number_of_line(Loads *loads, guint64 line)
{
    guint number = ps_lines_find(&loads->lines, line);
    if (number == PS_NO_LINE) {
        number = ps_lines_add(&loads->lines, line);
        g_array_set_size(loads->known, number + 1);
    }
    return number;
}

void ps_wave_touch(PsWave *wave, guint point, const GArray *touches)
{
    const guint group = wave->n - 1;
    Loads *loads = loads_of(wave, point);
    g_array_set_size(loads->by_group, wave->n);
    Counted *counted = &g_array_index(loads->by_group, Counted, group);
    for (guint i = 0; i < touches->len; i++) {
        const PsTouch *touch = &g_array_index(touches, PsTouch, i);
        const guint number = number_of_line(loads, touch->line);
        Line *line = &g_array_index(loads->known, Line, number);
        const guint own = line->last == group ? line->own : 0;
        const Touched touched = {group, number, touch->sectors & ~own};
        if (touched.sectors == 0)
            continue;
        counted->lines += line->last != group || line->sectors == 0;
        counted->fresh_lines += line->sectors == 0;
        counted->all += ps_count_sectors(touched.sectors);
        counted->fresh += ps_count_sectors(touched.sectors & ~line->sectors);
        g_array_append_val(loads->touched, touched);
        *line = (Line){line->sectors | touch->sectors, group, own | touch->sectors};
    }
}

/* ---- agreement ----------------------------------------------------------------------------- */

typedef struct {
    gint64 all, fresh;
    double most; /* largest share of a group's sectors that was not new */
} Sum;

/* Groups of the wave that were executed to the end, and what they touched. */
typedef struct {
    guint8 *chosen; /* by number in the wave */
    Sum *sums;      /* by point: sectors read, and those that no earlier group had read */
} Whole;

static guint64 number_of(const PsGroups *groups, const guint group[3])
{
    const guint *grid = groups->rules.grid;
    return group[0] + grid[0] * ((guint64)group[1] + (guint64)grid[1] * group[2]);
}

static void add_group(Sum *sum, gint64 all, gint64 fresh)
{
    if (all > 0)
        sum->most = MAX(sum->most, 1 - (double)fresh / (double)all);
    sum->all += all;
    sum->fresh += fresh;
}

/* Adds what a group touched; `before` is what earlier groups touched. */
static void add_whole(const PsLineGroup *group, const guint *points, Loads *before, Sum *sums,
                      guint n_points)
{
    g_autofree Sum *own = g_new0(Sum, n_points + 1);
    for (guint i = 0; i < group->what->len; i++) {
        const PsLineUse *use = &g_array_index(group->what, PsLineUse, i);
        const guint number = number_of_line(before, group->lines.lines[i]);
        Line *line = &g_array_index(before->known, Line, number);
        for (guint k = 0; k < PS_LINE_SECTORS; k++) {
            if (use->readers[k] == PS_NOBODY)
                continue;
            own[points[use->readers[k]]].all++;
            own[points[use->readers[k]]].fresh += !(line->sectors >> k & 1);
        }
        line->sectors |= use->read;
    }
    for (guint p = 0; p < n_points; p++)
        add_group(&sums[p], own[p].all, own[p].fresh);
}

static Whole find_whole(const PsWave *wave, const PsGroups *groups, const guint *points)
{
    const Whole whole = {g_new0(guint8, wave->n + 1), g_new0(Sum, wave->n_points + 1)};
    Loads *before = loads_new();
    for (const GList *at = groups->kept.head; at; at = at->next) {
        const PsLineGroup *group = at->data;
        const guint64 number = number_of(groups, group->group) - wave->first;
        if (number >= wave->n || whole.chosen[number])
            continue;
        whole.chosen[number] = TRUE;
        add_whole(group, points, before, whole.sums, wave->n_points);
    }
    loads_free(before);
    return whole;
}

static Sum sum_begun(const Loads *loads, const guint8 *chosen)
{
    g_autofree guint8 *seen = g_new0(guint8, loads->lines.n + 1);
    Sum sum = {0}, own = {0};
    guint group = 0;
    for (guint i = 0; i < loads->touched->len; i++) {
        const Touched *touched = &g_array_index(loads->touched, Touched, i);
        if (!chosen[touched->group])
            continue;
        if (touched->group != group) {
            add_group(&sum, own.all, own.fresh);
            own = (Sum){0};
            group = touched->group;
        }
        own.all += ps_count_sectors(touched->sectors);
        own.fresh += ps_count_sectors(touched->sectors & ~(guint)seen[touched->line]);
        seen[touched->line] |= (guint8)touched->sectors;
    }
    add_group(&sum, own.all, own.fresh);
    return sum;
}

/* The shares of sectors that were new to some groups of the wave, at their beginnings and at their
 * ends: over all of them, and for the one with the fewest new ones. */
typedef struct {
    double begun, ended;
    double least_begun, least_ended;
    gboolean known;
} New;

static New compare(const Whole *whole, const Loads *loads, guint point)
{
    const Sum end = whole->sums[point], begun = sum_begun(loads, whole->chosen);
    if (end.all == 0 || begun.all == 0)
        return (New){0};
    return (New){.begun = (double)begun.fresh / (double)begun.all,
                 .ended = (double)end.fresh / (double)end.all,
                 .least_begun = 1 - begun.most,
                 .least_ended = 1 - end.most,
                 .known = TRUE};
}

/* FALSE: groups that were executed to the end share less than their beginnings suggest. */
static gboolean agrees(const New *new)
{
    return !new->known || new->ended <= new->begun + LEAST_AGREEMENT;
}

/* FALSE: they share far more, so beginnings do not show where groups meet later. Most of the few
 * executed groups may share nothing with each other, so the group that shares most is asked,
 * too. */
static gboolean is_alike(const New *new)
{
    return !new->known || (new->ended >= LEAST_ALIKE *new->begun &&new->least_ended >=
                           LEAST_ALIKE *new->least_begun);
}

/* ---- all ----------------------------------------------------------------------------------- */

/* Sectors that the first n groups of the wave touched, and those of them that no earlier group
 * had. */
static Sum sum_of(const Loads *loads, guint n)
{
    Sum sum = {0};
    for (guint g = 0; g < MIN(n, loads->by_group->len); g++) {
        sum.all += g_array_index(loads->by_group, Counted, g).all;
        sum.fresh += g_array_index(loads->by_group, Counted, g).fresh;
    }
    return sum;
}

gboolean ps_wave_shares(const PsWave *wave)
{
    for (guint p = 0; p < wave->n_points; p++) {
        const Sum sum = wave->loads[p] ? sum_of(wave->loads[p], wave->n) : (Sum){0};
        if (sum.all > 0 && 2 * sum.fresh <= sum.all)
            return TRUE;
    }
    return FALSE;
}

/* [point]: mean bytes of the lines that a group touches first. */
static double *bytes_of_points(const PsWave *wave, const PsGroups *groups, const guint *points)
{
    double *bytes = g_new0(double, wave->n_points + 1);
    for (guint i = 0; i < groups->footprints->len; i++) {
        const PsSums *sums = &ps_footprint_of(groups, i)->sums;
        bytes[points[i]] += (double)sums->lines * PS_LINE / (double)MAX(groups->n_ended, 1);
    }
    return bytes;
}

/* Adds to bytes[g] the lines that each group g of the wave brings at a point, if L2 keeps all. */
static void add_fetched(const PsWave *wave, const Loads *loads, double each, double *bytes)
{
    const guint n = loads ? loads->by_group->len : 0;
    double all = 0;
    for (guint g = 0; g < n; g++)
        all += g_array_index(loads->by_group, Counted, g).lines;
    for (guint g = 0; g < wave->n; g++) {
        const double fresh = g < n ? g_array_index(loads->by_group, Counted, g).fresh_lines : 0;
        bytes[g] += all > 0 ? each * fresh * wave->n / all : each;
    }
}

/* The number of consecutive groups whose lines L2 keeps; at most those that began. */
static guint kept_groups(const PsWave *wave, const PsGroups *groups, const double *bytes)
{
    g_autofree double *fetched = g_new0(double, wave->n + 1);
    guint n = 0;
    for (guint p = 0; p < wave->n_points; p++)
        if (bytes[p] > 0)
            add_fetched(wave, wave->loads[p], bytes[p], fetched);
    for (double all = 0; n < wave->n; n++) {
        all += fetched[n];
        if (groups->rules.l2 > 0 && all > (double)groups->rules.l2)
            break;
    }
    return n;
}

/* The share of the sectors touched by a point's loads that the launch fetches. seen: groups that
 * find what earlier groups fetched; held: those of them that run at the same time. */
static double part_of(const Loads *loads, guint seen, guint held, guint64 n)
{
    const guint before = seen - MIN(held, seen);
    const Sum all = sum_of(loads, seen), old = sum_of(loads, before);
    const double each = (double)(all.fresh - old.fresh) / (seen - before);
    const double later = n > seen ? each * (double)(n - seen) : 0;
    return MIN(((double)all.fresh + later) / ((double)all.all / seen * (double)MAX(n, seen)), 1);
}

PsWaveParts ps_wave_parts(const PsWave *wave, const PsGroups *groups, const guint *points)
{
    const guint *grid = groups->rules.grid;
    const guint64 n = (guint64)grid[0] * grid[1] * grid[2];
    const guint64 all_held = (guint64)groups->rules.units * groups->rules.resident;
    const guint held = (guint)MIN(MAX(all_held, 1), wave->n);
    g_autofree double *bytes = bytes_of_points(wave, groups, points);
    const guint seen = MAX(held, kept_groups(wave, groups, bytes));
    const Whole whole = find_whole(wave, groups, points);
    double *parts = g_new(double, groups->footprints->len + 1);
    guint8 *alike = g_new0(guint8, groups->footprints->len + 1);
    for (guint i = 0; i < groups->footprints->len; i++) {
        const Loads *loads = wave->loads[points[i]];
        const New new = loads ? compare(&whole, loads, points[i]) : (New){0};
        const gboolean told = loads && sum_of(loads, seen).all > 0 && agrees(&new);
        alike[i] = (guint8)is_alike(&new);
        parts[i] = told ? part_of(loads, seen, held, n) : 1;
    }
    g_free(whole.chosen);
    g_free(whole.sums);
    return (PsWaveParts){parts, alike, wave->n >= MIN(MAX(all_held, 1), n)};
}
