/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels for Hopper (tests/hopper/) and a product for Blackwell (tests/blackwell/): warps of
 * different roles that wait for each other at mbarriers, copies by tensor maps, products of
 * warpgroups. Numbers are small and whole, so sums are exact, and each result must be right to the
 * last bit.
 */
#include "ptx/run/run.h"
#include "ptx/tensor-map.h"
#include "tests/help/sass.h"
#include "tests/help/tensor.h"
#include <string.h>

#define N 384 /* rows, columns and products of a sum */

typedef struct {
    guint16 a[N * N], b[N * N]; /* b: column after column */
    float c[N * N];
} Matrices;

/* A whole number as a half, from a table, since tensor_code() computes each bit. */
static guint16 half(gint value)
{
    static guint16 codes[9];
    if (codes[8] == 0)
        for (gint i = -4; i <= 4; i++)
            codes[i + 4] = (guint16)tensor_code(F16, i);
    return codes[value + 4];
}

static void fill(Matrices *matrices, gint *a, gint *b)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(3);
    for (guint i = 0; i < N * N; i++) {
        a[i] = g_rand_int_range(rand, -4, 5);
        b[i] = g_rand_int_range(rand, -4, 5);
        matrices->a[i] = half(a[i]);
        matrices->b[i] = half(b[i]);
    }
}

static void check(const Matrices *matrices, const gint *a, const gint *b)
{
    for (guint row = 0; row < N; row++)
        for (guint column = 0; column < N; column++) {
            gint sum = 0;
            for (guint k = 0; k < N; k++)
                sum += a[row * N + k] * b[column * N + k];
            g_assert_cmpfloat(matrices->c[row * N + column], ==, (float)sum);
        }
}

static void encode(guint8 bytes[PS_TENSOR_MAP_BYTES], guint n)
{
    const PsTensorMap map = {.rank = 2,
                             .element = PS_TENSOR_F16,
                             .swizzle = 128,
                             .size = {n, n},
                             .stride = {2, n * 2},
                             .box = {64, 128},
                             .step = {1, 1}};
    ps_tensor_map_encode(&map, bytes);
}

/* Arrivals and copies that ended waits. */
typedef struct {
    guint waits, copies, arrivals;
    guint64 producers, consumers; /* sets of warps that wait */
} Heard;

static void hear(gpointer data, const PsPtxEvent *event)
{
    Heard *heard = data;
    for (guint i = 0; i < event->n_enders; i++)
        if (event->enders[i].copy) {
            g_assert_cmpuint(event->enders[i].warp, ==, 0);
            heard->consumers |= (guint64)1 << event->warp;
            heard->copies++;
        } else if (event->enders[i].warp != 0) {
            heard->producers |= (guint64)1 << event->warp;
            heard->arrivals++;
        }
    heard->waits += event->wait != NULL;
}

static void run_roles(const PsPtxModule *module, Heard *heard)
{
    g_autofree Matrices *matrices = g_new0(Matrices, 1);
    g_autofree gint *a = g_new(gint, N * N), *b = g_new(gint, N * N);
    guint8 map[PS_TENSOR_MAP_BYTES];
    g_autoptr(GError) error = NULL;
    encode(map, N);
    fill(matrices, a, b);
    const PsPtxField field_a = {.name = "a", .data = (guint8 *)matrices->a, .size = 2 * N * N};
    const PsPtxField field_b = {.name = "b", .data = (guint8 *)matrices->b, .size = 2 * N * N};
    const PsPtxArgument arguments[] = {
        {.bytes = map, .size = sizeof map, .n_fields = 1, .fields = &field_a},
        {.bytes = map, .size = sizeof map, .n_fields = 1, .fields = &field_b},
        {.data = (guint8 *)matrices->c, .size = sizeof matrices->c},
        {.bits = N}};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, "gemm", &error),
                                .grid = {N / 128, N / 128, 1},
                                .block = {384, 1, 1},
                                .dynamic_shared = 131072,
                                .n_arguments = G_N_ELEMENTS(arguments),
                                .arguments = arguments};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    const PsPtxListener listener = {.data = heard, .executed = hear};
    for (guint y = 0; y < N / 128; y++)
        for (guint x = 0; x < N / 128; x++) {
            ps_ptx_run_group(machine, (const guint[3]){x, y, 0}, &listener, &error);
            g_assert_no_error(error);
        }
    g_assert_cmpuint(ps_ptx_machine_warnings(machine)->len, ==, 0);
    check(matrices, a, b);
}

static void test_roles(void)
{
    g_autofree char *text = NULL;
    gsize size;
    g_autoptr(GError) error = NULL;
    Heard heard = {0};
    g_assert_true(g_file_get_contents("tests/hopper/gemm-roles.ptx", &text, &size, &error));
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, size, "gemm-roles.ptx", &error);
    g_assert_no_error(error);
    run_roles(module, &heard);
    /* In each of 9 groups eight warps wait for the N / 64 fillings of stages, of two copies each;
     * and one waits, for an arrival of each warpgroup, before it fills a stage again. */
    g_assert_cmpuint(heard.waits, ==, 9 * (8 * (N / 64) + N / 64 - 4));
    g_assert_cmpuint(heard.copies, ==, 9 * 8 * (N / 64) * 2);
    g_assert_cmphex(heard.consumers, ==, 0xff0);
    g_assert_cmpuint(heard.arrivals, ==, 9 * (N / 64 - 4) * 2);
    g_assert_cmphex(heard.producers, ==, 1);
}

