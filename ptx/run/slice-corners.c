/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Computes many groups at once, each by the threads at its corners. A value that grows or falls
 * with each coordinate of a thread, and that compares in the same way at all corners, does so
 * everywhere, unless it overflows between them. See slice.h.
 */
#include "ptx/run/slice-private.h"

#include <math.h>
#include <string.h>

guint ps_ptx_slice_corners(const PsPtxSlice *slice)
{
    const guint *block = slice->machine->launch.block;
    return 1U << ((block[0] > 1) + (block[1] > 1) + (block[2] > 1));
}

gboolean ps_ptx_slice_is_ordered(const PsPtxSlice *slice, guint64 numbers)
{
    for (guint64 rest = numbers; rest != 0; rest &= rest - 1) {
        const PsPtxSliceOutput *output = &slice->outputs[__builtin_ctzll(rest)];
        if (output->order > (output->access ? PS_PTX_ORDERED : PS_PTX_SETTLED))
            return FALSE;
    }
    return TRUE;
}

gboolean ps_ptx_slice_grows(const PsPtxSlice *slice, guint64 numbers)
{
    for (guint64 rest = numbers; rest != 0; rest &= rest - 1)
        if (slice->outputs[__builtin_ctzll(rest)].order > PS_PTX_ORDERED)
            return FALSE;
    return TRUE;
}

/* Writes the coordinates of the threads at the corners; those of a group lie side by side. */
static void place_corners(const PsPtxSlice *slice, guint corners)
{
    const guint *block = slice->machine->launch.block;
    for (guint i = 0; i < slice->n_fixed; i++) {
        const PsPtxSpecial special = ps_ptx_slice_special(slice, i);
        if (special > PS_PTX_TID_Z)
            continue;
        guint bit = 0;
        for (guint d = 0; d < (guint)special; d++)
            bit += block[d] > 1;
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            ps_ptx_slice_row(slice, i)[lane] = (lane % corners) >> bit & 1 ? block[special] - 1 : 0;
    }
}

/* -1, 0, 1: the side of the other number that a number lies on. */
static int side_of(const PsPtxStep *step, guint64 a, guint64 b)
{
    const guint shift = 64 - 8 * MIN(ps_ptx_type_size(step->type), 8);
    if (step->type >= PS_PTX_S8 && step->type <= PS_PTX_S64) {
        const gint64 x = (gint64)(a << shift), y = (gint64)(b << shift);
        return (x > y) - (x < y);
    }
    return (a > b) - (a < b);
}

/* The groups whose corners all lie on the same side. */
static guint32 same_sides(const PsPtxSlice *slice, const PsPtxStep *step, guint n, guint corners)
{
    const guint64 *a = slice->rows[step->from[0]], *b = slice->rows[step->from[1]];
    guint32 same = 0;
    for (guint i = 0; i < n; i++) {
        const guint at = i * corners;
        const int side = side_of(step, a[at], b[at]);
        gboolean good = TRUE;
        for (guint c = 1; c < corners; c++)
            good = good && side == side_of(step, a[at + c], b[at + c]);
        same |= (guint32)good << i;
    }
    return same;
}

/* A bit for each group: the value of its first lane. *same: the groups whose lanes all have the
 * same value. */
static guint32 by_group(guint32 lanes, guint n, guint corners, guint32 *same)
{
    const guint32 all = ps_ptx_slice_first(corners);
    guint32 groups = 0;
    *same = 0;
    for (guint i = 0; i < n; i++) {
        const guint32 its = lanes >> (i * corners) & all;
        groups |= (its & 1) << i;
        *same |= (guint32)(its == 0 || its == all) << i;
    }
    return groups;
}

/* ---- how far values lie apart --------------------------------------------------------------- */

static double largest(const guint64 *row, guint bytes)
{
    const guint shift = 64 - 8 * bytes;
    double most = 0;
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        most = MAX(most, fabs((double)((gint64)(row[lane] << shift) >> shift)));
    return most;
}

/* Most distance between two results of a part, within a group, if they have an order: computed from
 * the spans of its sources, by row. */
