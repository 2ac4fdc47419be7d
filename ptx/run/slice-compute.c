/* SPDX-License-Identifier: BSD-3-Clause */
/* Computes the values of a slice. See slice.h. */
#include "ptx/run/slice-private.h"

#include <string.h>

/* ---- addresses ------------------------------------------------------------------------------ */

/* The access of a lane. */
typedef struct {
    PsPtxSpace space;
    guint64 address;
    guint bytes;
} Access;

/* TRUE if the access lies in one buffer, as it should. */
static gboolean lies_in_one(const PsPtxMachine *machine, Access access)
{
    if (machine->module->address_size == 32)
        access.address &= G_MAXUINT32;
    if (access.space == PS_PTX_GENERIC)
        access.space = ps_ptx_window(machine, access.address, &access.address);
    if (access.space != PS_PTX_GLOBAL && access.space != PS_PTX_CONST &&
        access.space != PS_PTX_PARAM)
        return FALSE;
    if ((access.bytes & (access.bytes - 1)) == 0 && (access.address & (access.bytes - 1)) != 0)
        return FALSE;
    const PsPtxBuffer *buffer = ps_ptx_buffer_at(machine, access.space, access.address);
    return buffer && access.bytes <= buffer->size &&
           access.address - buffer->address <= buffer->size - access.bytes;
}

/* The lanes of mask whose access lies in a buffer. Most lanes have the address of the lane before,
 * which is not looked up again. */
static guint32 lanes_in(const PsPtxMachine *machine, const guint64 *base, Access access,
                        guint32 mask)
{
    const guint64 offset = access.address;
    gboolean known = FALSE, good = FALSE;
    guint64 last = 0;
    guint32 in = 0;
    for (guint32 rest = mask; rest != 0; rest &= rest - 1) {
        const guint lane = (guint)__builtin_ctz(rest);
        access.address = base[lane] + offset;
        if (!known || last != base[lane])
            good = lies_in_one(machine, access);
        known = TRUE;
        last = base[lane];
        in |= (guint32)good << lane;
    }
    return in;
}

/* ---- one instruction ------------------------------------------------------------------------ */

static void do_before(const PsPtxSlice *slice, const PsPtxSlicePart *part)
{
    for (guint i = 0; i < part->n_before; i++) {
        const PsPtxBefore *before = &part->before[i];
        const guint64 *from = slice->rows[before->from];
        const guint64 ones =
            before->bytes == 8 ? G_MAXUINT64 : ((guint64)1 << (8 * before->bytes)) - 1;
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            slice->rows[before->to][lane] =
                before->kind == PS_PTX_NOT ? from[lane] == 0 : (0 - from[lane]) & ones;
    }
}

/* The lanes that execute the part. The other lanes keep the old values of the results, or get 0
 * where no memory lies at their address. */
static guint32 lanes_of(PsPtxSlice *slice, const PsPtxSlicePart *part)
{
    const PsPtxStep *step = &part->step;
    guint32 mask = slice->runner->open.active;
    if (step->guard >= 0) {
        const guint32 set = slice->machine->set_lanes(slice->rows[step->guard]);
        mask &= step->guard_negated ? ~set : set;
        for (guint i = 0; i < step->n_to; i++)
            memcpy(slice->rows[step->to[i]], slice->rows[part->old[i]], sizeof *slice->rows);
    }
    if (!part->reads)
        return mask;
    const Access access = {step->space, (guint64)step->offset, part->bytes};
    const guint32 in = lanes_in(slice->machine, slice->rows[step->from[0]], access, mask);
    for (guint i = 0; in != mask && i < step->n_to; i++)
        for (guint32 rest = mask & ~in; rest != 0; rest &= rest - 1)
            slice->rows[step->to[i]][__builtin_ctz(rest)] = 0;
    return in;
}

/* Computes a part. FALSE: memory cannot be read. */
static gboolean compute_part(PsPtxSlice *slice, const PsPtxSlicePart *part)
{
    PsPtxRunner *runner = slice->runner;
    do_before(slice, part);
    const guint32 mask = lanes_of(slice, part);
    runner->touched = FALSE;
    if (mask != 0 && part->step.execute)
        part->step.execute(&runner->open, &part->step, mask);
    if (slice->machine->trouble)
        ps_ptx_settle(runner);
    return !runner->open.error;
}

/* Computes the parts that these numbers need and that depend on something of `least`, and on
 * nothing outside of `most`. */
gboolean ps_ptx_slice_compute(PsPtxSlice *slice, guint64 numbers, guint least, guint most)
{
    for (guint i = 0; i < slice->order->len; i++) {
        const PsPtxSlicePart *part = slice->parts->pdata[g_array_index(slice->order, guint, i)];
        if ((part->needed & numbers) != 0 && (part->depends & ~most) == 0 &&
            (least == 0 || (part->depends & least) != 0) && !compute_part(slice, part))
            return FALSE;
    }
    return TRUE;
}

void ps_ptx_slice_give(const PsPtxSlice *slice, guint64 numbers,
                       guint32 lanes[PS_PTX_SLICE_OUTPUTS])
{
    const guint32 exist = slice->runner->open.active;
    for (guint64 rest = numbers; rest != 0; rest &= rest - 1) {
        const guint number = (guint)__builtin_ctzll(rest);
        const PsPtxSliceOutput *output = &slice->outputs[number];
        const guint64 *row = slice->rows[output->row];
        const Access access = {output->space, output->offset, output->bytes};
        if (output->value)
            continue;
        lanes[number] = output->access ? lanes_in(slice->machine, row, access, exist)
                                       : slice->machine->set_lanes(row) & exist;
    }
}

