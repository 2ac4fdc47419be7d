/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * wgmma, which multiplies matrices in shared memory and registers for four warps, against plain
 * loops. Where elements lie is written here in words of its own: shared memory consists of atoms,
 * of eight rows as wide as the swizzle, whose pieces of 16 bytes change places row by row.
 */
#include "base/message.h"
#include "ptx/run/run.h"
#include "tests/help/seeds.h"
#include "tests/help/tensor.h"
#include <string.h>

#define THREADS 128
#define SHARED 98304

typedef enum { E4M3 = S32 + 1, E5M2, N_TYPES } Small;

typedef struct {
    const char *types;   /* "f32.f16.f16" */
    guint a, b, d;       /* TensorElement or Small */
    const char *ends;    /* other parts, behind the types */
    guint transposes;    /* immediates that say whether a factor is transposed: 0 or 2 */
    gboolean fractional; /* it has factors of 1 or -1 for A and B */
} Type;

static const Type types[] = {
    {"f32.f16.f16", F16, F16, F32, "", 2, TRUE},
    {"f16.f16.f16", F16, F16, F16, "", 2, TRUE},
    {"f32.bf16.bf16", BF16, BF16, F32, "", 2, TRUE},
    {"f32.tf32.tf32", TF32, TF32, F32, "", 0, TRUE},
    {"f32.e4m3.e5m2", E4M3, E5M2, F32, "", 0, TRUE},
    {"f16.e5m2.e4m3", E5M2, E4M3, F16, "", 0, TRUE},
    {"s32.s8.u8", S8, U8, S32, "", 0, FALSE},
    {"s32.u8.s8", U8, S8, S32, "", 0, FALSE},
    {"s32.b1.b1", B1, B1, S32, ".and.popc", 0, FALSE},
};

/* A product that is tried. */
typedef struct {
    const Type *type;
    guint n, width; /* of the swizzle; 16: none */
    gboolean registers, across_a, across_b, negative_a, negative_b, fresh;
} Case;

typedef struct {
    const Case *is;
    guint k;
    guint8 shared[SHARED];
    guint64 a[64 * 256], b[256 * 256],
        c[64 * 256]; /* codes: [row][k], [k][column], [row][column] */
    double values_a[64 * 256], values_b[256 * 256];
} Trial;

static guint bits_of(guint type)
{
    return type > S32 ? 8 : tensor_bits((TensorElement)type);
}

static double value_of(guint type, guint64 code)
{
    if (type <= S32)
        return tensor_value((TensorElement)type, code);
    const guint places = type == E4M3 ? 3 : 2; /* only normal numbers are made */
    const double one = 1 << places;
    const int power = (int)(code >> places & (0x7f >> places)) - (type == E4M3 ? 7 : 15);
    const double size = (one + (double)(code & (guint)(one - 1))) / one *
                        (power < 0 ? 1.0 / (1 << -power) : (double)(1 << power));
    return (code & 0x80) != 0 ? -size : size;
}

static guint64 random_code(GRand *rand, guint type)
{
    const guint sign = g_rand_boolean(rand) ? 0x80 : 0;
    if (type == E4M3)
        return sign | (guint)g_rand_int_range(rand, 5 << 3, 9 << 3);
    if (type == E5M2)
        return sign | (guint)g_rand_int_range(rand, 13 << 2, 17 << 2);
    return tensor_random(rand, (TensorElement)type);
}

/* ---- shared memory -------------------------------------------------------------------------- */

typedef struct {
    guint at, leading, stride; /* bytes */
} Place;

/* The byte at which an element's piece of 16 bytes lies. along: the byte in the direction in which
 * neighbours lie together; over: the number in the other direction. */
static guint piece_at(const Place *place, guint width, gboolean across, guint along, guint over)
{
    const guint pieces = width / 16, row = over % 8;
    const guint turned = along / 16 % pieces ^ row * pieces / 8;
    const guint in_atom = row * width + turned * 16;
    const guint atom = along / width, below = over / 8;
    if (across == (width == 16)) /* which step is whose, with a swizzle and without */
        return place->at + in_atom + atom * (across ? place->stride : 0) +
               below * (across ? place->leading : place->stride);
    return place->at + in_atom + atom * place->leading + below * place->stride;
}

static void put(Trial *trial, guint at, guint bit, guint bits, guint64 code)
{
    for (guint i = 0; i < bits; i++) {
        const guint byte = at + (bit + i) / 8;
        g_assert_cmpuint(byte, <, SHARED);
        trial->shared[byte] |= (guint8)((code >> i & 1) << (bit + i) % 8);
    }
}

/* A factor of n rows (or columns): codes[i * n_step + j * k_step]. */
typedef struct Factor {
    gboolean across;
    guint type, n;
    const guint64 *codes;
    guint n_step, k_step;
} Factor;

