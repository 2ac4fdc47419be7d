/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Lets groups of the launch begin, all of them where that takes little, else some that lie all over
 * the grid. Those that begin in another way, since a branch depends on their number or on what they
 * loaded, are of another class, however few they are. A group begins as far as the middle one's
 * first store to global memory, so that none reads what another one leaves: by what that did here
 * and when it was executed, since it may store nothing when it finds what it left. Of code that
 * goes different ways in loops only what is before the second iteration shows classes.
 */
#include "lift/build-private.h"
#include "lift/groups/varies.h"
#include "lift/memory/cache.h"

#include <string.h>

/* Warp instructions that all of them may take together: 10 to 40 ms, with the cost of beginning. */
#define BUDGET (1 << 18)
/* Fewer groups than these show less than groups that are executed anyway. */
#define LEAST_GROUPS 64
/* More classes than these are no classes. */
#define MOST_CLASSES 8
/* Beginnings that ask memory for what differs by more are of two classes, if groups differ so. What
 * differs less is as little worth a class as what differs by chance. */
#define APART 0.25

/* The beginning of the middle group. */
typedef struct {
    const PsPtxCode *code;
    guint64 heard, store, again; /* instructions; those before its first store to global memory,
                                    and before the second iteration of a loop; 0: there is none */
    guint64 *first; /* [point]: instruction at which the last warp first came to it; 0: none */
    guint32 *warps; /* [point]: warps that came to it */
} Middle;

static void hear_straight(gpointer data, const PsPtxEvent *event, guint n, const guint32 *masks)
{
    Middle *middle = data;
    const guint32 warp = (guint32)1 << event->warp;
    (void)masks;
    for (guint p = event->point; p < event->point + n; p++) {
        const guint loop = middle->code->points[p].loop;
        const gboolean before = (middle->warps[p] & warp) != 0;
        if (before && middle->again == 0 && loop != PS_PTX_NOWHERE &&
            middle->code->loops[loop].header == p)
            middle->again = middle->heard;
        middle->heard++;
        middle->warps[p] |= warp;
        if (!before)
            middle->first[p] = middle->heard;
    }
}

static void hear(gpointer data, const PsPtxEvent *event)
{
    Middle *middle = data;
    const PsPtxMnemonic *mnemonic = middle->code->points[event->point].instruction->mnemonic;
    if (event->memory && event->space == PS_PTX_GLOBAL && middle->store == 0 &&
        ps_access_of(mnemonic) != PS_ACCESS_LOAD && strcmp(mnemonic->opcode, "cp") != 0)
        middle->store = middle->heard;
    hear_straight(data, event, 1, NULL);
}

/* Groups that begin. */
typedef struct {
    PsSamples *samples;
    GError **error;
    PsStrataClasses *classes;
    guint64 numbers[MOST_CLASSES]; /* of the beginnings of each class, */
    PsLoad loads[MOST_CLASSES];    /* and their load, */
    gboolean by_demand;            /* which tells classes apart */
    gboolean good, over;           /* no fault so far; no more groups begin */
    PsStrataClasses *computed;     /* classes from samples-decide.c, or NULL, */
    guint8 *decided;               /* and the branches that these decide, or NULL */
} Begin;

/* What the group that began last asked of memory. */
static PsLoad load_of(const Begin *begin)
{
    const PsRollGroup group = {.length = (gint64)begin->samples->heard,
                               .demand = begin->samples->demand};
    return ps_load_of(&group);
}

/* The class of a number, and of the group that began last; MOST_CLASSES: there are too many. */
static guint class_of(Begin *begin, guint64 number)
{
    const PsLoad load = load_of(begin);
    for (guint c = 0; c < begin->classes->n; c++)
        if (begin->numbers[c] == number &&
            (!begin->by_demand || ps_load_apart(&begin->loads[c], &load) <= APART))
            return c;
    begin->over = begin->over || begin->classes->n == MOST_CLASSES;
    if (begin->over)
        return MOST_CLASSES;
    begin->numbers[begin->classes->n] = number;
    begin->loads[begin->classes->n] = load;
    return begin->classes->n++;
}

