/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Floating-point instructions of PTX against exact arithmetic, with every rounding and modifier.
 */
#include "tests/help/exact.h"
#include "tests/help/ptx-rows.h"
#include <math.h>
#include <string.h>

/* An option packs what a reference must know. */
enum {
    ADD,
    SUB,
    MUL,
    FMA,
    OPERATION = 3,
    ROUNDING = 4, /* times a rounding */
    ROUNDINGS = 7 * 4,
    FTZ = 32,
    SAT = 64,
    RELU = 128
};

static guint64 clamp_unit(const ExactFormat *format, guint64 code)
{
    guint64 unit = (((guint64)1 << (format->exponent - 1)) - 1) << format->mantissa;
    if (exact_is_nan(format, code) || (code & exact_sign(format)) != 0)
        return 0;
    return MIN(code, unit);
}

static guint64 number(const ExactFormat *format, const guint64 *in, gint option)
{
    guint64 a = in[0], b = in[1];
    guint64 c = (option & OPERATION) == FMA ? in[2] : 0;
    ExactRounding rounding = (ExactRounding)((option & ROUNDINGS) / ROUNDING);
    if ((option & FTZ) != 0) {
        a = exact_flush(format, a);
        b = exact_flush(format, b);
        c = exact_flush(format, c);
    }
    guint64 result;
    if ((option & OPERATION) == FMA)
        result = exact_fma(format, a, b, c, rounding);
    else if ((option & OPERATION) == MUL)
        result = exact_mul(format, a, b, rounding);
    else if ((option & OPERATION) == ADD || exact_is_nan(format, b))
        result = exact_add(format, a, b, rounding);
    else
        result = exact_add(format, a, b ^ exact_sign(format), rounding);
    if ((option & FTZ) != 0)
        result = exact_flush(format, result);
    if ((option & RELU) != 0 && !exact_is_nan(format, result) && (result & exact_sign(format)) != 0)
        result = 0;
    return (option & SAT) != 0 ? clamp_unit(format, result) : result;
}

static guint64 single(const guint64 *in, gint option)
{
    return number(&exact_single, in, option);
}

/* NaN among doubles goes through: the first one, quiet. */
static guint64 wide(const guint64 *in, gint option)
{
    guint n = (option & OPERATION) == FMA ? 3 : 2;
    for (guint i = 0; i < n; i++)
        if (exact_is_nan(&exact_double, in[i]))
            return in[i] | (guint64)1 << 51;
    return number(&exact_double, in, option);
}

static guint64 pair_of_singles(const guint64 *in, gint option)
{
    guint64 result = 0;
    for (guint shift = 0; shift < 64; shift += 32) {
        guint64 part[3] = {0};
        for (guint i = 0; i < ((option & OPERATION) == FMA ? 3 : 2); i++)
            part[i] = in[i] >> shift & G_MAXUINT32;
        result |= number(&exact_single, part, option) << shift;
    }
    return result;
}

static void check_operations(const char *type, char letter, PtxReference reference,
                             gboolean can_flush, gboolean can_saturate)
{
    static const char *const names[] = {"add", "sub", "mul", "fma"};
    static const char *const roundings[] = {"rn", "rz", "rm", "rp"};
    for (gint i = 0; i < 4 * 4 * 2 * 2; i++) {
        gint operation = i % 4, rounding = i / 4 % 4, ftz = i / 16 % 2, sat = i / 32;
        if ((ftz != 0 && !can_flush) || (sat != 0 && !can_saturate))
            continue;
        g_autofree char *body = g_strdup_printf(
            "%s.%s%s%s.%s z0, a0, a1%s;", names[operation], roundings[rounding],
            ftz != 0 ? ".ftz" : "", sat != 0 ? ".sat" : "", type, operation == FMA ? ", a2" : "");
        const char to[] = {letter, '\0'};
        char from[] = {letter, letter, letter, '\0'};
        from[operation == FMA ? 3 : 2] = '\0';
        const PtxCase one = {body, to, from, reference,
                             operation | rounding * ROUNDING | (ftz != 0 ? FTZ : 0) |
                                 (sat != 0 ? SAT : 0)};
        ptx_check(&one, 1);
    }
}

static void test_single(void)
{
    check_operations("f32", 'r', single, TRUE, TRUE);
}

