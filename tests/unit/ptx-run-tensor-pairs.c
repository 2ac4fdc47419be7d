/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor: products with tensor memory of pairs of groups (tests/blackwell/pair.ptx), of
 * numbers of 4 and 6 bits, and with scales of blocks (tests/blackwell/scaled.ptx), against plain
 * loops, and what code may not do with them.
 */
#include "tests/help/sass.h"
#include "base/message.h"
#include "ptx/run/run.h"
#include "ptx/tensor-map.h"
#include <math.h>
#include <string.h>

#define COLUMNS 256 /* words of a row of what the kernels write */
#define LANES 128
#define K_BYTES 32 /* of a row in a step */

/* A type of a factor: its number in the descriptor, and how it is made. */
typedef struct {
    guint number, bits, exponent, mantissa;
    int bias;
    gboolean padded; /* 16 elements have 16 bytes */
} Type;

static const Type E4M3 = {0, 8, 4, 3, 7, FALSE}, E5M2 = {1, 8, 5, 2, 15, FALSE},
                  E2M3 = {3, 6, 2, 3, 1, TRUE}, E3M2 = {4, 6, 3, 2, 3, TRUE},
                  E2M1 = {5, 4, 2, 1, 1, TRUE}, FOUR = {1, 4, 2, 1, 1, FALSE},
                  HALF = {0, 16, 5, 10, 15, FALSE};

typedef struct {
    const char *name, *file, *kind;
    const Type *a, *b;
    guint m, n, k, steps;
    guint groups;
    guint blocks; /* scales of a row in a step; 0: none */
    guint ids[2]; /* the bytes of the first scales of A and B */
    gboolean powers;
} Case;

#define MX8 "mxf8f6f4.block_scale.scale_vec::1X"
#define MX4 "mxf4.block_scale.scale_vec::2X"
#define NV4 "mxf4nvf4.block_scale.scale_vec::4X"

static const Case cases[] = {
    {"e2m1", "product", "f8f6f4", &E2M1, &E2M1, 128, 64, 32, 2, 1, 0, {0, 0}, FALSE},
    {"e2m3-e3m2", "product", "f8f6f4", &E2M3, &E3M2, 128, 32, 32, 3, 1, 0, {0, 0}, FALSE},
    {"e5m2-e2m1", "product", "f8f6f4", &E5M2, &E2M1, 64, 24, 32, 2, 1, 0, {0, 0}, FALSE},
    {"pair-256", "pair", "f16", &HALF, &HALF, 256, 64, 16, 3, 2, 0, {0, 0}, FALSE},
    {"pair-128", "pair", "f16", &HALF, &HALF, 128, 96, 16, 2, 2, 0, {0, 0}, FALSE},
    {"pair-e4m3", "pair", "f8f6f4", &E4M3, &E5M2, 256, 256, 32, 2, 2, 0, {0, 0}, FALSE},
    {"mxf8", "scaled", MX8, &E4M3, &E5M2, 128, 64, 32, 2, 1, 1, {0, 0}, TRUE},
    {"mxf8-third-byte", "scaled", MX8, &E4M3, &E4M3, 128, 48, 32, 2, 1, 1, {2, 1}, TRUE},
    {"mxf6-mxf4", "scaled", MX8, &E3M2, &E2M1, 128, 32, 32, 2, 1, 1, {1, 3}, TRUE},
    {"mxf4", "scaled", MX4, &FOUR, &FOUR, 128, 128, 64, 2, 1, 2, {0, 0}, TRUE},
    {"mxf4-upper", "scaled", MX4, &FOUR, &FOUR, 128, 80, 64, 1, 1, 2, {2, 2}, TRUE},
    {"nvf4", "scaled", NV4, &FOUR, &FOUR, 128, 128, 64, 2, 1, 4, {0, 0}, FALSE},
};

static double value_of(const Type *type, guint code)
{
    const guint mantissa = code & ((1U << type->mantissa) - 1);
    const guint exponent = code >> type->mantissa & ((1U << type->exponent) - 1);
    const double size = exponent == 0 ? ldexp(mantissa, 1 - type->bias - (int)type->mantissa)
                                      : ldexp((1U << type->mantissa) + mantissa,
                                              (int)exponent - type->bias - (int)type->mantissa);
    return code >> (type->exponent + type->mantissa) & 1 ? -size : size;
}