/* Puts a factor into shared memory. */
static void put_factor(Trial *trial, const Place *place, const Factor *is)
{
    const guint bits = bits_of(is->type);
    for (guint i = 0; i < is->n; i++)
        for (guint j = 0; j < trial->k; j++) {
            const guint along = (is->across ? i : j) * bits, over = is->across ? j : i;
            const guint piece = piece_at(place, trial->is->width, is->across, along / 8, over);
            put(trial, piece, along % 128, bits, is->codes[i * is->n_step + j * is->k_step]);
        }
}

static guint64 descriptor(const Place *place, guint width)
{
    const guint64 mode = width == 128 ? 1 : width == 64 ? 2 : width == 32 ? 3 : 0;
    return mode << 62 | (guint64)(place->stride / 16) << 32 | (guint64)(place->leading / 16) << 16 |
           place->at / 16;
}

/* ---- the kernel ----------------------------------------------------------------------------- */

static void list(GString *text, char name, guint n)
{
    g_autofree char *registers = tensor_registers(name, 0, n);
    g_string_append(text, registers);
}

static char *kernel(const Trial *trial, const Place *a, const Place *b, const char *after)
{
    const Case *is = trial->is;
    const guint n_d = 16 * is->n / 32 * bits_of(is->type->d) / 32;
    GString *text = g_string_new(
        ".version 8.0\n.target sm_90a\n.address_size 64\n"
        ".visible .entry k(.param .u64 image, .param .u64 a, .param .u64 d)\n{\n"
        ".reg .b32 a<4>; .reg .b32 d<128>; .reg .pred %p<2>; .reg .b32 %r<8>; .reg .b64 %rd<8>;\n"
        ".shared .align 1024 .b8 s[" G_STRINGIFY(
            SHARED) "];\n"
                    "ld.param.u64 %rd1, [image]; ld.param.u64 %rd2, [a]; ld.param.u64 %rd3, [d];\n"
                    "mov.u32 %r1, %tid.x; mov.u32 %r2, s; mul.wide.u32 %rd4, %r1, 16;\n"
                    "add.u64 %rd2, %rd2, %rd4; mul.wide.u32 %rd4, %r1, 512; add.u64 %rd3, %rd3, "
                    "%rd4;\n"
                    "ld.global.v4.b32 {a0, a1, a2, a3}, [%rd2]; shl.b32 %r3, %r1, 2;\n"
                    "COPY: cvt.u64.u32 %rd5, %r3; add.u64 %rd5, %rd1, %rd5; ld.global.b32 %r4, "
                    "[%rd5];\n"
                    "add.u32 %r5, %r2, %r3; st.shared.b32 [%r5], %r4; add.u32 %r3, %r3, 512;\n"
                    "setp.lt.u32 %p1, %r3, " G_STRINGIFY(SHARED) "; @%p1 bra COPY;\n");
    for (guint i = 0; i < n_d; i++)
        g_string_append_printf(text, "ld.global.b32 d%u, [%%rd3+%u];\n", i, i * 4);
    g_string_append_printf(text,
                           "fence.proxy.async; bar.sync 0; mov.b64 %%rd6, 0x%" G_GINT64_MODIFIER
                           "x; mov.b64 %%rd7, 0x%" G_GINT64_MODIFIER "x; setp.ne.b32 %%p1, %u, 0;\n"
                           "wgmma.fence.sync.aligned;\n"
                           "wgmma.mma_async.sync.aligned.m64n%uk%u.%s%s ",
                           descriptor(a, is->width), descriptor(b, is->width), !is->fresh, is->n,
                           trial->k, is->type->types, is->type->ends);
    list(text, 'd', n_d);
    g_string_append(text, ", ");
    if (is->registers)
        list(text, 'a', 4);
    else
        g_string_append(text, "%rd6");
    g_string_append(text, ", %rd7, %p1");
    if (is->type->fractional)
        g_string_append_printf(text, ", %d, %d", is->negative_a ? -1 : 1, is->negative_b ? -1 : 1);
    if (is->type->transposes > 0 && !is->registers)
        g_string_append_printf(text, ", %d", is->across_a);
    if (is->type->transposes > 0)
        g_string_append_printf(text, ", %d", is->across_b);
    g_string_append_printf(text,
                           ";\n%s\nwgmma.commit_group.sync.aligned;"
                           "wgmma.wait_group.sync.aligned 0;\n",
                           after);
    for (guint i = 0; i < n_d; i++)
        g_string_append_printf(text, "st.global.b32 [%%rd3+%u], d%u;\n", i * 4, i);
    g_string_append(text, "ret;\n}\n");
    return g_string_free(text, FALSE);
}

