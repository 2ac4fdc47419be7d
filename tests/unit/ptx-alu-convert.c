/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * cvt between all types, with all roundings and modifiers, against exact arithmetic; the 65536
 * halves and bfloats one by one.
 */
#include "tests/help/exact.h"
#include "tests/help/ptx-rows.h"
#include <math.h>
#include <string.h>

#define ROWS 1024

__extension__ typedef __int128 Big;

static const char *const roundings[] = {"rn", "rz", "rm", "rp"};

static guint64 cut(Big value, guint bits)
{
    return (guint64)value & (G_MAXUINT64 >> (64 - bits));
}

static Big integer(guint64 code, guint bits, gboolean is_signed)
{
    Big value = code & (G_MAXUINT64 >> (64 - bits));
    if (is_signed && value >> (bits - 1) != 0)
        value -= (Big)1 << bits;
    return value;
}

static Big clamp(Big value, guint bits, gboolean is_signed)
{
    Big most = ((Big)1 << (bits - (is_signed ? 1 : 0))) - 1;
    Big least = is_signed ? -most - 1 : 0;
    return value < least ? least : value > most ? most : value;
}

static char letter_of(guint bits)
{
    return "hrd"[bits <= 16 ? 0 : bits / 32];
}

typedef struct {
    const char *name;
    guint bits;
    gboolean is_signed;
    const ExactFormat *format; /* NULL: an integer */
} Type;

static const Type integers[] = {{"u8", 8, FALSE, NULL},   {"u16", 16, FALSE, NULL},
                                {"u32", 32, FALSE, NULL}, {"u64", 64, FALSE, NULL},
                                {"s8", 8, TRUE, NULL},    {"s16", 16, TRUE, NULL},
                                {"s32", 32, TRUE, NULL},  {"s64", 64, TRUE, NULL}};
static const Type numbers[] = {{"f16", 16, TRUE, &exact_half},
                               {"bf16", 16, TRUE, &exact_bfloat},
                               {"f32", 32, TRUE, &exact_single},
                               {"f64", 64, TRUE, &exact_double}};

typedef guint64 (*Conversion)(const Type *to, const Type *from, guint64 code, guint option);

/* cvt.MODIFIERS.to.from on random operands. */
static void check(const char *modifiers, const Type *to, const Type *from, Conversion want,
                  guint option)
{
    g_autofree char *body = g_strdup_printf("cvt%s.%s.%s z0, a0;", modifiers, to->name, from->name);
    const char letters[2][2] = {{letter_of(to->bits), '\0'}, {letter_of(from->bits), '\0'}};
    g_autofree guint64 *in = ptx_rows(ROWS, letters[1], to->bits + from->bits * 3 + option);
    g_autofree guint64 *out = g_new0(guint64, ROWS);
    if (!ptx_run(body, letters[0], letters[1], ROWS, in, out))
        return;
    for (guint row = 0; row < ROWS; row++)
        if (!ptx_same(body, 1, &in[row], out[row], want(to, from, in[row], option)))
            return;
}

/* A result of 8 bits is kept in a register of 16, and extended to it. */
static guint64 kept(const Type *to, Big value)
{
    guint bits = MAX(to->bits, 16);
    return cut(integer(cut(value, to->bits), to->bits, to->is_signed), bits);
}

static guint64 from_integer(const Type *to, const Type *from, guint64 code, guint saturate)
{
    Big value = integer(code, from->bits, from->is_signed);
    return kept(to, saturate != 0 ? clamp(value, to->bits, to->is_signed) : value);
}

static void test_integers(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(integers); i++)
        for (guint j = 0; j < G_N_ELEMENTS(integers); j++) {
            check("", &integers[i], &integers[j], from_integer, 0);
            check(".sat", &integers[i], &integers[j], from_integer, 1);
        }
}

/* A wider register takes the sign. */
static guint64 widened(const guint64 *in, gint option)
{
    guint to = (guint)option >> 8, bits = (guint)option & 127;
    gboolean is_signed = (option & 128) != 0;
    return cut(integer(in[0], bits, is_signed), to);
}