/* A code whose exponent lies around that of 1, so that sums are exact. */
static guint random_code(const Type *type, GRand *rand)
{
    const int most = (1 << type->exponent) - 1;
    const int exponent = CLAMP(type->bias + g_rand_int_range(rand, -2, 3), 0, MAX(most - 1, 1));
    return (guint)g_rand_int_range(rand, 0, 2) << (type->exponent + type->mantissa) |
           (guint)exponent << type->mantissa |
           (guint)g_rand_int_range(rand, 0, 1 << MIN(type->mantissa, 3));
}

/* Puts bits of an element at its place in a row's chunk of 16 bytes. */
static void put(guint8 *bytes, const Type *type, guint rows, guint row, guint i, guint code)
{
    const guint per = type->padded ? 16 : 128 / type->bits;
    guint8 *chunk = bytes + (gsize)(i / per) * 16 * rows + (gsize)row * 16;
    for (guint bit = 0; bit < type->bits; bit++) {
        const guint at = i % per * type->bits + bit;
        chunk[at / 8] |= (guint8)((code >> bit & 1) << at % 8);
    }
}

/* Rows of a factor, those of each group by themselves. */
static guint8 *factor(const Case *c, gboolean is_a, double *values)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(is_a ? 5 : 6);
    const Type *type = is_a ? c->a : c->b;
    const guint all = is_a ? c->m : c->n, rows = all / c->groups, k = c->k * c->steps;
    guint8 *bytes = g_malloc0((gsize)all * c->steps * K_BYTES);
    for (guint row = 0; row < all; row++)
        for (guint i = 0; i < k; i++) {
            const guint code = random_code(type, rand);
            values[row * k + i] = value_of(type, code);
            put(bytes + (gsize)(row / rows) * rows * c->steps * K_BYTES, type, rows, row % rows, i,
                code);
        }
    return bytes;
}

static guint32 descriptor_of(const Case *c)
{
    const guint32 both = c->a->number << 7 | c->b->number << 10 | c->n / 8 << 17;
    return c->blocks == 0 ? both | 1U << 4 | c->m / 16 << 24
                          : both | c->ids[1] << 4 | (guint32)c->powers << 23 | c->m / 128 << 27 |
                                c->ids[0] << 29;
}

static double scale_of(const Case *c, const guint32 *words, guint row, guint i)
{
    const guint block = i % c->k / (c->k / c->blocks);
    return value_of(c->powers ? &(Type){0, 8, 8, 0, 127, FALSE} : &E4M3,
                    words[row % 32 * 4 + row / 32] >> (block)*8 & 0xff);
}

/* Scales of 32 rows of four words for each factor; the bytes that count begin with that of c->ids.
 */
static void make_scales(const Case *c, guint32 *scales)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(7);
    for (guint i = 0; i < 256; i++) {
        scales[i] = 0;
        for (guint byte = 0; byte < 4; byte++)
            scales[i] |= (guint32)(c->powers ? g_rand_int_range(rand, 124, 131)
                                             : g_rand_int_range(rand, 0x30, 0x48))
                         << byte * 8;
    }
}

static PsPtxModule *module_of(const Case *c)
{
    g_autofree char *text = NULL;
    g_autofree char *path = g_strconcat("tests/blackwell/", c->file, ".ptx", NULL);
    g_autoptr(GError) error = NULL;
    g_assert_true(g_file_get_contents(path, &text, NULL, &error));
    g_auto(GStrv) parts = g_strsplit(text, "kind::KIND", 2);
    g_autofree char *whole = g_strconcat(parts[0], "kind::", c->kind, parts[1], NULL);
    PsPtxModule *module = ps_ptx_parse(whole, strlen(whole), "x.ptx", &error);
    g_assert_no_error(error);
    return module;
}

typedef struct {
    guint8 *a, *b;
    guint32 *scales, *d;
} Buffers;

