/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What Triton makes of our kernels for Blackwell (tests/blackwell/triton-kernels.py), PTX and
 * machine code: executed, against plain loops. Sums of products are exact; what goes through
 * approximate functions or numbers of 16 bits is within what their rounding may do.
 */
#include "ptx/run/run.h"
#include "tests/help/sass.h"
#include "tests/help/tensor.h"
#include <math.h>
#include <string.h>

#define THREADS 128

typedef struct {
    const char *file, *kernel;
    guint grid[3];
    guint64 shared;
    guint n_arguments;
    PsPtxArgument arguments[8]; /* and two addresses of nothing behind them */
    gboolean machine;           /* its machine code (tests/sass/triton-FILE) */
} Launch;

static void execute_module(const Launch *how, const PsPtxModule *module)
{
    g_autoptr(GError) error = NULL;
    PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, how->kernel, &error),
                          .block = {THREADS, 1, 1},
                          .dynamic_shared = how->shared,
                          .n_arguments = how->n_arguments + 2,
                          .arguments = how->arguments};
    memcpy(launch.grid, how->grid, sizeof launch.grid);
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    for (guint y = 0; y < how->grid[1]; y++)
        for (guint x = 0; x < how->grid[0]; x++) {
            ps_ptx_run_group(machine, (const guint[3]){x, y, 0}, NULL, &error);
            g_assert_no_error(error);
        }
    for (guint i = 0; i < ps_ptx_machine_warnings(machine)->len; i++)
        g_assert_cmpstr(ps_ptx_machine_warnings(machine)->pdata[i], ==, NULL);
}

static void execute_machine_code(const Launch *how)
{
    PsSassImage *image = NULL;
    g_autofree char *name = g_strconcat("triton-", how->file, NULL);
    PsSassCode *code = sass_code(name, how->kernel, &image);
    for (guint i = 0; i < code->module->warnings->len; i++)
        g_assert_cmpstr(code->module->warnings->pdata[i], ==, NULL);
    execute_module(how, code->module);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
}

static void execute(const Launch *how)
{
    g_autofree char *text = NULL;
    g_autofree char *path = g_strconcat("tests/blackwell/triton-", how->file, ".ptx", NULL);
    gsize size;
    g_autoptr(GError) error = NULL;
    if (how->machine) {
        execute_machine_code(how);
        return;
    }
    g_assert_true(g_file_get_contents(path, &text, &size, &error));
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, size, path, &error);
    g_assert_no_error(error);
    execute_module(how, module);
}

#define BUFFER(array, n)                                                                           \
    {                                                                                              \
        .data = (guint8 *)(array), .size = sizeof *(array) * (n)                                   \
    }

static float *numbers(guint n, guint seed)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(seed);
    float *list = g_new(float, n);
    for (guint i = 0; i < n; i++)
        list[i] = (float)g_rand_double_range(rand, -1, 1);
    return list;
}

static void test_add(void)
{
    enum { N = 3000 };
    g_autofree float *x = numbers(N, 1), *y = numbers(N, 2), *z = g_new0(float, N);
    execute(&(Launch){"add-100",
                      "add",
                      {3, 1, 1},
                      0,
                      4,
                      {BUFFER(x, N), BUFFER(y, N), BUFFER(z, N), {.bits = N}},
                      FALSE});
    for (guint i = 0; i < N; i++)
        g_assert_cmpfloat(z[i], ==, x[i] + y[i]);
}

static void test_softmax(void)
{
    enum { ROWS_OF = 3, N = 1000 };
    g_autofree float *x = numbers(ROWS_OF * N, 3), *out = g_new0(float, ROWS_OF *N);
    execute(&(Launch){"softmax-100",
                      "softmax",
                      {ROWS_OF, 1, 1},
                      16,
                      3,
                      {BUFFER(out, ROWS_OF * N), BUFFER(x, ROWS_OF * N), {.bits = N}},
                      FALSE});
    for (guint row = 0; row < ROWS_OF; row++) {
        double sum = 0;
        for (guint i = 0; i < N; i++)
            sum += exp(x[row * N + i]);
        for (guint i = 0; i < N; i++)
            g_assert_cmpfloat_with_epsilon(out[row * N + i] * N, exp(x[row * N + i]) / sum * N,
                                           1e-5);
    }
}

static void test_layernorm(void)
{
    enum { ROWS_OF = 3, N = 1000 };
    g_autofree float *x = numbers(ROWS_OF * N, 4), *w = numbers(N, 5), *b = numbers(N, 6),
                     *out = g_new0(float, ROWS_OF *N);
    const float eps = 1e-5F;
    guint32 bits;
    memcpy(&bits, &eps, sizeof bits);
    execute(&(Launch){"layernorm-100",
                      "layernorm",
                      {ROWS_OF, 1, 1},
                      16,
                      6,
                      {BUFFER(out, ROWS_OF * N),
                       BUFFER(x, ROWS_OF * N),
                       BUFFER(w, N),
                       BUFFER(b, N),
                       {.bits = N},
                       {.bits = bits}},
                      FALSE});
    for (guint row = 0; row < ROWS_OF; row++) {
        const float *in = x + row * N;
        double mean = 0, variance = 0;
        for (guint i = 0; i < N; i++)
            mean += in[i] / N;
        for (guint i = 0; i < N; i++)
            variance += (in[i] - mean) * (in[i] - mean) / N;
        for (guint i = 0; i < N; i++)
            g_assert_cmpfloat_with_epsilon(
                out[row * N + i], (in[i] - mean) / sqrt(variance + 1e-5) * w[i] + b[i], 1e-5);
    }
}