static void test_wide_registers(void)
{
    static const PtxCase cases[] = {
        {"cvt.s8.s32 z0, a0;", "r", "r", widened, 32 << 8 | 128 | 8},
        {"cvt.u8.s32 z0, a0;", "r", "r", widened, 32 << 8 | 8},
        {"cvt.s16.s32 z0, a0;", "r", "r", widened, 32 << 8 | 128 | 16},
        {"cvt.s16.u64 z0, a0;", "d", "d", widened, 64 << 8 | 128 | 16},
        {"cvt.s32.s8 z0, a0;", "r", "h", widened, 32 << 8 | 128 | 8},
        {"cvt.u32.u8 z0, a0;", "r", "r", widened, 32 << 8 | 8},
        {"cvt.s64.s8 z0, a0;", "d", "d", widened, 64 << 8 | 128 | 8},
    };
    ptx_check(cases, G_N_ELEMENTS(cases));
}

/* -- numbers to integers: option is the rounding, and 16 for .ftz -- */

static guint64 round_magnitude(guint64 mantissa, guint drop, gboolean negative, guint rounding)
{
    guint64 whole = drop > 63 ? 0 : mantissa >> drop;
    guint64 rest = drop > 63 ? mantissa : mantissa - (whole << drop);
    guint64 half = drop > 63 ? G_MAXUINT64 : drop == 0 ? 1 : (guint64)1 << (drop - 1);
    if (rest == 0)
        return whole;
    switch (rounding) {
    case 0:
        return whole + (rest > half || (rest == half && (whole & 1) != 0) ? 1 : 0);
    case 2:
        return whole + (negative ? 1 : 0);
    case 3:
        return whole + (negative ? 0 : 1);
    default:
        return whole;
    }
}

/* An integral number, or more than 2^64 where it is out of every range. */
static Big integral(const ExactFormat *format, guint64 code, guint rounding)
{
    gboolean negative;
    guint64 mantissa;
    gint exponent;
    Big result = (Big)1 << 66;
    exact_parts(format, code, &negative, &mantissa, &exponent);
    if (exponent < 0)
        result = round_magnitude(mantissa, (guint)-exponent, negative, rounding);
    else if (!exact_is_infinite(format, code) && (mantissa == 0 || exponent < 64))
        result = (Big)mantissa << exponent;
    return negative ? -result : result;
}

static guint64 to_integer(const Type *to, const Type *from, guint64 code, guint option)
{
    if ((option & 16) != 0)
        code = exact_flush(from->format, code);
    if (exact_is_nan(from->format, code)) {
        gboolean wide = to->bits == 64 || from->bits == 64;
        return kept(to, wide ? (Big)1 << (to->bits - 1) : 0);
    }
    return kept(to, clamp(integral(from->format, code, option & 3), to->bits, to->is_signed));
}

static void test_to_integer(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(integers); i++)
        for (guint j = 0; j < G_N_ELEMENTS(numbers); j++)
            for (guint rounding = 0; rounding < 4; rounding++) {
                char modifiers[16];
                g_snprintf(modifiers, sizeof modifiers, ".%si", roundings[rounding]);
                check(modifiers, &integers[i], &numbers[j], to_integer, rounding);
            }
    check(".rpi.ftz", &integers[6], &numbers[2], to_integer, 3 | 16);
    check(".rzi.ftz", &integers[3], &numbers[2], to_integer, 1 | 16);
}

/* -- integers to numbers -- */

static guint64 to_number(const Type *to, const Type *from, guint64 code, guint rounding)
{
    Big value = integer(code, from->bits, from->is_signed);
    return exact_round(to->format, value < 0, (guint64)(value < 0 ? -value : value), 0,
                       (ExactRounding)rounding);
}

static void test_from_integer(void)
{
    for (guint i = 0; i < G_N_ELEMENTS(numbers); i++)
        for (guint j = 0; j < G_N_ELEMENTS(integers); j++)
            for (guint rounding = 0; rounding < 4; rounding++) {
                char modifiers[16];
                g_snprintf(modifiers, sizeof modifiers, ".%s", roundings[rounding]);
                check(modifiers, &numbers[i], &integers[j], to_number, rounding);
            }
}