static gboolean run_module(PsPtxModule *module, const Case *c, const Buffers *buffers,
                           guint32 instruction, guint cluster, GError **error)
{
    const gboolean scaled = c->blocks > 0;
    const PsPtxArgument list[] = {
        {.data = buffers->a, .size = (gsize)c->m * c->steps * K_BYTES},
        {.data = buffers->b, .size = (gsize)c->n * c->steps * K_BYTES},
        {.data = (guint8 *)buffers->d, .size = sizeof(guint32) * 2 * LANES * COLUMNS},
        {.data = (guint8 *)buffers->scales, .size = 1024},
        {.bits = instruction},
        {.bits = c->m / c->groups},
        {.bits = c->n / c->groups},
        {.bits = c->steps},
        {.bits = c->m == 256 ? c->n : c->n / 2}};
    PsPtxArgument arguments[9];
    guint n = 0;
    for (guint i = 0; i < G_N_ELEMENTS(list); i++)
        if ((i != 3 || scaled) && (i != 8 || c->groups == 2))
            arguments[n++] = list[i];
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, NULL, error),
                                .grid = {c->groups, 1, 1},
                                .cluster = {cluster, cluster > 0, cluster > 0},
                                .block = {128, 1, 1},
                                .n_arguments = n,
                                .arguments = arguments};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, error);
    g_assert_no_error(*error);
    for (guint x = 0; x < c->groups; x++)
        if (!ps_ptx_run_group(machine, (const guint[3]){x, 0, 0}, NULL, error))
            return FALSE;
    for (guint i = 0; i < ps_ptx_machine_warnings(machine)->len; i++)
        g_assert_cmpstr(ps_ptx_machine_warnings(machine)->pdata[i], ==, NULL);
    return TRUE;
}

static gboolean run(const Case *c, const Buffers *buffers, guint32 instruction, guint cluster,
                    GError **error)
{
    g_autoptr(PsPtxModule) module = module_of(c);
    return run_module(module, c, buffers, instruction, cluster, error);
}

/* A pair allocates otherwise as machine code: the even group does it for both, and tells the other
 * by an mbarrier of the system. */
static gboolean run_machine_code(const Case *c, const Buffers *buffers, GError **error)
{
    g_autofree char *name = g_strconcat("pair_", c->kind, NULL);
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code("tensor-pairs-100", name, &image);
    g_assert_cmpuint(code->module->warnings->len, ==, 0);
    const gboolean good = run_module(code->module, c, buffers, descriptor_of(c), 0, error);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
    return good;
}

/* Where the kernels leave an element of D. */
static gsize place_of(const Case *c, guint row, guint column)
{
    const guint rows = c->m / c->groups;
    const guint lane = row % rows, group = row / rows;
    if (c->groups == 2 && rows == 64) /* the second half of the columns lies below the first */
        return (gsize)(group * LANES + lane + (column >= c->n / 2 ? 64 : 0)) * COLUMNS +
               column % (c->n / 2);
    return (gsize)(group * LANES + (rows == 64 ? lane / 16 * 32 + lane % 16 : lane)) * COLUMNS +
           column;
}

static float expected(const Case *c, const double *a, const double *b, const float *scales)
{
    float sum = 0;
    for (guint step = 0; step < c->steps; step++) {
        double more = sum;
        for (guint i = 0; i < c->k; i++)
            more +=
                a[step * c->k + i] * b[step * c->k + i] * (c->blocks > 0 ? (double)scales[i] : 1);
        sum = (float)more;
    }
    return sum;
}

/* Products of the scales of a row and a column, for each k of a step. */
static void scales_of(const Case *c, const guint32 *scales, guint row, guint column, float *to)
{
    guint32 shifted[256];
    for (guint i = 0; i < 256; i++)
        shifted[i] = scales[i] >> c->ids[i / 128] * 8;
    for (guint i = 0; c->blocks > 0 && i < c->k; i++)
        to[i] = (float)(scale_of(c, shifted, row, i) * scale_of(c, shifted + 128, column, i));
}

static void check_case(const Case *c, gboolean machine)
{
    const guint k = c->k * c->steps;
    g_autofree double *x = g_new(double, c->m *k), *y = g_new(double, c->n *k);
    g_autofree guint8 *a = factor(c, TRUE, x), *b = factor(c, FALSE, y);
    g_autofree guint32 *d = g_new0(guint32, 2 * LANES * COLUMNS), *scales = g_new(guint32, 256);
    float both[64];
    g_autoptr(GError) error = NULL;
    make_scales(c, scales);
    if (machine)
        run_machine_code(c, &(Buffers){a, b, scales, d}, &error);
    else
        run(c, &(Buffers){a, b, scales, d}, descriptor_of(c), 0, &error);
    g_assert_no_error(error);
    for (guint row = 0; row < c->m; row++)
        for (guint column = 0; column < c->n; column++) {
            float value;
            scales_of(c, scales, row, column, both);
            memcpy(&value, &d[place_of(c, row, column)], sizeof value);
            g_assert_cmpfloat(value, ==, expected(c, x + row * k, y + column * k, both));
        }
}

