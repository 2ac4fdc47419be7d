/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse mma against plain loops. Where the elements and the words that say which there are lie is
 * written here as the PTX ISA lists it, shape by shape.
 */
#include "tests/help/ptx-run.h"
#include "tests/help/tensor.h"

#include <math.h>
#include <string.h>

/* Element i of a lane's part of A: its row, the group of four elements (of two, or of four pairs)
 * that it is of, and which of the group's it is in order. */
typedef void (*Kept)(guint lane, guint i, guint *row, guint *group, guint *which);

static void halves_16(guint lane, guint i, guint *row, guint *group, guint *which)
{
    *row = lane / 4 + (i < 2 ? 0 : 8);
    *group = lane % 4;
    *which = i & 1;
}

static void halves_32(guint lane, guint i, guint *row, guint *group, guint *which)
{
    *row = lane / 4 + (i < 2 || (i >= 4 && i < 6) ? 0 : 8);
    *group = lane % 4 + (i < 4 ? 0 : 4);
    *which = i & 1;
}

static void words_8(guint lane, guint i, guint *row, guint *group, guint *which)
{
    *row = lane / 4 + (i == 0 ? 0 : 8);
    *group = lane % 4;
    *which = 0;
}

static void words_16(guint lane, guint i, guint *row, guint *group, guint *which)
{
    *row = lane / 4 + (i == 0 || i == 2 ? 0 : 8);
    *group = lane % 4 + (i < 2 ? 0 : 4);
    *which = 0;
}

static void bytes_32(guint lane, guint i, guint *row, guint *group, guint *which)
{
    *row = lane / 4 + (i < 4 ? 0 : 8);
    *group = lane % 4 * 2 + (i & 3) / 2;
    *which = i & 1;
}

static void bytes_64(guint lane, guint i, guint *row, guint *group, guint *which)
{
    *row = lane / 4 + (i < 4 || (i >= 8 && i < 12) ? 0 : 8);
    *group = lane % 4 * 2 + (i & 3) / 2 + (i < 8 ? 0 : 8);
    *which = i & 1;
}

static void nibbles_64(guint lane, guint i, guint *row, guint *group, guint *which)
{
    *row = lane / 4 + (i < 8 ? 0 : 8);
    *group = lane % 4 * 2 + (i & 7) / 4;
    *which = i & 3;
}

static void nibbles_128(guint lane, guint i, guint *row, guint *group, guint *which)
{
    *row = lane / 4 + (i < 8 || (i >= 16 && i < 24) ? 0 : 8);
    *group = lane % 4 * 2 + (i & 7) / 4 + (i < 16 ? 0 : 8);
    *which = i & 3;
}

typedef struct {
    const char *shape, *types;
    guint k, selectors; /* how many ways there are to say who has the words */
    TensorElement a, b, d;
    TensorSpecial special;
    Kept at;
} Sparse;

static const Sparse cases[] = {
    {"m16n8k16", "f32.f16.f16.f32", 16, 4, F16, F16, F32, 0, halves_16},
    {"m16n8k32", "f32.f16.f16.f32", 32, 2, F16, F16, F32, 0, halves_32},
    {"m16n8k32", "f16.f16.f16.f16", 32, 2, F16, F16, F16, 0, halves_32},
    {"m16n8k16", "f32.bf16.bf16.f32", 16, 4, BF16, BF16, F32, 0, halves_16},
    {"m16n8k32", "f32.bf16.bf16.f32", 32, 2, BF16, BF16, F32, 0, halves_32},
    {"m16n8k8", "f32.tf32.tf32.f32", 8, 4, TF32, TF32, F32, 0, words_8},
    {"m16n8k16", "f32.tf32.tf32.f32", 16, 2, TF32, TF32, F32, 0, words_16},
    {"m16n8k32", "s32.s8.u8.s32", 32, 2, S8, U8, S32, 0, bytes_32},
    {"m16n8k64", "s32.u8.s8.s32", 64, 1, U8, S8, S32, TENSOR_SATFINITE, bytes_64},
    {"m16n8k64", "s32.s4.u4.s32", 64, 2, S4, U4, S32, 0, nibbles_64},
    {"m16n8k128", "s32.s4.s4.s32", 128, 1, S4, S4, S32, 0, nibbles_128},
};

#define MOST_K 128

/* The matrices of a warp. */
typedef struct {
    double a[16 * MOST_K], b[MOST_K * 8], c[16 * 8];
    gboolean there[16 * MOST_K];
} Whole;

typedef struct {
    const Sparse *one;
    guint selector, n; /* registers of a thread */
    GRand *rand;
    guint64 *in;
} Filling;

/* Which elements or pairs of a row's group there are, in order, and the four bits for that. */
static guint choose(const Filling *filling, guint kept[2])
{
    if (filling->one->a == TF32) {
        kept[0] = g_rand_int(filling->rand) & 1;
        return kept[0] ? 14 : 4;
    }
    kept[0] = (guint)g_rand_int_range(filling->rand, 0, 3);
    kept[1] = (guint)g_rand_int_range(filling->rand, (gint32)kept[0] + 1, 4);
    return kept[0] | kept[1] << 2;
}

/* Lanes of four that follow each other have the bits of a row's group. Of 16 bits and more a lane
 * has those of two rows. */
