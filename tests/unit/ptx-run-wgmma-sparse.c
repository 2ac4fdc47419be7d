/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sparse wgmma against plain loops: A of 64 rows, of which half is there, in shared memory or in
 * registers, and B of eight columns. Which elements there are is chosen at random, and said by
 * words of the lanes that the PTX ISA lists.
 */
#include "base/message.h"
#include "ptx/run/run.h"
#include "tests/help/tensor.h"
#include <string.h>

#define THREADS 128
#define ROWS_OF_A 64
#define COLUMNS 8
#define MOST_K 64
#define ROW_BYTES 32 /* of A; of B twice as many */

typedef struct {
    const char *types, *shape, *rest; /* rest: the immediates behind the scale */
    TensorElement element, sum;
    guint k, selector;
    gboolean registers;
} Case;

static const Case cases[] = {
    {"f32.f16.f16", "m64n8k32", ", 1, 1, 0, 0", F16, F32, 32, 0, FALSE},
    {"f32.f16.f16", "m64n8k32", ", 1, 1, 0, 0", F16, F32, 32, 1, FALSE},
    {"f32.bf16.bf16", "m64n8k32", ", 1, 1, 0", BF16, F32, 32, 1, TRUE},
    {"f32.tf32.tf32", "m64n8k16", ", 1, 1", TF32, F32, 16, 0, FALSE},
    {"f32.tf32.tf32", "m64n8k16", ", 1, 1", TF32, F32, 16, 1, TRUE},
    {"s32.s8.s8", "m64n8k64", "", S8, S32, 64, 0, FALSE},
    {"s32.s8.s8", "m64n8k64", "", S8, S32, 64, 0, TRUE},
};

/* What the kernel gets: factors as they lie in shared memory, A in registers, words, and C, which
 * becomes D. */
typedef struct {
    guint8 a[ROWS_OF_A * ROW_BYTES], b[COLUMNS * 2 * ROW_BYTES];
    guint32 registers[THREADS * 4], words[THREADS], sums[THREADS * 4];
} Memory;

typedef struct {
    double a[ROWS_OF_A * MOST_K], b[MOST_K * COLUMNS], c[ROWS_OF_A * COLUMNS];
} Whole;

static char *kernel_of(const Case *is)
{
    return g_strdup_printf(
        ".version 8.7\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 r, .param .u64 e, .param .u64 "
        "d)\n{\n"
        ".reg .b32 %%r<30>; .reg .b64 %%d<20>; .reg .pred %%p<4>;\n"
        ".shared .align 1024 .b8 sa[2048]; .shared .align 1024 .b8 sb[512];\n"
        "ld.param.u64 %%d0, [a]; ld.param.u64 %%d1, [b]; ld.param.u64 %%d2, [r];\n"
        "ld.param.u64 %%d3, [e]; ld.param.u64 %%d4, [d];\n"
        "mov.u32 %%r0, %%tid.x; mov.u32 %%r1, sa; mov.u32 %%r2, sb;\n"
        "mul.wide.u32 %%d5, %%r0, 16; add.u64 %%d6, %%d0, %%d5; cvt.u32.u64 %%r3, %%d5;\n"
        "ld.global.v4.u32 {%%r4, %%r5, %%r6, %%r7}, [%%d6]; add.u32 %%r8, %%r1, %%r3;\n"
        "st.shared.v4.u32 [%%r8], {%%r4, %%r5, %%r6, %%r7};\n"
        "setp.ge.u32 %%p0, %%r0, 32; @%%p0 bra FILLED; add.u64 %%d6, %%d1, %%d5;\n"
        "ld.global.v4.u32 {%%r4, %%r5, %%r6, %%r7}, [%%d6]; add.u32 %%r8, %%r2, %%r3;\n"
        "st.shared.v4.u32 [%%r8], {%%r4, %%r5, %%r6, %%r7};\n"
        "FILLED: fence.proxy.async.shared::cta; bar.sync 0;\n"
        "add.u64 %%d6, %%d2, %%d5; ld.global.v4.u32 {%%r10, %%r11, %%r12, %%r13}, [%%d6];\n"
        "mul.wide.u32 %%d7, %%r0, 4; add.u64 %%d6, %%d3, %%d7; ld.global.u32 %%r14, [%%d6];\n"
        "add.u64 %%d8, %%d4, %%d5; ld.global.v4.u32 {%%r15, %%r16, %%r17, %%r18}, [%%d8];\n"
        /* 128 bytes to the next piece of a row, 256 or 512 to the next eight rows */
        "bfe.u32 %%r1, %%r1, 4, 14; bfe.u32 %%r2, %%r2, 4, 14; cvt.u64.u32 %%d9, %%r1;\n"
        "cvt.u64.u32 %%d10, %%r2; or.b64 %%d9, %%d9, 0x0000001000080000;\n"
        "or.b64 %%d10, %%d10, 0x0000002000080000;\n"
        "wgmma.fence.sync.aligned;\n"
        "wgmma.mma_async.sp.sync.aligned.%s.%s {%%r15, %%r16, %%r17, %%r18}, %s, %%d10, %%r14, %u, "
        "1%s;\n"
        "wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n"
        "st.global.v4.u32 [%%d8], {%%r15, %%r16, %%r17, %%r18}; ret;\n}\n",
        is->shape, is->types, is->registers ? "{%r10, %r11, %r12, %r13}" : "%d9", is->selector,
        is->rest);
}

