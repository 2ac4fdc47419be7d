/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Finds, for each point of a role's code, the share of a warp's threads that come to it and the
 * share that execute it: as in the role's own warps, or so that all roles of the graph together
 * execute what all groups of the launch did.
 */
#include "lift/emit/emit-private.h"

#include <math.h>

/* Relative difference between the executions of all roles and those counted, at most. */
#define NEAR 0.002
/* Shares that are cut at 1 leave more to the others, which are cut in turn. */
#define MOST_CUTS 64

/* [point]: how often a warp comes to it; the spots tell, since each warp executed the same
 * steps. */
static double *times_of_points(const PsSpots *spots)
{
    double *all = g_new0(double, spots->facts->code->n_points);
    for (guint i = 0; i < spots->spots->len; i++)
        if (ps_spot(spots, i)->kind == PS_SPOT_STEP)
            all[ps_spot(spots, i)->point] += (double)ps_spots_times(spots, i);
    return all;
}

double *ps_role_comes(const PsWarpRole *role)
{
    const PsRollWarps *warps = role->as;
    if (!warps->idle)
        return NULL;
    double *shares = times_of_points(role->spots);
    for (guint p = 0; p < role->spots->facts->code->n_points; p++)
        if (shares[p] > 0)
            shares[p] = fmax(1 - (double)warps->idle[p] / (shares[p] * (double)warps->lanes),
                             1.0 / PS_PTX_LANES);
    return shares;
}

/* The shares of its own warps; NULL: all lanes that come to a point execute it. */
static double *own_shares(const PsWarpRole *role)
{
    const PsRollWarps *warps = role->as;
    if (!warps->barred)
        return NULL;
    double *shares = times_of_points(role->spots);
    for (guint p = 0; p < role->spots->facts->code->n_points; p++) {
        const guint64 missing = warps->barred[p] + (warps->idle ? warps->idle[p] : 0);
        if (shares[p] > 0)
            shares[p] = fmax(1 - (double)missing / (shares[p] * (double)warps->lanes), 0);
    }
    return shares;
}

double *ps_role_executes(const PsWarpRole *role)
{
    const guint n = role->spots->facts->code->n_points;
    return role->counted ? g_memdup2(role->counted, n * sizeof *role->counted) : own_shares(role);
}

/* ---- of all groups -------------------------------------------------------------------------- */

/* A role of a kind: the number of lanes that come to each point in all groups, if all lanes do. */
typedef struct {
    PsWarpRole *role;
    double *most; /* [point] */
} Part;

static void free_part(gpointer data)
{
    Part *part = data;
    g_free(part->most);
    g_free(part);
}

static double threads_of(const PsWarpRole *role, guint threads)
{
    double sum = 0;
    for (guint i = 0; i < role->warps->len; i++) {
        const guint first = PS_PTX_LANES * g_array_index(role->warps, guint, i);
        sum += first < threads ? MIN(threads - first, PS_PTX_LANES) : 0;
    }
    return sum;
}

/* A role whose warps have the shares in `counted`. */
static Part *part_of(PsWarpRole *role, double groups, guint threads)
{
    const guint n = role->spots->facts->code->n_points;
    const double lanes = groups * threads_of(role, threads);
    g_autofree double *comes = ps_role_comes(role);
    Part *part = g_new(Part, 1);
    part->role = role;
    part->most = times_of_points(role->spots);
    role->counted = own_shares(role);
    if (!role->counted) {
        role->counted = g_new(double, n);
        for (guint p = 0; p < n; p++)
            role->counted[p] = comes ? comes[p] : 1;
    }
    for (guint p = 0; p < n; p++)
        part->most[p] *= lanes;
    return part;
}

/* Sums at a point: lanes if shares grow by that factor, up to 1; *cut is the sum of those that
 * reach 1. */
static double sum_at(const GPtrArray *parts, guint point, double times, double *cut)
{
    double sum = 0;
    *cut = 0;
    for (guint i = 0; i < parts->len; i++) {
        const Part *part = parts->pdata[i];
        const double share = times * part->role->counted[point];
        *cut += share >= 1 ? part->most[point] : 0;
        sum += fmin(share, 1) * part->most[point];
    }
    return sum;
}

/* Scales shares at a point so that lanes add up to the counted number, as far as that is
 * possible. */
static void fit(const GPtrArray *parts, guint point, double all)
{
    double cut = 0, sum = sum_at(parts, point, 1, &cut), times = 1;
    if (sum <= 0 || fabs(sum - all) <= NEAR * all)
        return;
    times = all / sum;
    for (guint i = 0; i < MOST_CUTS; i++) {
        sum = sum_at(parts, point, times, &cut);
        if (fabs(sum - all) <= NEAR * all / 2 || sum <= cut)
            break;
        times *= fmax((all - cut) / (sum - cut), 1e-9);
    }
    for (guint i = 0; i < parts->len; i++) {
        double *share = &((const Part *)parts->pdata[i])->role->counted[point];
        *share = fmin(times * *share, 1);
    }
}

void ps_roles_fit_counts(const GPtrArray *kinds, const double *groups, guint threads,
                         const guint64 *all)
{
    g_autoptr(GPtrArray) parts = g_ptr_array_new_with_free_func(free_part);
    guint n = 0;
    for (guint k = 0; k < kinds->len; k++) {
        const PsRoles *roles = kinds->pdata[k];
        for (guint r = 0; r < roles->list->len; r++) {
            PsWarpRole *role = roles->list->pdata[r];
            n = role->spots->facts->code->n_points;
            g_ptr_array_add(parts, part_of(role, groups[k], threads));
        }
    }
    for (guint p = 0; p < n; p++)
        fit(parts, p, (double)all[p]);
}