/* -- numbers to numbers -- */

enum { FTZ = 16, SAT = 32, INTEGRAL = 64, RELU = 128, SATFINITE = 256 };

static guint64 between(const Type *to, const Type *from, guint64 code, guint option)
{
    ExactRounding rounding = (ExactRounding)(option & 7);
    guint64 sign = exact_sign(to->format);
    if ((option & FTZ) != 0 && from->bits == 32)
        code = exact_flush(from->format, code);
    guint64 result = exact_convert(to->format, from->format, code, rounding);
    if (exact_is_nan(from->format, code) && to->bits == 64)
        result = (code & 0x80000000) << 32 | (code & 0x7fffffff) << 29 |
                 G_GUINT64_CONSTANT(0x7ff8000000000000); /* payloads go through */
    if ((option & INTEGRAL) != 0 && !exact_is_nan(from->format, code)) {
        Big whole = integral(from->format, code, option & 3);
        if (whole < ((Big)1 << 60) && whole > -((Big)1 << 60))
            result = exact_round(to->format, whole < 0, (guint64)(whole < 0 ? -whole : whole), 0,
                                 EXACT_NEAREST);
        result |= code & exact_sign(from->format); /* -0.4 becomes -0.0 */
    }
    if ((option & FTZ) != 0 && to->bits == 32)
        result = exact_flush(to->format, result);
    if ((option & SAT) != 0) {
        guint64 unit = (((guint64)1 << (to->format->exponent - 1)) - 1) << to->format->mantissa;
        result = exact_is_nan(to->format, result) || (result & sign) != 0 ? 0 : MIN(result, unit);
    }
    if ((option & RELU) != 0 && !exact_is_nan(to->format, result) && (result & sign) != 0)
        result = 0;
    if ((option & SATFINITE) != 0 && exact_is_infinite(to->format, result))
        result--;
    return result;
}

static void test_between(void)
{
    static const struct {
        guint to, from;
    } pairs[] = {{2, 0}, {2, 1}, {0, 2}, {1, 2}, {0, 3}, {1, 3}, {2, 3}};
    for (guint i = 0; i < G_N_ELEMENTS(pairs); i++)
        for (guint rounding = 0; rounding < 4; rounding++) {
            char modifiers[24];
            g_snprintf(modifiers, sizeof modifiers, ".%s", roundings[rounding]);
            check(modifiers, &numbers[pairs[i].to], &numbers[pairs[i].from], between, rounding);
        }
    check("", &numbers[3], &numbers[2], between, 0);
    check("", &numbers[2], &numbers[0], between, 0);
    check(".ftz", &numbers[3], &numbers[2], between, FTZ);
    check(".rn.ftz", &numbers[2], &numbers[3], between, FTZ);
    check(".rz.ftz.sat", &numbers[2], &numbers[3], between, 1 | FTZ | SAT);
    check(".rn.ftz", &numbers[0], &numbers[2], between, FTZ);
    check(".rn.sat", &numbers[0], &numbers[2], between, SAT);
    check(".sat", &numbers[2], &numbers[2], between, SAT);
    check(".rn.relu", &numbers[0], &numbers[2], between, RELU);
    check(".rn.relu", &numbers[1], &numbers[2], between, RELU);
    check(".rz.relu.satfinite", &numbers[1], &numbers[2], between, 1 | RELU | SATFINITE);
    check(".rn.satfinite", &numbers[0], &numbers[2], between, SATFINITE);
    for (guint rounding = 0; rounding < 4; rounding++) {
        char modifiers[24];
        g_snprintf(modifiers, sizeof modifiers, ".%si", roundings[rounding]);
        check(modifiers, &numbers[2], &numbers[2], between, rounding | INTEGRAL);
        check(modifiers, &numbers[0], &numbers[0], between, rounding | INTEGRAL);
    }
}