/* Whole numbers from -2 to 2, of 16 bits or as e4m3. */
static guint16 code_of(int value, gboolean eight)
{
    static const guint8 codes[] = {0xc0, 0xb8, 0, 0x38, 0x40};
    return eight ? codes[value + 2] : (guint16)tensor_code(F16, value);
}

typedef struct {
    const char *file;
    gboolean eight;
    guint64 shared;
    gboolean machine;
} Product;

static void test_product(gconstpointer data)
{
    enum { M = 256, N = 128, K = 192 };
    const Product *how = data;
    const guint bytes = how->eight ? 1 : 2;
    g_autofree guint8 *a = g_malloc(M * K * 2), *b = g_malloc(K * N * 2);
    g_autofree int *x = g_new(int, M *K), *y = g_new(int, K *N);
    g_autofree guint16 *c = g_new0(guint16, M * N);
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);
    for (guint i = 0; i < M * K + K * N; i++) {
        const gboolean first = i < M * K;
        const guint at = first ? i : i - M * K;
        const int value = g_rand_int_range(rand, -2, 3);
        const guint16 code = code_of(value, how->eight);
        (first ? x : y)[at] = value;
        memcpy((first ? a : b) + (gsize)at * bytes, &code, bytes);
    }
    execute(&(Launch){how->file,
                      "product",
                      {M / 128, N / 128, 1},
                      how->shared,
                      6,
                      {{.data = a, .size = (gsize)M * K * bytes},
                       {.data = b, .size = (gsize)K * N * bytes},
                       BUFFER(c, M * N),
                       {.bits = M},
                       {.bits = N},
                       {.bits = K}},
                      how->machine});
    for (guint row = 0; row < M; row++)
        for (guint column = 0; column < N; column++) {
            int sum = 0;
            for (guint k = 0; k < K; k++)
                sum += x[row * K + k] * y[k * N + column];
            g_assert_cmpfloat(tensor_value(F16, c[row * N + column]), ==, sum);
        }
}

/* Weights of 16 bits, and a result of these: each rounds by no more than 2^-11. */
#define ATTENTION_BOUND (3.0 / 2048)

static void check_attention(const double *q, const double *k, const double *v, const guint16 *o,
                            guint n)
{
    enum { D = 64 };
    g_autofree double *weight = g_new(double, n);
    for (guint row = 0; row < n; row++) {
        double sum = 0;
        for (guint i = 0; i < n; i++) {
            double score = 0;
            for (guint d = 0; d < D; d++)
                score += q[row * D + d] * k[i * D + d];
            weight[i] = exp2(score * 0.25);
            sum += weight[i];
        }
        for (guint d = 0; d < D; d++) {
            double value = 0;
            for (guint i = 0; i < n; i++)
                value += weight[i] / sum * v[i * D + d];
            g_assert_cmpfloat_with_epsilon(tensor_value(F16, o[row * D + d]), value,
                                           ATTENTION_BOUND);
        }
    }
}

static void test_attention(gconstpointer data)
{
    enum { N = 256, D = 64 };
    const Product *how = data;
    g_autofree guint16 *code = g_new(guint16, 3 * N * D), *o = g_new0(guint16, N * D);
    g_autofree double *value = g_new(double, 3 * N * D);
    g_autoptr(GRand) rand = g_rand_new_with_seed(8);
    const float scale = 0.25F;
    guint32 bits;
    memcpy(&bits, &scale, sizeof bits);
    for (guint i = 0; i < 3 * N * D; i++) {
        code[i] = (guint16)tensor_code(F16, g_rand_int_range(rand, -16, 17) / 16.0);
        value[i] = tensor_value(F16, code[i]);
    }
    execute(&(Launch){how->file,
                      "attention",
                      {N / 128, 1, 1},
                      how->shared,
                      6,
                      {BUFFER(code, N * D),
                       BUFFER(code + N * D, N * D),
                       BUFFER(code + 2 * N * D, N * D),
                       BUFFER(o, N * D),
                       {.bits = N},
                       {.bits = bits}},
                      how->machine});
    check_attention(value, value + N * D, value + 2 * N * D, o, N);
}

int main(int argc, char **argv)
{
    static const Product products[] = {
        {"product-fp16-100", FALSE, 98320, FALSE}, {"product-fp8e4nv-100", TRUE, 49168, FALSE},
        {"product-fp16-120", FALSE, 65536, FALSE}, {"product-fp8e4nv-120", TRUE, 32768, FALSE},
        {"product-fp16-100", FALSE, 98320, TRUE},  {"product-fp8e4nv-100", TRUE, 49168, TRUE}};
    static const Product attentions[] = {{"attention-100", FALSE, 65568, FALSE},
                                         {"attention-120", FALSE, 49152, FALSE},
                                         {"attention-100", FALSE, 65568, TRUE}};
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/triton-blackwell/add", test_add);
    g_test_add_func("/triton-blackwell/softmax", test_softmax);
    g_test_add_func("/triton-blackwell/layernorm", test_layernorm);
    for (guint i = 0; i < G_N_ELEMENTS(products); i++) {
        g_autofree char *path = g_strconcat("/triton-blackwell/", products[i].file,
                                            products[i].machine ? "-machine-code" : "", NULL);
        g_test_add_data_func(path, &products[i], test_product);
    }
    for (guint i = 0; i < G_N_ELEMENTS(attentions); i++) {
        g_autofree char *path = g_strconcat("/triton-blackwell/", attentions[i].file,
                                            attentions[i].machine ? "-machine-code" : "", NULL);
        g_test_add_data_func(path, &attentions[i], test_attention);
    }
    return g_test_run();
}
