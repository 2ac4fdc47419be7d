/* SPDX-License-Identifier: BSD-3-Clause */
/* See guess-shape.h. */
#include "launch/guess-shape.h"

#include "base/count.h"
#include "base/usage.h"
#include "gpu/gpu.h"
#include "launch/value.h"

#include <math.h>
#include <string.h>

/* Threads of a group, unless the code says more. */
#define USUAL_THREADS 256

/* Number of times that the groups fill the GPU: enough that idle units at the end matter little. */
#define FILLS 8

/* Groups if no GPU is given. */
#define USUAL_GROUPS 4096

/* In a grid of several directions the groups in each are a multiple of this. */
#define EVEN 4

/* ---- threads of a group ---------------------------------------------------------------------- */

static guint directions_of(const PsPtxUses *uses)
{
    return uses->place[2] ? 3 : uses->place[1] ? 2 : 1;
}

/* Splits a group's threads over so many directions; x is the longest. */
static void split(guint all, guint n, guint threads[3])
{
    for (guint d = 0; d < 3; d++)
        threads[d] = 1;
    while (all > 1) {
        guint least = 0;
        for (guint d = 1; d < n; d++)
            if (threads[d] < threads[least])
                least = d;
        threads[least] *= 2;
        all /= 2;
    }
}

static void guess_block(PsGuessShape *shape, const PsPtxFunction *kernel, const PsPtxUses *uses)
{
    const guint most = kernel->most[0] * kernel->most[1] * kernel->most[2], n = directions_of(uses);
    guint all = most ? most : USUAL_THREADS;
    shape->block_sure = most ? PS_IDG_SURE_LIKELY : PS_IDG_SURE_WEAK;
    shape->block_because = most ? "as many threads as the kernel is compiled for at most"
                                : "256 threads, unless the code says more";
    if (most && (n == 1 || kernel->most[1] > 1))
        memcpy(shape->threads, kernel->most, sizeof shape->threads);
    else
        split(all, n, shape->threads);
    guint fixed = 1;
    for (guint d = 0; d < 3; d++)
        fixed *= MAX(uses->block[d], 1);
    for (guint d = 0; fixed > 1 && fixed <= 1024 && (!most || fixed <= most) && d < 3; d++) {
        shape->threads[d] = uses->block[d] ? uses->block[d] : d < n ? shape->threads[d] : 1;
        shape->block_sure = PS_IDG_SURE_LIKELY;
        shape->block_because = "so far apart are groups in the code, or the places that a thread "
                               "has one after another";
    }
    for (guint d = 0; d < 3; d++) {
        const guint room = uses->room[d];
        if (!room || room >= shape->threads[d])
            continue;
        shape->threads[d] = room;
        shape->block_sure = PS_IDG_SURE_LIKELY;
        shape->block_because = "shared memory has places for so many";
    }
}

/* ---- groups ---------------------------------------------------------------------------------- */

/* The number that the user gives for a parameter; 0: none. */
static guint64 given(const PsTaking *taking, guint p)
{
    guint64 number = 0;
    return taking->texts[p] && ps_count_parse(taking->texts[p], &number) ? number : 0;
}

/* Groups in direction d that a given number asks for; 0: no number does. */
static guint64 asked(const PsGuessShape *shape, const PsTaking *taking, const PsPtxUses *uses,
                     guint d)
{
    for (guint p = 0; p < uses->n; p++) {
        const PsPtxUse *use = &uses->params[p];
        const guint64 number = given(taking, p);
        const gboolean threads = use->kind == PS_PTX_USE_THREADS || use->kind == PS_PTX_USE_STRIDE;
        if (!number || use->directions != 1U << d || (!threads && use->kind != PS_PTX_USE_GROUPS))
            continue;
        const double each =
            use->apart ? (double)use->apart : (double)use->step * (threads ? shape->threads[d] : 1);
        return (guint64)ceil((double)number * use->times / each);
    }
    return 0;
}

