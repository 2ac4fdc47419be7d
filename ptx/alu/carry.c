/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Extended precision: additions, subtractions and products that set (.cc) or take (addc, subc,
 * madc) the thread's carry flag. A warp keeps one bit of it per lane. A subtraction's carry is its
 * borrow.
 */
#include "ptx/alu/integer.h"

__extension__ typedef unsigned __int128 Unsigned128;
__extension__ typedef __int128 Signed128;

enum { TAKES = 1, SETS = 2, WIDE = 4, SIGNED = 8 };
enum { ADD, SUB, MAD_LO, MAD_HI };

/* The half of the product that is added: 32 or 64 bits. */
static guint64 product(const PsPtxStep *step, guint64 a, guint64 b)
{
    gboolean is_signed = (step->flags & SIGNED) != 0;
    if ((step->flags & WIDE) == 0) {
        guint64 all = is_signed ? (guint64)(ps_ptx_signed(a, 32) * ps_ptx_signed(b, 32))
                                : (guint64)(guint32)a * (guint32)b;
        return step->kind == MAD_HI ? all >> 32 : (guint32)all;
    }
    Unsigned128 all =
        is_signed ? (Unsigned128)((Signed128)(gint64)a * (gint64)b) : (Unsigned128)a * b;
    return (guint64)(step->kind == MAD_HI ? all >> 64 : all);
}

static void execute_carry(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    gboolean wide = (step->flags & WIDE) != 0;
    guint64 most = wide ? G_MAXUINT64 : G_MAXUINT32;
    guint64 result[PS_PTX_LANES];
    guint32 carries = 0;
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        guint64 a = ps_ptx_source(warp, step, 0)[lane] & most;
        guint64 b = ps_ptx_source(warp, step, 1)[lane] & most;
        guint in = (step->flags & TAKES) != 0 ? warp->carry >> lane & 1 : 0;
        if (step->kind >= MAD_LO) {
            a = product(step, a, b);
            b = ps_ptx_source(warp, step, 2)[lane] & most;
        }
        guint64 sum = (step->kind == SUB ? a - b - in : a + b + in) & most;
        gboolean out =
            step->kind == SUB ? a < b || (a == b && in != 0) : sum < a || (sum == a && b != 0);
        carries |= (guint32)out << lane;
        result[lane] = sum;
    }
    if ((step->flags & SETS) != 0)
        warp->carry = (warp->carry & ~mask) | (carries & mask);
    ps_ptx_give(warp, step->to[0], result, mask);
}

static guint kind_of(const PsPtxMnemonic *mnemonic)
{
    if (g_str_has_prefix(mnemonic->opcode, "sub"))
        return SUB;
    if (g_str_has_prefix(mnemonic->opcode, "add"))
        return ADD;
    return ps_ptx_has(mnemonic, "hi") ? MAD_HI : MAD_LO;
}

gboolean ps_ptx_carry(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const char *const taking[] = {"addc", "subc", "madc", NULL};
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    gboolean takes = ps_ptx_opcode_in(decode, taking);
    gboolean sets = ps_ptx_has(mnemonic, "cc");
    PsPtxType type = mnemonic->types[0];
    if (!takes && !sets)
        return FALSE;
    step->kind = kind_of(mnemonic);
    step->type = type;
    step->flags = (takes ? TAKES : 0) | (sets ? SETS : 0) |
                  (ps_ptx_type_size(type) == 8 ? WIDE : 0) |
                  (type == PS_PTX_S32 || type == PS_PTX_S64 ? SIGNED : 0);
    if (ps_ptx_type_size(type) < 4 || !ps_ptx_decode_usual(decode, step, type) || step->n_to != 1 ||
        step->n_from != (step->kind >= MAD_LO ? 3 : 2))
        return ps_ptx_cannot(decode, step, unsupported);
    step->execute = execute_carry;
    return TRUE;
}