static void say(const Filling *filling, guint row, guint group, guint code)
{
    const Sparse *one = filling->one;
    const gboolean both = one->a == F16 || one->a == BF16 || one->a == TF32;
    const guint lane = row % 8 * 4 + filling->selector * (4 / one->selectors) +
                       (both ? group / 4 : group / 8 * 2 + row / 8);
    const guint bit = both ? group % 4 * 4 + row / 8 * 16 : group % 8 * 4;
    filling->in[lane * filling->n + filling->n - 1] |= (guint64)code << bit;
}

static void fill_a(const Filling *filling, Whole *whole)
{
    const Sparse *one = filling->one;
    const guint bits = tensor_bits(one->a), size = one->a == TF32 ? 2 : bits == 4 ? 8 : 4;
    const guint unit = bits == 4 ? 2 : 1;
    guint kept[16][MOST_K / 2][2], row, group, which;
    for (row = 0; row < 16; row++)
        for (group = 0; group < one->k / size; group++)
            say(filling, row, group, choose(filling, kept[row][group]));
    for (guint lane = 0; lane < 32; lane++)
        for (guint i = 0; i < 16 * one->k / 2 / 32; i++) {
            const guint64 code = tensor_random(filling->rand, one->a);
            one->at(lane, i, &row, &group, &which);
            const guint k = group * size + kept[row][group][which / unit] * unit + which % unit;
            filling->in[lane * filling->n + i / (32 / bits)] |= code << i % (32 / bits) * bits;
            whole->a[row * one->k + k] = tensor_value(one->a, code);
            whole->there[row * one->k + k] = TRUE;
        }
}

/* B goes on in k over registers, C in rows, as in dense products. `first`: the first register. */
static void fill_others(const Filling *filling, guint first, Whole *whole)
{
    const Sparse *one = filling->one;
    const guint bits = tensor_bits(one->b), per = 32 / bits, sums = 32 / tensor_bits(one->d);
    for (guint lane = 0; lane < 32; lane++) {
        guint64 *in = filling->in + lane * filling->n + first;
        for (guint i = 0; i < one->k * 8 / 32; i++) {
            guint64 code = tensor_random(filling->rand, one->b);
            if (one->b == F16 && g_rand_int_range(filling->rand, 0, 20) == 0)
                code = 0x7c00; /* meets some rows of A, and not others */
            in[i / per] |= code << i % per * bits;
            whole->b[(i / per * 4 * per + lane % 4 * per + i % per) * 8 + lane / 4] =
                tensor_value(one->b, code);
        }
        in += one->k * 8 / 32 / per;
        for (guint i = 0; i < 4; i++) {
            const guint64 code = tensor_random(filling->rand, one->d);
            in[i / sums] |= code << i % sums * tensor_bits(one->d);
            whole->c[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] =
                tensor_value(one->d, code);
        }
    }
}

static double sum_of(const Sparse *one, const Whole *whole, guint row, guint column)
{
    double sum = 0;
    for (guint k = 0; k < one->k; k++)
        if (whole->there[row * one->k + k])
            sum += whole->a[row * one->k + k] * whole->b[k * 8 + column];
    sum += whole->c[row * 8 + column];
    return one->special == TENSOR_SATFINITE ? CLAMP(sum, G_MININT32, G_MAXINT32) : sum;
}

static void check_sparse(const Sparse *one, guint selector, gboolean ordered)
{
    const guint a = 16 * one->k / 2 * tensor_bits(one->a) / 32 / 32;
    const guint b = one->k * 8 * tensor_bits(one->b) / 32 / 32, d = one->d == F16 ? 2 : 4;
    const guint n = a + b + d + 1, bits = tensor_bits(one->d), per = 32 / bits;
    char from[33] = {0}, to[9] = {0};
    memset(from, 'r', n);
    memset(to, 'r', d);
    g_autofree char *in_a = tensor_registers('a', 0, a), *in_b = tensor_registers('a', a, b);
    g_autofree char *in_c = tensor_registers('a', a + b, d), *out_d = tensor_registers('z', 0, d);
    g_autofree char *body =
        g_strdup_printf("mma.sp%s.sync.aligned.%s.row.col%s.%s %s, %s, %s, %s, a%u, %u;",
                        ordered ? "::ordered_metadata" : "", one->shape,
                        one->special == TENSOR_SATFINITE ? ".satfinite" : "", one->types, out_d,
                        in_a, in_b, in_c, n - 1, selector);
    g_autoptr(GRand) rand = g_rand_new_with_seed(one->k + selector);
    g_autofree guint64 *in = g_new0(guint64, 32 * n), *out = g_new0(guint64, 32 * d);
    g_autofree Whole *whole = g_new0(Whole, 1);
    const Filling filling = {one, selector, n, rand, in};
    fill_a(&filling, whole);
    fill_others(&filling, a, whole);
    if (!ptx_run(body, to, from, 32, in, out))
        return;
    for (guint lane = 0; lane < 32; lane++)
        for (guint i = 0; i < 4; i++) {
            const guint64 got =
                out[lane * d + i / per] >> i % per * bits & (G_MAXUINT64 >> (64 - bits));
            const double sum = sum_of(one, whole, lane / 4 + i / 2 * 8, lane % 4 * 2 + i % 2);
            if (!isnan(sum) && !ptx_same(body, 0, NULL, got, tensor_code(one->d, sum)))
                return;
        }
}

static void test_sparse(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++)
        for (guint selector = 0; selector < cases[i].selectors; selector++)
            check_sparse(&cases[i], selector, (selector & 1) != 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-alu/matrix/sparse", test_sparse);
    return g_test_run();
}