/* -- every half and bfloat -- */

static void check_all(const char *body, char to, Conversion want, const Type *type)
{
    static const Type single = {"f32", 32, TRUE, &exact_single};
    enum { ALL = 65536 };
    const char letters[] = {to, '\0'};
    g_autofree guint64 *in = g_new0(guint64, ALL);
    g_autofree guint64 *out = g_new0(guint64, ALL);
    for (guint i = 0; i < ALL; i++)
        in[i] = i;
    if (!ptx_run(body, letters, "h", ALL, in, out))
        return;
    for (guint i = 0; i < ALL; i++)
        if (!ptx_same(body, 1, &in[i], out[i], want(to == 'r' ? &single : type, type, i, 0)))
            return;
}

/* There and back: the same, all NaN being one. */
static guint64 same(const Type *to, const Type *from, guint64 code, guint option)
{
    (void)from, (void)option;
    return exact_is_nan(to->format, code) ? to->format->nan : code;
}

static void test_every_half(void)
{
    check_all("cvt.f32.f16 z0, a0;", 'r', between, &numbers[0]);
    check_all("cvt.f32.bf16 z0, a0;", 'r', between, &numbers[1]);
    check_all("{.reg .f32 f; cvt.f32.f16 f, a0; cvt.rn.f16.f32 z0, f;}", 'h', same, &numbers[0]);
    check_all("{.reg .f32 f; cvt.f32.bf16 f, a0; cvt.rz.bf16.f32 z0, f;}", 'h', same, &numbers[1]);
    check_all("{.reg .f64 f; cvt.f64.f16 f, a0; cvt.rp.f16.f64 z0, f;}", 'h', same, &numbers[0]);
}

/* -- pairs and small formats -- */

static guint64 pack(const guint64 *in, gint option)
{
    const Type *to = (option & 1024) != 0 ? &numbers[1] : &numbers[0];
    guint flags = (guint)option & 1023;
    return between(to, &numbers[2], in[0], flags) << 16 | between(to, &numbers[2], in[1], flags);
}

static guint64 tf32(const guint64 *in, gint option)
{
    static const ExactFormat format = {8, 10, 0x3ffff};
    static const Type type = {"tf32", 19, TRUE, &format};
    if (exact_is_nan(&exact_single, in[0]))
        return 0x7fffffff;
    return between(&type, &numbers[2], in[0], (guint)option) << 13;
}

/* The nearest of all numbers of a format of eight bits, ties to the even code. */
static guint64 nearest(const double *values, guint n, double value)
{
    guint64 best = 0;
    for (guint i = 1; i < n; i++) {
        double here = fabs(values[i] - fabs(value)), before = fabs(values[best] - fabs(value));
        if (here < before || (here == before && (i & 1) == 0))
            best = i;
    }
    return best;
}

