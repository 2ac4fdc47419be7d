/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * setp and set: a comparison, combined with a predicate, that becomes a predicate (p, and q, which
 * takes the comparison's opposite) or a number. On a pair of halves setp gives p for the lower and
 * q for the upper one.
 */
#include "ptx/alu/families.h"
#include "ptx/alu/compare.h"

typedef struct {
    PsPtxCompute compute;
    PsPtxCompute combine;  /* combines with the predicate; NULL: there is none, or it changes
                              nothing */
    PsPtxCompute opposite; /* combines the opposite, for q */
    gboolean ftz;
    guint64 yes; /* set: the result that stands for TRUE */
} Comparison;

PS_PTX_EACH_2(both, guint64, guint64, a &b)
PS_PTX_EACH_2(either, guint64, guint64, a | b)
PS_PTX_EACH_2(one_of, guint64, guint64, a ^ b)
PS_PTX_EACH_1(opposite, guint64, guint64, a ^ 1)

static void combine(const PsPtxWarp *warp, const PsPtxStep *step, guint64 *value)
{
    const Comparison *comparison = step->more;
    if (comparison->combine)
        comparison->combine(value, value, ps_ptx_source(warp, step, 2), value);
}

/* The half of a source's lanes that begins at bit `shift`, as singles. */
static void widen(const PsPtxStep *step, guint64 *to, const guint64 *from, guint shift)
{
    const Comparison *comparison = step->more;
    gboolean bfloat = step->type2 == PS_PTX_BF16 || step->type2 == PS_PTX_BF16X2;
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        guint64 bits = from[lane] >> shift & 0xffff;
        if (comparison->ftz)
            bits = bfloat ? ps_ptx_flush_bfloat(bits) : ps_ptx_flush_half(bits);
        to[lane] = ps_ptx_single_raw(bfloat ? ps_ptx_bfloat_value(bits) : ps_ptx_half_value(bits));
    }
}

static gboolean is_narrow(PsPtxType type)
{
    return type >= PS_PTX_F16 && type <= PS_PTX_BF16X2;
}

/* Compares: 0 or 1 per lane, for whole sources or for the halves that begin at bit `shift`. */
static void compare(const PsPtxWarp *warp, const PsPtxStep *step, guint64 *result, guint shift)
{
    const Comparison *comparison = step->more;
    const guint64 *a = ps_ptx_source(warp, step, 0);
    const guint64 *b = ps_ptx_source(warp, step, 1);
    guint64 changed[2][PS_PTX_LANES];
    if (step->type2 == PS_PTX_F32 && comparison->ftz) {
        for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
            changed[0][lane] = ps_ptx_flush_single(a[lane]);
            changed[1][lane] = ps_ptx_flush_single(b[lane]);
        }
        a = changed[0];
        b = changed[1];
    } else if (is_narrow(step->type2)) {
        widen(step, changed[0], a, shift);
        widen(step, changed[1], b, shift);
        a = changed[0];
        b = changed[1];
    }
    comparison->compute(result, a, b, a);
}

static void execute_setp(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Comparison *comparison = step->more;
    guint64 p[PS_PTX_LANES];
    guint64 q[PS_PTX_LANES];
    compare(warp, step, p, 0);
    if (step->n_to == 2)
        comparison->opposite(q, p, p, p);
    combine(warp, step, p);
    if (step->n_to == 2) {
        combine(warp, step, q);
        ps_ptx_give(warp, step->to[1], q, mask);
    }
    ps_ptx_give(warp, step->to[0], p, mask);
}

static void execute_setp_pair(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    guint64 result[2][PS_PTX_LANES];
    for (guint i = 0; i < 2; i++) {
        compare(warp, step, result[i], i * 16);
        combine(warp, step, result[i]);
    }
    for (guint i = 0; i < step->n_to; i++)
        ps_ptx_give(warp, step->to[i], result[i], mask);
}

static void execute_set(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Comparison *comparison = step->more;
    guint64 result[PS_PTX_LANES];
    compare(warp, step, result, 0);
    combine(warp, step, result);
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        result[lane] = result[lane] != 0 ? comparison->yes : 0;
    ps_ptx_give(warp, step->to[0], result, mask);
}

