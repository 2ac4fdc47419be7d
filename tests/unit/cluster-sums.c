/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels whose groups use each other's shared memory (tests/hopper/cluster-sums.cu), as PTX and as
 * machine code, against plain loops. Numbers are small and whole, so sums are exact.
 */
#include "ptx/run/run.h"
#include "tests/help/sass.h"
#include <string.h>

#define N 64
#define THREADS 128
#define TILE 16
#define WORDS 5000

typedef struct {
    const char *kernel;
    guint grid[3];
    guint n, n_arguments;
    PsPtxArgument arguments[4];
} Launch;

static void execute(const PsPtxModule *module, const Launch *how)
{
    g_autoptr(GError) error = NULL;
    PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, how->kernel, &error),
                          .block = {THREADS, 1, 1},
                          .n_arguments = how->n_arguments,
                          .arguments = how->arguments};
    memcpy(launch.grid, how->grid, sizeof launch.grid);
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    for (guint y = 0; y < how->grid[1]; y++)
        for (guint x = 0; x < how->grid[0]; x++) {
            const guint group[] = {x, y, 0};
            if (ps_ptx_group_leads(machine, group))
                ps_ptx_run_group(machine, group, NULL, &error);
            g_assert_no_error(error);
        }
    for (guint i = 0; i < ps_ptx_machine_warnings(machine)->len; i++)
        g_assert_cmpstr(ps_ptx_machine_warnings(machine)->pdata[i], ==, NULL);
}

static void check_product(const PsPtxModule *module, const char *kernel, guint groups_x)
{
    g_autofree float *a = g_new(float, N *N), *b = g_new(float, N *N), *c = g_new0(float, N *N);
    g_autoptr(GRand) rand = g_rand_new_with_seed(5);
    for (guint i = 0; i < N * N; i++) {
        a[i] = (float)g_rand_int_range(rand, -4, 5);
        b[i] = (float)g_rand_int_range(rand, -4, 5);
    }
    const gsize size = sizeof *a * N * N;
    const Launch launch = {kernel,
                           {groups_x * N / TILE, N / TILE, 1},
                           N,
                           4,
                           {{.data = (guint8 *)a, .size = size},
                            {.data = (guint8 *)b, .size = size},
                            {.data = (guint8 *)c, .size = size},
                            {.bits = N}}};
    execute(module, &launch);
    for (guint row = 0; row < N; row++)
        for (guint column = 0; column < N; column++) {
            float sum = 0;
            for (guint k = 0; k < N; k++)
                sum += a[row * N + k] * b[k * N + column];
            g_assert_cmpfloat(c[row * N + column], ==, sum);
        }
}

static void check_histogram(const PsPtxModule *module)
{
    g_autofree guint32 *in = g_new(guint32, WORDS);
    g_autoptr(GRand) rand = g_rand_new_with_seed(6);
    guint32 out[256] = {0}, expected[256] = {0};
    for (guint i = 0; i < WORDS; i++) {
        in[i] = g_rand_int(rand);
        expected[in[i] % 256]++;
    }
    const Launch launch = {"histogram",
                           {16, 1, 1},
                           WORDS,
                           3,
                           {{.data = (guint8 *)in, .size = sizeof *in * WORDS},
                            {.data = (guint8 *)out, .size = sizeof out},
                            {.bits = WORDS}}};
    execute(module, &launch);
    g_assert_cmpmem(out, sizeof out, expected, sizeof expected);
}

static void check_ring(const PsPtxModule *module)
{
    enum { GROUPS = 8, TURNS = 5 };
    guint32 in[GROUPS * THREADS], out[GROUPS * THREADS + GROUPS / 4] = {0};
    for (guint i = 0; i < G_N_ELEMENTS(in); i++)
        in[i] = i * 1000;
    const Launch launch = {"ring",
                           {GROUPS, 1, 1},
                           TURNS,
                           3,
                           {{.data = (guint8 *)in, .size = sizeof in},
                            {.data = (guint8 *)out, .size = sizeof out},
                            {.bits = TURNS}}};
    execute(module, &launch);
    for (guint group = 0; group < GROUPS; group++) {
        const guint rank = group % 4, from = group / 4 * 4 + (rank + 4 * TURNS - TURNS) % 4;
        guint added = 0;
        for (guint turn = 0; turn < TURNS; turn++)
            added += (rank + 4 * TURNS - turn) % 4;
        for (guint i = 0; i < THREADS; i++)
            g_assert_cmpuint(out[group * THREADS + i], ==, in[from * THREADS + i] + added);
    }
    for (guint i = 0; i < GROUPS / 4; i++)
        g_assert_cmpuint(out[GROUPS * THREADS + i], ==, 4 * THREADS * TURNS);
}

static void check(const PsPtxModule *module, const char *kernel)
{
    if (strcmp(kernel, "split_sums") == 0)
        check_product(module, kernel, 4);
    else if (strcmp(kernel, "multicast") == 0)
        check_product(module, kernel, 1);
    else if (strcmp(kernel, "histogram") == 0)
        check_histogram(module);
    else
        check_ring(module);
}

static void test_ptx(gconstpointer kernel)
{
    g_autofree char *text = NULL;
    gsize size;
    g_autoptr(GError) error = NULL;
    g_assert_true(g_file_get_contents("tests/hopper/cluster-sums.ptx", &text, &size, &error));
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, size, "cluster-sums.ptx", &error);
    g_assert_no_error(error);
    check(module, kernel);
}

static void test_machine_code(gconstpointer kernel)
{
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code("cluster-sums-90", kernel, &image);
    for (guint i = 0; i < code->module->warnings->len; i++)
        g_assert_cmpstr(code->module->warnings->pdata[i], ==, NULL);
    check(code->module, kernel);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

int main(int argc, char **argv)
{
    static const char *const kernels[] = {"split_sums", "multicast", "histogram", "ring"};
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(kernels); i++) {
        g_autofree char *ptx = g_strdup_printf("/cluster-sums/ptx/%s", kernels[i]);
        g_autofree char *machine = g_strdup_printf("/cluster-sums/machine-code/%s", kernels[i]);
        g_test_add_data_func(ptx, kernels[i], test_ptx);
        g_test_add_data_func(machine, kernels[i], test_machine_code);
    }
    return g_test_run();
}
