/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mma, which multiplies registers of tensor cores, against plain loops. Where the elements lie is
 * written here as the PTX ISA lists it, shape by shape.
 */
#include "tests/help/ptx-run.h"
#include "tests/help/tensor.h"
#include <string.h>

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
    TensorElement a, b, c, d;
    TensorSpecial special;
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
    {"m16n8k32", "s32.s8.s8.s32", 16, 8, 32, S8, S8, S32, S32, TENSOR_SATFINITE, a_16x32,
     b_16x8_bytes, c_16x8},
    {"m16n8k32", "s32.s4.u4.s32", 16, 8, 32, S4, U4, S32, S32, 0, a_16x32_nibbles, b_64x8, c_16x8},
    {"m16n8k64", "s32.s4.s4.s32", 16, 8, 64, S4, S4, S32, S32, 0, a_16x64, b_64x8, c_16x8},
    {"m16n8k256", "s32.b1.b1.s32", 16, 8, 256, B1, B1, S32, S32, TENSOR_XOR, a_16x256, b_256x8,
     c_16x8},
    {"m16n8k256", "s32.b1.b1.s32", 16, 8, 256, B1, B1, S32, S32, TENSOR_AND, a_16x256, b_256x8,
     c_16x8},
};

static guint words_of(guint elements, TensorElement element)
{
    return element == F64 ? elements / 32 : elements * tensor_bits(element) / 32 / 32;
}

/* Random elements in registers from number `first` on, and in a whole matrix. */
static void fill(const TensorRegisters *to, guint first, const guint size[2], TensorElement element,
                 Place place, double *whole)
{
    guint bits = tensor_bits(element);
    guint per = element == F64 ? 1 : 32 / bits;
    for (guint lane = 0; lane < 32; lane++)
        for (guint i = 0; i < size[0] * size[1] / 32; i++) {
            guint row, column;
            guint64 code = tensor_random(to->rand, element);
            to->in[lane * to->n + first + i / per] |= code << (i % per * bits);
            place(lane, i, &row, &column);
            whole[row * size[1] + column] = tensor_value(element, code);
        }
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
    g_autofree char *in_a = tensor_registers('a', 0, a), *in_b = tensor_registers('a', a, b);
    g_autofree char *in_c = tensor_registers('a', a + b, c), *out_d = tensor_registers('z', 0, d);
    g_autofree char *body =
        g_strdup_printf("mma.sync.aligned.%s.row.col%s.%s%s %s, %s, %s, %s;", one->shape,
                        one->special == TENSOR_SATFINITE ? ".satfinite" : "", one->after,
                        one->special == TENSOR_XOR   ? ".xor.popc"
                        : one->special == TENSOR_AND ? ".and.popc"
                                                     : "",
                        out_d, in_a, in_b, in_c);
    g_autoptr(GRand) rand = g_rand_new_with_seed(one->k);
    g_autofree guint64 *in = g_new0(guint64, (gsize)ROWS * n);
    g_autofree guint64 *out = g_new0(guint64, (gsize)ROWS * d);
    g_autofree TensorMatrices *warps = g_new0(TensorMatrices, WARPS);
    for (guint warp = 0; warp < WARPS; warp++) {
        const TensorRegisters rows = {rand, &in[(gsize)warp * 32 * n], n};
        fill(&rows, 0, sizes[0], one->a, one->a_at, warps[warp].a);
        fill(&rows, a, sizes[1], one->b, one->b_at, warps[warp].b);
        fill(&rows, a + b, sizes[2], one->c, one->c_at, warps[warp].c);
        if (one->special == TENSOR_SATFINITE) { /* near the end of the range */
            rows.in[a + b] = 0x7fffffff;
            warps[warp].c[0] = 0x7fffffff;
        }
        tensor_multiply(&warps[warp], one->m, one->n, one->k, one->special);
    }
    if (!ptx_run(body, to, from, ROWS, in, out))
        return;
    guint bits = tensor_bits(one->d), per = one->d == F64 ? 1 : 32 / bits;
    for (guint row = 0; row < ROWS; row++)
        for (guint i = 0; i < d * per; i++) {
            guint at, column;
            one->c_at(row % 32, i, &at, &column);
            guint64 got = out[row * d + i / per] >> (i % per * bits) & (G_MAXUINT64 >> (64 - bits));
            if (!ptx_same(body, 0, NULL, got,
                          tensor_code(one->d, warps[row / 32].c[at * one->n + column])))
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
    g_autofree char *in_c = tensor_registers('a', 4, c), *out_d = tensor_registers('z', 0, c);
    g_autofree char *body =
        g_strdup_printf("mma.sync.aligned.m8n8k4.%s.%s.%s.f16.f16.%s %s, {a0, a1}, {a2, a3}, %s;",
                        rows_a ? "row" : "col", rows_b ? "row" : "col", singles ? "f32" : "f16",
                        singles ? "f32" : "f16", out_d, in_c);
    g_autoptr(GRand) rand = g_rand_new_with_seed(5);
    g_autofree guint64 *in = g_new0(guint64, (gsize)32 * n);
    g_autofree guint64 *out = g_new0(guint64, (gsize)32 * c);
    g_autofree TensorMatrices *quads = g_new0(TensorMatrices, 4);
    TensorElement type = singles ? F32 : F16;
    guint per = singles ? 1 : 2, row, column;
    for (guint lane = 0; lane < 32; lane++) {
        TensorMatrices *quad = &quads[lane % 16 / 4];
        for (guint i = 0; i < 4; i++) {
            guint64 a = tensor_random(rand, F16), b = tensor_random(rand, F16);
            in[lane * n + i / 2] |= a << (i % 2 * 16);
            in[lane * n + 2 + i / 2] |= b << (i % 2 * 16);
            quad_a(rows_a, lane, i, &row, &column);
            quad->a[row * 4 + column] = tensor_value(F16, a);
            quad_b(rows_b, lane, i, &row, &column);
            quad->b[row * 8 + column] = tensor_value(F16, b);
        }
        for (guint i = 0; i < 8; i++) {
            guint64 code = tensor_random(rand, type);
            in[lane * n + 4 + i / per] |= code << (i % per * 16);
            quad_c(singles, lane, i, &row, &column);
            quad->c[row * 8 + column] = tensor_value(type, code);
        }
    }
    for (guint i = 0; i < 4; i++)
        tensor_multiply(&quads[i], 8, 8, 4, 0);
    if (!ptx_run(body, singles ? "rrrrrrrr" : "rrrr", singles ? "rrrrrrrrrrrr" : "rrrrrrrr", 32, in,
                 out))
        return;
    for (guint lane = 0; lane < 32; lane++)
        for (guint i = 0; i < 8; i++) {
            quad_c(singles, lane, i, &row, &column);
            guint64 got =
                out[lane * c + i / per] >> (i % per * 16) & (singles ? G_MAXUINT32 : G_MAXUINT16);
            if (!ptx_same(body, 0, NULL, got,
                          tensor_code(type, quads[lane % 16 / 4].c[row * 8 + column])))
                return;
        }
}

static void test_quads(void)
{
    for (guint i = 0; i < 8; i++)
        check_quads((i & 1) != 0, (i & 2) != 0, (i & 4) != 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-alu/matrix/mma", test_mma);
    g_test_add_func("/ptx-alu/matrix/quads", test_quads);
    return g_test_run();
}