/* Runs it; what is in the threads' registers of A and D. */
static gboolean run(const char *text, guint8 *image, guint32 *a, guint32 *d, GError **error)
{
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", error);
    PsPtxArgument arguments[3] = {{.name = "image", .data = image, .size = SHARED},
                                  {.name = "a", .data = (guint8 *)a, .size = THREADS * 16},
                                  {.name = "d", .data = (guint8 *)d, .size = THREADS * 512}};
    PsPtxLaunch launch = {
        .grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .n_arguments = 3, .arguments = arguments};
    const guint group[3] = {0};
    g_assert_nonnull(module);
    launch.kernel = ps_ptx_kernel(module, "k", error);
    g_assert_nonnull(launch.kernel);
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, error);
    g_assert_no_error(*error);
    const gboolean good = ps_ptx_run_group(machine, group, NULL, error);
    g_assert_cmpuint(ps_ptx_machine_warnings(machine)->len, ==, 0);
    return good;
}

/* ---- fragments, as the PTX ISA draws them --------------------------------------------------- */

static void d_at(guint thread, guint i, guint *row, guint *column)
{
    *row = thread / 32 * 16 + thread % 32 / 4 + (i & 2) / 2 * 8;
    *column = i / 4 * 8 + thread % 4 * 2 + (i & 1);
}

static void a_at(guint thread, guint i, guint per, guint *row, guint *k)
{
    const guint reg = i / per;
    *row = thread / 32 * 16 + thread % 32 / 4 + (reg == 1 || reg == 3 ? 8 : 0);
    *k = thread % 4 * per + i % per + (reg < 2 ? 0 : 4 * per);
}

static double wanted(const Trial *trial, guint row, guint column)
{
    const Case *is = trial->is;
    const Type *type = is->type;
    double sum = 0;
    for (guint k = 0; k < trial->k; k++)
        sum += trial->values_a[row * trial->k + k] * trial->values_b[k * is->n + column];
    if (is->negative_a != is->negative_b)
        sum = -sum;
    sum += is->fresh ? 0 : value_of(type->d, trial->c[row * is->n + column]);
    return sum;
}

/* Atoms with room between them where there may be any. */
static Place place_of(guint at, guint width, guint stride)
{
    if (width == 16)
        return (Place){at, 33 * 144, 144};
    return (Place){at, 3 * 8 * width, stride * 8 * width};
}

static void try(const Case *is)
{
    g_autofree Trial *trial = g_new0(Trial, 1);
    g_autofree guint32 *a = g_new0(guint32, THREADS * 4), *d = g_new0(guint32, THREADS * 128);
    g_autoptr(GRand) rand = g_rand_new_with_seed(is->n * 1000 + is->width);
    g_autoptr(GError) error = NULL;
    const guint bits = bits_of(is->type->a), d_bits = bits_of(is->type->d);
    const guint per = 32 / bits, d_per = 32 / d_bits, n_d = 16 * is->n / 32;
    trial->is = is;
    trial->k = 256 / bits;
    const Place at_a = place_of(0, is->width, is->across_a ? 1 : 3);
    const Place at_b = place_of(49152, is->width, 1);
    for (guint i = 0; i < 64 * trial->k; i++) {
        trial->a[i] = random_code(rand, is->type->a);
        trial->values_a[i] = value_of(is->type->a, trial->a[i]);
    }
    for (guint i = 0; i < is->n * trial->k; i++) {
        trial->b[i] = random_code(rand, is->type->b);
        trial->values_b[i] = value_of(is->type->b, trial->b[i]);
    }
    for (guint i = 0; i < 64 * is->n; i++)
        trial->c[i] = random_code(rand, is->type->d);
    put_factor(trial, &at_a, &(Factor){is->across_a, is->type->a, 64, trial->a, trial->k, 1});
    put_factor(trial, &at_b, &(Factor){is->across_b, is->type->b, is->n, trial->b, 1, is->n});
    guint row, column;
    for (guint t = 0; t < THREADS; t++) {
        for (guint i = 0; i < 4 * per; i++) {
            a_at(t, i, per, &row, &column);
            a[t * 4 + i / per] |= (guint32)trial->a[row * trial->k + column] << i % per * bits;
        }
        for (guint i = 0; i < n_d; i++) {
            d_at(t, i, &row, &column);
            d[t * 128 + i / d_per] |= (guint32)trial->c[row * is->n + column] << i % d_per * d_bits;
        }
    }
    g_autofree char *text = kernel(trial, &at_a, &at_b, "");
    run(text, trial->shared, a, d, &error);
    g_assert_no_error(error);
    for (guint t = 0; t < THREADS; t++)
        for (guint i = 0; i < n_d; i++) {
            d_at(t, i, &row, &column);
            const guint64 code =
                d[t * 128 + i / d_per] >> i % d_per * d_bits & (G_MAXUINT32 >> (32 - d_bits));
            const guint64 right =
                tensor_code((TensorElement)is->type->d, wanted(trial, row, column));
            if (code != right)
                g_test_message("%s n%u width %u: row %u column %u", is->type->types, is->n,
                               is->width, row, column);
            g_assert_cmphex(code, ==, right);
        }
}

