/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A product of fp8 with scales of rows and of blocks (tests/hopper/gemm-scaled.cu), by a pair of
 * groups that goes on from tile to tile, against plain loops. Elements are small and whole and
 * scales are powers of two, so all sums are exact; what leaves is the nearest bf16.
 */
#include "ptx/run/run.h"
#include "ptx/tensor-map.h"
#include "tests/help/tensor.h"

#define M 200 /* the last tile of rows has some beside the matrix */
#define N 288 /* tiles of 96 columns: one has one scale of B, others two, from 32 and 64 on */
#define K 384
#define STEPS (K / 128)
#define TALL 128
#define WIDE 96
#define STAGES 2

typedef struct {
    guint8 a[M * K], b[N * K];
    float scales_a[STEPS * M], scales_b[(N + 127) / 128 * STEPS];
    guint16 c[M * N];
} Matrices;

/* e4m3 of the numbers from -4 to 4. */
static const guint8 codes[] = {0xc8, 0xc4, 0xc0, 0xb8, 0x00, 0x38, 0x40, 0x44, 0x48};

static void fill(Matrices *of, gint8 *a, gint8 *b)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(39);
    for (guint i = 0; i < M * K; i++)
        of->a[i] = codes[4 + (a[i] = (gint8)g_rand_int_range(rand, -4, 5))];
    for (guint i = 0; i < N * K; i++)
        of->b[i] = codes[4 + (b[i] = (gint8)g_rand_int_range(rand, -4, 5))];
    for (guint i = 0; i < G_N_ELEMENTS(of->scales_a); i++)
        of->scales_a[i] = (float)(1 << g_rand_int_range(rand, 0, 4)) / 4;
    for (guint i = 0; i < G_N_ELEMENTS(of->scales_b); i++)
        of->scales_b[i] = (float)(1 << g_rand_int_range(rand, 0, 4)) / 4;
}

static double element(const Matrices *of, const gint8 *a, const gint8 *b, const guint at[2])
{
    double sum = 0;
    for (guint step = 0; step < STEPS; step++) {
        gint part = 0;
        for (guint k = step * 128; k < step * 128 + 128; k++)
            part += a[at[0] * K + k] * b[at[1] * K + k];
        sum += part * (double)of->scales_a[step * M + at[0]] *
               (double)of->scales_b[at[1] / 128 * STEPS + step];
    }
    return sum;
}

/* A map of rows of so many elements, whose boxes are high x wide. */
static PsPtxArgument map_of(guint8 bytes[PS_TENSOR_MAP_BYTES], const PsTensorMap *map,
                            const PsPtxField *field)
{
    PsTensorMap whole = *map;
    whole.rank = 2;
    whole.step[0] = whole.step[1] = 1;
    ps_tensor_map_encode(&whole, bytes);
    return (PsPtxArgument){
        .bytes = bytes, .size = PS_TENSOR_MAP_BYTES, .n_fields = 1, .fields = field};
}

static void run(const PsPtxModule *module, Matrices *of)
{
    static const PsTensorMap maps[] = {
        {.element = PS_TENSOR_U8,
         .swizzle = 128,
         .size = {K, M},
         .stride = {1, K},
         .box = {128, TALL}},
        {.element = PS_TENSOR_U8,
         .swizzle = 128,
         .size = {K, N},
         .stride = {1, K},
         .box = {128, WIDE / 2}},
        {.element = PS_TENSOR_BF16,
         .swizzle = 64,
         .size = {N, M},
         .stride = {2, 2 * N},
         .box = {32, 64}},
        {.element = PS_TENSOR_F32, .size = {M, STEPS}, .stride = {4, 4 * M}, .box = {TALL, 1}}};
    const PsPtxField fields[] = {
        {.name = "a", .data = of->a, .size = sizeof of->a},
        {.name = "b", .data = of->b, .size = sizeof of->b},
        {.name = "c", .data = (guint8 *)of->c, .size = sizeof of->c},
        {.name = "scales_a", .data = (guint8 *)of->scales_a, .size = sizeof of->scales_a}};
    guint8 bytes[4][PS_TENSOR_MAP_BYTES];
    PsPtxArgument arguments[8] = {
        [4] = {.data = (guint8 *)of->scales_b, .size = sizeof of->scales_b},
        {.bits = M},
        {.bits = N},
        {.bits = K}};
    for (guint i = 0; i < 4; i++)
        arguments[i] = map_of(bytes[i], &maps[i], &fields[i]);
    g_autoptr(GError) error = NULL;
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, "product", &error),
                                .grid = {2, 1, 1},
                                .block = {384, 1, 1},
                                .dynamic_shared = STAGES * ((TALL + WIDE) * 128 + 4 * TALL) +
                                                  TALL * WIDE * 2 + 8 * STEPS,
                                .n_arguments = G_N_ELEMENTS(arguments),
                                .arguments = arguments};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    ps_ptx_run_group(machine, (const guint[3]){0, 0, 0}, NULL, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(ps_ptx_machine_warnings(machine)->len, ==, 0);
}

static void test_product(void)
{
    g_autofree Matrices *matrices = g_new0(Matrices, 1);
    g_autofree gint8 *a = g_new(gint8, M * K), *b = g_new(gint8, N * K);
    g_autofree char *text = NULL;
    gsize size;
    g_autoptr(GError) error = NULL;
    g_assert_true(g_file_get_contents("tests/hopper/gemm-scaled.ptx", &text, &size, &error));
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, size, "gemm-scaled.ptx", &error);
    g_assert_no_error(error);
    fill(matrices, a, b);
    run(module, matrices);
    for (guint row = 0; row < M; row++)
        for (guint column = 0; column < N; column++)
            g_assert_cmphex(
                matrices->c[row * N + column], ==,
                tensor_code(BF16, element(matrices, a, b, (const guint[]){row, column})));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/gemm-scaled/product", test_product);
    return g_test_run();
}