static void test_double(void)
{
    check_operations("f64", 'd', wide, FALSE, FALSE);
}

static void test_pairs(void)
{
    check_operations("f32x2", 'd', pair_of_singles, TRUE, FALSE);
}

static guint64 half(const guint64 *in, gint option)
{
    return number(&exact_half, in, option);
}

static guint64 bfloat(const guint64 *in, gint option)
{
    return number(&exact_bfloat, in, option);
}

static guint64 halves(const guint64 *in, gint option, const ExactFormat *format)
{
    guint64 result = 0;
    for (guint shift = 0; shift < 32; shift += 16) {
        guint64 part[3] = {0};
        for (guint i = 0; i < ((option & OPERATION) == FMA ? 3 : 2); i++)
            part[i] = in[i] >> shift & 0xffff;
        result |= number(format, part, option) << shift;
    }
    return result;
}

static guint64 pair_of_halves(const guint64 *in, gint option)
{
    return halves(in, option, &exact_half);
}

static guint64 pair_of_bfloats(const guint64 *in, gint option)
{
    return halves(in, option, &exact_bfloat);
}

/* A code of ones stands for what lies outside a tensor. */
static guint64 out_of_bounds(const guint64 *in, gint option)
{
    return in[0] == 0xffff || in[1] == 0xffff ? 0 : half(in, option);
}

static void test_half(void)
{
    static const PtxCase cases[] = {
        {"add.f16 z0, a0, a1;", "h", "hh", half, ADD},
        {"add.rn.ftz.f16 z0, a0, a1;", "h", "hh", half, ADD | FTZ},
        {"sub.rn.f16 z0, a0, a1;", "h", "hh", half, SUB},
        {"sub.sat.f16 z0, a0, a1;", "h", "hh", half, SUB | SAT},
        {"mul.f16 z0, a0, a1;", "h", "hh", half, MUL},
        {"mul.ftz.sat.f16 z0, a0, a1;", "h", "hh", half, MUL | FTZ | SAT},
        {"fma.rn.f16 z0, a0, a1, a2;", "h", "hhh", half, FMA},
        {"fma.rn.ftz.f16 z0, a0, a1, a2;", "h", "hhh", half, FMA | FTZ},
        {"fma.rn.relu.f16 z0, a0, a1, a2;", "h", "hhh", half, FMA | RELU},
        {"fma.rn.oob.f16 z0, a0, a1, a2;", "h", "hhh", out_of_bounds, FMA},
        {"fma.rn.oob.relu.f16 z0, a0, a1, a2;", "h", "hhh", out_of_bounds, FMA | RELU},
        {"fma.rn.sat.f16 z0, a0, a1, a2;", "h", "hhh", half, FMA | SAT},
        {"add.f16x2 z0, a0, a1;", "r", "rr", pair_of_halves, ADD},
        {"mul.f16x2 z0, a0, a1;", "r", "rr", pair_of_halves, MUL},
        {"fma.rn.f16x2 z0, a0, a1, a2;", "r", "rrr", pair_of_halves, FMA},
        {"fma.rn.relu.f16x2 z0, a0, a1, a2;", "r", "rrr", pair_of_halves, FMA | RELU},
        {"add.bf16 z0, a0, a1;", "h", "hh", bfloat, ADD},
        {"sub.rn.bf16 z0, a0, a1;", "h", "hh", bfloat, SUB},
        {"mul.bf16 z0, a0, a1;", "h", "hh", bfloat, MUL},
        {"fma.rn.bf16 z0, a0, a1, a2;", "h", "hhh", bfloat, FMA},
        {"add.bf16x2 z0, a0, a1;", "r", "rr", pair_of_bfloats, ADD},
        {"fma.rn.bf16x2 z0, a0, a1, a2;", "r", "rrr", pair_of_bfloats, FMA},
    };
    ptx_check(cases, G_N_ELEMENTS(cases));
}

