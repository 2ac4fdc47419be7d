/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds the groups of a launch that go ways of their own. A branch, a guard or an address may
 * follow from the place of a thread and from tables alone. Then it is computed for all groups
 * (ptx/run/slice.h) without executing them. Groups with the same result are of one class, and one
 * group of each class is executed. A lane's way is what all branches decide together. A warp's ways
 * are its lanes', and a group's ways are its warps'.
 */
#include "lift/groups/varies.h"
#include "lift/samples-decide.h"

#include <math.h>
#include <string.h>

/* Instructions of 32 threads that deciding may take: 20 to 40 ms. */
#define BUDGET (1 << 20)
/* ... and those for an address, or for a guard that is no branch. */
#define LITTLE (1 << 18)
#define MOST_GROUPS (1 << 24)
/* More classes than these are no classes. */
#define MOST_CLASSES 16

/* ---- what is the same for a whole group ----------------------------------------------------- */

static gboolean decide_by_group(PsDecide *decide, guint number)
{
    const guint64 bit = (guint64)1 << number;
    guint32 lanes[PS_PTX_SLICE_OUTPUTS];
    const guint64 *values = ps_ptx_slice_values(decide->slice, number);
    PsParting parting = {.most = MOST_CLASSES, .of = g_new(guint8, decide->all)};
    gboolean good =
        ps_decide_has_time(decide, bit, (decide->all + PS_PTX_LANES - 1) / PS_PTX_LANES);
    for (guint64 first = 0; good && first < decide->all; first += PS_PTX_LANES) {
        const guint n = (guint)MIN(decide->all - first, PS_PTX_LANES);
        good = ps_decide_spend(decide) && ps_ptx_slice_groups(decide->slice, bit, first, n, lanes);
        for (guint i = 0; good && i < n; i++)
            good = ps_decide_put(&parting, decide->of, first + i,
                                 values ? values[i] : lanes[number] >> i & 1);
    }
    return ps_decide_take(decide, &parting, good);
}

/* ---- what threads decide -------------------------------------------------------------------- */

/* A number for each number, without a pattern. */
static guint64 scatter(guint64 number)
{
    guint64 value = number * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15) + 1;
    value = (value ^ value >> 32) * G_GUINT64_CONSTANT(0xd6e8feb86659fd93);
    return value ^ value >> 32;
}

/* A number's contribution to a way. */
static guint64 part_of_way(guint number, guint64 value)
{
    return scatter(value * PS_PTX_SLICE_OUTPUTS + number + 1);
}

/* The lanes with the same number as that lane; *way gets it. */
static guint32 same_lanes(const PsDecide *decide, guint number, const guint32 *lanes, guint lane,
                          guint64 *way)
{
    const guint64 *values = ps_ptx_slice_values(decide->slice, number);
    const gboolean goes = !values && (lanes[number] >> lane & 1) != 0;
    guint32 same = 0;
    *way += part_of_way(number, values ? values[lane] : (guint64)goes);
    if (!values)
        return goes ? lanes[number] : ~lanes[number];
    for (guint i = 0; i < PS_PTX_LANES; i++)
        same |= (guint32)(values[i] == values[lane]) << i;
    return same;
}

/* The ways of a warp: each way of its lanes, once. */
static guint64 ways_of(const PsDecide *decide, guint64 numbers, const guint32 *lanes, guint32 exist)
{
    guint64 ways = 0;
    for (guint32 left = exist; left != 0;) {
        const guint lane = (guint)__builtin_ctz(left);
        guint64 way = 0;
        guint32 same = left;
        for (guint64 rest = numbers; rest != 0; rest &= rest - 1)
            same &= same_lanes(decide, (guint)__builtin_ctzll(rest), lanes, lane, &way);
        ways += scatter(way);
        left &= ~same;
    }
    return scatter(ways);
}

/* The ways of a group, by looking at each warp; *good: memory could be read, and the time
 * sufficed. */
static guint64 ways_of_group(PsDecide *decide, guint64 numbers, guint64 place, gboolean *good)
{
    guint32 lanes[PS_PTX_SLICE_OUTPUTS], exist = 0;
    guint64 ways = 0;
    for (guint w = 0; *good && w < decide->n_warps; w++) {
        *good = ps_decide_spend(decide) &&
                ps_ptx_slice_threads(decide->slice, numbers, place, w, lanes, &exist);
        ways += ways_of(decide, numbers, lanes, exist);
    }
    return ways;
}

/* The way of a group whose threads all go the same. */
static guint64 one_way(const PsDecide *decide, guint64 numbers, const guint32 *lanes, guint group)
{
    const guint lane = group * ps_ptx_slice_corners(decide->slice);
    guint64 way = 0;
    for (guint64 rest = numbers; rest != 0; rest &= rest - 1) {
        const guint number = (guint)__builtin_ctzll(rest);
        const guint64 *values = ps_ptx_slice_values(decide->slice, number);
        way += part_of_way(number, values ? values[lane] : lanes[number] >> group & 1);
    }
    return decide->n_warps * scatter(scatter(way));
}