/* ---- places --------------------------------------------------------------------------------- */

static guint64 coordinate(const PsPtxSlice *slice, guint64 place, guint direction)
{
    const guint *grid = slice->machine->launch.grid;
    return direction == 0   ? place % grid[0]
           : direction == 1 ? place / grid[0] % grid[1]
                            : place / grid[0] / grid[1];
}

/* The special register of a row whose value the place decides; PS_PTX_N_SPECIALS: it is none. */
PsPtxSpecial ps_ptx_slice_special(const PsPtxSlice *slice, guint fixed)
{
    const PsPtxFixed *one = &g_array_index(slice->decoder->fixed, PsPtxFixed, fixed);
    return one->special && one->slot < PS_PTX_SLICE_SLOTS ? (PsPtxSpecial)one->value
                                                          : PS_PTX_N_SPECIALS;
}

guint64 *ps_ptx_slice_row(const PsPtxSlice *slice, guint fixed)
{
    return slice->rows[g_array_index(slice->decoder->fixed, PsPtxFixed, fixed).slot];
}

/* Writes the numbers of groups, from the first on; each number stands in that many lanes. */
void ps_ptx_slice_place(const PsPtxSlice *slice, guint64 first, guint lanes)
{
    const guint64 width = slice->machine->launch.grid[0];
    const guint n = PS_PTX_LANES / lanes;
    const gboolean one_row = first % width + n <= width;
    for (guint i = 0; i < slice->n_fixed; i++) {
        const guint d = (guint)ps_ptx_slice_special(slice, i) - PS_PTX_CTAID_X;
        if (d > 2)
            continue;
        guint64 *row = ps_ptx_slice_row(slice, i);
        const guint64 at = coordinate(slice, first, d);
        for (guint k = 0; k < n; k++) {
            const guint64 one = one_row ? at + (d == 0 ? k : 0) : coordinate(slice, first + k, d);
            for (guint lane = k * lanes; lane < (k + 1) * lanes; lane++)
                row[lane] = one;
        }
    }
}

/* Computes the special registers of all threads, which are looked up again and again. */
static void make_threads(PsPtxSlice *slice)
{
    const guint n = slice->n_fixed, n_warps = slice->machine->n_warps;
    slice->threads = g_malloc0((gsize)n * n_warps * sizeof *slice->threads + 1);
    for (guint i = 0; i < n; i++) {
        const PsPtxSpecial special = ps_ptx_slice_special(slice, i);
        for (guint t = 0; ps_ptx_rows_of_thread(special) && t < n_warps * PS_PTX_LANES; t++)
            slice->threads[(gsize)t / PS_PTX_LANES * n + i][t % PS_PTX_LANES] =
                ps_ptx_rows_thread(slice->machine, special, t);
    }
}

static void place_threads(PsPtxSlice *slice, guint warp)
{
    if (!slice->threads)
        make_threads(slice);
    for (guint i = 0; i < slice->n_fixed; i++)
        if (ps_ptx_rows_of_thread(ps_ptx_slice_special(slice, i)))
            memcpy(ps_ptx_slice_row(slice, i), slice->threads[(gsize)warp * slice->n_fixed + i],
                   sizeof *slice->rows);
}

/* Computes once the parts that depend on nothing. */
gboolean ps_ptx_slice_begin(PsPtxSlice *slice, guint64 numbers)
{
    slice->runner->open.active = G_MAXUINT32;
    if ((slice->constant & numbers) == numbers)
        return TRUE;
    slice->constant |= numbers;
    return ps_ptx_slice_compute(slice, numbers, 0, 0);
}

guint32 ps_ptx_slice_first(guint n)
{
    return n < PS_PTX_LANES ? ((guint32)1 << n) - 1 : G_MAXUINT32;
}

gboolean ps_ptx_slice_groups(PsPtxSlice *slice, guint64 numbers, guint64 first, guint n,
                             guint32 lanes[PS_PTX_SLICE_OUTPUTS])
{
    if (!ps_ptx_slice_begin(slice, numbers))
        return FALSE;
    slice->runner->open.active = ps_ptx_slice_first(n);
    ps_ptx_slice_place(slice, first, 1);
    if (!ps_ptx_slice_compute(slice, numbers, PS_PTX_BY_GROUP, PS_PTX_BY_GROUP))
        return FALSE;
    ps_ptx_slice_give(slice, numbers, lanes);
    return TRUE;
}

gboolean ps_ptx_slice_threads(PsPtxSlice *slice, guint64 numbers, guint64 place, guint warp,
                              guint32 lanes[PS_PTX_SLICE_OUTPUTS], guint32 *exist)
{
    const guint *block = slice->machine->launch.block;
    const guint both = PS_PTX_BY_GROUP | PS_PTX_BY_THREAD;
    *exist = ps_ptx_slice_first(block[0] * block[1] * block[2] - warp * PS_PTX_LANES);
    if (!ps_ptx_slice_begin(slice, numbers))
        return FALSE;
    slice->runner->open.number = warp;
    slice->runner->open.active = slice->runner->open.threads = *exist;
    ps_ptx_slice_place(slice, place, PS_PTX_LANES);
    place_threads(slice, warp);
    if (!ps_ptx_slice_compute(slice, numbers, both, both))
        return FALSE;
    ps_ptx_slice_give(slice, numbers, lanes);
    return TRUE;
}