/* A quotient, reciprocal or root that is not of finite numbers. */
static guint64 special_quotient(const ExactFormat *format, guint64 a, guint64 b)
{
    guint64 sign = (a ^ b) & exact_sign(format);
    guint64 magnitude = exact_sign(format) - 1;
    guint64 infinity = (((guint64)1 << format->exponent) - 1) << format->mantissa;
    gboolean a_zero = (a & magnitude) == 0, b_zero = (b & magnitude) == 0;
    gboolean a_infinite = (a & magnitude) == infinity, b_infinite = (b & magnitude) == infinity;
    if (exact_is_nan(format, a) || exact_is_nan(format, b))
        return format->nan;
    if ((a_zero && b_zero) || (a_infinite && b_infinite))
        return format->nan;
    return sign | (a_infinite || b_zero ? infinity : 0);
}

static gboolean right_quotient(const ExactFormat *format, guint64 got, guint64 a, guint64 b,
                               ExactRounding rounding)
{
    guint64 magnitude = exact_sign(format) - 1;
    gboolean special = exact_is_nan(format, a) || exact_is_infinite(format, a) ||
                       exact_is_nan(format, b) || exact_is_infinite(format, b) ||
                       (a & magnitude) == 0 || (b & magnitude) == 0;
    if (!special)
        return exact_is_quotient(format, got, a, b, rounding);
    guint64 want = special_quotient(format, a, b);
    return exact_is_nan(format, want) ? exact_is_nan(format, got) : got == want;
}

static gboolean right_root(const ExactFormat *format, guint64 got, guint64 a,
                           ExactRounding rounding)
{
    guint64 magnitude = exact_sign(format) - 1;
    if ((a & magnitude) == 0)
        return got == a;
    if (exact_is_nan(format, a) || (a & exact_sign(format)) != 0)
        return exact_is_nan(format, got);
    if (exact_is_infinite(format, a))
        return got == a;
    return exact_is_root(format, got, a, rounding);
}

enum { ROWS = 4096 };

static void check_quotients(const char *type, char letter, const ExactFormat *format)
{
    static const char *const names[] = {"div", "rcp", "sqrt"};
    static const char *const roundings[] = {"rn", "rz", "rm", "rp"};
    guint64 unit = (((guint64)1 << (format->exponent - 1)) - 1) << format->mantissa;
    for (guint i = 0; i < 12; i++) {
        guint kind = i / 4;
        ExactRounding rounding = (ExactRounding)(i % 4);
        g_autofree char *body = g_strdup_printf("%s.%s.%s z0, a0%s;", names[kind], roundings[i % 4],
                                                type, kind == 0 ? ", a1" : "");
        const char to[] = {letter, '\0'};
        const char from[] = {letter, letter, '\0'};
        g_autofree guint64 *in = ptx_rows(ROWS, from, i);
        g_autofree guint64 *out = g_new0(guint64, ROWS);
        if (!ptx_run(body, to, from, ROWS, in, out))
            continue;
        for (guint row = 0; row < ROWS; row++) {
            guint64 a = in[row * 2], b = in[row * 2 + 1];
            gboolean right = kind == 0   ? right_quotient(format, out[row], a, b, rounding)
                             : kind == 1 ? right_quotient(format, out[row], unit, a, rounding)
                                         : right_root(format, out[row], a, rounding);
            if (!right) {
                g_test_message("%s of %" G_GINT64_MODIFIER "x %" G_GINT64_MODIFIER
                               "x gives %" G_GINT64_MODIFIER "x",
                               body, a, b, out[row]);
                g_test_fail();
                break;
            }
        }
    }
}

static void test_quotients(void)
{
    check_quotients("f32", 'r', &exact_single);
    check_quotients("f64", 'd', &exact_double);
}

/* -- order -- */

enum { LEAST, GREATEST = 1, NAN_WINS = 2, XORSIGN = 4 };

static double value_of(const ExactFormat *format, guint64 code)
{
    gboolean negative;
    guint64 mantissa;
    gint exponent;
    if (exact_is_nan(format, code))
        return NAN;
    exact_parts(format, code, &negative, &mantissa, &exponent);
    double value =
        exact_is_infinite(format, code) ? (double)INFINITY : ldexp((double)mantissa, exponent);
    return negative ? -value : value;
}