static void test_case(gconstpointer data)
{
    check_case(data, FALSE);
}

static void test_machine_code(gconstpointer data)
{
    check_case(data, TRUE);
}

/* ---- what may not be ------------------------------------------------------------------------ */

static void fails(const Case *c, guint32 instruction, const char *why)
{
    g_autofree guint8 *bytes = g_malloc0((gsize)256 * c->steps * K_BYTES);
    g_autofree guint32 *d = g_new0(guint32, 2 * LANES * COLUMNS), *scales = g_new0(guint32, 256);
    g_autoptr(GError) error = NULL;
    g_assert_false(run(c, &(Buffers){bytes, bytes, scales, d}, instruction, 0, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    g_test_message("%s", error->message);
    g_assert_true(g_str_has_prefix(error->message, "x.ptx:1"));
    g_assert_nonnull(strstr(error->message, why));
}

static void test_wrong(void)
{
    const guint32 pair = descriptor_of(&cases[3]), scaled = descriptor_of(&cases[9]);
    fails(&cases[3], (pair & ~(31U << 24)) | 4U << 24, "rows that is neither 128 nor 256");
    fails(&cases[3], (pair & ~(63U << 17)) | 1U << 17, "columns that is no multiple of 16");
    fails(&cases[9], scaled | 1U << 31, "a depth of 96");
    fails(&cases[9], scaled & ~(7U << 7), "types of factors that its kind does not have");
    fails(&cases[6], 0, "a number of rows that is not 128");
}

static PsPtxModule *changed(const Case *c, const char *from, const char *to)
{
    g_autofree char *text = NULL;
    g_autofree char *path = g_strconcat("tests/blackwell/", c->file, ".ptx", NULL);
    g_autoptr(GError) error = NULL;
    g_assert_true(g_file_get_contents(path, &text, NULL, &error));
    g_auto(GStrv) kinds = g_strsplit(text, "kind::KIND", 2);
    g_autofree char *whole = g_strconcat(kinds[0], "kind::", c->kind, kinds[1], NULL);
    g_auto(GStrv) parts = g_strsplit(whole, from, 2);
    g_assert_nonnull(parts[1]);
    g_autofree char *other = g_strconcat(parts[0], to, parts[1], NULL);
    PsPtxModule *module = ps_ptx_parse(other, strlen(other), "x.ptx", &error);
    g_assert_no_error(error);
    return module;
}

/* What the changed kernel fails with. */
static void change_fails(const Case *c, const char *from, const char *to, const char *why)
{
    g_autofree guint8 *bytes = g_malloc0((gsize)256 * c->steps * K_BYTES);
    g_autofree guint32 *d = g_new0(guint32, 2 * LANES * COLUMNS), *scales = g_new(guint32, 256);
    g_autoptr(PsPtxModule) module = changed(c, from, to);
    g_autoptr(GError) error = NULL;
    make_scales(c, scales);
    const PsPtxArgument arguments[] = {
        {.data = bytes, .size = (gsize)256 * c->steps * K_BYTES},
        {.data = bytes, .size = (gsize)256 * c->steps * K_BYTES},
        {.data = (guint8 *)d, .size = sizeof *d * 2 * LANES * COLUMNS},
        c->groups == 2 ? (PsPtxArgument){.bits = descriptor_of(c)}
                       : (PsPtxArgument){.data = (guint8 *)scales, .size = 1024},
        {.bits = c->groups == 2 ? c->m / 2 : descriptor_of(c)},
        {.bits = c->groups == 2 ? c->n / 2 : c->m},
        {.bits = c->groups == 2 ? c->steps : c->n},
        {.bits = c->groups == 2 ? c->n : c->steps}};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, NULL, &error),
                                .grid = {c->groups, 1, 1},
                                .block = {128, 1, 1},
                                .n_arguments = 8,
                                .arguments = arguments};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    g_assert_false(ps_ptx_run_group(machine, (const guint[3]){0, 0, 0}, NULL, &error));
    g_test_message("%s", error->message);
    g_assert_nonnull(strstr(error->message, why));
}

static void test_changes(void)
{
    change_fails(&cases[3], ".reqnctapercluster 2, 1, 1", "",
                 "asks for a pair of groups (cta_group::2), but its cluster has 1 group");
    change_fails(&cases[9], "tcgen05.st.sync.aligned.32x32b.x4.b32 [%r49+132]",
                 "@%p2 bra PAST; tcgen05.st.sync.aligned.32x32b.x4.b32 [%r49+132], {%r45, %r46, "
                 "%r47, %r48}; PAST: tcgen05.st.sync.aligned.32x32b.x4.b32 [%r49+140]",
                 "which must have the same");
}

