/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cvt of two numbers at once: two singles, or a pair, into a pair of a narrower format, and such
 * pairs back. The first source is the upper one.
 */
#include "ptx/alu/convert.h"

typedef struct {
    const char *part;
    const PsPtxFormat *format;
    guint bits; /* bits of one number of the pair */
} Pair;

typedef struct {
    const Pair *to;
    const Pair *from; /* NULL: the source is two singles */
    PsPtxRounding rounding;
    gboolean relu, satfinite;
} Packing;

static const Pair pairs[] = {
    {"f16x2", &ps_ptx_format_half, 16}, {"bf16x2", &ps_ptx_format_bfloat, 16},
    {"e4m3x2", &ps_ptx_format_e4m3, 8}, {"e5m2x2", &ps_ptx_format_e5m2, 8},
    {"e2m3x2", &ps_ptx_format_e2m3, 8}, {"e3m2x2", &ps_ptx_format_e3m2, 8},
    {"e2m1x2", &ps_ptx_format_e2m1, 4},
};

static double source(const PsPtxWarp *warp, const PsPtxStep *step, guint which, guint lane)
{
    const Packing *packing = step->more;
    if (!packing->from)
        return ps_ptx_single(ps_ptx_source(warp, step, which)[lane]);
    guint bits = packing->from->bits;
    guint64 code = ps_ptx_source(warp, step, 0)[lane] >> (which == 0 ? bits : 0);
    return ps_ptx_decode_format((guint32)(code & (((guint64)1 << bits) - 1)),
                                packing->from->format);
}

static void execute(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Packing *packing = step->more;
    guint64 result[PS_PTX_LANES] = {0};
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        for (guint which = 0; which < 2; which++) {
            double value = source(warp, step, which, lane);
            if (packing->relu && signbit(value) && !isnan(value))
                value = 0;
            guint64 code =
                ps_ptx_encode(value, packing->to->format, packing->rounding, packing->satfinite);
            result[lane] |= code << (which == 0 ? packing->to->bits : 0);
        }
    ps_ptx_give(warp, step->to[0], result, mask);
}

/* Rounds two singles to nearest, without modifiers. */
PS_PTX_EACH_2(halves_of_singles, guint32, guint64,
              ps_ptx_half_bits((double)ps_ptx_single(a)) << 16 |
                  ps_ptx_half_bits((double)ps_ptx_single(b)))
PS_PTX_EACH_2(bfloats_of_singles, guint32, guint64,
              ps_ptx_bfloat_bits((double)ps_ptx_single(a)) << 16 |
                  ps_ptx_bfloat_bits((double)ps_ptx_single(b)))

/* The operation of a usual conversion; NULL: it is another one. */
static const PsPtxOperation *usual(const Packing *packing)
{
    if (packing->from || packing->relu || packing->satfinite || packing->rounding != PS_PTX_NEAREST)
        return NULL;
    return packing->to->format == &ps_ptx_format_half     ? halves_of_singles
           : packing->to->format == &ps_ptx_format_bfloat ? bfloats_of_singles
                                                          : NULL;
}

static const Pair *pair_called(const char *part)
{
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        if (strcmp(pairs[i].part, part) == 0)
            return &pairs[i];
    return NULL;
}

gboolean ps_ptx_convert_packed(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    const Pair *found[2] = {NULL, NULL};
    guint n = 0;
    for (guint i = 0; mnemonic->parts[i] && n < 2; i++) {
        found[n] = pair_called(mnemonic->parts[i]);
        n += found[n] != NULL;
    }
    gboolean singles = ps_ptx_has(mnemonic, "f32");
    if (n != (singles ? 1 : 2) || ps_ptx_has(mnemonic, "rs"))
        return FALSE;
    Packing *packing = g_new0(Packing, 1);
    step->more = packing;
    packing->to = found[0];
    packing->from = found[1];
    packing->rounding = ps_ptx_rounding(mnemonic);
    packing->relu = ps_ptx_has(mnemonic, "relu");
    packing->satfinite = ps_ptx_has(mnemonic, "satfinite");
    if (!ps_ptx_decode_usual(decode, step, singles ? PS_PTX_F32 : PS_PTX_B32) || step->n_to != 1 ||
        step->n_from != (singles ? 2 : 1))
        return ps_ptx_cannot(decode, step, unsupported);
    step->execute = execute;
    if (usual(packing))
        ps_ptx_operate(decode, step, usual(packing));
    return TRUE;
}