/* The ways of adjacent groups: first of those that corners tell, since computing a group thread by
 * thread replaces its corners' results. */
static gboolean ways_of_groups(PsDecide *decide, guint64 numbers, guint64 first, guint n,
                               guint64 *ways)
{
    guint32 lanes[PS_PTX_SLICE_OUTPUTS], sure = 0;
    gboolean good = TRUE;
    if (ps_ptx_slice_is_ordered(decide->slice, numbers))
        good = ps_decide_spend(decide) &&
               ps_ptx_slice_at_corners(decide->slice, numbers, first, n, lanes, &sure);
    for (guint i = 0; good && i < n; i++)
        if (sure >> i & 1)
            ways[i] = one_way(decide, numbers, lanes, i);
    for (guint i = 0; good && i < n; i++)
        if (!(sure >> i & 1))
            ways[i] = ways_of_group(decide, numbers, first + i, &good);
    return good;
}

/* Groups are decided by their corners if possible, otherwise by all of their threads. */
static gboolean decide_by_threads(PsDecide *decide, guint64 numbers)
{
    const gboolean ordered = ps_ptx_slice_is_ordered(decide->slice, numbers);
    const guint step = PS_PTX_LANES / ps_ptx_slice_corners(decide->slice);
    guint64 ways[PS_PTX_LANES];
    PsParting parting = {.most = MOST_CLASSES, .of = g_new(guint8, decide->all)};
    const guint64 least = ordered ? decide->all / step + 1 : decide->all * decide->n_warps;
    gboolean good = ps_decide_has_time(decide, numbers, least);
    for (guint64 first = 0; good && first < decide->all; first += step) {
        const guint n = (guint)MIN(decide->all - first, step);
        good = ways_of_groups(decide, numbers, first, n, ways);
        for (guint i = 0; good && i < n; i++)
            good = ps_decide_put(&parting, decide->of, first + i, ways[i]);
    }
    return ps_decide_take(decide, &parting, good);
}

/* ---- what is decided ------------------------------------------------------------------------ */

static gboolean ask(PsDecide *decide, guint point, guint8 what, int number)
{
    const PsAsked asked = {number, point, what, FALSE};
    if (number >= 0)
        g_array_append_val(decide->asked, asked);
    return number >= 0;
}

/* Asks for the guards and addresses that may differ. */
static gboolean ask_way(PsDecide *decide, guint point, guint8 what)
{
    int numbers[PS_PTX_SLICE_OUTPUTS];
    if (ask(decide, point, what, ps_ptx_slice_guard(decide->slice, point)))
        return TRUE;
    const int n = ps_ptx_slice_loop(decide->slice, point, numbers);
    for (int i = 0; i < n; i++)
        ask(decide, point, what, numbers[i]);
    return n >= 0;
}

/* Decides what was asked for, one by one: by groups or by threads; ways, or the rest. */
static void ask_all(PsDecide *decide, const PsPtxCode *code, const guint8 *varying)
{
    const guint8 guards = PS_GROUPS_WAY | PS_GROUPS_DETOUR | PS_GROUPS_GUARD;
    for (guint p = 0; p < code->n_points; p++) {
        const guint8 what = varying[p];
        if (what & guards && !code->points[p].targets)
            decide->decided[p] = ask_way(decide, p, what & guards) &&
                                 (what & (PS_GROUPS_WAY | PS_GROUPS_GUARD)) != 0;
        if (what & PS_GROUPS_ADDRESS)
            ask(decide, p, PS_GROUPS_ADDRESS, ps_ptx_slice_address(decide->slice, p));
    }
}

/* Decides together what threads decide and what is known one by one. If that takes too long, ways
 * stay undecided. */
static void decide_each(PsDecide *decide, gboolean by_thread, gboolean ways)
{
    decide->budget = ways ? BUDGET : LITTLE;
    for (guint i = 0; i < decide->asked->len; i++) {
        PsAsked *asked = &g_array_index(decide->asked, PsAsked, i);
        const guint number = (guint)asked->number;
        if (((asked->what & PS_GROUPS_WAY) != 0) != ways ||
            ps_ptx_slice_by_thread(decide->slice, number) != by_thread)
            continue;
        if (!by_thread)
            asked->known = decide_by_group(decide, number);
        else if ((asked->what & PS_GROUPS_DETOUR) == 0)
            asked->known = decide_by_threads(decide, (guint64)1 << number);
    }
}

/* Decides together what threads decide and is known one by one. Where that is too much, ways are
 * not. */