/* ---- whose mbarrier hears of a copy ------------------------------------------------------------
 */

/* The odd group of a pair copies to both, and names the even one's mbarrier: it hears of the bytes
 * of both (cta_group::2), so only it expects any. */
static void test_barrier(void)
{
    static const char text[] =
        ".version 8.7\n.target sm_100a\n.address_size 64\n"
        ".visible .entry k(.param .align 64 .b8 map[128], .param .u64 out)\n"
        ".reqnctapercluster 2, 1, 1\n{\n"
        ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %d<4>; .reg .b16 %h;\n"
        ".shared .align 1024 .b8 s[1024]; .shared .align 8 .b64 full;\n"
        "ld.param.u64 %d0, [out]; mov.b64 %d1, map; cvta.param.u64 %d1, %d1;\n"
        "mov.u32 %r0, %tid.x; mov.u32 %r1, %cluster_ctarank; mov.u32 %r2, s; mov.u32 %r3, full;\n"
        "setp.ne.u32 %p0, %r0, 0; setp.ne.u32 %p1, %r1, 0; @%p0 bra BEGUN;\n"
        "mbarrier.init.shared::cta.b64 [%r3], 1;\n"
        "@!%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [%r3], 2048;\n"
        "BEGUN: barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n"
        "@!%p1 bra WAIT; @%p0 bra END; mov.u16 %h, 3;\n"
        "mapa.shared::cluster.u32 %r4, %r3, 0;\n"
        "cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes"
        ".multicast::cluster.cta_group::2 [%r2], [%d1, {0, 0}], [%r4], %h;\n"
        "bra END;\n"
        "WAIT: mbarrier.try_wait.parity.shared::cta.b64 %p2, [%r3], 0; @!%p2 bra WAIT;\n"
        "END: barrier.cluster.arrive; barrier.cluster.wait;\n"
        "mad.lo.u32 %r5, %r1, 32, %r0; mul.wide.u32 %d2, %r5, 4; add.u64 %d0, %d0, %d2;\n"
        "shl.b32 %r6, %r0, 2; add.u32 %r6, %r2, %r6; ld.shared.u32 %r7, [%r6];\n"
        "st.global.u32 [%d0], %r7; ret;\n}\n";
    const PsTensorMap map = {.rank = 2,
                             .element = PS_TENSOR_U32,
                             .size = {32, 8},
                             .stride = {4, 128},
                             .box = {32, 8},
                             .step = {1, 1}};
    guint32 tensor[32 * 8], out[64] = {0};
    guint8 bytes[PS_TENSOR_MAP_BYTES];
    g_autoptr(GError) error = NULL;
    for (guint i = 0; i < G_N_ELEMENTS(tensor); i++)
        tensor[i] = 1000 + i;
    ps_tensor_map_encode(&map, bytes);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    const PsPtxField field = {.name = "tensor", .data = (guint8 *)tensor, .size = sizeof tensor};
    const PsPtxArgument arguments[] = {
        {.name = "map", .bytes = bytes, .size = sizeof bytes, .n_fields = 1, .fields = &field},
        {.name = "out", .data = (guint8 *)out, .size = sizeof out}};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, NULL, &error),
                                .grid = {2, 1, 1},
                                .block = {32, 1, 1},
                                .n_arguments = 2,
                                .arguments = arguments};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    for (guint x = 0; !error && x < 2; x++)
        (void)(ps_ptx_run_group(machine, (const guint[3]){x, 0, 0}, NULL, &error));
    g_assert_no_error(error);
    for (guint i = 0; i < 64; i++)
        g_assert_cmpuint(out[i], ==, 1000 + i % 32);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strdup_printf("/ptx-run-tensor-pairs/%s", cases[i].name);
        g_test_add_data_func(path, &cases[i], test_case);
        g_autofree char *again = g_strconcat(path, "-machine-code", NULL);
        if (cases[i].groups == 2)
            g_test_add_data_func(again, &cases[i], test_machine_code);
    }
    g_test_add_func("/ptx-run-tensor-pairs/wrong", test_wrong);
    g_test_add_func("/ptx-run-tensor-pairs/changes", test_changes);
    g_test_add_func("/ptx-run-tensor-pairs/barrier", test_barrier);
    return g_test_run();
}