/* Groups that fill the GPU several times over. */
static double filling(const PsGuessShape *shape, const PsGpu *gpu)
{
    const guint *threads = shape->threads;
    const PsGroupNeeds needs = {(gint64)threads[0] * threads[1] * threads[2], 0, 0, 0, 0, 0};
    PsOccupancy occupancy;
    if (!gpu)
        return USUAL_GROUPS;
    const double at_once = ps_gpu_occupancy(gpu, &needs, &occupancy, NULL) && occupancy.groups > 0
                               ? (double)MIN(occupancy.groups, 64)
                               : 1;
    return FILLS * at_once * (double)gpu->compute_units;
}

static guint even(double groups, guint n)
{
    const double whole = n > 1 ? ceil(groups / EVEN) * EVEN : ceil(groups);
    return (guint)CLAMP(whole, 1, 65535 * (n > 1 ? 1.0 : 4096.0));
}

static void guess_grid(PsGuessShape *shape, const PsTaking *taking, const PsPtxUses *uses,
                       const PsGpu *gpu)
{
    double left = filling(shape, gpu);
    guint n = 0;
    for (guint d = 0; d < 3; d++) {
        shape->groups[d] = (guint)MIN(asked(shape, taking, uses, d), G_MAXUINT16);
        n += !shape->groups[d] && (d == 0 || uses->place[d]);
        left /= MAX(shape->groups[d], 1);
    }
    shape->grid_sure = n ? PS_IDG_SURE_WEAK : PS_IDG_SURE_LIKELY;
    shape->grid_because = !n    ? "as many as the numbers that are given ask for"
                          : gpu ? "these fill the GPU eight times"
                                : "no GPU is given that they could fill";
    for (guint d = 0; d < 3; d++)
        if (!shape->groups[d])
            shape->groups[d] = d == 0 || uses->place[d] ? even(pow(left, 1.0 / n), n) : 1;
}

/* ---- what is given --------------------------------------------------------------------------- */

/* The given numbers, by their names. */
static PsScope *scope_of(const PsTaking *taking)
{
    PsScope *scope = ps_scope_new();
    for (guint p = 0; p < taking->arguments->n; p++) {
        const char *name = taking->arguments->names[p];
        const guint64 number = given(taking, p);
        if (number && ps_expr_is_name(name))
            ps_scope_set(scope, name, PS_RATIONAL_INT((gint64)number));
    }
    return scope;
}

static gboolean read_given(PsGuessShape *shape, const PsTaking *taking, GError **error)
{
    g_autoptr(PsScope) scope = scope_of(taking);
    const PsLaunchArguments numbers = {.kernel = taking->arguments->kernel, .scope = scope};
    g_autofree char *block = ps_guess_extent(shape->threads);
    PsLaunchTexts texts = *taking->given;
    if (!texts.block && !numbers.kernel->required[0])
        texts.block = block;
    const gboolean grid = texts.grid || texts.threads;
    if (!grid)
        texts.grid = "1";
    texts.samples = NULL;
    g_autoptr(PsLaunchGrid) read = ps_launch_grid_new(&numbers, &texts, error);
    if (!read)
        return FALSE;
    memcpy(shape->threads, read->threads.size, sizeof shape->threads);
    if (grid)
        memcpy(shape->groups, read->groups.size, sizeof shape->groups);
    return TRUE;
}

/* If a thread computes several elements, groups are further apart than their threads. */
static void find_apart(PsGuessShape *shape, const PsPtxUses *uses)
{
    for (guint p = 0; p < uses->n; p++) {
        const PsPtxUse *use = &uses->params[p];
        const guint d = use->directions ? (guint)__builtin_ctz(use->directions) : 0;
        const gint64 apart = use->kind == PS_PTX_USE_THREADS  ? use->apart
                             : use->kind == PS_PTX_USE_GROUPS ? use->step
                                                              : 0;
        if (apart > shape->threads[d])
            shape->apart = MAX(shape->apart, apart);
    }
}

gboolean ps_guess_shape(PsGuessShape *shape, const PsTaking *taking, const PsPtxUses *uses,
                        const PsGpu *gpu, GError **error)
{
    const PsPtxFunction *kernel = taking->arguments->kernel;
    const PsLaunchTexts *texts = taking->given;
    *shape = (PsGuessShape){{1, 1, 1}, {1, 1, 1}, 0, 0, NULL, NULL, 0};
    if (!texts->block && !kernel->required[0])
        guess_block(shape, kernel, uses);
    if (!read_given(shape, taking, error)) {
        g_prefix_error(error,
                       "%s takes what is given as it is, and numbers that it needs have to be "
                       "given, too: ",
                       texts->guess_name);
        return FALSE;
    }
    if (!texts->grid && !texts->threads)
        guess_grid(shape, taking, uses, gpu);
    find_apart(shape, uses);
    return TRUE;
}