static double span_of(const PsPtxSlice *slice, const PsPtxSlicePart *part, const double *spans)
{
    const PsPtxStep *step = &part->step;
    const char *opcode = slice->machine->code->points[step->point].instruction->mnemonic->opcode;
    const guint bytes = MIN(ps_ptx_type_size(step->type), 8);
    double sum = 0;
    for (guint i = 0; i < step->n_from; i++)
        sum += spans[step->from[i]];
    if (g_str_has_prefix(opcode, "mul") || g_str_has_prefix(opcode, "mad")) {
        const guint64 *a = slice->rows[step->from[0]], *b = slice->rows[step->from[1]];
        sum = spans[step->from[0]] * largest(b, bytes) + spans[step->from[1]] * largest(a, bytes);
        return sum + (step->n_from > 2 ? spans[step->from[2]] : 0);
    }
    return strcmp(opcode, "shl") == 0 ? ldexp(sum, (int)largest(slice->rows[step->from[1]], 8))
                                      : sum;
}

/* The groups in which a part's result has the same sign at all corners, and a span of at most half
 * of all numbers: then it overflows nowhere, signed or unsigned. */
static guint32 without_overflow(const PsPtxSlice *slice, const PsPtxSlicePart *part, guint n,
                                guint corners, double span)
{
    const guint64 *row = slice->rows[part->step.to[0]];
    const PsPtxMnemonic *mnemonic =
        slice->machine->code->points[part->step.point].instruction->mnemonic;
    const guint wide = ps_ptx_has(mnemonic, "wide") ? 2 : 1;
    const guint bytes = MIN(wide * ps_ptx_type_size(part->step.type), 8);
    guint32 good = 0;
    if (span >= ldexp(1, (int)(8 * bytes - 1)))
        return 0;
    const guint top = 8 * bytes - 1;
    for (guint i = 0; i < n; i++) {
        guint of = 0;
        for (guint c = 0; c < corners; c++)
            of += row[i * corners + c] >> top & 1;
        good |= (guint32)(of == 0 || of == corners) << i;
    }
    return good;
}

/* The groups whose corners decide all that these numbers need. */
static guint32 find_sure(const PsPtxSlice *slice, guint64 numbers, guint n, guint corners)
{
    double *spans = slice->spans;
    guint32 sure = ps_ptx_slice_first(n);
    for (guint i = 0; i < slice->n_fixed; i++) {
        const PsPtxSpecial special = ps_ptx_slice_special(slice, i);
        if (special <= PS_PTX_TID_Z)
            spans[g_array_index(slice->decoder->fixed, PsPtxFixed, i).slot] =
                slice->machine->launch.block[special] - 1;
    }
    for (guint i = 0; i < slice->order->len; i++) {
        const PsPtxSlicePart *part = slice->parts->pdata[g_array_index(slice->order, guint, i)];
        if ((part->needed & numbers) == 0)
            continue;
        if (part->compares)
            sure &= same_sides(slice, &part->step, n, corners);
        for (guint k = 0; k < part->n_before; k++)
            spans[part->before[k].to] = spans[part->before[k].from];
        if (part->order == PS_PTX_SETTLED || part->order == PS_PTX_LOOSE)
            continue;
        spans[part->step.to[0]] = span_of(slice, part, spans);
        sure &= without_overflow(slice, part, n, corners, spans[part->step.to[0]]);
    }
    return sure;
}

gboolean ps_ptx_slice_at_corners(PsPtxSlice *slice, guint64 numbers, guint64 first, guint n,
                                 guint32 lanes[PS_PTX_SLICE_OUTPUTS], guint32 *sure)
{
    const guint both = PS_PTX_BY_GROUP | PS_PTX_BY_THREAD, corners = ps_ptx_slice_corners(slice);
    if (!ps_ptx_slice_begin(slice, numbers))
        return FALSE;
    slice->runner->open.active = ps_ptx_slice_first(n * corners);
    ps_ptx_slice_place(slice, first, corners);
    place_corners(slice, corners);
    if (!ps_ptx_slice_compute(slice, numbers, both, both))
        return FALSE;
    ps_ptx_slice_give(slice, numbers, lanes);
    *sure = find_sure(slice, numbers, n, corners);
    for (guint64 rest = numbers; rest != 0; rest &= rest - 1) {
        const guint number = (guint)__builtin_ctzll(rest);
        guint32 same = 0;
        if (slice->outputs[number].value)
            continue;
        lanes[number] = by_group(lanes[number], n, corners, &same);
        /* between two accesses in memory there may be one outside, if the two lie in different
         * buffers: groups with accesses outside are looked at thread by thread, too */
        *sure &= slice->outputs[number].access ? same & lanes[number] : same;
    }
    return TRUE;
}