/* Which of a row's group of elements there are (of tf32 one of two, else two of four), and how the
 * words say so: 16 bits of each of two rows in a lane, or of 8 bits 32 of one row. */
static void choose(const Case *is, GRand *rand, Memory *memory, guint row, guint group,
                   guint kept[2])
{
    const gboolean bytes = is->element == S8;
    const guint in_warp = row % 16, first = in_warp % 8 * 4 + is->selector * 2;
    const guint lane = first + (bytes ? group / 8 * 2 + in_warp / 8 : group / 4);
    const guint bit = bytes ? group % 8 * 4 : group % 4 * 4 + in_warp / 8 * 16;
    kept[0] = (guint)g_rand_int_range(rand, 0, is->element == TF32 ? 2 : 3);
    kept[1] = (guint)g_rand_int_range(rand, (gint32)kept[0] + 1, 4);
    const guint32 code = is->element != TF32 ? kept[0] | kept[1] << 2 : kept[0] ? 14 : 4;
    memory->words[row / 16 * 32 + lane] |= code << bit;
}

/* A row's byte in shared memory: pieces of 16 bytes of eight rows follow each other. */
static gsize place_of(guint row, guint byte, guint row_bytes)
{
    return (gsize)(row / 8) * 8 * row_bytes + byte / 16 * 128 + row % 8 * 16 + byte % 16;
}

/* The register of A with a row's byte, and its lane. */
static guint32 *register_of(Memory *memory, guint row, guint byte)
{
    const guint lane = row / 16 * 32 + row % 8 * 4 + byte % 16 / 4;
    return &memory->registers[lane * 4 + byte / 16 * 2 + row % 16 / 8];
}

static void fill_a(const Case *is, GRand *rand, Memory *memory, Whole *whole)
{
    const guint bytes = tensor_bits(is->element) / 8, group = is->element == TF32 ? 2 : 4;
    for (guint row = 0; row < ROWS_OF_A; row++)
        for (guint g = 0; g < is->k / group; g++) {
            guint kept[2];
            choose(is, rand, memory, row, g, kept);
            for (guint i = 0; i < group / 2; i++) {
                const guint64 code = tensor_random(rand, is->element);
                const guint byte = (g * group / 2 + i) * bytes;
                whole->a[row * is->k + g * group + kept[i]] = tensor_value(is->element, code);
                memcpy(memory->a + place_of(row, byte, ROW_BYTES), &code, bytes);
                *register_of(memory, row, byte) |= (guint32)code << byte % 4 * 8;
            }
        }
}

static void fill_others(const Case *is, GRand *rand, Memory *memory, Whole *whole)
{
    const guint bytes = tensor_bits(is->element) / 8;
    for (guint column = 0; column < COLUMNS; column++)
        for (guint k = 0; k < is->k; k++) {
            const guint64 code = tensor_random(rand, is->element);
            whole->b[k * COLUMNS + column] = tensor_value(is->element, code);
            memcpy(memory->b + place_of(column, k * bytes, 2 * ROW_BYTES), &code, bytes);
        }
    for (guint i = 0; i < ROWS_OF_A * COLUMNS; i++) {
        const guint row = i / 128 * 16 + i % 128 / 16 + i % 4 / 2 * 8;
        memory->sums[i] = (guint32)tensor_random(rand, is->sum);
        whole->c[row * COLUMNS + i / 4 % 4 * 2 + i % 2] = tensor_value(is->sum, memory->sums[i]);
    }
}

static void run(const Case *is, Memory *memory)
{
    g_autofree char *text = kernel_of(is);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    const PsPtxArgument arguments[] = {
        {.name = "a", .data = memory->a, .size = sizeof memory->a},
        {.name = "b", .data = memory->b, .size = sizeof memory->b},
        {.name = "r", .data = (guint8 *)memory->registers, .size = sizeof memory->registers},
        {.name = "e", .data = (guint8 *)memory->words, .size = sizeof memory->words},
        {.name = "d", .data = (guint8 *)memory->sums, .size = sizeof memory->sums}};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, NULL, &error),
                                .grid = {1, 1, 1},
                                .block = {THREADS, 1, 1},
                                .n_arguments = 5,
                                .arguments = arguments};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    (void)(ps_ptx_run_group(machine, (const guint[3]){0, 0, 0}, NULL, &error));
    g_assert_no_error(error);
}

static void test_case(gconstpointer data)
{
    const Case *is = data;
    g_autofree Memory *memory = g_new0(Memory, 1);
    g_autofree Whole *whole = g_new0(Whole, 1);
    g_autoptr(GRand) rand = g_rand_new_with_seed(is->k + is->selector);
    fill_a(is, rand, memory, whole);
    fill_others(is, rand, memory, whole);
    run(is, memory);
    for (guint i = 0; i < ROWS_OF_A * COLUMNS; i++) {
        const guint row = i / 128 * 16 + i % 128 / 16 + i % 4 / 2 * 8;
        const guint column = i / 4 % 4 * 2 + i % 2;
        double sum = whole->c[row * COLUMNS + column];
        for (guint k = 0; k < is->k; k++)
            sum += whole->a[row * is->k + k] * whole->b[k * COLUMNS + column];
        g_assert_cmphex(memory->sums[i], ==, tensor_code(is->sum, sum));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path =
            g_strdup_printf("/ptx-run-wgmma-sparse/%s-%u%s", cases[i].types, cases[i].selector,
                            cases[i].registers ? "-registers" : "");
        g_test_add_data_func(path, &cases[i], test_case);
    }
    return g_test_run();
}