/* ---- numbers --------------------------------------------------------------------------------- */

/* The product over directions; `groups`: counts groups alone. */
static double product(const PsGuessShape *shape, guint directions, gboolean groups)
{
    double all = 1;
    for (guint d = 0; d < 3; d++)
        if (directions & 1U << d)
            all *= (double)shape->groups[d] * (groups ? 1 : (double)shape->threads[d]);
    return all;
}

static double across(const PsGuessShape *shape, guint d)
{
    return (double)shape->groups[d] * shape->threads[d];
}

/* TRUE if the launch has more than one row. */
static gboolean is_flat(const PsGuessShape *shape)
{
    return across(shape, 1) * across(shape, 2) <= 1;
}

static PsGuessNumber guess_row(const PsGuessShape *shape, const PsPtxUse *use, guint direction)
{
    const double extent = across(shape, direction);
    if (shape->apart)
        return (PsGuessNumber){
            shape->groups[direction] * shape->apart, PS_IDG_SURE_WEAK,
            "rows are so long if groups are as far apart in them as in another direction"};
    if (extent <= 1)
        return (PsGuessNumber){shape->threads[0], PS_IDG_SURE_WEAK,
                               "as many as a group has threads; the code has rows of it"};
    return (PsGuessNumber){(gint64)MIN(extent, (double)G_MAXINT64 / 2),
                           use->loops ? PS_IDG_SURE_WEAK : PS_IDG_SURE_LIKELY,
                           "rows are so long if there is a thread for each element"};
}

PsGuessNumber ps_guess_number(const PsGuessShape *shape, const PsPtxUse *use)
{
    const guint lowest = use->directions ? (guint)__builtin_ctz(use->directions) : 0;
    const double group = shape->threads[0], row = is_flat(shape) ? group : across(shape, 0);
    double value = 1;
    PsIdgSure sure = PS_IDG_SURE_WEAK;
    const char *because = "the code compares it with nothing that is known";
    switch (use->kind) {
    case PS_PTX_USE_THREADS:
    case PS_PTX_USE_GROUPS:
        value = use->apart ? (double)shape->groups[lowest] * (double)use->apart
                           : product(shape, use->directions, use->kind == PS_PTX_USE_GROUPS) *
                                 (double)use->step;
        sure = use->loops ? PS_IDG_SURE_WEAK : PS_IDG_SURE_LIKELY;
        because = use->loops
                      ? "the code compares the grid's threads with it, but a loop runs to it, "
                        "too: how long threads work depends on it"
                      : "the code compares the grid's threads with it";
        break;
    case PS_PTX_USE_MEMBERS:
        value = shape->threads[lowest] * 4.0 * (double)use->step;
        because = "four turns of a group's threads, which the code compares with it";
        break;
    case PS_PTX_USE_STRIDE:
        return guess_row(shape, use, lowest);
    case PS_PTX_USE_LOOP:
        value = row;
        because = is_flat(shape) ? "a loop runs to it; as many as a group has threads"
                                 : "a loop runs to it; as many as a row of the grid has threads";
        break;
    case PS_PTX_USE_ADDRESS:
        value = row;
        because = "it is part of an address";
        break;
    case PS_PTX_USE_NONE:
        return (PsGuessNumber){1, sure, because};
    }
    value = floor(value / (use->times > 0 ? use->times : 1));
    return (PsGuessNumber){(gint64)CLAMP(value, 1, 1e15), sure, because};
}

char *ps_guess_extent(const guint size[3])
{
    return size[2] > 1   ? g_strdup_printf("%ux%ux%u", size[0], size[1], size[2])
           : size[1] > 1 ? g_strdup_printf("%ux%u", size[0], size[1])
                         : g_strdup_printf("%u", size[0]);
}