static void decide_together(PsDecide *decide)
{
    guint64 numbers = 0;
    for (guint i = 0; i < decide->asked->len; i++) {
        const PsAsked *asked = &g_array_index(decide->asked, PsAsked, i);
        if (asked->known && ps_ptx_slice_by_thread(decide->slice, (guint)asked->number))
            numbers |= (guint64)1 << asked->number;
    }
    decide->budget = 2 * BUDGET;
    if ((numbers & (numbers - 1)) == 0 || decide_by_threads(decide, numbers))
        return;
    for (guint i = 0; i < decide->asked->len; i++)
        if (numbers >> g_array_index(decide->asked, PsAsked, i).number & 1)
            g_array_index(decide->asked, PsAsked, i).known = FALSE;
}

/* ---- what comes of it ----------------------------------------------------------------------- */

/* Renumbers classes, so that 0 is the most frequent one. */
static void number_classes(PsDecide *decide)
{
    guint64 seen[PS_DECIDE_PARTED] = {0};
    guint most = 0;
    for (guint64 i = 0; i < decide->all; i++)
        seen[decide->of[i]]++;
    for (guint c = 0; c < decide->n; c++)
        most = seen[c] > seen[most] ? c : most;
    for (guint64 i = 0; most > 0 && i < decide->all; i++)
        if (decide->of[i] == most || decide->of[i] == 0)
            decide->of[i] = (guint8)(most - decide->of[i]);
}

/* The classes of all groups; takes ownership of decide->of. */
static PsStrataClasses *make_classes(PsDecide *decide)
{
    const PsSamples *samples = decide->samples;
    const guint places = ps_strata_places(&samples->strata);
    PsStrataClasses *classes = g_new0(PsStrataClasses, 1);
    number_classes(decide);
    classes->n = decide->n;
    g_autofree double *means = ps_decide_mean_trips(decide);
    classes->parted = means != NULL;
    classes->odd = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    classes->seen = g_new0(guint64, (gsize)decide->n * places);
    classes->first = g_new0(guint64, (gsize)decide->n * places);
    for (guint64 place = 0; place < decide->all; place++) {
        guint group[3];
        ps_samples_group_at(samples, place, group);
        const guint at = decide->of[place] * places + ps_strata_find(&samples->strata, group);
        const double mean = means ? means[decide->of[place]] : 0;
        const gboolean nearer = means && fabs(decide->trips[place] - mean) <
                                             fabs(decide->trips[classes->first[at]] - mean);
        if (classes->seen[at]++ == 0 || nearer)
            classes->first[at] = place;
    }
    classes->of = g_steal_pointer(&decide->of);
    return classes;
}

/* Notes the decided branches: those whose conditions are known completely. */
static void note_decided(PsDecide *decide)
{
    for (guint i = 0; i < decide->asked->len; i++) {
        const PsAsked *asked = &g_array_index(decide->asked, PsAsked, i);
        if (!asked->known && (asked->what & (PS_GROUPS_WAY | PS_GROUPS_GUARD)) != 0)
            decide->decided[asked->point] = FALSE;
    }
    decide->samples->decided = g_steal_pointer(&decide->decided);
}

static gboolean varies_anywhere(const guint8 *varying, guint n_points)
{
    for (guint p = 0; p < n_points; p++)
        if (varying[p])
            return TRUE;
    return FALSE;
}

void ps_samples_decide(PsSamples *samples)
{
    const PsPtxCode *code = ps_ptx_machine_code(samples->machine);
    const guint *block = samples->options->launch.block;
    PsDecide decide = {.samples = samples,
                       .all = ps_samples_groups(samples),
                       .n_warps =
                           (block[0] * block[1] * block[2] + PS_PTX_LANES - 1) / PS_PTX_LANES,
                       .n = 1};
    g_autofree guint8 *varying = decide.all <= MOST_GROUPS ? ps_groups_varying(code) : NULL;
    if (!varying || !varies_anywhere(varying, code->n_points))
        return;
    decide.slice = ps_ptx_slice_new(samples->machine);
    if (!decide.slice)
        return;
    decide.asked = g_array_new(FALSE, FALSE, sizeof(PsAsked));
    decide.of = g_new0(guint8, decide.all);
    decide.decided = g_new0(guint8, (gsize)code->n_points + 1);
    ask_all(&decide, code, varying);
    for (guint i = 0; i < 4; i++)
        decide_each(&decide, (i & 1) != 0, i < 2);
    decide_together(&decide);
    ps_decide_by_trips(&decide);
    note_decided(&decide);
    if (decide.n > 1)
        samples->classes = make_classes(&decide);
    samples->strata.classes = samples->classes;
    g_free(decide.of);
    g_free(decide.trips);
    g_array_unref(decide.asked);
    ps_ptx_slice_free(decide.slice);
}
