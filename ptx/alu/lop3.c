/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * lop3: any function of three bits, given by the table of its eight results. The form with a
 * predicate combines `the result is not zero` with a source predicate.
 */
#include "ptx/alu/bits.h"

/* The table is an immediate, the same for all lanes. */
static void look_up(const PsPtxWarp *warp, const PsPtxStep *step, guint64 result[PS_PTX_LANES])
{
    const guint64 *a = ps_ptx_source(warp, step, 0);
    const guint64 *b = ps_ptx_source(warp, step, 1);
    const guint64 *c = ps_ptx_source(warp, step, 2);
    guint table = (guint)ps_ptx_source(warp, step, 3)[0];
    memset(result, 0, PS_PTX_LANES * sizeof *result);
    for (guint i = 0; i < 8; i++) {
        guint32 not_a = (i & 4) != 0 ? 0 : G_MAXUINT32;
        guint32 not_b = (i & 2) != 0 ? 0 : G_MAXUINT32;
        guint32 not_c = (i & 1) != 0 ? 0 : G_MAXUINT32;
        if ((table >> i & 1) == 0)
            continue;
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            result[lane] |= (guint32)((a[lane] ^ not_a) & (b[lane] ^ not_b) & (c[lane] ^ not_c));
    }
}

static void execute_lop3(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    guint64 result[PS_PTX_LANES];
    look_up(warp, step, result);
    ps_ptx_give(warp, step->to[0], result, mask);
}

enum { AND, OR };

static void execute_with_predicate(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *other = ps_ptx_source(warp, step, 4);
    guint64 result[PS_PTX_LANES];
    guint64 predicate[PS_PTX_LANES];
    look_up(warp, step, result);
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        guint64 some = result[lane] != 0;
        predicate[lane] = step->kind == AND ? some & other[lane] : some | other[lane];
    }
    ps_ptx_give(warp, step->to[0], result, mask);
    ps_ptx_give(warp, step->to[1], predicate, mask);
}

gboolean ps_ptx_lop3(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    static const PsPtxType types[] = {PS_PTX_B32, PS_PTX_B32, PS_PTX_B32, PS_PTX_B32, PS_PTX_PRED};
    const PsPtxInstruction *instruction = decode->instruction;
    if (strcmp(decode->mnemonic->opcode, "lop3") != 0)
        return FALSE;
    gboolean both = instruction->pair != 0;
    if (!ps_ptx_decode_typed(decode, step, types, G_N_ELEMENTS(types)) ||
        step->n_from != (both ? 5 : 4) || step->n_to != (both ? 2 : 1))
        return ps_ptx_cannot(decode, step, unsupported);
    step->type = PS_PTX_B32;
    step->kind = ps_ptx_has(decode->mnemonic, "and") ? AND : OR;
    step->execute = both ? execute_with_predicate : execute_lop3;
    return TRUE;
}
