/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Halves and bfloats, alone and in pairs. Each is computed as a double and rounded once, to nearest
 * (see number.h); tanh and ex2 are the C library's.
 */
#include "ptx/alu/families.h"
#include "ptx/alu/float.h"

typedef enum { ADD, SUB, MUL, FMA, MIN_OF, MAX_OF, NEG, ABS_OF, TANH, EX2 } Kind;

enum { BFLOAT = 64, PAIRED = 128, NAN_WINS = 256, XORSIGN = 512, OUT_OF_BOUNDS = 1024 };

static double value_of(const PsPtxStep *step, guint64 bits)
{
    return (step->flags & BFLOAT) != 0 ? ps_ptx_bfloat_value(bits) : ps_ptx_half_value(bits);
}

static void flush(const PsPtxStep *step, guint64 *bits)
{
    guint64 exponent = (step->flags & BFLOAT) != 0 ? 0x7f80 : 0x7c00;
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        bits[lane] = (bits[lane] & exponent) == 0 ? bits[lane] & 0x8000 : bits[lane];
}

/* Bits of the lesser or the greater number. */
static guint64 chosen(const PsPtxStep *step, guint64 a, guint64 b, gboolean greatest)
{
    gboolean nan_a = isnan(value_of(step, a));
    gboolean nan_b = isnan(value_of(step, b));
    if (nan_a || nan_b) {
        if ((nan_a && nan_b) || (step->flags & NAN_WINS) != 0)
            return PS_PTX_NAN_HALF;
        return nan_a ? b : a;
    }
    /* the order of the bits, in which -0.0 differs from 0.0 */
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

/* The bits that stand for an operand outside a tensor. */
static gboolean out_of_bounds(const PsPtxStep *step, guint64 a, guint64 b)
{
    return (step->flags & OUT_OF_BOUNDS) != 0 && (a == 0xffff || b == 0xffff);
}

/* Halves of all lanes of the three sources, as bits and as numbers. */
typedef struct {
    guint64 bits[3][PS_PTX_LANES];
    double value[3][PS_PTX_LANES];
} Sources;

static void take(const PsPtxWarp *warp, const PsPtxStep *step, guint shift, Sources *sources)
{
    for (guint i = 0; i < step->n_from; i++) {
        const guint64 *from = ps_ptx_source(warp, step, i);
        guint64 *bits = sources->bits[i];
        double *value = sources->value[i];
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            bits[lane] = from[lane] >> shift & 0xffff;
        if ((step->flags & PS_PTX_FTZ) != 0)
            flush(step, bits);
        if ((step->flags & BFLOAT) != 0)
            for (guint lane = 0; lane < PS_PTX_LANES; lane++)
                value[lane] = ps_ptx_bfloat_value(bits[lane]);
        else
            for (guint lane = 0; lane < PS_PTX_LANES; lane++)
                value[lane] = ps_ptx_half_value(bits[lane]);
    }
}

/* Computes the sum or product to be rounded. FALSE for operations on bits. */
static gboolean compute(const PsPtxStep *step, const Sources *sources, double *to)
{
#define EACH(EXPRESSION)                                                                           \
    for (guint lane = 0; lane < PS_PTX_LANES; lane++) {                                            \
        double a = sources->value[0][lane];                                                        \
        double b = sources->value[1][lane];                                                        \
        double c = sources->value[2][lane];                                                        \
        (void)b, (void)c;                                                                          \
        to[lane] = EXPRESSION;                                                                     \
    }                                                                                              \
    return TRUE
    switch ((Kind)step->kind) {
    case ADD:
        EACH(a + b);
    case SUB:
        EACH(a - b);
    case MUL:
        EACH(a * b);
    case FMA:
        EACH(ps_ptx_sum_odd(a * b, c));
    case TANH:
        EACH(tanh(a));
    case EX2:
        EACH(exp2(a));
    case MIN_OF:
    case MAX_OF:
    case NEG:
    case ABS_OF:
    default:
        return FALSE;
    }
#undef EACH
}

static void round_all(const PsPtxStep *step, const double *value, guint64 *bits)
{
    if ((step->flags & BFLOAT) != 0)
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            bits[lane] = ps_ptx_bfloat_bits(value[lane]);
    else
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            bits[lane] = ps_ptx_half_bits(value[lane]);
}

static guint64 of_bits(const PsPtxStep *step, guint64 a, guint64 b)
{
    switch ((Kind)step->kind) {
    case MIN_OF:
        return chosen_with_sign(step, a, b, FALSE);
    case MAX_OF:
        return chosen_with_sign(step, a, b, TRUE);
    case NEG:
        return a ^ 0x8000;
    default:
        return a & 0x7fff;
    }
}

/* Applies .sat, .relu and .oob to the bits of a result. */
static guint64 limited(const PsPtxStep *step, guint64 bits, guint64 a, guint64 b)
{
    gboolean negative = bits >> 15 != 0;
    gboolean nan = isnan(value_of(step, bits));
    guint64 unit = (step->flags & BFLOAT) != 0 ? 0x3f80 : 0x3c00;
    if (out_of_bounds(step, a, b))
        return 0;
    if ((step->flags & PS_PTX_SAT) != 0)
        return nan || negative ? 0 : MIN(bits, unit);
    return (step->flags & PS_PTX_RELU) != 0 && negative && !nan ? 0 : bits;
}

/* Executes one half of all lanes. */
static void execute_part(const PsPtxWarp *warp, const PsPtxStep *step, guint shift, guint64 *result)
{
    Sources sources = {0};
    double value[PS_PTX_LANES];
    take(warp, step, shift, &sources);
    if (compute(step, &sources, value))
        round_all(step, value, result);
    else
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            result[lane] = of_bits(step, sources.bits[0][lane], sources.bits[1][lane]);
    if ((step->flags & (PS_PTX_SAT | PS_PTX_RELU | OUT_OF_BOUNDS)) != 0)
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            result[lane] =
                limited(step, result[lane], sources.bits[0][lane], sources.bits[1][lane]);
    if ((step->flags & PS_PTX_FTZ) != 0)
        flush(step, result);
}

static void execute_half(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    guint64 result[PS_PTX_LANES];
    execute_part(warp, step, 0, result);
    ps_ptx_give(warp, step->to[0], result, mask);
}

static void execute_pair(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask)
{
    guint64 low[PS_PTX_LANES];
    guint64 high[PS_PTX_LANES];
    execute_part(warp, step, 0, low);
    execute_part(warp, step, 16, high);
    for (guint lane = 0; lane < PS_PTX_LANES; lane++)
        low[lane] |= high[lane] << 16;
    ps_ptx_give(warp, step->to[0], low, mask);
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
        step->execute = (step->flags & PAIRED) != 0 ? execute_pair : execute_half;
        return TRUE;
    }
    return FALSE;
}