static float single_value(guint64 code)
{
    guint32 word = (guint32)code;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* option: bits of the exponent; 4 is e4m3, 5 is e5m2, 2 is e2m1 */
static guint64 small_code(double value, gint option)
{
    guint mantissa = option == 4 ? 3 : option == 5 ? 2 : 1;
    guint finite = option == 4 ? 0x7f : option == 5 ? 0x7c : 8;
    gint bias = option == 4 ? 7 : option == 5 ? 15 : 1;
    double values[128];
    if (isnan(value))
        return 0x7f >> (option == 2 ? 4 : 0);
    for (guint i = 0; i < finite; i++) {
        gint exponent = (gint)(i >> mantissa);
        double fraction = i & ((1U << mantissa) - 1);
        if (exponent > 0)
            fraction += 1U << mantissa;
        values[i] = ldexp(fraction, MAX(exponent, 1) - bias - (gint)mantissa);
    }
    guint64 sign = signbit(value) ? (guint64)1 << (option == 2 ? 3 : 7) : 0;
    if (fabs(value) >= values[finite - 1])
        return sign | (finite - 1);
    return sign | nearest(values, finite, value);
}

static guint64 small_pair(const guint64 *in, gint option)
{
    guint64 high = small_code(single_value(in[0]), option);
    guint64 low = small_code(single_value(in[1]), option);
    return high << (option == 2 ? 4 : 8) | low;
}

static guint64 small_pair_of_halves(const guint64 *in, gint option)
{
    guint64 high = exact_convert(&exact_single, &exact_half, in[0] >> 16, EXACT_NEAREST);
    guint64 low = exact_convert(&exact_single, &exact_half, in[0] & 0xffff, EXACT_NEAREST);
    return small_code(single_value(high), option) << 8 | small_code(single_value(low), option);
}

/* There and back. */
static guint64 small_same(const guint64 *in, gint option)
{
    guint64 result = 0;
    for (guint shift = 0; shift < 16; shift += 8) {
        guint64 code = in[0] >> shift & 0xff;
        guint64 magnitude = code & 0x7f;
        if (magnitude > (option == 4 ? 0x7e : 0x7c))
            code = 0x7f;
        else if (option == 5 && magnitude == 0x7c)
            code--;
        result |= code << shift;
    }
    return result;
}

static guint64 packed_integers(const guint64 *in, gint option)
{
    guint bits = (guint)option & 31;
    gboolean is_signed = (option & 32) != 0;
    Big a = clamp(integer(in[0], 32, TRUE), bits, is_signed);
    Big b = clamp(integer(in[1], 32, TRUE), bits, is_signed);
    guint64 c = (option & 64) != 0 ? in[2] << (2 * bits) : 0;
    return (guint32)(c | cut(a, bits) << bits | cut(b, bits));
}

enum { SCALE_UP = 1, SCALE_FINITE = 2 };

/* The number of the power of two that a magnitude is rounded to, by comparing it with each. */
static guint64 scale_of(double value, gint option)
{
    const double magnitude = fabs(value);
    if (isnan(value))
        return 0xff;
    guint64 code = 0;
    if (option & SCALE_UP)
        while (code < 0xff && ldexp(1, (gint)code - 127) < magnitude)
            code++;
    else
        while (code < 0xff && ldexp(1, (gint)code + 1 - 127) <= magnitude)
            code++;
    return (option & SCALE_FINITE) ? MIN(code, 0xfe) : code;
}

static guint64 scales(const guint64 *in, gint option)
{
    return scale_of(single_value(in[0]), option) << 8 | scale_of(single_value(in[1]), option);
}

static guint64 scales_of_bfloats(const guint64 *in, gint option)
{
    return scale_of(single_value(in[0] >> 16 << 16), option) << 8 |
           scale_of(single_value(in[0] << 16), option);
}

static guint64 bfloats_of_scales(const guint64 *in, gint option)
{
    guint64 result = 0;
    (void)option;
    for (guint shift = 0; shift < 16; shift += 8) {
        const guint code = in[0] >> shift & 0xff;
        const float power = ldexpf(1, (gint)code - 127);
        guint32 bits;
        memcpy(&bits, &power, sizeof bits);
        result |= (guint64)(code == 0xff ? 0x7fff : bits >> 16) << (2 * shift);
    }
    return result;
}

static void test_scales(void)
{
    static const PtxCase cases[] = {
        {"cvt.rz.ue8m0x2.f32 z0, a0, a1;", "h", "rr", scales, 0},
        {"cvt.rp.ue8m0x2.f32 z0, a0, a1;", "h", "rr", scales, SCALE_UP},
        {"cvt.rz.satfinite.ue8m0x2.f32 z0, a0, a1;", "h", "rr", scales, SCALE_FINITE},
        {"cvt.rp.satfinite.ue8m0x2.f32 z0, a0, a1;", "h", "rr", scales, SCALE_UP | SCALE_FINITE},
        {"cvt.rz.ue8m0x2.bf16x2 z0, a0;", "h", "r", scales_of_bfloats, 0},
        {"cvt.rp.ue8m0x2.bf16x2 z0, a0;", "h", "r", scales_of_bfloats, SCALE_UP},
        {"cvt.rz.satfinite.ue8m0x2.bf16x2 z0, a0;", "h", "r", scales_of_bfloats, SCALE_FINITE},
        {"cvt.rp.satfinite.ue8m0x2.bf16x2 z0, a0;", "h", "r", scales_of_bfloats,
         SCALE_UP | SCALE_FINITE},
        {"cvt.rn.bf16x2.ue8m0x2 z0, a0;", "r", "h", bfloats_of_scales, 0},
    };
    ptx_check(cases, G_N_ELEMENTS(cases));
}

static void test_packed(void)
{
    static const PtxCase cases[] = {
        {"cvt.rn.f16x2.f32 z0, a0, a1;", "r", "rr", pack, 0},
        {"cvt.rz.f16x2.f32 z0, a0, a1;", "r", "rr", pack, 1},
        {"cvt.rn.relu.f16x2.f32 z0, a0, a1;", "r", "rr", pack, RELU},
        {"cvt.rn.bf16x2.f32 z0, a0, a1;", "r", "rr", pack, 1024},
        {"cvt.rz.relu.satfinite.bf16x2.f32 z0, a0, a1;", "r", "rr", pack,
         1024 | 1 | RELU | SATFINITE},
        {"cvt.rna.tf32.f32 z0, a0;", "r", "r", tf32, EXACT_AWAY},
        {"cvt.rn.tf32.f32 z0, a0;", "r", "r", tf32, 0},
        {"cvt.rz.relu.tf32.f32 z0, a0;", "r", "r", tf32, 1 | RELU},
        {"cvt.rna.satfinite.tf32.f32 z0, a0;", "r", "r", tf32, EXACT_AWAY | SATFINITE},
        {"cvt.rn.satfinite.e4m3x2.f32 z0, a0, a1;", "h", "rr", small_pair, 4},
        {"cvt.rn.satfinite.e5m2x2.f32 z0, a0, a1;", "h", "rr", small_pair, 5},
        {"cvt.rn.satfinite.e4m3x2.f16x2 z0, a0;", "h", "r", small_pair_of_halves, 4},
        {"cvt.rn.satfinite.e5m2x2.f16x2 z0, a0;", "h", "r", small_pair_of_halves, 5},
        {"{.reg .b8 b; cvt.rn.satfinite.e2m1x2.f32 b, a0, a1; cvt.u16.u8 z0, b;}", "h", "rr",
         small_pair, 2},
        {"{.reg .b32 f; cvt.rn.f16x2.e4m3x2 f, a0; cvt.rn.satfinite.e4m3x2.f16x2 z0, f;}", "h", "h",
         small_same, 4},
        {"{.reg .b32 f; cvt.rn.f16x2.e5m2x2 f, a0; cvt.rn.satfinite.e5m2x2.f16x2 z0, f;}", "h", "h",
         small_same, 5},
        {"cvt.pack.sat.u16.s32 z0, a0, a1;", "r", "rr", packed_integers, 16},
        {"cvt.pack.sat.s16.s32 z0, a0, a1;", "r", "rr", packed_integers, 16 | 32},
        {"cvt.pack.sat.u8.s32.b32 z0, a0, a1, a2;", "r", "rrr", packed_integers, 8 | 64},
        {"cvt.pack.sat.s4.s32.b32 z0, a0, a1, a2;", "r", "rrr", packed_integers, 4 | 32 | 64},
    };
    ptx_check(cases, G_N_ELEMENTS(cases));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-alu/convert/integers", test_integers);
    g_test_add_func("/ptx-alu/convert/wide-registers", test_wide_registers);
    g_test_add_func("/ptx-alu/convert/to-integer", test_to_integer);
    g_test_add_func("/ptx-alu/convert/from-integer", test_from_integer);
    g_test_add_func("/ptx-alu/convert/between", test_between);
    g_test_add_func("/ptx-alu/convert/every-half", test_every_half);
    g_test_add_func("/ptx-alu/convert/packed", test_packed);
    g_test_add_func("/ptx-alu/convert/scales", test_scales);
    return g_test_run();
}