/* Lets a group begin, unless it has. */
static void add_group(Begin *begin, GHashTable *done, guint64 place, guint64 most)
{
    PsSamples *samples = begin->samples;
    PsStrataClasses *classes = begin->classes;
    const guint places = ps_strata_places(&samples->strata);
    guint64 number = 0;
    guint group[3];
    ps_samples_group_at(samples, place, group);
    if (g_hash_table_contains(done, &place))
        return;
    begin->good = ps_samples_begin_group(samples, group, most, &number, begin->error);
    begin->over |= !begin->good || samples->cancelled || ps_ptx_machine_full(samples->machine);
    if (begin->computed && begin->computed->of)
        number += begin->computed->of[place] * G_GUINT64_CONSTANT(0x9e3779b97f4a7c15);
    const guint class = begin->over ? MOST_CLASSES : class_of(begin, number);
    if (class == MOST_CLASSES)
        return;
    const guint at = class * places + ps_strata_find(&samples->strata, group);
    if (classes->seen[at]++ == 0)
        classes->first[at] = place;
    g_hash_table_add(done, g_memdup2(&place, sizeof place));
    if (class > 0)
        g_hash_table_insert(classes->odd, g_memdup2(&place, sizeof place), GUINT_TO_POINTER(class));
}

void ps_samples_free_classes(PsStrataClasses *classes)
{
    g_free(classes->of);
    g_hash_table_unref(classes->odd);
    g_free(classes->seen);
    g_free(classes->first);
    g_free(classes);
}

/* Lets groups that show kinds, and so many others, begin with so many instructions. */
static PsStrataClasses *begin_groups(Begin *begin, guint n, guint64 most)
{
    const PsSamples *samples = begin->samples;
    const guint *grid = samples->options->launch.grid;
    const gsize cells = (gsize)MOST_CLASSES * ps_strata_places(&samples->strata);
    g_autoptr(GHashTable) done = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    begin->over = FALSE;
    begin->classes = g_new0(PsStrataClasses, 1);
    begin->classes->odd = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL);
    begin->classes->seen = g_new0(guint64, cells);
    begin->classes->first = g_new0(guint64, cells);
    for (guint i = 0; i < samples->shown->len && !begin->over; i++) {
        const guint *group = ((const PsRollGroup *)samples->shown->pdata[i])->group;
        add_group(begin, done, group[0] + grid[0] * (group[1] + (guint64)grid[1] * group[2]), most);
    }
    for (guint i = 0; i < n && !begin->over; i++)
        add_group(begin, done, n < ps_samples_groups(samples) ? ps_kinds_nth_strewn(grid, i) : i,
                  most);
    if (begin->over)
        g_clear_pointer(&begin->classes, ps_samples_free_classes);
    return begin->classes;
}

/* Notes the branches for which all warps of all groups behaved as their class tells. */
static void note_decided(PsSamples *samples, const Middle *middle, guint64 most)
{
    samples->decided = g_new0(guint8, (gsize)middle->code->n_points + 1);
    for (guint p = 0; p < middle->code->n_points; p++)
        samples->decided[p] = middle->first[p] > 0 && middle->first[p] < most &&
                              middle->code->points[p].loop == PS_PTX_NOWHERE;
}

/* Lets all groups begin, as far as time allows, but at least up to a second iteration. */
static void begin_all(Begin *begin, const Middle *middle, guint64 whole, guint64 least)
{
    PsSamples *samples = begin->samples;
    const guint64 all = ps_samples_groups(samples), most = MIN(whole, BUDGET / all);
    if (least > BUDGET / all)
        return;
    samples->classes = begin_groups(begin, (guint)all, most);
    const gboolean short_of = !samples->classes && begin->good && most > least;
    if (short_of)
        samples->classes = begin_groups(begin, (guint)all, least);
    if (samples->classes)
        note_decided(samples, middle, short_of ? least : most);
}

/* Lets some groups begin as far as the middle one, or up to a second iteration. If these show no
 * more classes than are known, the known ones stay. */
