/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sums, products and quotients of singles and doubles. Their operands come from memory after the
 * rounding is set and their results go there before it is restored, so that the compiler, which
 * knows nothing of roundings, cannot move them across. Approximate quotients are exact ones. Sums
 * and products of singles need no such mode (directed.h).
 */
#include "ptx/alu/directed.h"
#include "ptx/alu/float.h"

/* Rounds to nearest: a double holds the product exactly, and the sum with a bit that stands for the
 * rest; this is faster than the C library's function. */
static inline float nearest_fma(guint64 a, guint64 b, guint64 c)
{
    double product = (double)ps_ptx_single(a) * (double)ps_ptx_single(b);
    return (float)ps_ptx_sum_odd(product, (double)ps_ptx_single(c));
}

static inline float rounded_fma(guint64 a, guint64 b, guint64 c)
{
    return fmaf(ps_ptx_single(a), ps_ptx_single(b), ps_ptx_single(c));
}

/* The bits of a result. A NaN among the sources goes through as a quiet one, the first of several;
 * an operation without a result, such as 0 * infinity, gives the NaN whose sign is set. */
static inline guint64 double_bits(double value, guint64 a, guint64 b, guint64 c)
{
    if (value == value)
        return ps_ptx_double_raw(value);
    const guint64 quiet = G_GUINT64_CONSTANT(0x0008000000000000);
    if (isnan(ps_ptx_double(a)))
        return a | quiet;
    if (isnan(ps_ptx_double(b)))
        return b | quiet;
    return isnan(ps_ptx_double(c)) ? c | quiet : PS_PTX_NAN_DOUBLE;
}

PS_PTX_COMPUTE(add_f32, ps_ptx_single_bits(ps_ptx_single(a) + ps_ptx_single(b)))
PS_PTX_COMPUTE(sub_f32, ps_ptx_single_bits(ps_ptx_single(a) - ps_ptx_single(b)))
PS_PTX_COMPUTE(mul_f32, ps_ptx_single_bits(ps_ptx_single(a) * ps_ptx_single(b)))
PS_PTX_COMPUTE(div_f32, ps_ptx_single_bits(ps_ptx_single(a) / ps_ptx_single(b)))
PS_PTX_OPERATION(fma_f32, guint64, guint64, ps_ptx_single_bits(nearest_fma(a, b, c)),
                 ps_ptx_single_bits(rounded_fma(a, b, c)))
PS_PTX_COMPUTE(neg_f32, a ^ 0x80000000)
PS_PTX_COMPUTE(abs_f32, a & 0x7fffffff)

PS_PTX_COMPUTE(add_f64, double_bits(ps_ptx_double(a) + ps_ptx_double(b), a, b, 0))
PS_PTX_COMPUTE(sub_f64, double_bits(ps_ptx_double(a) - ps_ptx_double(b), a, b, 0))
PS_PTX_COMPUTE(mul_f64, double_bits(ps_ptx_double(a) * ps_ptx_double(b), a, b, 0))
PS_PTX_COMPUTE(div_f64, double_bits(ps_ptx_double(a) / ps_ptx_double(b), a, b, 0))
PS_PTX_COMPUTE(fma_f64,
               double_bits(fma(ps_ptx_double(a), ps_ptx_double(b), ps_ptx_double(c)), a, b, c))
PS_PTX_COMPUTE(neg_f64, a ^ ~(guint64)G_MAXINT64)
PS_PTX_COMPUTE(abs_f64, a &G_MAXINT64)