static void execute_set_pair(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Comparison *comparison = step->more;
    guint64 result[PS_PTX_LANES] = {0};
    for (guint i = 0; i < 2; i++) {
        guint64 half[PS_PTX_LANES];
        compare(warp, step, half, i * 16);
        combine(warp, step, half);
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            result[lane] |= half[lane] != 0 ? comparison->yes << (i * 16) : 0;
    }
    ps_ptx_give(warp, step->to[0], result, mask);
}

/* The operation that combines; NULL: there is no predicate to combine with. */
static const PsPtxOperation *combination_of(const PsPtxMnemonic *mnemonic)
{
    return ps_ptx_has(mnemonic, "and")   ? both
           : ps_ptx_has(mnemonic, "or")  ? either
           : ps_ptx_has(mnemonic, "xor") ? one_of
                                         : NULL;
}

/* TRUE if the predicate is a constant that changes nothing, as machine code mostly has it. */
static gboolean changes_nothing(const PsPtxInstruction *instruction,
                                const PsPtxOperation *combination)
{
    const PsPtxOperand *last = &instruction->operands[instruction->n_operands - 1];
    return last->kind == PS_PTX_OPERAND_IMMEDIATE && !last->negated &&
           (last->value != 0) == (combination == both);
}

/* The result that stands for TRUE in a type, or in a half of it where pairs are compared. */
static guint64 yes_of(PsPtxType type, gboolean pair)
{
    switch (type) {
    case PS_PTX_F32:
        return 0x3f800000;
    case PS_PTX_F16:
    case PS_PTX_F16X2:
        return 0x3c00;
    case PS_PTX_BF16:
    case PS_PTX_BF16X2:
        return 0x3f80;
    case PS_PTX_U16:
    case PS_PTX_S16:
        return G_MAXUINT16;
    default:
        return pair ? G_MAXUINT16 : G_MAXUINT32;
    }
}

static PsPtxExecute execute_of(gboolean predicate, gboolean pair)
{
    if (predicate)
        return pair ? execute_setp_pair : execute_setp;
    return pair ? execute_set_pair : execute_set;
}

gboolean ps_ptx_compare(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    gboolean predicate = strcmp(mnemonic->opcode, "setp") == 0;
    if (!predicate && strcmp(mnemonic->opcode, "set") != 0)
        return FALSE;
    if (mnemonic->n_types != (predicate ? 1 : 2))
        return ps_ptx_cannot(decode, step, unsupported);
    gboolean pair = step->type2 == PS_PTX_F16X2 || step->type2 == PS_PTX_BF16X2;
    Comparison *comparison = g_new0(Comparison, 1);
    step->more = comparison;
    const PsPtxOperation *relation = ps_ptx_relation(mnemonic->parts[0], step->type2);
    const PsPtxOperation *combination = combination_of(mnemonic);
    comparison->ftz = ps_ptx_has(mnemonic, "ftz");
    comparison->yes = yes_of(step->type, pair);
    guint n = combination ? 3 : 2;
    const PsPtxType types[3] = {step->type2, step->type2, PS_PTX_PRED};
    if (!relation || !ps_ptx_decode_typed(decode, step, types, 3) || step->n_from != n ||
        (!predicate && step->n_to != 1))
        return ps_ptx_cannot(decode, step, unsupported);
    comparison->compute = relation->compute[decode->vectors];
    comparison->opposite = opposite->compute[decode->vectors];
    if (combination && !changes_nothing(decode->instruction, combination))
        comparison->combine = combination->compute[decode->vectors];
    step->execute = execute_of(predicate, pair);
    const gboolean alone =
        step->n_to == 1 || decode->instruction->operands[1].kind == PS_PTX_OPERAND_SINK;
    if (predicate && !comparison->combine && alone && !comparison->ftz && !is_narrow(step->type2))
        ps_ptx_operate(decode, step, relation);
    return TRUE;
}
