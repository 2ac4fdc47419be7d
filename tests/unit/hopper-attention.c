/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Attention on Hopper (tests/hopper/attention.cu), in its three ways, against plain loops in double
 * precision. A power is rounded to a half before it is multiplied, by 2^-11 of it at most, and so
 * is the result; all else is in single precision.
 */
#include "ptx/run/run.h"
#include "ptx/tensor-map.h"
#include "tests/help/tensor.h"

#include <math.h>

#define HEADS 2
#define N 384 /* queries and keys of a head: three tiles, so that stages are filled again */
#define WIDE 128
#define ROWS_IN_ALL (HEADS * N)
#define SCALE 0.125 /* of powers of two */

typedef struct {
    guint16 q[ROWS_IN_ALL * WIDE], k[ROWS_IN_ALL * WIDE], v[ROWS_IN_ALL * WIDE],
        o[ROWS_IN_ALL * WIDE];
    double queries[ROWS_IN_ALL * WIDE], keys[ROWS_IN_ALL * WIDE], values[ROWS_IN_ALL * WIDE];
} Attention;

/* Eighths from -1 to 1: scores differ by some tens, so that the greatest of a tile matters. */
static void fill(GRand *rand, guint16 *to, double *numbers)
{
    guint16 codes[17];
    for (gint i = 0; i < 17; i++)
        codes[i] = (guint16)tensor_code(F16, (i - 8) / 8.0);
    for (guint i = 0; i < ROWS_IN_ALL * WIDE; i++) {
        const gint eighths = g_rand_int_range(rand, -8, 9);
        to[i] = codes[eighths + 8];
        numbers[i] = eighths / 8.0;
    }
}

static void check_row(const Attention *of, guint head, guint row)
{
    const double *query = &of->queries[(head * N + row) * WIDE];
    const guint16 *o = &of->o[(head * N + row) * WIDE];
    double powers[N], values[WIDE] = {0}, most = -INFINITY, sum = 0;
    for (guint key = 0; key < N; key++) {
        powers[key] = 0;
        for (guint i = 0; i < WIDE; i++)
            powers[key] += query[i] * of->keys[(head * N + key) * WIDE + i];
        most = MAX(most, powers[key]);
    }
    for (guint key = 0; key < N; key++) {
        powers[key] = exp2((powers[key] - most) * SCALE);
        sum += powers[key];
        for (guint i = 0; i < WIDE; i++)
            values[i] += powers[key] * of->values[(head * N + key) * WIDE + i];
    }
    for (guint i = 0; i < WIDE; i++)
        g_assert_cmpfloat_with_epsilon(tensor_value(F16, o[i]), values[i] / sum, 0x1.1p-10);
}

static void run(const PsPtxModule *module, const char *name, Attention *of)
{
    const PsTensorMap map = {.rank = 2,
                             .element = PS_TENSOR_F16,
                             .swizzle = 128,
                             .size = {WIDE, ROWS_IN_ALL},
                             .stride = {2, WIDE * 2},
                             .box = {64, 128},
                             .step = {1, 1}};
    guint8 bytes[PS_TENSOR_MAP_BYTES];
    const float scale = SCALE;
    PsPtxField fields[] = {{.name = "q", .data = (guint8 *)of->q, .size = sizeof of->q},
                           {.name = "k", .data = (guint8 *)of->k, .size = sizeof of->k},
                           {.name = "v", .data = (guint8 *)of->v, .size = sizeof of->v}};
    PsPtxArgument arguments[] = {[3] = {.data = (guint8 *)of->o, .size = sizeof of->o},
                                 {.bits = N},
                                 {.bytes = (const guint8 *)&scale, .size = sizeof scale}};
    g_autoptr(GError) error = NULL;
    ps_tensor_map_encode(&map, bytes);
    for (guint i = 0; i < 3; i++)
        arguments[i] = (PsPtxArgument){
            .bytes = bytes, .size = sizeof bytes, .n_fields = 1, .fields = &fields[i]};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, name, &error),
                                .grid = {N / 128, HEADS, 1},
                                .block = {384, 1, 1},
                                .dynamic_shared = 5 * 128 * WIDE * 2,
                                .n_arguments = G_N_ELEMENTS(arguments),
                                .arguments = arguments};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    for (guint group = 0; group < HEADS * (N / 128); group++) {
        ps_ptx_run_group(machine, (const guint[3]){group % (N / 128), group / (N / 128), 0}, NULL,
                         &error);
        g_assert_no_error(error);
    }
    g_assert_cmpuint(ps_ptx_machine_warnings(machine)->len, ==, 0);
}

static void test_way(gconstpointer name)
{
    g_autofree Attention *attention = g_new0(Attention, 1);
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);
    g_autofree char *text = NULL;
    gsize size;
    g_autoptr(GError) error = NULL;
    g_assert_true(g_file_get_contents("tests/hopper/attention.ptx", &text, &size, &error));
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, size, "attention.ptx", &error);
    g_assert_no_error(error);
    fill(rand, attention->q, attention->queries);
    fill(rand, attention->k, attention->keys);
    fill(rand, attention->v, attention->values);
    run(module, name, attention);
    for (guint head = 0; head < HEADS; head++)
        for (guint row = 0; row < N; row += 5)
            check_row(attention, head, row);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_data_func("/hopper-attention/alone", "alone", test_way);
    g_test_add_data_func("/hopper-attention/turns", "turns", test_way);
    g_test_add_data_func("/hopper-attention/ahead", "ahead", test_way);
    return g_test_run();
}