static guint64 ordered(const ExactFormat *format, guint64 a, guint64 b, gint option)
{
    guint64 sign = exact_sign(format);
    guint64 signs = (a ^ b) & sign;
    if ((option & XORSIGN) != 0) {
        a &= sign - 1;
        b &= sign - 1;
    }
    double x = value_of(format, a), y = value_of(format, b);
    guint64 result;
    if (isnan(x) && isnan(y))
        return format == &exact_double ? a | (guint64)1 << 51 : format->nan;
    if (isnan(x) || isnan(y)) {
        if ((option & NAN_WINS) != 0)
            return format->nan;
        result = isnan(x) ? b : a;
    } else if (x == y) {
        gboolean a_least = (a & sign) != 0;
        result = a_least != ((option & GREATEST) != 0) ? a : b;
        if (x != 0)
            result = a;
    } else {
        result = (x < y) != ((option & GREATEST) != 0) ? a : b;
    }
    return (option & XORSIGN) != 0 ? result | signs : result;
}

static guint64 order_single(const guint64 *in, gint option)
{
    if ((option & FTZ) != 0)
        return ordered(&exact_single, exact_flush(&exact_single, in[0]),
                       exact_flush(&exact_single, in[1]), option);
    return ordered(&exact_single, in[0], in[1], option);
}

static guint64 order_three(const guint64 *in, gint option)
{
    guint64 first = ordered(&exact_single, in[0], in[1], option);
    return ordered(&exact_single, first, in[2], option);
}

static guint64 order_double(const guint64 *in, gint option)
{
    return ordered(&exact_double, in[0], in[1], option);
}

static guint64 order_half(const guint64 *in, gint option)
{
    return ordered(&exact_half, in[0], in[1], option);
}

static guint64 order_bfloats(const guint64 *in, gint option)
{
    return ordered(&exact_bfloat, in[0] & 0xffff, in[1] & 0xffff, option) |
           ordered(&exact_bfloat, in[0] >> 16, in[1] >> 16, option) << 16;
}

/* option: bits of the sign, and 128 to clear instead of to flip it. */
static guint64 sign_changed(const guint64 *in, gint option)
{
    guint64 sign = (guint64)1 << (option & 63);
    guint64 both = (option & 64) != 0 ? sign | sign >> 16 : sign;
    return (option & 128) != 0 ? in[0] & ~both : in[0] ^ both;
}

static guint64 sign_copied(const guint64 *in, gint option)
{
    guint64 sign = (guint64)1 << option;
    return (in[0] & sign) | (in[1] & (sign - 1));
}

static guint64 is_kind(const guint64 *in, gint option)
{
    const ExactFormat *format = option >= 8 ? &exact_double : &exact_single;
    gboolean nan = exact_is_nan(format, in[0]), infinite = exact_is_infinite(format, in[0]);
    gboolean zero = (in[0] & (exact_sign(format) - 1)) == 0;
    gboolean tiny = !zero && exact_flush(format, in[0]) != in[0];
    gboolean answers[] = {
        !nan && !infinite, infinite, !nan, nan, !nan && !infinite && !zero && !tiny, tiny};
    return answers[option & 7] ? 1 : 0;
}

