/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tensor-core instructions against plain loops. Where the elements of mma lie is written here as
 * the PTX ISA lists it, shape by shape; the numbers are such that sums are exact, whatever their
 * order.
 */
#include "tests/help/exact.h"
#include "tests/help/ptx-rows.h"
#include <math.h>
#include <string.h>

#define WARPS 4
#define ROWS (WARPS * 32)

typedef enum { F16, BF16, TF32, F32, F64, S8, U8, S4, U4, B1, S32 } Element;

static const guint bits_of[] = {16, 16, 32, 32, 64, 8, 8, 4, 4, 1, 32};

static guint64 code_of_double(const ExactFormat *format, double value)
{
    guint64 bits;
    memcpy(&bits, &value, sizeof bits);
    return format == &exact_double ? bits
                                   : exact_convert(format, &exact_double, bits, EXACT_NEAREST);
}

static double double_of(const ExactFormat *format, guint64 code)
{
    guint64 bits =
        format == &exact_double ? code : exact_convert(&exact_double, format, code, EXACT_NEAREST);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static const ExactFormat *format_of(Element element)
{
    static const ExactFormat *const formats[] = {&exact_half, &exact_bfloat, &exact_single,
                                                 &exact_single, &exact_double};
    return element < G_N_ELEMENTS(formats) ? formats[element] : NULL;
}

static double value_of(Element element, guint64 code)
{
    guint bits = bits_of[element];
    if (format_of(element) != NULL)
        return double_of(format_of(element), code);
    if (element == S8 || element == S4 || element == S32)
        return code >> (bits - 1) != 0 ? (double)code - ldexp(1, (int)bits) : (double)code;
    return (double)code;
}

static guint64 code_of(Element element, double value)
{
    const ExactFormat *format = format_of(element);
    if (format != NULL)
        return code_of_double(format, value);
    return (guint64)(gint64)value & (G_MAXUINT64 >> (64 - bits_of[element]));
}

/* A small number, with some binary places where the type has any. */
static guint64 random_code(GRand *rand, Element element)
{
    const ExactFormat *format = format_of(element);
    if (format != NULL)
        return code_of_double(format, g_rand_int_range(rand, -16, 17) / 4.0);
    if (element == S32)
        return (guint32)g_rand_int_range(rand, -100000, 100000);
    return g_rand_int(rand) & (G_MAXUINT32 >> (32 - bits_of[element]));
}

/* -- where elements lie -- */

typedef void (*Place)(guint lane, guint i, guint *row, guint *column);

/* A of m16n8k16 .f16 and .bf16 */
static void a_16x16(guint lane, guint i, guint *row, guint *column)
{
    *row = lane / 4 + (i < 2 || (i >= 4 && i < 6) ? 0 : 8);
    *column = lane % 4 * 2 + (i & 1) + (i < 4 ? 0 : 8);
}

static void b_16x8(guint lane, guint i, guint *row, guint *column)
{
    *row = lane % 4 * 2 + (i & 1) + (i < 2 ? 0 : 8);
    *column = lane / 4;
}

static void c_16x8(guint lane, guint i, guint *row, guint *column)
{
    *row = lane / 4 + (i < 2 ? 0 : 8);
    *column = lane % 4 * 2 + (i & 1);
}

/* m16n8k8 .f16 */
static void a_16x8(guint lane, guint i, guint *row, guint *column)
{
    *row = lane / 4 + (i < 2 ? 0 : 8);
    *column = lane % 4 * 2 + (i & 1);
}

static void b_8x8(guint lane, guint i, guint *row, guint *column)
{
    *row = lane % 4 * 2 + i;
    *column = lane / 4;
}

/* m16n8k8 .tf32, and .f64 */
static void a_16x8_words(guint lane, guint i, guint *row, guint *column)
{
    *row = lane / 4 + (i == 0 || i == 2 ? 0 : 8);
    *column = lane % 4 + (i < 2 ? 0 : 4);
}

static void b_8x8_words(guint lane, guint i, guint *row, guint *column)
{
    *row = lane % 4 + (i == 0 ? 0 : 4);
    *column = lane / 4;
}

/* m16n8k4 .tf32 */
static void a_16x4(guint lane, guint i, guint *row, guint *column)
{
    *row = lane / 4 + (i == 0 ? 0 : 8);
    *column = lane % 4;
}

static void b_4x8(guint lane, guint i, guint *row, guint *column)
{
    (void)i;
    *row = lane % 4;
    *column = lane / 4;
}

/* m8n8k4 .f64 */
static void a_8x4(guint lane, guint i, guint *row, guint *column)
{
    (void)i;
    *row = lane / 4;
    *column = lane % 4;
}

static void c_8x8(guint lane, guint i, guint *row, guint *column)
{
    *row = lane / 4;
    *column = lane % 4 * 2 + i;
}

/* m8n8k16 .s8 */
static void a_8x16(guint lane, guint i, guint *row, guint *column)
{
    *row = lane / 4;
    *column = lane % 4 * 4 + i;
}

static void b_16x8_bytes(guint lane, guint i, guint *row, guint *column)
{
    *row = lane % 4 * 4 + (i & 3) + (i < 4 ? 0 : 16);
    *column = lane / 4;
}

/* m16n8k16 .s8 */
static void a_16x16_bytes(guint lane, guint i, guint *row, guint *column)
{
    *row = lane / 4 + (i < 4 ? 0 : 8);
    *column = lane % 4 * 4 + (i & 3);
}

/* m16n8k32 .s8 */
static void a_16x32(guint lane, guint i, guint *row, guint *column)
{
    *row = lane / 4 + (i < 4 || (i >= 8 && i < 12) ? 0 : 8);
    *column = lane % 4 * 4 + (i & 3) + (i < 8 ? 0 : 16);
}

/* m16n8k32 and m16n8k64 .s4 */
static void a_16x32_nibbles(guint lane, guint i, guint *row, guint *column)
{
    *row = lane / 4 + (i < 8 ? 0 : 8);
    *column = lane % 4 * 8 + (i & 7);
}

static void a_16x64(guint lane, guint i, guint *row, guint *column)
{
    *row = lane / 4 + (i < 8 || (i >= 16 && i < 24) ? 0 : 8);
    *column = lane % 4 * 8 + (i & 7) + (i < 16 ? 0 : 32);
}

static void b_64x8(guint lane, guint i, guint *row, guint *column)
{
    *row = lane % 4 * 8 + (i & 7) + (i < 8 ? 0 : 32);
    *column = lane / 4;
}

/* m16n8k256 .b1 */
static void a_16x256(guint lane, guint i, guint *row, guint *column)
{
    *row = lane / 4 + (i < 32 || (i >= 64 && i < 96) ? 0 : 8);
    *column = lane % 4 * 32 + (i & 31) + (i < 64 ? 0 : 128);
}

static void b_256x8(guint lane, guint i, guint *row, guint *column)
{
    *row = lane % 4 * 32 + (i & 31) + (i < 32 ? 0 : 128);
    *column = lane / 4;
}

/* m16n8k16 .f64 */
static void a_16x16_doubles(guint lane, guint i, guint *row, guint *column)
{
    *row = lane / 4 + (i % 2 == 0 ? 0 : 8);
    *column = lane % 4 + i / 2 * 4;
}

static void b_16x8_doubles(guint lane, guint i, guint *row, guint *column)
{
    *row = lane % 4 + i * 4;
    *column = lane / 4;
}

typedef struct {
    const char *shape; /* and layouts */
    const char *after; /* types */
    guint m, n, k;
    Element a, b, c, d;
    gint special; /* 1 satfinite, 2 xor, 3 and */
    Place a_at, b_at, c_at;
} Mma;

static const Mma cases[] = {
    {"m16n8k16", "f32.f16.f16.f32", 16, 8, 16, F16, F16, F32, F32, 0, a_16x16, b_16x8, c_16x8},
    {"m16n8k16", "f16.f16.f16.f16", 16, 8, 16, F16, F16, F16, F16, 0, a_16x16, b_16x8, c_16x8},
    {"m16n8k16", "f32.bf16.bf16.f32", 16, 8, 16, BF16, BF16, F32, F32, 0, a_16x16, b_16x8, c_16x8},
    {"m16n8k8", "f32.f16.f16.f32", 16, 8, 8, F16, F16, F32, F32, 0, a_16x8, b_8x8, c_16x8},
    {"m16n8k8", "f16.f16.f16.f16", 16, 8, 8, F16, F16, F16, F16, 0, a_16x8, b_8x8, c_16x8},
    {"m16n8k8", "f32.bf16.bf16.f32", 16, 8, 8, BF16, BF16, F32, F32, 0, a_16x8, b_8x8, c_16x8},
    {"m16n8k8", "f32.tf32.tf32.f32", 16, 8, 8, TF32, TF32, F32, F32, 0, a_16x8_words, b_8x8_words,
     c_16x8},
    {"m16n8k4", "f32.tf32.tf32.f32", 16, 8, 4, TF32, TF32, F32, F32, 0, a_16x4, b_4x8, c_16x8},
    {"m8n8k4", "f64.f64.f64.f64", 8, 8, 4, F64, F64, F64, F64, 0, a_8x4, b_4x8, c_8x8},
    {"m16n8k4", "f64.f64.f64.f64", 16, 8, 4, F64, F64, F64, F64, 0, a_16x4, b_4x8, c_16x8},
    {"m16n8k8", "f64.f64.f64.f64", 16, 8, 8, F64, F64, F64, F64, 0, a_16x8_words, b_8x8_words,
     c_16x8},
    {"m16n8k16", "f64.f64.f64.f64", 16, 8, 16, F64, F64, F64, F64, 0, a_16x16_doubles,
     b_16x8_doubles, c_16x8},
    {"m8n8k16", "s32.s8.s8.s32", 8, 8, 16, S8, S8, S32, S32, 0, a_8x16, b_16x8_bytes, c_8x8},
    {"m8n8k16", "s32.u8.s8.s32", 8, 8, 16, U8, S8, S32, S32, 0, a_8x16, b_16x8_bytes, c_8x8},
    {"m16n8k16", "s32.s8.u8.s32", 16, 8, 16, S8, U8, S32, S32, 0, a_16x16_bytes, b_16x8_bytes,
     c_16x8},
    {"m16n8k32", "s32.u8.u8.s32", 16, 8, 32, U8, U8, S32, S32, 0, a_16x32, b_16x8_bytes, c_16x8},
    {"m16n8k32", "s32.s8.s8.s32", 16, 8, 32, S8, S8, S32, S32, 1, a_16x32, b_16x8_bytes, c_16x8},
    {"m16n8k32", "s32.s4.u4.s32", 16, 8, 32, S4, U4, S32, S32, 0, a_16x32_nibbles, b_64x8, c_16x8},
    {"m16n8k64", "s32.s4.s4.s32", 16, 8, 64, S4, S4, S32, S32, 0, a_16x64, b_64x8, c_16x8},
    {"m16n8k256", "s32.b1.b1.s32", 16, 8, 256, B1, B1, S32, S32, 2, a_16x256, b_256x8, c_16x8},
    {"m16n8k256", "s32.b1.b1.s32", 16, 8, 256, B1, B1, S32, S32, 3, a_16x256, b_256x8, c_16x8},
};

/* Whole matrices of one warp. */
typedef struct {
    double a[16 * 256], b[256 * 8 * 4], c[32 * 32];
} Matrices;

static void multiply(Matrices *matrices, guint m, guint n, guint k, gint special)
{
    for (guint row = 0; row < m; row++)
        for (guint column = 0; column < n; column++) {
            double sum = matrices->c[row * n + column];
            for (guint i = 0; i < k; i++) {
                double a = matrices->a[row * k + i], b = matrices->b[i * n + column];
                sum += special == 2 ? (a != b) : a * b;
            }
            if (special == 1)
                sum = CLAMP(sum, (double)G_MININT32, (double)G_MAXINT32);
            matrices->c[row * n + column] = sum;
        }
}

static guint words_of(guint elements, Element element)
{
    return element == F64 ? elements / 32 : elements * bits_of[element] / 32 / 32;
}

/* Registers of a warp's lanes, n of each lane. */
typedef struct {
    GRand *rand;
    guint64 *in;
    guint n;
} Registers;

/* Random elements in registers from number `first` on, and in a whole matrix. */
static void fill(const Registers *to, guint first, const guint size[2], Element element,
                 Place place, double *whole)
{
    guint bits = bits_of[element];
    guint per = element == F64 ? 1 : 32 / bits;
    for (guint lane = 0; lane < 32; lane++)
        for (guint i = 0; i < size[0] * size[1] / 32; i++) {
            guint row, column;
            guint64 code = random_code(to->rand, element);
            to->in[lane * to->n + first + i / per] |= code << (i % per * bits);
            place(lane, i, &row, &column);
            whole[row * size[1] + column] = value_of(element, code);
        }
}

static char *registers(char name, guint first, guint n)
{
    GString *text = g_string_new("{");
    for (guint i = 0; i < n; i++)
        g_string_append_printf(text, "%s%c%u", i > 0 ? ", " : "", name, first + i);
    g_string_append(text, "}");
    return g_string_free(text, FALSE);
}

static void check_mma(const Mma *one)
{
    const guint sizes[3][2] = {{one->m, one->k}, {one->k, one->n}, {one->m, one->n}};
    guint a = words_of(one->m * one->k, one->a), b = words_of(one->k * one->n, one->b);
    guint c = words_of(one->m * one->n, one->c), d = words_of(one->m * one->n, one->d);
    guint n = a + b + c;
    char from[33] = {0}, to[9] = {0};
    memset(from, one->a == F64 ? 'd' : 'r', n);
    memset(to, one->a == F64 ? 'd' : 'r', d);
    g_autofree char *in_a = registers('a', 0, a), *in_b = registers('a', a, b);
    g_autofree char *in_c = registers('a', a + b, c), *out_d = registers('z', 0, d);
    g_autofree char *body =
        g_strdup_printf("mma.sync.aligned.%s.row.col%s.%s%s %s, %s, %s, %s;", one->shape,
                        one->special == 1 ? ".satfinite" : "", one->after,
                        one->special == 2   ? ".xor.popc"
                        : one->special == 3 ? ".and.popc"
                                            : "",
                        out_d, in_a, in_b, in_c);
    g_autoptr(GRand) rand = g_rand_new_with_seed(one->k);
    g_autofree guint64 *in = g_new0(guint64, (gsize)ROWS * n);
    g_autofree guint64 *out = g_new0(guint64, (gsize)ROWS * d);
    g_autofree Matrices *warps = g_new0(Matrices, WARPS);
    for (guint warp = 0; warp < WARPS; warp++) {
        const Registers rows = {rand, &in[(gsize)warp * 32 * n], n};
        fill(&rows, 0, sizes[0], one->a, one->a_at, warps[warp].a);
        fill(&rows, a, sizes[1], one->b, one->b_at, warps[warp].b);
        fill(&rows, a + b, sizes[2], one->c, one->c_at, warps[warp].c);
        if (one->special == 1) { /* near the end of the range */
            rows.in[a + b] = 0x7fffffff;
            warps[warp].c[0] = 0x7fffffff;
        }
        multiply(&warps[warp], one->m, one->n, one->k, one->special);
    }
    if (!ptx_run(body, to, from, ROWS, in, out))
        return;
    guint bits = bits_of[one->d], per = one->d == F64 ? 1 : 32 / bits;
    for (guint row = 0; row < ROWS; row++)
        for (guint i = 0; i < d * per; i++) {
            guint at, column;
            one->c_at(row % 32, i, &at, &column);
            guint64 got = out[row * d + i / per] >> (i % per * bits) & (G_MAXUINT64 >> (64 - bits));
            if (!ptx_same(body, 0, NULL, got,
                          code_of(one->d, warps[row / 32].c[at * one->n + column])))
                return;
        }
}

static void test_mma(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        check_mma(&cases[i]);
}

/* m8n8k4 of halves: four products, each by two times four lanes. */
static void quad_a(gboolean rows, guint lane, guint i, guint *row, guint *column)
{
    guint half = lane < 16 ? 0 : 4;
    *row = rows ? lane % 4 + half : i % 4 + half;
    *column = rows ? i : lane % 4;
}

static void quad_b(gboolean rows, guint lane, guint i, guint *row, guint *column)
{
    guint half = lane < 16 ? 0 : 4;
    *row = rows ? lane % 4 : i;
    *column = rows ? i + half : lane % 4 + half;
}

static void quad_c(gboolean singles, guint lane, guint i, guint *row, guint *column)
{
    guint half = lane < 16 ? 0 : 4;
    *row = singles ? (lane & 1) + (i & 2) + half : lane % 4 + half;
    *column = singles ? (i & 4) + (lane & 2) + (i & 1) : i;
}

static void check_quads(gboolean rows_a, gboolean rows_b, gboolean singles)
{
    guint c = singles ? 8 : 4, n = 4 + c;
    g_autofree char *in_c = registers('a', 4, c), *out_d = registers('z', 0, c);
    g_autofree char *body =
        g_strdup_printf("mma.sync.aligned.m8n8k4.%s.%s.%s.f16.f16.%s %s, {a0, a1}, {a2, a3}, %s;",
                        rows_a ? "row" : "col", rows_b ? "row" : "col", singles ? "f32" : "f16",
                        singles ? "f32" : "f16", out_d, in_c);
    g_autoptr(GRand) rand = g_rand_new_with_seed(5);
    g_autofree guint64 *in = g_new0(guint64, (gsize)32 * n);
    g_autofree guint64 *out = g_new0(guint64, (gsize)32 * c);
    g_autofree Matrices *quads = g_new0(Matrices, 4);
    Element type = singles ? F32 : F16;
    guint per = singles ? 1 : 2, row, column;
    for (guint lane = 0; lane < 32; lane++) {
        Matrices *quad = &quads[lane % 16 / 4];
        for (guint i = 0; i < 4; i++) {
            guint64 a = random_code(rand, F16), b = random_code(rand, F16);
            in[lane * n + i / 2] |= a << (i % 2 * 16);
            in[lane * n + 2 + i / 2] |= b << (i % 2 * 16);
            quad_a(rows_a, lane, i, &row, &column);
            quad->a[row * 4 + column] = value_of(F16, a);
            quad_b(rows_b, lane, i, &row, &column);
            quad->b[row * 8 + column] = value_of(F16, b);
        }
        for (guint i = 0; i < 8; i++) {
            guint64 code = random_code(rand, type);
            in[lane * n + 4 + i / per] |= code << (i % per * 16);
            quad_c(singles, lane, i, &row, &column);
            quad->c[row * 8 + column] = value_of(type, code);
        }
    }
    for (guint i = 0; i < 4; i++)
        multiply(&quads[i], 8, 8, 4, 0);
    if (!ptx_run(body, singles ? "rrrrrrrr" : "rrrr", singles ? "rrrrrrrrrrrr" : "rrrrrrrr", 32, in,
                 out))
        return;
    for (guint lane = 0; lane < 32; lane++)
        for (guint i = 0; i < 8; i++) {
            quad_c(singles, lane, i, &row, &column);
            guint64 got =
                out[lane * c + i / per] >> (i % per * 16) & (singles ? G_MAXUINT32 : G_MAXUINT16);
            if (!ptx_same(body, 0, NULL, got,
                          code_of(type, quads[lane % 16 / 4].c[row * 8 + column])))
                return;
        }
}

static void test_quads(void)
{
    for (guint i = 0; i < 8; i++)
        check_quads((i & 1) != 0, (i & 2) != 0, (i & 4) != 0);
}

/* -- wmma: from memory to memory -- */

typedef struct {
    const char *shape;
    const char *a_type, *b_type, *c_type, *d_type;
    const char *product; /* what the types of wmma.mma are written as */
    guint m, n, k;
    Element a, b, c, d;
    guint a_registers, b_registers;
    gint special;
} Wmma;

static const Wmma wmmas[] = {
    {"m16n16k16", "f16", "f16", "f32", "f32", "f32.f32", 16, 16, 16, F16, F16, F32, F32, 8, 8, 0},
    {"m16n16k16", "f16", "f16", "f16", "f16", "f16.f16", 16, 16, 16, F16, F16, F16, F16, 8, 8, 0},
    {"m16n16k16", "f16", "f16", "f16", "f32", "f32.f16", 16, 16, 16, F16, F16, F16, F32, 8, 8, 0},
    {"m32n8k16", "f16", "f16", "f32", "f32", "f32.f32", 32, 8, 16, F16, F16, F32, F32, 8, 8, 0},
    {"m8n32k16", "f16", "f16", "f32", "f32", "f32.f32", 8, 32, 16, F16, F16, F32, F32, 8, 8, 0},
    {"m16n16k16", "bf16", "bf16", "f32", "f32", "f32.bf16.bf16.f32", 16, 16, 16, BF16, BF16, F32,
     F32, 4, 4, 0},
    {"m32n8k16", "bf16", "bf16", "f32", "f32", "f32.bf16.bf16.f32", 32, 8, 16, BF16, BF16, F32, F32,
     8, 2, 0},
    {"m16n16k8", "tf32", "tf32", "f32", "f32", "f32.tf32.tf32.f32", 16, 16, 8, TF32, TF32, F32, F32,
     4, 4, 0},
    {"m16n16k16", "s8", "s8", "s32", "s32", "s32.s8.s8.s32", 16, 16, 16, S8, S8, S32, S32, 2, 2, 0},
    {"m16n16k16", "u8", "u8", "s32", "s32", "s32.u8.u8.s32", 16, 16, 16, U8, U8, S32, S32, 2, 2, 0},
    {"m8n32k16", "s8", "s8", "s32", "s32", "s32.s8.s8.s32", 8, 32, 16, S8, S8, S32, S32, 1, 4, 0},
    {"m8n8k4", "f64", "f64", "f64", "f64", "f64.f64.f64.f64", 8, 8, 4, F64, F64, F64, F64, 1, 1, 0},
    {"m8n8k32", "s4", "s4", "s32", "s32", "s32.s4.s4.s32", 8, 8, 32, S4, S4, S32, S32, 1, 1, 0},
    {"m8n8k128", "b1", "b1", "s32", "s32", "s32.b1.b1.s32", 8, 8, 128, B1, B1, S32, S32, 1, 1, 2},
};

/* Bits of a whole matrix, in words of 32. */
static guint memory_words(guint elements, Element element)
{
    return elements * bits_of[element] / 32;
}

/* A matrix in memory, rows or columns together, which is spread over the lanes' registers. */
static void fill_memory(const Registers *to, guint first, const guint size[2], Element element,
                        gboolean row_major, double *whole)
{
    guint bits = bits_of[element];
    guint words = memory_words(size[0] * size[1], element);
    g_autofree guint32 *memory = g_new0(guint32, words);
    for (guint i = 0; i < size[0] * size[1]; i++) {
        guint row = row_major ? i / size[1] : i % size[0];
        guint column = row_major ? i % size[1] : i / size[0];
        guint64 code = random_code(to->rand, element);
        whole[row * size[1] + column] = value_of(element, code);
        memory[i * bits / 32] |= (guint32)code << (i * bits % 32);
        if (bits == 64)
            memory[i * 2 + 1] = (guint32)(code >> 32);
    }
    for (guint i = 0; i < words; i++)
        to->in[i / (words / 32) * to->n + first + i % (words / 32)] = memory[i];
}

static void store_words(GString *body, guint first, guint n, guint at)
{
    g_string_append_printf(body, "mad.lo.u32 place, lane, %u, base;\n", n * 4);
    for (guint i = 0; i < n; i++)
        g_string_append_printf(body, "st.shared.b32 [place+%u], a%u;\n", at + i * 4, first + i);
}

/* Stores the operands, multiplies what it loads, and loads what it stored. */
static char *wmma_body(const Wmma *one, const guint words[4], const char *const layouts[4])
{
    GString *body = g_string_new("{.shared .align 128 .b8 memory[32768];\n"
                                 ".reg .b32 base, place, lane; .reg .b32 x<8>, y<8>;\n");
    const char *wide = one->c == F64 ? "b64" : "b32";
    guint b_at = 4096, c_at = 8192, d_at = 12288;
    guint per_c = one->m * one->n / 32 / (one->c == F16 ? 2 : 1);
    guint per_d = one->m * one->n / 32 / (one->d == F16 ? 2 : 1);
    g_autofree char *x = registers('x', 0, one->a_registers);
    g_autofree char *y = registers('y', 0, one->b_registers);
    g_autofree char *u = registers('u', 0, per_c), *v = registers('v', 0, per_d);
    if (one->c == F64) {
        memcpy(x, "{p}", 4);
        memcpy(y, "{q}", 4);
        g_string_append(body, ".reg .b64 p, q;\n");
    }
    g_string_append_printf(body, ".reg .%s u<8>, v<8>;\n", wide);
    g_string_append(body, "mov.u32 lane, %tid.x; shr.u32 place, lane, 5; and.b32 lane, lane, 31;\n"
                          "mov.u32 base, memory; mad.lo.u32 base, place, 16384, base;\n");
    store_words(body, 0, words[0], 0);
    store_words(body, words[0], words[1], b_at);
    store_words(body, words[0] + words[1], words[2], c_at);
    guint strides[4] = {
        layouts[0][0] == 'r' ? one->k : one->m, layouts[1][0] == 'r' ? one->n : one->k,
        layouts[2][0] == 'r' ? one->n : one->m, layouts[3][0] == 'r' ? one->n : one->m};
    g_string_append_printf(body,
                           "bar.warp.sync -1;\n"
                           "wmma.load.a.sync.aligned.%s.%s.shared.%s %s, [base], %u;\n"
                           "wmma.load.b.sync.aligned.%s.%s.shared.%s %s, [base+%u];\n"
                           "wmma.load.c.sync.aligned.%s.%s.shared.%s %s, [base+%u], %u;\n"
                           "wmma.mma%s.sync.aligned.%s.%s.%s.%s %s, %s, %s, %s;\n"
                           "wmma.store.d.sync.aligned.%s.%s.shared.%s [base+%u], %s, %u;\n"
                           "bar.warp.sync -1;\n",
                           layouts[0], one->shape, one->a_type, x, strides[0], layouts[1],
                           one->shape, one->b_type, y, b_at, layouts[2], one->shape, one->c_type, u,
                           c_at, strides[2], one->special == 2 ? ".xor.popc" : "", layouts[0],
                           layouts[1], one->shape, one->product, v, x, y, u, layouts[3], one->shape,
                           one->d_type, d_at, v, strides[3]);
    g_string_append_printf(body, "mad.lo.u32 place, lane, %u, base;\n", words[3] * 4);
    for (guint i = 0; i < words[3]; i++)
        g_string_append_printf(body, "ld.shared.b32 z%u, [place+%u];\n", i, d_at + i * 4);
    g_string_append(body, "}");
    return g_string_free(body, FALSE);
}

static void check_wmma(const Wmma *one, const char *const layouts[4])
{
    const guint sizes[3][2] = {{one->m, one->k}, {one->k, one->n}, {one->m, one->n}};
    guint words[4] = {
        memory_words(one->m * one->k, one->a) / 32, memory_words(one->k * one->n, one->b) / 32,
        memory_words(one->m * one->n, one->c) / 32, memory_words(one->m * one->n, one->d) / 32};
    guint n = words[0] + words[1] + words[2];
    char from[33] = {0}, to[17] = {0};
    memset(from, 'r', n);
    memset(to, 'r', words[3]);
    g_autofree char *body = wmma_body(one, words, layouts);
    g_autoptr(GRand) rand = g_rand_new_with_seed(one->k);
    g_autofree guint64 *in = g_new0(guint64, (gsize)ROWS * n);
    g_autofree guint64 *out = g_new0(guint64, (gsize)ROWS * words[3]);
    g_autofree Matrices *warps = g_new0(Matrices, WARPS);
    for (guint warp = 0; warp < WARPS; warp++) {
        const Registers rows = {rand, &in[(gsize)warp * 32 * n], n};
        fill_memory(&rows, 0, sizes[0], one->a, layouts[0][0] == 'r', warps[warp].a);
        fill_memory(&rows, words[0], sizes[1], one->b, layouts[1][0] == 'r', warps[warp].b);
        fill_memory(&rows, words[0] + words[1], sizes[2], one->c, layouts[2][0] == 'r',
                    warps[warp].c);
        multiply(&warps[warp], one->m, one->n, one->k, one->special);
    }
    if (!ptx_run(body, to, from, ROWS, in, out))
        return;
    guint bits = bits_of[one->d];
    for (guint i = 0; i < WARPS * one->m * one->n; i++) {
        guint warp = i / (one->m * one->n), at = i % (one->m * one->n);
        guint word = at * bits / 32;
        const guint64 *words_at = &out[(gsize)warp * 32 * words[3]];
        guint64 got = words_at[word] >> (at * bits % 32);
        if (bits == 64)
            got |= words_at[word + 1] << 32;
        gboolean row_major = layouts[3][0] == 'r';
        guint row = row_major ? at / one->n : at % one->m;
        guint column = row_major ? at % one->n : at / one->m;
        if (!ptx_same(body, 0, NULL, got & (G_MAXUINT64 >> (64 - bits)),
                      code_of(one->d, warps[warp].c[row * one->n + column])))
            return;
    }
}

static void test_wmma(void)
{
    static const char *const names[] = {"row", "col"};
    for (gsize i = 0; i < G_N_ELEMENTS(wmmas); i++)
        for (guint how = 0; how < 16; how++) {
            const char *const layouts[4] = {names[how & 1], names[how >> 1 & 1],
                                            names[how >> 2 & 1], names[how >> 3]};
            gboolean small = bits_of[wmmas[i].a] < 8; /* these have only .row.col */
            if (!small || (how & 3) == 2)
                check_wmma(&wmmas[i], layouts);
        }
}

/* -- ldmatrix, stmatrix, movmatrix: matrices of which each row is a lane's 16 bytes -- */

static guint64 half_at(const guint64 *in, guint n_from, guint matrix, guint row, guint column)
{
    guint64 word = in[(gsize)(matrix * 8 + row) * n_from + column / 2];
    return word >> (column % 2 * 16) & 0xffff;
}

static void check_load(guint n, gboolean transposed)
{
    static const char *const vectors[] = {"", "{z0}", "{z0, z1}", "", "{z0, z1, z2, z3}"};
    static const char *const to[] = {"", "r", "rr", "", "rrrr"};
    g_autofree char *body =
        g_strdup_printf("{.shared .align 16 .b8 memory[1024]; .reg .b32 at, lane;\n"
                        "mov.u32 lane, %%tid.x; mov.u32 at, memory; mad.lo.u32 at, lane, 16, at;\n"
                        "st.shared.v4.b32 [at], {a0, a1, a2, a3}; bar.warp.sync -1;\n"
                        "ldmatrix.sync.aligned.m8n8.x%u%s.shared.b16 %s, [at];}",
                        n, transposed ? ".trans" : "", vectors[n]);
    g_autofree guint64 *in = ptx_rows(32, "rrrr", n);
    guint64 out[32 * 4] = {0};
    if (!ptx_run(body, to[n], "rrrr", 32, in, out))
        return;
    for (guint lane = 0; lane < 32; lane++)
        for (guint matrix = 0; matrix < n; matrix++) {
            guint row = lane / 4, column = lane % 4 * 2;
            guint64 want = transposed ? half_at(in, 4, matrix, column, row) |
                                            half_at(in, 4, matrix, column + 1, row) << 16
                                      : half_at(in, 4, matrix, row, column) |
                                            half_at(in, 4, matrix, row, column + 1) << 16;
            if (!ptx_same(body, 0, NULL, out[lane * n + matrix], want))
                return;
        }
}

/* What was loaded is stored where it came from. */
static void check_store(guint n, gboolean transposed)
{
    static const char *const vectors[] = {"", "{x0}", "{x0, x1}", "", "{x0, x1, x2, x3}"};
    const char *trans = transposed ? ".trans" : "";
    g_autofree char *body = g_strdup_printf(
        "{.shared .align 16 .b8 memory[2048]; .reg .b32 at, lane, x<4>;\n"
        "mov.u32 lane, %%tid.x; mov.u32 at, memory; mad.lo.u32 at, lane, 16, at;\n"
        "st.shared.v4.b32 [at], {a0, a1, a2, a3};\n"
        "st.shared.v4.b32 [at+1024], {0, 0, 0, 0}; bar.warp.sync -1;\n"
        "ldmatrix.sync.aligned.m8n8.x%u%s.shared.b16 %s, [at];\n"
        "stmatrix.sync.aligned.m8n8.x%u%s.shared.b16 [at+1024], %s; bar.warp.sync -1;\n"
        "ld.shared.v4.b32 {z0, z1, z2, z3}, [at+1024];}",
        n, trans, vectors[n], n, trans, vectors[n]);
    g_autofree guint64 *in = ptx_rows(32, "rrrr", n);
    guint64 out[32 * 4] = {0};
    if (!ptx_run(body, "rrrr", "rrrr", 32, in, out))
        return;
    for (guint i = 0; i < 32 * 4; i++)
        if (!ptx_same(body, 0, NULL, out[i], i < n * 32 ? in[i] : 0))
            return;
}

static void test_movmatrix(void)
{
    const char *body = "movmatrix.sync.aligned.m8n8.trans.b16 z0, a0;";
    g_autofree guint64 *in = ptx_rows(32, "r", 3);
    guint64 out[32];
    if (!ptx_run(body, "r", "r", 32, in, out))
        return;
    for (guint i = 0; i < 64; i++) {
        guint row = i / 8, column = i % 8;
        guint64 got = out[row * 4 + column / 2] >> (column % 2 * 16) & 0xffff;
        guint64 want = in[column * 4 + row / 2] >> (row % 2 * 16) & 0xffff;
        if (!ptx_same(body, 0, NULL, got, want))
            return;
    }
}

static void test_moves(void)
{
    for (guint n = 1; n <= 4; n *= 2)
        for (guint transposed = 0; transposed < 2; transposed++) {
            check_load(n, transposed != 0);
            check_store(n, transposed != 0);
        }
    test_movmatrix();
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-alu/matrix/mma", test_mma);
    g_test_add_func("/ptx-alu/matrix/quads", test_quads);
    g_test_add_func("/ptx-alu/matrix/wmma", test_wmma);
    g_test_add_func("/ptx-alu/matrix/moves", test_moves);
    return g_test_run();
}
