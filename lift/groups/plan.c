/* SPDX-License-Identifier: BSD-3-Clause */
/* See plan.h. */
#include "lift/groups/plan.h"

#include <string.h>

#define QUARTERS 4
#define MOST_OF_UNIT 256

typedef struct {
    guint grid[3];
    guint64 n; /* groups of the launch */
    guint64 middle;
    GArray *groups;   /* PsPlanned */
    GHashTable *seen; /* number of the group (gint64) -> 1 + index */
} Plan;

static guint64 number_of(const Plan *plan, const guint group[3])
{
    return group[0] + plan->grid[0] * ((guint64)group[1] + (guint64)plan->grid[1] * group[2]);
}

/* Adds a group, or further purposes of a group that is there already. */
static PsPlanned *add(Plan *plan, guint64 number)
{
    gint64 *key = g_new(gint64, 1);
    *key = (gint64)number;
    const guint seen = GPOINTER_TO_UINT(g_hash_table_lookup(plan->seen, key));
    if (seen > 0) {
        g_free(key);
        return &g_array_index(plan->groups, PsPlanned, seen - 1);
    }
    const PsPlanned fresh = {.what.strewn = TRUE,
                             .group = {(guint)(number % plan->grid[0]),
                                       (guint)(number / plan->grid[0] % plan->grid[1]),
                                       (guint)(number / plan->grid[0] / plan->grid[1])}};
    g_array_append_val(plan->groups, fresh);
    g_hash_table_insert(plan->seen, key, GUINT_TO_POINTER(plan->groups->len));
    return &g_array_index(plan->groups, PsPlanned, plan->groups->len - 1);
}

/* Adds a neighbour of the middle. */
static PsPlanned *add_near(Plan *plan, guint64 number)
{
    PsPlanned *planned = add(plan, number);
    planned->what.strewn = FALSE;
    return planned;
}

/* ---- neighbours ---------------------------------------------------------------------------- */

static void add_first(Plan *plan)
{
    const guint *grid = plan->grid;
    const guint middle[3] = {(grid[0] - 1) / 2, (grid[1] - 1) / 2, (grid[2] - 1) / 2};
    plan->middle = number_of(plan, middle);
    add_near(plan, plan->middle)->first = TRUE;
    for (int d = 0; d < 3; d++) {
        guint next[3] = {middle[0], middle[1], middle[2]};
        if (grid[d] < 2)
            continue;
        next[d] = middle[d] + 1 < grid[d] ? middle[d] + 1 : middle[d] - 1;
        add_near(plan, number_of(plan, next))->first = TRUE;
    }
}

/* Adds groups of the middle's row in that direction on both sides: adjacent ones, then others with
 * growing gaps. FALSE: there are no more. */
static gboolean add_of_row(Plan *plan, guint direction, guint i)
{
    static const gint64 distances[] = {1, -1, 2,  -2,  3,  -3,  4,  -4,
                                       8, -8, 16, -16, 32, -32, 64, -64};
    const gint64 strides[3] = {1, plan->grid[0], (gint64)plan->grid[0] * plan->grid[1]};
    if (i > G_N_ELEMENTS(distances) || plan->grid[direction] < 2)
        return FALSE;
    const gint64 size = plan->grid[direction];
    const gint64 at = (gint64)plan->middle / strides[direction] % size + distances[i - 1];
    if (at >= 0 && at < size)
        add_near(plan, plan->middle + (guint64)(distances[i - 1] * strides[direction]));
    return TRUE;
}

/* ---- apart --------------------------------------------------------------------------------- */

static guint hash(guint number)
{
    guint value = (number + 1) * 2654435761U;
    value ^= value >> 15;
    value *= 2246822519U;
    return value ^ value >> 13;
}

/* Adds a group within the i-th quarter of the launch, away from its edges; for a small launch, each
 * group. */
static gboolean add_apart(Plan *plan, guint i)
{
    const guint64 quarter = plan->n / QUARTERS;
    if (i > (quarter < 2 ? plan->n : QUARTERS))
        return FALSE;
    if (quarter < 2) {
        add(plan, i - 1)->what.apart = TRUE;
        return TRUE;
    }
    const guint64 number = quarter * (i - 1) + quarter / 4 + hash(i) % MAX(quarter / 2, 1);
    add(plan, number)->what.apart = TRUE;
    return TRUE;
}

/* ---- one unit ------------------------------------------------------------------------------ */

guint ps_plan_rounds(const guint grid[3], guint units)
{
    const guint64 n = (guint64)grid[0] * grid[1] * grid[2];
    return units > 0 ? (guint)MIN((n + units - 1) / units, G_MAXINT32) : 0;
}

typedef struct {
    guint units, resident, rounds;
    guint unit; /* unit of the middle group, without its round's shift */
    guint round;
} Unit;

static guint turned_by(const Unit *unit, guint round)
{
    return round < unit->resident ? 0 : hash(round) % unit->units;
}

static Unit unit_of(const Plan *plan, guint units, guint resident)
{
    Unit unit = {.units = units,
                 .resident = MAX(resident, 1),
                 .rounds = ps_plan_rounds(plan->grid, units),
                 .round = (guint)(plan->middle / units)};
    const guint turned = turned_by(&unit, unit.round);
    unit.unit = (guint)((plan->middle % units + units - turned) % units);
    return unit;
}

static void add_round(Plan *plan, const Unit *unit, guint round)
{
    const guint64 number =
        (guint64)round * unit->units + (unit->unit + turned_by(unit, round)) % unit->units;
    if (number >= plan->n)
        return;
    PsPlanned *planned = add(plan, number);
    planned->what.of_unit = TRUE;
    planned->what.round = round;
}

/* Adds the unit's groups in the rounds at distance i from the middle's; FALSE: there are none. */
static gboolean add_of_unit(Plan *plan, const Unit *unit, guint i)
{
    if (unit->units == 0 || 2 * i > MOST_OF_UNIT ||
        (i > unit->round && unit->round + i >= unit->rounds))
        return FALSE;
    if (unit->round + i < unit->rounds)
        add_round(plan, unit, unit->round + i);
    if (i > 0 && i <= unit->round)
        add_round(plan, unit, unit->round - i);
    return TRUE;
}

/* ---- all ----------------------------------------------------------------------------------- */

GArray *ps_plan_new(const guint grid[3], guint units, guint resident)
{
    Plan plan = {.n = (guint64)grid[0] * grid[1] * grid[2],
                 .groups = g_array_new(FALSE, FALSE, sizeof(PsPlanned)),
                 .seen = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL)};
    memcpy(plan.grid, grid, sizeof plan.grid);
    add_first(&plan);
    g_array_index(plan.groups, PsPlanned, 0).what.apart = TRUE;
    const Unit unit = units > 0 ? unit_of(&plan, units, resident) : (Unit){0};
    add_of_unit(&plan, &unit, 0);
    /* takes one of each kind in turn, so that each kind has some even if few are executed */
    gboolean more = TRUE;
    for (guint i = 1; more; i++) {
        more = add_of_row(&plan, 0, i);
        more |= add_of_row(&plan, 1, i);
        more |= add_of_row(&plan, 2, i);
        more |= add_apart(&plan, i);
        more |= add_of_unit(&plan, &unit, i);
    }
    g_hash_table_destroy(plan.seen);
    return plan.groups;
}
