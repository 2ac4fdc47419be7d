/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * redux, which reduces a value over lanes, and match, which finds the lanes with equal values.
 */
#include "ptx/alu/lanes.h"
#include "ptx/step/number.h"

typedef enum { ADD, MIN_OF, MAX_OF, AND, OR, XOR } Kind;
enum { ABS_OF = 1, NAN_WINS = 2 };

static guint32 reduced(const PsPtxStep *step, guint32 a, guint32 b)
{
    gboolean is_signed = step->type == PS_PTX_S32;
    gboolean less = is_signed ? (gint32)a < (gint32)b : a < b;
    switch ((Kind)step->kind) {
    case ADD:
        return a + b;
    case MIN_OF:
        return less ? a : b;
    case MAX_OF:
        return less ? b : a;
    case AND:
        return a & b;
    case OR:
        return a | b;
    case XOR:
    default:
        return a ^ b;
    }
}

/* Reduces singles by their bits, which are ordered as integers are; NaN loses, or wins. */
static guint32 reduced_single(const PsPtxStep *step, guint32 a, guint32 b)
{
    gboolean nan_a = isnan(ps_ptx_single(a));
    gboolean nan_b = isnan(ps_ptx_single(b));
    if (nan_a || nan_b) {
        if ((nan_a && nan_b) || (step->flags & NAN_WINS) != 0)
            return PS_PTX_NAN_SINGLE;
        return nan_a ? b : a;
    }
    gint64 rank_a = a >> 31 != 0 ? -(gint64)(a & G_MAXINT32) - 1 : (gint64)a;
    gint64 rank_b = b >> 31 != 0 ? -(gint64)(b & G_MAXINT32) - 1 : (gint64)b;
    return (rank_a < rank_b) == (step->kind == MIN_OF) ? a : b;
}

static guint32 reduction(const PsPtxStep *step, const guint64 *from, guint32 members)
{
    guint32 drop = (step->flags & ABS_OF) != 0 ? (guint32)1 << 31 : 0;
    guint32 result = 0;
    gboolean first = TRUE;
    for (; members != 0; members &= members - 1) {
        guint32 value = (guint32)from[__builtin_ctz(members)] & ~drop;
        if (first)
            result = value;
        else if (step->type == PS_PTX_F32)
            result = reduced_single(step, result, value);
        else
            result = reduced(step, result, value);
        first = FALSE;
    }
    if (step->type == PS_PTX_F32 && isnan(ps_ptx_single(result)))
        return PS_PTX_NAN_SINGLE;
    return result;
}

static void execute_redux(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *from = ps_ptx_source(warp, step, 0);
    const guint64 *members = ps_ptx_source(warp, step, 1);
    guint64 result[PS_PTX_LANES] = {0};
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        result[lane] = lane > 0 && members[lane] == members[lane - 1]
                           ? result[lane - 1]
                           : reduction(step, from, (guint32)members[lane] & mask);
    ps_ptx_give(warp, step->to[0], result, mask);
}

static guint32 same_as(const guint64 *from, guint64 value, guint32 members)
{
    guint32 same = 0;
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        if (from[lane] == value)
            same |= (guint32)1 << lane;
    return same & members;
}

/* kind: 1 for .all, which gives all lanes or none. */
static void execute_match(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *from = ps_ptx_source(warp, step, 0);
    const guint64 *named = ps_ptx_source(warp, step, 1);
    guint64 result[PS_PTX_LANES];
    guint64 predicate[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        guint32 members = (guint32)named[lane] & mask;
        guint32 same = same_as(from, from[lane], members);
        predicate[lane] = same == members;
        result[lane] = step->kind == 0 || same == members ? same : 0;
    }
    ps_ptx_give(warp, step->to[0], result, mask);
    if (step->n_to == 2)
        ps_ptx_give(warp, step->to[1], predicate, mask);
}

static gboolean decode_match(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    const PsPtxType types[2] = {mnemonic->types[0], PS_PTX_B32};
    step->kind = ps_ptx_has(mnemonic, "all") ? 1 : 0;
    if (mnemonic->n_types != 1 || !ps_ptx_decode_typed(decode, step, types, 2) || step->n_from != 2)
        return ps_ptx_cannot(decode, step, unsupported);
    step->execute = execute_match;
    return TRUE;
}

gboolean ps_ptx_reduce(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const char *const kinds[] = {"add", "min", "max", "and", "or", "xor"};
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    if (strcmp(mnemonic->opcode, "match") == 0)
        return decode_match(decode, step, unsupported);
    if (strcmp(mnemonic->opcode, "redux") != 0)
        return FALSE;
    guint kind = 0;
    while (kind < G_N_ELEMENTS(kinds) && !ps_ptx_has(mnemonic, kinds[kind]))
        kind++;
    step->type = mnemonic->types[0];
    step->kind = kind;
    step->flags =
        (ps_ptx_has(mnemonic, "abs") ? ABS_OF : 0) | (ps_ptx_has(mnemonic, "NaN") ? NAN_WINS : 0);
    const PsPtxType types[2] = {step->type, PS_PTX_B32};
    if (kind == G_N_ELEMENTS(kinds) || mnemonic->n_types != 1 ||
        !ps_ptx_decode_typed(decode, step, types, 2) || step->n_from != 2 || step->n_to != 1)
        return ps_ptx_cannot(decode, step, unsupported);
    step->execute = execute_redux;
    return TRUE;
}
