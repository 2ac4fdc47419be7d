/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Halves and bfloats, alone and in pairs. Each is computed as a double and rounded once, to nearest
 * (see number.h); tanh and ex2 are the C library's.
 */
#include "idg/ptx/alu/float.h"

typedef enum { ADD, SUB, MUL, FMA, MIN_OF, MAX_OF, NEG, ABS_OF, TANH, EX2 } Kind;

enum { BFLOAT = 64, PAIRED = 128, NAN_WINS = 256, XORSIGN = 512, OUT_OF_BOUNDS = 1024 };

static double value_of(const PsPtxStep *step, guint64 bits)
{
    return (step->flags & BFLOAT) != 0 ? ps_ptx_bfloat_value(bits) : ps_ptx_half_value(bits);
}

static guint64 flushed(const PsPtxStep *step, guint64 bits)
{
    if ((step->flags & PS_PTX_FTZ) == 0)
        return bits;
    return (step->flags & BFLOAT) != 0 ? ps_ptx_flush_bfloat(bits) : ps_ptx_flush_half(bits);
}

/* Bits of the least or greatest. */
static guint64 chosen(const PsPtxStep *step, guint64 a, guint64 b, gboolean greatest)
{
    gboolean nan_a = isnan(value_of(step, a));
    gboolean nan_b = isnan(value_of(step, b));
    if (nan_a || nan_b) {
        if ((nan_a && nan_b) || (step->flags & NAN_WINS) != 0)
            return PS_PTX_NAN_HALF;
        return nan_a ? b : a;
    }
    /* The order of the bits, which tells -0.0 from 0.0. */
    gint rank_a = (a & 0x8000) != 0 ? -(gint)(a & 0x7fff) - 1 : (gint)a;
    gint rank_b = (b & 0x8000) != 0 ? -(gint)(b & 0x7fff) - 1 : (gint)b;
    return (rank_a > rank_b) == greatest ? a : b;
}

static guint64 chosen_with_sign(const PsPtxStep *step, guint64 a, guint64 b, gboolean greatest)
{
    if ((step->flags & XORSIGN) == 0)
        return chosen(step, a, b, greatest);
    guint64 result = chosen(step, a & 0x7fff, b & 0x7fff, greatest);
    return isnan(value_of(step, result)) ? PS_PTX_NAN_HALF : result | ((a ^ b) & 0x8000);
}

static guint64 rounded(const PsPtxStep *step, double value)
{
    if ((step->flags & PS_PTX_SAT) != 0)
        value = value > 0 ? MIN(value, 1.0) : 0.0;
    const PsPtxFormat *format =
        (step->flags & BFLOAT) != 0 ? &ps_ptx_format_bfloat : &ps_ptx_format_half;
    guint64 bits = ps_ptx_encode(value, format, PS_PTX_NEAREST, FALSE);
    if ((step->flags & PS_PTX_RELU) != 0 && bits >> 15 != 0 && !isnan(value))
        return 0;
    return bits;
}

/* The bits that stand for an operand outside a tensor. */
static gboolean out_of_bounds(const PsPtxStep *step, guint64 a, guint64 b)
{
    return (step->flags & OUT_OF_BOUNDS) != 0 && (a == 0xffff || b == 0xffff);
}

static guint64 computed(const PsPtxStep *step, guint64 a, guint64 b, guint64 c)
{
    double x = value_of(step, a);
    double y = value_of(step, b);
    switch ((Kind)step->kind) {
    case ADD:
        return rounded(step, x + y);
    case SUB:
        return rounded(step, x - y);
    case MUL:
        return rounded(step, x * y);
    case FMA:
        return out_of_bounds(step, a, b) ? 0
                                         : rounded(step, ps_ptx_sum_odd(x * y, value_of(step, c)));
    case MIN_OF:
        return chosen_with_sign(step, a, b, FALSE);
    case MAX_OF:
        return chosen_with_sign(step, a, b, TRUE);
    case NEG:
        return a ^ 0x8000;
    case ABS_OF:
        return a & 0x7fff;
    case TANH:
        return rounded(step, tanh(x));
    case EX2:
    default:
        return rounded(step, exp2(x));
    }
}

static void execute_half(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    const guint64 *a = ps_ptx_source(warp, step, 0);
    const guint64 *b = ps_ptx_source(warp, step, 1);
    const guint64 *c = ps_ptx_source(warp, step, 2);
    guint bits = (step->flags & PAIRED) != 0 ? 32 : 16;
    guint64 result[PS_PTX_LANES] = {0};
    for (guint shift = 0; shift < bits; shift += 16)
        for (guint lane = 0; lane < PS_PTX_LANES; lane++) {
            guint64 half = computed(step, flushed(step, a[lane] >> shift & 0xffff),
                                    flushed(step, b[lane] >> shift & 0xffff),
                                    flushed(step, c[lane] >> shift & 0xffff));
            result[lane] |= flushed(step, half) << shift;
        }
    ps_ptx_give(warp, step->to[0], result, mask);
}

static const struct {
    const char *opcode;
    Kind kind;
    guint n;
} table[] = {{"add", ADD, 2},    {"sub", SUB, 2},    {"mul", MUL, 2}, {"fma", FMA, 3},
             {"min", MIN_OF, 2}, {"max", MAX_OF, 2}, {"neg", NEG, 1}, {"abs", ABS_OF, 1},
             {"tanh", TANH, 1},  {"ex2", EX2, 1}};

static guint flags_of(const PsPtxMnemonic *mnemonic, PsPtxType type)
{
    static const struct {
        const char *part;
        guint flag;
    } parts[] = {{"ftz", PS_PTX_FTZ}, {"sat", PS_PTX_SAT},  {"relu", PS_PTX_RELU},
                 {"NaN", NAN_WINS},   {"xorsign", XORSIGN}, {"oob", OUT_OF_BOUNDS}};
    guint flags = 0;
    for (guint i = 0; i < G_N_ELEMENTS(parts); i++)
        flags |= ps_ptx_has(mnemonic, parts[i].part) ? parts[i].flag : 0;
    if (type == PS_PTX_BF16 || type == PS_PTX_BF16X2)
        flags |= BFLOAT;
    if (type == PS_PTX_F16X2 || type == PS_PTX_BF16X2)
        flags |= PAIRED;
    return flags;
}

gboolean ps_ptx_half(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    PsPtxType type = mnemonic->n_types != 0 ? mnemonic->types[0] : PS_PTX_NO_TYPE;
    if (type < PS_PTX_F16 || type > PS_PTX_BF16X2)
        return FALSE;
    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        if (strcmp(table[i].opcode, mnemonic->opcode) != 0)
            continue;
        step->type = type;
        step->kind = table[i].kind;
        step->flags = flags_of(mnemonic, type);
        if (!ps_ptx_decode_usual(decode, step, type) || step->n_to != 1 ||
            step->n_from != table[i].n)
            return ps_ptx_cannot(decode, step, unsupported);
        step->execute = execute_half;
        return TRUE;
    }
    return FALSE;
}