static void begin_some(Begin *begin, guint64 whole, guint64 least)
{
    PsSamples *samples = begin->samples;
    PsStrataClasses *classes = NULL;
    for (guint i = 0; i < 2 && !classes && begin->good; i++) {
        const guint64 most = i == 0 ? whole : least;
        const guint n = (guint)MIN(ps_samples_groups(samples), BUDGET / most);
        classes = n < LEAST_GROUPS ? NULL : begin_groups(begin, n, most);
    }
    if (classes && samples->classes && classes->n <= samples->classes->n)
        ps_samples_free_classes(g_steal_pointer(&classes));
    if (!classes)
        return;
    g_clear_pointer(&samples->classes, ps_samples_free_classes);
    g_clear_pointer(&samples->decided, g_free);
    samples->classes = classes;
}

static void find_classes(Begin *begin, const Middle *middle)
{
    PsSamples *samples = begin->samples;
    const guint64 here = middle->store > 0 ? middle->store : middle->heard;
    const guint64 whole = MIN(here, ps_samples_before_store(samples));
    const guint64 least = middle->again > 0 ? MIN(middle->again, whole) : whole;
    if (least == 0)
        return;
    begin_all(begin, middle, whole, least);
    const gboolean far = samples->classes && whole <= BUDGET / ps_samples_groups(samples);
    if (!far && begin->good && (!samples->classes || samples->classes->n == 1))
        begin_some(begin, whole, least);
}

/* Classes over all groups precede those over some; branches that the former decide stay decided. */
static void join_computed(Begin *begin)
{
    PsSamples *samples = begin->samples;
    const PsPtxCode *code = ps_ptx_machine_code(samples->machine);
    const gboolean stay =
        begin->computed && (!samples->classes || (!samples->decided && !begin->by_demand));
    if (stay && samples->classes)
        ps_samples_free_classes(g_steal_pointer(&samples->classes));
    if (stay)
        samples->classes = g_steal_pointer(&begin->computed);
    for (guint p = 0; begin->decided && samples->decided && p < code->n_points; p++)
        samples->decided[p] |= begin->decided[p];
    if (begin->decided && !samples->decided)
        samples->decided = g_steal_pointer(&begin->decided);
    g_clear_pointer(&begin->computed, ps_samples_free_classes);
    g_free(begin->decided);
    samples->strata.classes = samples->classes;
}

static gboolean begin_groups_by(PsSamples *samples, gboolean by_demand, GError **error)
{
    const PsPtxCode *code = ps_ptx_machine_code(samples->machine);
    const PsRollGroup *shown = samples->shown->pdata[0];
    const gsize n = (gsize)code->n_points + 1;
    Middle middle = {.code = code};
    Begin begin = {.samples = samples, .error = error, .good = TRUE, .by_demand = by_demand};
    const PsPtxListener listener = {.data = &middle, .executed = hear, .straight = hear_straight};
    g_autoptr(GError) why = NULL;
    if (samples->shown->len == ps_samples_groups(samples) || ps_samples_takes_numbers(samples))
        return TRUE;
    begin.computed = g_steal_pointer(&samples->classes);
    begin.decided = g_steal_pointer(&samples->decided);
    samples->strata.classes = NULL;
    middle.first = g_new0(guint64, n);
    middle.warps = g_new0(guint32, n);
    ps_ptx_machine_try(samples->machine);
    /* where it was executed to its end before, it is now, unless it reads what it wrote */
    if (ps_ptx_run_group(samples->machine, shown->group, &listener, &why))
        find_classes(&begin, &middle);
    ps_ptx_machine_tried(samples->machine, TRUE);
    join_computed(&begin);
    g_free(middle.first);
    g_free(middle.warps);
    return begin.good;
}

gboolean ps_samples_begin(PsSamples *samples, GError **error)
{
    const PsPtxCode *code = ps_ptx_machine_code(samples->machine);
    return !ps_groups_may_vary(code, samples->decided) || begin_groups_by(samples, FALSE, error);
}

gboolean ps_samples_begin_by_demand(PsSamples *samples, GError **error)
{
    const gboolean known = samples->classes && !samples->classes->of && samples->classes->n > 1;
    return known || begin_groups_by(samples, TRUE, error);
}

GArray *ps_samples_of_classes(const PsSamples *samples)
{
    const PsStrata *strata = &samples->strata;
    GArray *firsts = g_array_new(FALSE, FALSE, sizeof(guint64));
    for (guint s = 0; samples->classes && s < ps_strata_count(strata); s++)
        if (samples->classes->seen[s] > 0)
            g_array_append_val(firsts, samples->classes->first[s]);
    return firsts;
}
