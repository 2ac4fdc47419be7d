/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * How values of a slice depend on the thread. Sums of multiples of a thread's coordinates grow or
 * fall with each coordinate. An operation that keeps the order gives a value that does so, too. The
 * remainder of a division does not, however it is computed. See slice.h.
 */
#include "ptx/run/slice-private.h"

#include <string.h>

static gboolean is_one_of(const char *word, const char *const *words)
{
    for (guint i = 0; words[i]; i++)
        if (strcmp(word, words[i]) == 0)
            return TRUE;
    return FALSE;
}

/* The order of a row's values. */
static PsPtxSliceOrder order_of_row(const PsPtxSlice *slice, const PsPtxSlicePart *part, guint row)
{
    const GArray *fixed = slice->decoder->fixed;
    for (guint i = 0; i < part->n_before; i++)
        if (part->before[i].to == row)
            return order_of_row(slice, part, part->before[i].from);
    for (guint i = 0; i < part->n_from; i++) {
        const PsPtxSlicePart *source = slice->parts->pdata[part->from[i]];
        for (guint k = 0; k < source->step.n_to; k++)
            if (source->step.to[k] == row)
                return source->order;
    }
    for (guint i = 0; i < fixed->len; i++) {
        const PsPtxFixed *one = &g_array_index(fixed, PsPtxFixed, i);
        if (one->slot == row && one->special && ps_ptx_rows_of_thread((PsPtxSpecial)one->value))
            return one->value <= PS_PTX_TID_Z ? PS_PTX_LINEAR : PS_PTX_LOOSE;
    }
    return PS_PTX_SETTLED;
}

/* The order of a setp, whose first two sources may be numbers with an order. */
static PsPtxSliceOrder order_of_setp(PsPtxSlicePart *part, const PsPtxSliceOrder *of)
{
    const PsPtxType type = part->step.type;
    const gboolean whole = (type >= PS_PTX_S8 && type <= PS_PTX_S64) ||
                           (type >= PS_PTX_U8 && type <= PS_PTX_U64) || type == PS_PTX_B16 ||
                           type == PS_PTX_B32 || type == PS_PTX_B64;
    const PsPtxSliceOrder most = MAX(of[0], of[1]);
    for (guint i = 2; i < part->step.n_from; i++)
        if (of[i] != PS_PTX_SETTLED)
            return PS_PTX_LOOSE;
    part->compares = most != PS_PTX_SETTLED;
    /* the corners decide for two numbers with an order only if one of them is settled, or their
     * difference is linear */
    const gboolean told =
        MIN(of[0], of[1]) == PS_PTX_SETTLED ? most <= PS_PTX_ORDERED : most <= PS_PTX_LINEAR;
    return most == PS_PTX_SETTLED || (whole && told) ? PS_PTX_SETTLED : PS_PTX_LOOSE;
}

/* The order of an operation on numbers, n of which have an order. */
static PsPtxSliceOrder order_of_sum(const PsPtxSlicePart *part, const char *opcode,
                                    const PsPtxSliceOrder *of, guint n)
{
    static const char *const sums[] = {"mov", "add", "sub", "neg", "cvt", "cvta", "selp", NULL};
    static const char *const products[] = {"mul", "mad", "shl", "mul24", "mad24", NULL};
    static const char *const ordered[] = {"min", "max", "shr", "div", NULL};
    PsPtxSliceOrder most = PS_PTX_SETTLED;
    for (guint i = 0; i < part->step.n_from; i++)
        most = MAX(most, of[i]);
    /* fewer than 32 bits overflow within a group */
    if (most == PS_PTX_LOOSE || (n > 1 && most != PS_PTX_LINEAR) ||
        ps_ptx_type_size(part->step.type) < 4)
        return PS_PTX_LOOSE;
    if (is_one_of(opcode, sums))
        return strcmp(opcode, "selp") == 0 && of[2] != PS_PTX_SETTLED ? PS_PTX_LOOSE : most;
    if (is_one_of(opcode, products))
        return of[0] != PS_PTX_SETTLED && of[1] != PS_PTX_SETTLED      ? PS_PTX_LOOSE
               : strcmp(opcode, "shl") == 0 && of[1] != PS_PTX_SETTLED ? PS_PTX_LOOSE
                                                                       : most;
    return is_one_of(opcode, ordered) && n == 1 && of[0] != PS_PTX_SETTLED ? PS_PTX_ORDERED
                                                                           : PS_PTX_LOOSE;
}

void ps_ptx_slice_find_order(const PsPtxSlice *slice, PsPtxSlicePart *part)
{
    const PsPtxStep *step = &part->step;
    const PsPtxMnemonic *mnemonic = slice->machine->code->points[step->point].instruction->mnemonic;
    PsPtxSliceOrder of[PS_PTX_MAX_FROM] = {PS_PTX_SETTLED};
    guint n = 0;
    for (guint i = 0; i < step->n_from; i++) {
        of[i] = order_of_row(slice, part, step->from[i]);
        n += of[i] != PS_PTX_SETTLED;
    }
    gboolean settled = n == 0;
    if (step->guard >= 0) {
        settled = settled && order_of_row(slice, part, (guint)step->guard) == PS_PTX_SETTLED;
        for (guint i = 0; i < step->n_to; i++)
            settled = settled && order_of_row(slice, part, part->old[i]) == PS_PTX_SETTLED;
    }
    if (settled)
        part->order = PS_PTX_SETTLED;
    else if (step->guard >= 0 || part->reads || ps_ptx_has(mnemonic, "hi") ||
             ps_ptx_has(mnemonic, "sat"))
        part->order = PS_PTX_LOOSE;
    else if (strcmp(mnemonic->opcode, "setp") == 0)
        part->order = order_of_setp(part, of);
    else
        part->order = order_of_sum(part, mnemonic->opcode, of, n);
}