/* The operations on singles, each with the rounding in its name. */
#define DIRECTED(NAME, HOW)                                                                        \
    PS_PTX_COMPUTE(add_##NAME, ps_ptx_directed_sum(ps_ptx_single(a), ps_ptx_single(b), HOW))       \
    PS_PTX_COMPUTE(sub_##NAME, ps_ptx_directed_sum(ps_ptx_single(a), -ps_ptx_single(b), HOW))      \
    PS_PTX_COMPUTE(mul_##NAME, ps_ptx_directed(ps_ptx_product(a, b), HOW))                         \
    PS_PTX_COMPUTE(fma_##NAME,                                                                     \
                   ps_ptx_directed_sum(ps_ptx_product(a, b), (double)ps_ptx_single(c), HOW))

DIRECTED(zero, PS_PTX_ZERO)
DIRECTED(down, PS_PTX_DOWN)
DIRECTED(up, PS_PTX_UP)

/* Operations by rounding, from PS_PTX_ZERO on. */
static const struct {
    const char *opcode;
    const PsPtxOperation *operation[3];
} directed[] = {
    {"add", {add_zero, add_down, add_up}}, {"sub", {sub_zero, sub_down, sub_up}},
    {"mul", {mul_zero, mul_down, mul_up}}, {"fma", {fma_zero, fma_down, fma_up}},
    {"mad", {fma_zero, fma_down, fma_up}},
};

/* The operation with its own rounding; NULL: it rounds to nearest, or in a mode of the C
 * library. */
static const PsPtxOperation *directed_of(const PsPtxMnemonic *mnemonic, PsPtxType type)
{
    const PsPtxRounding rounding = ps_ptx_rounding(mnemonic);
    for (guint i = 0; type == PS_PTX_F32 && i < G_N_ELEMENTS(directed); i++)
        if (rounding >= PS_PTX_ZERO && rounding <= PS_PTX_UP &&
            strcmp(directed[i].opcode, mnemonic->opcode) == 0)
            return directed[i].operation[rounding - PS_PTX_ZERO];
    return NULL;
}

static const struct {
    const char *opcode;
    guint n;
    const PsPtxOperation *single, *wide;
} table[] = {
    {"add", 2, add_f32, add_f64}, {"sub", 2, sub_f32, sub_f64}, {"mul", 2, mul_f32, mul_f64},
    {"fma", 3, fma_f32, fma_f64}, {"mad", 3, fma_f32, fma_f64}, {"div", 2, div_f32, div_f64},
    {"neg", 1, neg_f32, neg_f64}, {"abs", 1, abs_f32, abs_f64},
};

/* add, sub and fma of narrow numbers and a single (.f32.f16): all sources but the last are narrow.
 * They are converted to singles first, which is exact. */
typedef struct {
    PsPtxCompute compute;
} Mixed;

static void execute_mixed(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const Mixed *mixed = step->more;
    guint64 from[3][PS_PTX_LANES];
    guint64 result[PS_PTX_LANES];
    for (guint i = 0; i < 3; i++) {
        const guint64 *source = ps_ptx_source(warp, step, i);
        gboolean narrow = i + 1 < step->n_from;
        for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
            float value = step->type2 == PS_PTX_F16 ? ps_ptx_half_value(source[lane])
                                                    : ps_ptx_bfloat_value(source[lane]);
            from[i][lane] = narrow ? ps_ptx_single_raw(value) : source[lane];
        }
    }
    mixed->compute(result, from[0], from[1], from[2]);
    for (guint lane = 0; lane < PS_PTX_LANES && (step->flags & PS_PTX_SAT) != 0; lane++) {
        float value = ps_ptx_single(result[lane]);
        result[lane] = ps_ptx_single_raw(value > 0 ? MIN(value, 1.0F) : 0.0F);
    }
    ps_ptx_give(warp, step->to[0], result, mask);
}

static gboolean decode_mixed(PsPtxDecode *decode, PsPtxStep *step, const PsPtxOperation *operation,
                             guint n)
{
    const PsPtxType narrow = decode->mnemonic->types[1];
    const PsPtxType types[3] = {narrow, n == 3 ? narrow : PS_PTX_F32, PS_PTX_F32};
    if (!ps_ptx_decode_typed(decode, step, types, 3) || step->n_to != 1 || step->n_from != n)
        return FALSE;
    Mixed *mixed = g_new0(Mixed, 1);
    mixed->compute = operation->compute[decode->vectors];
    step->more = mixed;
    step->type2 = narrow;
    step->kind = ps_ptx_rounding(decode->mnemonic);
    step->flags = ps_ptx_has(decode->mnemonic, "sat") ? PS_PTX_SAT : 0;
    step->execute = execute_mixed;
    return TRUE;
}

gboolean ps_ptx_arithmetic(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    gboolean pair = ps_ptx_has(mnemonic, "f32x2");
    step->type = pair ? PS_PTX_F32 : mnemonic->types[0];
    step->flags = pair ? PS_PTX_PAIR : 0;
    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        if (strcmp(table[i].opcode, mnemonic->opcode) != 0)
            continue;
        const PsPtxOperation *operation =
            step->type == PS_PTX_F64 ? table[i].wide : table[i].single;
        const PsPtxOperation *own = directed_of(mnemonic, step->type);
        step->flags |= own ? PS_PTX_DIRECTED : 0;
        gboolean mixed = mnemonic->n_types == 2 &&
                         (mnemonic->types[1] == PS_PTX_F16 || mnemonic->types[1] == PS_PTX_BF16);
        operation = own ? own : operation;
        gboolean good = mixed ? decode_mixed(decode, step, operation, table[i].n)
                              : ps_ptx_float_decode(decode, step, operation, table[i].n);
        return good || ps_ptx_cannot(decode, step, unsupported);
    }
    return FALSE;
}