/* ---- tests ---------------------------------------------------------------------------------- */

/* Where little time is, some numbers of columns stand for all. */
static void test_columns(void)
{
    const guint step = seeds_times() < 1 ? 56 : 8;
    for (guint n = 8; n <= 256; n += n < 24 ? 8 : step)
        try(&(Case){.type = &types[0], .n = n, .width = 128});
}

static void test_types(void)
{
    static const guint widths[] = {16, 32, 64, 128};
    for (guint t = 0; t < G_N_ELEMENTS(types); t++)
        for (guint w = 0; w < G_N_ELEMENTS(widths); w++)
            for (guint registers = 0; registers < 2; registers++)
                try(&(Case){.type = &types[t],
                            .n = 24 + 16 * w,
                            .width = widths[w],
                            .registers = registers != 0,
                            .fresh = w == 1,
                            .negative_a = w == 2 && types[t].fractional,
                            .negative_b = t % 2 == 0 && types[t].fractional});
}

static void test_transposed(void)
{
    static const guint widths[] = {16, 32, 64, 128};
    const guint more = seeds_times() < 1 ? 0 : 64;
    for (guint t = 0; t < 3; t++)
        for (guint w = 0; w < G_N_ELEMENTS(widths); w++)
            for (guint which = 1; which < 4; which++)
                try(&(Case){.type = &types[t],
                            .n = 64 + more * w,
                            .width = widths[w],
                            .across_a = (which & 1) != 0,
                            .across_b = (which & 2) != 0});
}

/* Asserts that a product of 64 columns fails with this message. skip: threads from there on go
 * past it. */
static void fails(const Place *b, const char *type, guint skip, const char *message)
{
    const Case is = {.type = &types[0], .n = 64, .width = 128};
    g_autofree Trial *trial = g_new0(Trial, 1);
    g_autofree guint32 *a = g_new0(guint32, THREADS * 4), *d = g_new0(guint32, THREADS * 128);
    g_autoptr(GError) error = NULL;
    const Place at_a = {0, 16, 1024};
    trial->is = &is;
    trial->k = 16;
    g_autofree char *text = kernel(trial, &at_a, b, type);
    g_auto(GStrv) parts = g_strsplit(text, "wgmma.fence.sync.aligned;", 2);
    g_autofree char *whole =
        g_strdup_printf("%ssetp.ge.u32 %%p0, %%r1, %u; @%%p0 bra END;%s", parts[0], skip, parts[1]);
    g_autofree char *ends = g_strconcat("END: ret;", NULL);
    g_auto(GStrv) halves = g_strsplit(whole, "ret;", 2);
    g_autofree char *full = g_strconcat(halves[0], ends, halves[1], NULL);
    g_assert_false(run(full, trial->shared, a, d, &error));
    g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
    if (!strstr(error->message, message))
        g_assert_cmpstr(error->message, ==, message);
}

static void test_errors(void)
{
    const Place good = {49152, 16, 1024}, far = {SHARED - 6144, 16, 1024};
    fails(&far, "", THREADS,
          "multiplies a matrix B whose descriptor "
          "0x4000004000011680 (start 0x16800, leading 16, stride 1024, swizzle 128 bytes) reaches "
          "byte 98304 of the 98304 of shared memory");
    fails(&good, "", 96,
          "warps 0 to 2: 32 of 32 threads wait for warp 3 of its warpgroup to multiply, too "
          "(x.ptx:49); warp 3: has ended");
    fails(&good, "", 16,
          "multiplies with a part of a warpgroup; all 128 threads of four warps must");
    fails(&good,
          "setp.ne.u32 %p1, %r1, 5; add.u64 %rd7, %rd7, 1; @%p1 sub.u64 %rd7, %rd7, 1;"
          "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {d0, d1, d2, d3}, %rd6, %rd7, "
          "%p0, 1, 1, 0, 0;",
          THREADS,
          "thread (5,0,0) of group (0,0,0) has another descriptor or scale than the first of its "
          "warpgroup (0x4000004000010c01, not 0x4000004000010c00)");
    fails(&good,
          "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {d0, d1, d2}, %rd6, %rd7, %p1, "
          "1, 1, 0, 0;",
          THREADS, "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/ptx-run-wgmma/columns", test_columns);
    g_test_add_func("/ptx-run-wgmma/types", test_types);
    g_test_add_func("/ptx-run-wgmma/transposed", test_transposed);
    g_test_add_func("/ptx-run-wgmma/errors", test_errors);
    return g_test_run();
}
