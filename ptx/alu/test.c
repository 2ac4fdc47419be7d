/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * testp: tells the kind of number that a single or double is.
 */
#include "ptx/alu/float.h"

static const struct {
    const char *part;
    guint classes; /* bits of 1 << FP_... */
} tests[] = {
    {"finite", 1 << FP_ZERO | 1 << FP_SUBNORMAL | 1 << FP_NORMAL},
    {"infinite", 1 << FP_INFINITE},
    {"number", 1 << FP_ZERO | 1 << FP_SUBNORMAL | 1 << FP_NORMAL | 1 << FP_INFINITE},
    {"notanumber", 1 << FP_NAN},
    {"normal", 1 << FP_NORMAL},
    {"subnormal", 1 << FP_SUBNORMAL},
};

static void execute_test(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *from = ps_ptx_source(warp, step, 0);
    guint64 result[PS_PTX_LANES];
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
        int class = step->type == PS_PTX_F64 ? fpclassify(ps_ptx_double(from[lane]))
                                             : fpclassify(ps_ptx_single(from[lane]));
        result[lane] = step->kind >> class & 1;
    }
    ps_ptx_give(warp, step->to[0], result, mask);
}

gboolean ps_ptx_test(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    if (strcmp(decode->mnemonic->opcode, "testp") != 0)
        return FALSE;
    step->type = decode->mnemonic->types[0];
    for (guint i = 0; i < G_N_ELEMENTS(tests); i++)
        if (ps_ptx_has(decode->mnemonic, tests[i].part))
            step->kind = tests[i].classes;
    if (step->kind == 0 || !ps_ptx_decode_typed(decode, step, &step->type, 1) || step->n_from != 1)
        return ps_ptx_cannot(decode, step, unsupported);
    step->execute = execute_test;
    return TRUE;
}
