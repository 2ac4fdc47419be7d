/* SPDX-License-Identifier: BSD-3-Clause */
/* See strata.h. */
#include "lift/groups/strata.h"

#include <string.h>

PsStrata ps_strata_of_grid(const guint grid[3])
{
    PsStrata strata = {.n = {1, 1, 1}};
    memcpy(strata.grid, grid, sizeof strata.grid);
    for (guint d = 0; d < 3; d++) {
        if (grid[d] > 2)
            ps_strata_cut(&strata, d, 1);
        if (grid[d] > 1)
            ps_strata_cut(&strata, d, grid[d] - 1);
    }
    return strata;
}

void ps_strata_cut(PsStrata *strata, guint direction, guint at)
{
    guint *first = strata->first[direction], *n = &strata->n[direction], place = 0;
    while (place < *n && first[place] < at)
        place++;
    if (*n == PS_STRATA_PARTS || (place < *n && first[place] == at))
        return;
    memmove(first + place + 1, first + place, (*n - place) * sizeof *first);
    first[place] = at;
    ++*n;
}

guint ps_strata_places(const PsStrata *strata)
{
    return strata->n[0] * strata->n[1] * strata->n[2];
}

guint ps_strata_count(const PsStrata *strata)
{
    return ps_strata_places(strata) * (strata->classes ? strata->classes->n : 1);
}

/* The class of a group; 0: it was not looked at. */
static guint class_of(const PsStrata *strata, const guint group[3])
{
    const guint64 place =
        group[0] + strata->grid[0] * (group[1] + (guint64)strata->grid[1] * group[2]);
    if (strata->classes && strata->classes->of)
        return strata->classes->of[place];
    return strata->classes ? GPOINTER_TO_UINT(g_hash_table_lookup(strata->classes->odd, &place))
                           : 0;
}

guint ps_strata_find(const PsStrata *strata, const guint group[3])
{
    guint stratum = class_of(strata, group);
    for (guint d = 3; d-- > 0;) {
        guint part = strata->n[d] - 1;
        while (strata->first[d][part] > group[d])
            part--;
        stratum = strata->n[d] * stratum + part;
    }
    return stratum;
}

/* The bounds of the stratum in a direction. */
static void bounds(const PsStrata *strata, guint stratum, guint d, guint at[2])
{
    for (guint before = 0; before < d; before++)
        stratum /= strata->n[before];
    const guint part = stratum % strata->n[d];
    at[0] = strata->first[d][part];
    at[1] = part + 1 < strata->n[d] ? strata->first[d][part + 1] : strata->grid[d];
}

guint64 ps_strata_place_size(const PsStrata *strata, guint place)
{
    guint64 size = 1;
    for (guint d = 0; d < 3; d++) {
        guint at[2];
        bounds(strata, place, d, at);
        size *= at[1] - at[0];
    }
    return size;
}

guint64 ps_strata_seen(const PsStrata *strata, guint place)
{
    guint64 seen = 0;
    for (guint c = 0; strata->classes && c < strata->classes->n; c++)
        seen += strata->classes->seen[c * ps_strata_places(strata) + place];
    return seen;
}

guint64 ps_strata_size(const PsStrata *strata, guint stratum)
{
    const guint places = ps_strata_places(strata), place = stratum % places;
    const guint64 all = ps_strata_place_size(strata, place), seen = ps_strata_seen(strata, place);
    guint64 left = all, own = 0, most = 0;
    guint frequent = 0;
    if (seen == 0)
        return stratum < places ? all : 0;
    for (guint c = 0; c < strata->classes->n; c++) {
        const guint64 its = strata->classes->seen[c * places + place];
        const guint64 size = (guint64)((double)all * (double)its / (double)seen);
        left -= MIN(left, size);
        own = c == stratum / places ? size : own;
        frequent = its > most ? c : frequent;
        most = MAX(most, its);
    }
    return own + (frequent == stratum / places ? left : 0); /* the remainder */
}

static guint64 middle_of(const PsStrata *strata, guint stratum)
{
    guint64 number = 0;
    for (guint d = 3; d-- > 0;) {
        guint at[2];
        bounds(strata, stratum, d, at);
        number = number * strata->grid[d] + at[0] + (at[1] - 1 - at[0]) / 2;
    }
    return number;
}

typedef struct {
    guint64 number, size;
} Middle;

static int larger_first(gconstpointer a, gconstpointer b)
{
    const Middle *x = a, *y = b;
    return x->size == y->size ? (x->number > y->number) - (x->number < y->number)
                              : (x->size < y->size) - (x->size > y->size);
}

GArray *ps_strata_middles(const PsStrata *strata)
{
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(Middle));
    GArray *numbers = g_array_new(FALSE, FALSE, sizeof(guint64));
    for (guint s = 0; s < ps_strata_places(strata); s++) {
        const Middle one = {middle_of(strata, s), ps_strata_place_size(strata, s)};
        g_array_append_val(all, one);
    }
    g_array_sort(all, larger_first);
    for (guint i = 0; i < all->len; i++)
        g_array_append_val(numbers, g_array_index(all, Middle, i).number);
    return numbers;
}