static void test_machine_code(void)
{
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code("gemm-roles-90", "gemm", &image);
    Heard heard = {0};
    g_assert_cmpuint(code->module->warnings->len, ==, 0);
    run_roles(code->module, &heard);
    g_assert_cmphex(heard.consumers, ==, 0xff0);
    g_assert_cmphex(heard.producers, ==, 1);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

/* ---- one product, in several ways ----------------------------------------------------------- */

#define LADDER_N 512

typedef struct {
    const char *kernel;
    guint groups, threads, shared;
    const char *file;
} LadderCase;

/* Both factors as halves, and their product, which is the same for all ways. */
typedef struct {
    guint16 a[LADDER_N * LADDER_N], b[LADDER_N * LADDER_N], c[LADDER_N * LADDER_N];
    gint product[LADDER_N * LADDER_N];
} Ladder;

/* Sums of small numbers stay below 2048, where halves have all whole numbers. */
static void multiply(Ladder *ladder, const gint8 *a, const gint8 *b)
{
    for (guint row = 0; row < LADDER_N; row++)
        for (guint column = 0; column < LADDER_N; column++) {
            gint sum = 0;
            for (guint k = 0; k < LADDER_N; k++)
                sum += a[row * LADDER_N + k] * b[column * LADDER_N + k];
            ladder->product[row * LADDER_N + column] = sum;
        }
}

/* Factors are -1, 0 and 1, so that sums are exact in half precision. */
static Ladder *ladder_new(void)
{
    const gsize n = (gsize)LADDER_N * LADDER_N;
    Ladder *ladder = g_new0(Ladder, 1);
    g_autofree gint8 *a = g_new(gint8, n), *b = g_new(gint8, n);
    g_autoptr(GRand) rand = g_rand_new_with_seed(5);
    for (gsize i = 0; i < n; i++) {
        a[i] = (gint8)g_rand_int_range(rand, -1, 2);
        b[i] = (gint8)g_rand_int_range(rand, -1, 2);
        ladder->a[i] = half(a[i]);
        ladder->b[i] = half(b[i]);
    }
    multiply(ladder, a, b);
    return ladder;
}

static void check_ladder(const Ladder *ladder)
{
    guint seen[2 * LADDER_N + 1] = {0}; /* codes of sums, plus 1 */
    for (gsize i = 0; i < G_N_ELEMENTS(ladder->c); i++) {
        guint *code = &seen[ladder->product[i] + LADDER_N];
        if (*code == 0)
            *code = (guint)tensor_code(F16, ladder->product[i]) + 1;
        g_assert_cmpuint(ladder->c[i], ==, *code - 1);
    }
}

static void run_ladder(const PsPtxModule *module, const LadderCase *way, Ladder *ladder)
{
    guint8 map[PS_TENSOR_MAP_BYTES];
    g_autoptr(GError) error = NULL;
    memset(ladder->c, 0xff, sizeof ladder->c);
    encode(map, LADDER_N);
    const gsize bytes = sizeof ladder->a;
    const PsPtxField field_a = {.name = "a", .data = (guint8 *)ladder->a, .size = bytes};
    const PsPtxField field_b = {.name = "b", .data = (guint8 *)ladder->b, .size = bytes};
    const PsPtxArgument arguments[] = {
        {.bytes = map, .size = sizeof map, .n_fields = 1, .fields = &field_a},
        {.bytes = map, .size = sizeof map, .n_fields = 1, .fields = &field_b},
        {.data = (guint8 *)ladder->c, .size = bytes},
        {.bits = LADDER_N}};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, way->kernel, &error),
                                .grid = {way->groups, 1, 1},
                                .block = {way->threads, 1, 1},
                                .dynamic_shared = way->shared,
                                .n_arguments = G_N_ELEMENTS(arguments),
                                .arguments = arguments};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    for (guint x = 0; x < way->groups; x++) {
        ps_ptx_run_group(machine, (const guint[3]){x, 0, 0}, &(const PsPtxListener){0}, &error);
        g_assert_no_error(error);
    }
    check_ladder(ladder);
}

static Ladder *ladder; /* what all ways multiply */

static void test_ladder(gconstpointer data)
{
    const LadderCase *way = data;
    g_autofree char *text = NULL;
    gsize size;
    g_autoptr(GError) error = NULL;
    g_assert_true(g_file_get_contents(way->file, &text, &size, &error));
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, size, way->file, &error);
    g_assert_no_error(error);
    run_ladder(module, way, ladder);
}

int main(int argc, char **argv)
{
    static const char hopper[] = "tests/hopper/gemm-ladder.ptx",
                      blackwell[] = "tests/blackwell/gemm.ptx";
    static const LadderCase ways[] = {
        {"plain", 16, 128, 32768, hopper},      {"stages", 16, 128, 131072, hopper},
        {"one", 16, 256, 131072, hopper},       {"two", 8, 384, 196608, hopper},
        {"persistent", 3, 384, 196608, hopper}, {"single", 8, 192, 196608, blackwell},
        {"pair", 8, 192, 196608, blackwell}};
    ladder = ladder_new();
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-run-hopper/roles", test_roles);
    g_test_add_func("/ptx-run-hopper/machine-code", test_machine_code);
    for (gsize i = 0; i < G_N_ELEMENTS(ways); i++) {
        g_autofree char *path = g_strconcat("/ptx-run-hopper/ladder/", ways[i].kernel, NULL);
        g_test_add_data_func(path, &ways[i], test_ladder);
    }
    const int status = g_test_run();
    g_free(ladder);
    return status;
}
