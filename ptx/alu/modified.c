/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * An operation on singles or doubles, with the modifiers around it.
 */
#include "ptx/alu/float.h"
#include "ptx/alu/slow.h"
#include <fenv.h>

typedef struct {
    PsPtxCompute compute;
    PsPtxCompute flush, saturate; /* flush is for singles, saturate for the step's type */
    PsPtxCompute check;           /* finds the way that each lane takes, or NULL */
    PsPtxExecute execute;         /* after the check */
} Modified;

/* Clamps to [0, 1]; NaN and -0.0 become 0.0. */
static inline guint64 unit_single(guint64 bits)
{
    const float value = ps_ptx_single(bits);
    const guint64 most = value > 1 ? 0x3f800000 : bits;
    return value > 0 ? most : 0;
}

static inline guint64 unit_double(guint64 bits)
{
    const double value = ps_ptx_double(bits);
    const guint64 most = value > 1 ? G_GUINT64_CONSTANT(0x3ff0000000000000) : bits;
    return value > 0 ? most : 0;
}

PS_PTX_COMPUTE(flush, ps_ptx_flush_single(a))
PS_PTX_COMPUTE(saturate_f32, unit_single(a))
PS_PTX_COMPUTE(saturate_f64, unit_double(a))

/* Executes the operation with its modifiers, on lanes that hold single or double numbers. */
static void modified(const PsPtxStep *step, guint64 *result, const guint64 *const from[3])
{
    const Modified *operation = step->more;
    const guint64 *source[3] = {from[0], from[1], from[2]};
    guint64 flushed[3][PS_PTX_LANES];
    if ((step->flags & PS_PTX_FTZ) != 0)
        for (guint i = 0; i < step->n_from && i < 3; i++) {
            operation->flush(flushed[i], from[i], from[i], from[i]);
            source[i] = flushed[i];
        }
    if ((step->flags & PS_PTX_ROUNDED) != 0) {
        int was = ps_ptx_set_rounding((PsPtxRounding)step->kind);
        operation->compute(result, source[0], source[1], source[2]);
        fesetround(was);
    } else {
        operation->compute(result, source[0], source[1], source[2]);
    }
    if ((step->flags & PS_PTX_FTZ) != 0)
        operation->flush(result, result, result, result);
    if ((step->flags & PS_PTX_SAT) != 0)
        operation->saturate(result, result, result, result);
}

static void execute_modified(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *const from[3] = {ps_ptx_source(warp, step, 0), ps_ptx_source(warp, step, 1),
                                    ps_ptx_source(warp, step, 2)};
    guint64 result[PS_PTX_LANES];
    modified(step, result, from);
    ps_ptx_give(warp, step->to[0], result, mask);
}

/* .f32x2: executes the low and the high single. */
static void execute_pair(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    guint64 part[3][PS_PTX_LANES];
    const guint64 *const from[3] = {part[0], part[1], part[2]};
    guint64 result[PS_PTX_LANES] = {0};
    guint64 half[PS_PTX_LANES];
    for (guint shift = 0; shift < 64; shift += 32) {
        for (guint i = 0; i < 3; i++)
            for (guint lane = 0; lane < PS_PTX_LANES; lane++)
                part[i][lane] = ps_ptx_source(warp, step, i)[lane] >> shift & G_MAXUINT32;
        modified(step, half, from);
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            result[lane] |= half[lane] << shift;
    }
    ps_ptx_give(warp, step->to[0], result, mask);
}

/* Counts the way that the warp takes: the subroutine if any lane needs it. */
static void execute_checked(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Modified *operation = step->more;
    const guint64 *from[2] = {ps_ptx_source(warp, step, 0), ps_ptx_source(warp, step, 1)};
    guint64 flushed[2][PS_PTX_LANES];
    guint64 ways[PS_PTX_LANES];
    guint64 longest = PS_PTX_WAY_SHORT;
    if ((step->flags & PS_PTX_FTZ) != 0)
        for (guint i = 0; i < 2; i++) {
            operation->flush(flushed[i], from[i], from[i], from[i]);
            from[i] = flushed[i];
        }
    operation->check(ways, from[0], from[1], from[0]);
    for (guint32 rest = mask; rest != 0; rest &= rest - 1)
        longest = MAX(longest, ways[__builtin_ctz(rest)]);
    step->tally->ways[longest]++;
    operation->execute(warp, step, mask);
}

static void check_operands(const PsPtxDecode *decode, PsPtxStep *step)
{
    Modified *operation = step->more;
    const PsPtxOperation *check = ps_ptx_check(decode->mnemonic);
    if (!check)
        return;
    operation->check = check->compute[decode->vectors];
    operation->execute = step->execute;
    step->execute = execute_checked;
    step->tally = g_new0(PsPtxTally, 1);
}

gboolean ps_ptx_float_decode(PsPtxDecode *decode, PsPtxStep *step, const PsPtxOperation *operation,
                             guint n)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    gboolean pair = (step->flags & PS_PTX_PAIR) != 0;
    gboolean directed = (step->flags & PS_PTX_DIRECTED) != 0;
    PsPtxRounding rounding = ps_ptx_rounding(mnemonic);
    step->flags |= (ps_ptx_has(mnemonic, "ftz") && step->type != PS_PTX_F64 ? PS_PTX_FTZ : 0) |
                   (ps_ptx_has(mnemonic, "sat") ? PS_PTX_SAT : 0) |
                   (rounding != PS_PTX_NEAREST && !directed ? PS_PTX_ROUNDED : 0);
    step->kind = rounding;
    if (!ps_ptx_decode_usual(decode, step, pair ? PS_PTX_B64 : step->type) || step->n_to != 1 ||
        step->n_from != n)
        return FALSE;
    Modified *with = g_new0(Modified, 1);
    with->compute = operation->compute[decode->vectors];
    with->flush = flush->compute[decode->vectors];
    with->saturate =
        (step->type == PS_PTX_F64 ? saturate_f64 : saturate_f32)->compute[decode->vectors];
    step->more = with;
    step->execute = pair ? execute_pair : execute_modified;
    if (step->flags == 0)
        ps_ptx_operate(decode, step, operation);
    check_operands(decode, step);
    return TRUE;
}