static void test_order(void)
{
    static const PtxCase cases[] = {
        {"min.f32 z0, a0, a1;", "r", "rr", order_single, LEAST},
        {"max.f32 z0, a0, a1;", "r", "rr", order_single, GREATEST},
        {"min.ftz.f32 z0, a0, a1;", "r", "rr", order_single, LEAST | FTZ},
        {"max.NaN.f32 z0, a0, a1;", "r", "rr", order_single, GREATEST | NAN_WINS},
        {"min.xorsign.abs.f32 z0, a0, a1;", "r", "rr", order_single, LEAST | XORSIGN},
        {"max.NaN.xorsign.abs.f32 z0, a0, a1;", "r", "rr", order_single,
         GREATEST | NAN_WINS | XORSIGN},
        {"min.f32 z0, a0, a1, a2;", "r", "rrr", order_three, LEAST},
        {"max.NaN.f32 z0, a0, a1, a2;", "r", "rrr", order_three, GREATEST | NAN_WINS},
        {"min.f64 z0, a0, a1;", "d", "dd", order_double, LEAST},
        {"max.f64 z0, a0, a1;", "d", "dd", order_double, GREATEST},
        {"min.f16 z0, a0, a1;", "h", "hh", order_half, LEAST},
        {"max.NaN.f16 z0, a0, a1;", "h", "hh", order_half, GREATEST | NAN_WINS},
        {"max.xorsign.abs.f16 z0, a0, a1;", "h", "hh", order_half, GREATEST | XORSIGN},
        {"max.bf16x2 z0, a0, a1;", "r", "rr", order_bfloats, GREATEST},
        {"min.NaN.bf16x2 z0, a0, a1;", "r", "rr", order_bfloats, LEAST | NAN_WINS},
        {"neg.f32 z0, a0;", "r", "r", sign_changed, 31},
        {"abs.f32 z0, a0;", "r", "r", sign_changed, 31 | 128},
        {"neg.f64 z0, a0;", "d", "d", sign_changed, 63},
        {"abs.f64 z0, a0;", "d", "d", sign_changed, 63 | 128},
        {"neg.f16 z0, a0;", "h", "h", sign_changed, 15},
        {"abs.bf16 z0, a0;", "h", "h", sign_changed, 15 | 128},
        {"neg.f16x2 z0, a0;", "r", "r", sign_changed, 31 | 64},
        {"abs.bf16x2 z0, a0;", "r", "r", sign_changed, 31 | 64 | 128},
        {"copysign.f32 z0, a0, a1;", "r", "rr", sign_copied, 31},
        {"copysign.f64 z0, a0, a1;", "d", "dd", sign_copied, 63},
        {"testp.finite.f32 z0, a0;", "p", "r", is_kind, 0},
        {"testp.infinite.f32 z0, a0;", "p", "r", is_kind, 1},
        {"testp.number.f32 z0, a0;", "p", "r", is_kind, 2},
        {"testp.notanumber.f32 z0, a0;", "p", "r", is_kind, 3},
        {"testp.normal.f32 z0, a0;", "p", "r", is_kind, 4},
        {"testp.subnormal.f32 z0, a0;", "p", "r", is_kind, 5},
        {"testp.finite.f64 z0, a0;", "p", "d", is_kind, 8},
        {"testp.normal.f64 z0, a0;", "p", "d", is_kind, 12},
        {"testp.subnormal.f64 z0, a0;", "p", "d", is_kind, 13},
    };
    ptx_check(cases, G_N_ELEMENTS(cases));
}

/* -- approximations, which must be as good as the C library's -- */

enum { RCP, SQRT, RSQRT, SIN, COS, LG2, EX2, TANH };

static double function(gint which, double x)
{
    switch (which) {
    case RCP:
        return 1 / x;
    case SQRT:
        return sqrt(x);
    case RSQRT:
        return 1 / sqrt(x);
    case SIN:
        return sin(x);
    case COS:
        return cos(x);
    case LG2:
        return log2(x);
    case EX2:
        return exp2(x);
    default:
        return tanh(x);
    }
}

static guint64 to_format(const ExactFormat *format, double value)
{
    guint64 bits;
    memcpy(&bits, &value, sizeof bits);
    return exact_convert(format, &exact_double, bits, EXACT_NEAREST);
}

static guint64 approximation(const guint64 *in, gint option)
{
    guint64 a = (option & FTZ) != 0 ? exact_flush(&exact_single, in[0]) : in[0];
    guint64 result = to_format(&exact_single, function(option & 7, value_of(&exact_single, a)));
    return (option & FTZ) != 0 ? exact_flush(&exact_single, result) : result;
}

static guint64 approximation_half(const guint64 *in, gint option)
{
    return to_format(&exact_half, function(option, value_of(&exact_half, in[0])));
}

static guint64 approximation_bfloats(const guint64 *in, gint option)
{
    guint64 low = in[0] & 0xffff, high = in[0] >> 16;
    return to_format(&exact_bfloat, function(option, value_of(&exact_bfloat, low))) |
           to_format(&exact_bfloat, function(option, value_of(&exact_bfloat, high))) << 16;
}

