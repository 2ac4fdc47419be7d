/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wmma, which loads, multiplies and stores whole matrices, against plain loops.
 */
#include "tests/help/ptx-run.h"
#include "tests/help/tensor.h"
#include <string.h>

typedef struct {
    const char *shape;
    const char *a_type, *b_type, *c_type, *d_type;
    const char *product; /* what the types of wmma.mma are written as */
    guint m, n, k;
    TensorElement a, b, c, d;
    guint a_registers, b_registers;
    TensorSpecial special;
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
    {"m8n8k4", "f64", "f64", "f64", "f64", "f64.f64.f64.f64.rn", 8, 8, 4, F64, F64, F64, F64, 1, 1,
     0},
    {"m8n8k32", "s4", "s4", "s32", "s32", "s32.s4.s4.s32", 8, 8, 32, S4, S4, S32, S32, 1, 1, 0},
    {"m8n8k128", "b1", "b1", "s32", "s32", "s32.b1.b1.s32", 8, 8, 128, B1, B1, S32, S32, 1, 1,
     TENSOR_XOR},
};

/* Bits of a whole matrix, in words of 32. */
static guint memory_words(guint elements, TensorElement element)
{
    return elements * tensor_bits(element) / 32;
}

/* A matrix in memory, rows or columns together, which is spread over the lanes' registers. */
static void fill_memory(const TensorRegisters *to, guint first, const guint size[2],
                        TensorElement element, gboolean row_major, double *whole)
{
    guint bits = tensor_bits(element);
    guint words = memory_words(size[0] * size[1], element);
    g_autofree guint32 *memory = g_new0(guint32, words);
    for (guint i = 0; i < size[0] * size[1]; i++) {
        guint row = row_major ? i / size[1] : i % size[0];
        guint column = row_major ? i % size[1] : i / size[0];
        guint64 code = tensor_random(to->rand, element);
        whole[row * size[1] + column] = tensor_value(element, code);
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
    g_autofree char *x = tensor_registers('x', 0, one->a_registers);
    g_autofree char *y = tensor_registers('y', 0, one->b_registers);
    g_autofree char *u = tensor_registers('u', 0, per_c), *v = tensor_registers('v', 0, per_d);
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
                           c_at, strides[2], one->special == TENSOR_XOR ? ".xor.popc" : "",
                           layouts[0], layouts[1], one->shape, one->product, v, x, y, u, layouts[3],
                           one->shape, one->d_type, d_at, v, strides[3]);
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
    g_autofree TensorMatrices *warps = g_new0(TensorMatrices, WARPS);
    for (guint warp = 0; warp < WARPS; warp++) {
        const TensorRegisters rows = {rand, &in[(gsize)warp * 32 * n], n};
        fill_memory(&rows, 0, sizes[0], one->a, layouts[0][0] == 'r', warps[warp].a);
        fill_memory(&rows, words[0], sizes[1], one->b, layouts[1][0] == 'r', warps[warp].b);
        fill_memory(&rows, words[0] + words[1], sizes[2], one->c, layouts[2][0] == 'r',
                    warps[warp].c);
        tensor_multiply(&warps[warp], one->m, one->n, one->k, one->special);
    }
    if (!ptx_run(body, to, from, ROWS, in, out))
        return;
    guint bits = tensor_bits(one->d);
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
                      tensor_code(one->d, warps[warp].c[row * one->n + column])))
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
            gboolean small = tensor_bits(wmmas[i].a) < 8; /* these have only .row.col */
            if (!small || (how & 3) == 2)
                check_wmma(&wmmas[i], layouts);
        }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-alu/matrix/wmma", test_wmma);
    return g_test_run();
}