/* A reciprocal whose relative error is at most 2^-20 for numbers that do not come near overflow. */
static void test_upper(void)
{
    static const char *const bodies[] = {"rcp.approx.ftz.f64 z0, a0;",
                                         "rsqrt.approx.ftz.f64 z0, a0;"};
    for (guint i = 0; i < 2; i++) {
        g_autoptr(GRand) rand = g_rand_new_with_seed(i);
        guint64 in[256];
        guint64 out[256];
        for (guint j = 0; j < 256; j++) {
            double value = exp2(g_rand_double_range(rand, -900, 900));
            memcpy(&in[j], &value, sizeof value);
        }
        if (!ptx_run(bodies[i], "d", "d", 256, in, out))
            continue;
        for (guint j = 0; j < 256; j++) {
            double x, y;
            memcpy(&x, &in[j], sizeof x);
            memcpy(&y, &out[j], sizeof y);
            double error = i == 0 ? x * y - 1 : x * y * y - 1;
            g_assert_cmpuint(out[j] & G_MAXUINT32, ==, 0);
            g_assert_cmpfloat(fabs(error), <, 0x1p-18);
        }
    }
}

static void test_approximations(void)
{
    static const PtxCase cases[] = {
        {"rcp.approx.f32 z0, a0;", "r", "r", approximation, RCP},
        {"rcp.approx.ftz.f32 z0, a0;", "r", "r", approximation, RCP | FTZ},
        {"sqrt.approx.f32 z0, a0;", "r", "r", approximation, SQRT},
        {"sqrt.approx.ftz.f32 z0, a0;", "r", "r", approximation, SQRT | FTZ},
        {"rsqrt.approx.f32 z0, a0;", "r", "r", approximation, RSQRT},
        {"rsqrt.approx.ftz.f32 z0, a0;", "r", "r", approximation, RSQRT | FTZ},
        {"sin.approx.f32 z0, a0;", "r", "r", approximation, SIN},
        {"cos.approx.ftz.f32 z0, a0;", "r", "r", approximation, COS | FTZ},
        {"lg2.approx.f32 z0, a0;", "r", "r", approximation, LG2},
        {"lg2.approx.ftz.f32 z0, a0;", "r", "r", approximation, LG2 | FTZ},
        {"ex2.approx.f32 z0, a0;", "r", "r", approximation, EX2},
        {"ex2.approx.ftz.f32 z0, a0;", "r", "r", approximation, EX2 | FTZ},
        {"tanh.approx.f32 z0, a0;", "r", "r", approximation, TANH},
        {"tanh.approx.f16 z0, a0;", "h", "h", approximation_half, TANH},
        {"ex2.approx.f16 z0, a0;", "h", "h", approximation_half, EX2},
        {"tanh.approx.bf16x2 z0, a0;", "r", "r", approximation_bfloats, TANH},
    };
    ptx_check(cases, G_N_ELEMENTS(cases));
}

/* A sum of a half and a single. */
static guint64 mixed_sum(const guint64 *in, gint option)
{
    const ExactFormat *narrow = option == 0 ? &exact_half : &exact_bfloat;
    guint64 a = exact_convert(&exact_single, narrow, in[0], EXACT_NEAREST);
    return exact_add(&exact_single, a, in[1], EXACT_NEAREST);
}

static guint64 mixed_fma(const guint64 *in, gint option)
{
    (void)option;
    guint64 a = exact_convert(&exact_single, &exact_half, in[0], EXACT_ZERO);
    guint64 b = exact_convert(&exact_single, &exact_half, in[1], EXACT_ZERO);
    return exact_fma(&exact_single, a, b, in[2], EXACT_ZERO);
}

static void test_mixed(void)
{
    static const PtxCase cases[] = {
        {"add.f32.f16 z0, a0, a1;", "r", "hr", mixed_sum, 0},
        {"add.rn.f32.bf16 z0, a0, a1;", "r", "hr", mixed_sum, 1},
        {"fma.rz.f32.f16 z0, a0, a1, a2;", "r", "hhr", mixed_fma, 0},
    };
    ptx_check(cases, G_N_ELEMENTS(cases));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-alu/float/single", test_single);
    g_test_add_func("/ptx-alu/float/double", test_double);
    g_test_add_func("/ptx-alu/float/pairs", test_pairs);
    g_test_add_func("/ptx-alu/float/half", test_half);
    g_test_add_func("/ptx-alu/float/quotients", test_quotients);
    g_test_add_func("/ptx-alu/float/order", test_order);
    g_test_add_func("/ptx-alu/float/approximations", test_approximations);
    g_test_add_func("/ptx-alu/float/upper", test_upper);
    g_test_add_func("/ptx-alu/float/mixed", test_mixed);
    return g_test_run();
}
