/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor: products by tcgen05 with tensor memory (tests/blackwell/product.ptx), of PTX and of
 * machine code, against plain loops, the shapes in which warps read and write tensor memory, and
 * what code may not do with it. Numbers are small and whole, so sums are exact.
 */
#include "base/message.h"
#include "ptx/run/run.h"
#include "tests/help/ptx-launch.h"
#include "tests/help/sass.h"
#include "tests/help/tensor.h"
#include <string.h>

#define COLUMNS 256 /* words of a row of what the kernel writes */
#define MOST_K_BYTES 128

/* Numbers of 8 bits: elements of their own, with so many bits of a mantissa. */
#define E4M3 ((TensorElement)103)
#define E5M2 ((TensorElement)102)

typedef struct {
    const char *name, *kind;
    TensorElement a, b;
    guint type_a, type_b, type_d; /* of the instruction's descriptor */
    TensorElement d;
    guint bits;
    guint m, n, steps;
    guint more; /* further bits of the descriptor */
} Case;

#define NEGATE_A (1U << 13)

static const Case cases[] = {
    {"f16", "f16", F16, F16, 0, 0, 1, F32, 16, 128, 64, 4, 0},
    {"f16-64-rows", "f16", F16, F16, 0, 0, 1, F32, 16, 64, 40, 3, 0},
    {"f16-256-columns", "f16", F16, F16, 0, 0, 1, F32, 16, 128, 256, 2, 0},
    {"f16-to-f16", "f16", F16, F16, 0, 0, 0, F16, 16, 128, 32, 2, 0},
    {"f16-negated", "f16", F16, F16, 0, 0, 1, F32, 16, 128, 64, 2, NEGATE_A},
    {"bf16", "f16", BF16, BF16, 1, 1, 1, F32, 16, 128, 64, 4, 0},
    {"mixed", "f16", F16, BF16, 0, 1, 1, F32, 16, 128, 16, 1, 0},
    {"tf32", "tf32", F32, F32, 2, 2, 1, F32, 32, 128, 48, 4, 0},
    {"e4m3", "f8f6f4", E4M3, E4M3, 0, 0, 1, F32, 8, 128, 64, 4, 0},
    {"e5m2-e4m3", "f8f6f4", E5M2, E4M3, 1, 0, 1, F32, 8, 64, 64, 2, 0},
    {"s8", "i8", S8, S8, 1, 1, 2, S32, 8, 128, 64, 4, 0},
    {"u8-s8", "i8", U8, S8, 0, 1, 2, S32, 8, 128, 32, 1, 0},
};

/* Bytes of an element (row, k) in a factor of so many rows. */
static guint8 *element_at(guint8 *bytes, guint rows, guint row, guint byte)
{
    return bytes + (gsize)byte / 16 * 16 * rows + (gsize)row * 16 + byte % 16;
}

/* The code of a whole number from -4 to 4. */
static guint64 code_of(TensorElement element, int value)
{
    static const guint twos[] = {0, 0, 1, 1, 2}; /* logarithms */
    const guint mantissa = element - 100, bias = element == E4M3 ? 7 : 15;
    const guint size = (guint)ABS(value);
    if (element != E4M3 && element != E5M2)
        return tensor_code(element, value);
    return (value < 0 ? 0x80U : 0) |
           (size == 0 ? 0 : (bias + twos[size]) << mantissa | (size == 3) << (mantissa - 1));
}

static void fill(guint8 *bytes, double *values, const Case *c, gboolean is_a)
{
    g_autoptr(GRand) rand = g_rand_new_with_seed(is_a ? 3 : 4);
    const guint rows = is_a ? c->m : c->n, k = c->steps * 256 / c->bits;
    const TensorElement element = is_a ? c->a : c->b;
    for (guint row = 0; row < rows; row++)
        for (guint i = 0; i < k; i++) {
            const int value = g_rand_int_range(rand, element == U8 ? 0 : -4, 5);
            const guint64 code = code_of(element, value);
            values[row * k + i] = value;
            memcpy(element_at(bytes, rows, row, i * c->bits / 8), &code, c->bits / 8);
        }
}

static guint32 descriptor_of(const Case *c)
{
    return c->type_d << 4 | c->type_a << 7 | c->type_b << 10 | c->n / 8 << 17 | c->m / 16 << 24 |
           c->more;
}

static PsPtxModule *module_of(const char *kind)
{
    g_autofree char *text = NULL;
    g_autoptr(GError) error = NULL;
    g_assert_true(g_file_get_contents("tests/blackwell/product.ptx", &text, NULL, &error));
    g_auto(GStrv) parts = g_strsplit(text, "kind::KIND", 2);
    g_autofree char *whole = g_strconcat(parts[0], "kind::", kind, parts[1], NULL);
    PsPtxModule *module = ps_ptx_parse(whole, strlen(whole), "product.ptx", &error);
    g_assert_no_error(error);
    return module;
}

/* Arrivals and products that ended waits. */
static void hear(gpointer data, const PsPtxEvent *event)
{
    guint *ended = data;
    for (guint i = 0; i < event->n_enders; i++)
        ended[event->enders[i].copy]++;
}

static gboolean run_module(const Case *c, const PsPtxModule *module, guint8 *const bytes[2],
                           guint32 *d, GError **error)
{
    guint ended[2] = {0};
    const PsPtxArgument arguments[] = {{.data = bytes[0], .size = (gsize)c->m * c->steps * 32},
                                       {.data = bytes[1], .size = (gsize)c->n * c->steps * 32},
                                       {.data = (guint8 *)d, .size = sizeof *d * 128 * COLUMNS},
                                       {.bits = descriptor_of(c)},
                                       {.bits = c->m},
                                       {.bits = c->n},
                                       {.bits = c->steps}};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, NULL, error),
                                .grid = {1, 1, 1},
                                .block = {128, 1, 1},
                                .n_arguments = G_N_ELEMENTS(arguments),
                                .arguments = arguments};
    const PsPtxListener listener = {.data = ended, .executed = hear};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, error);
    g_assert_no_error(*error);
    if (!ps_ptx_run_group(machine, (const guint[3]){0, 0, 0}, &listener, error))
        return FALSE;
    /* Each of four warps waits for one arrival, and for the products before it, of which machine
     * code has several. */
    g_assert_cmpuint(ended[FALSE], ==, 4);
    g_assert_cmpuint(ended[TRUE], >=, 4);
    g_assert_true(module->machine || ended[TRUE] == 4);
    for (guint i = 0; i < ps_ptx_machine_warnings(machine)->len; i++)
        g_assert_cmpstr(ps_ptx_machine_warnings(machine)->pdata[i], ==, NULL);
    return TRUE;
}

static gboolean run(const Case *c, guint8 *const bytes[2], guint32 *d, GError **error)
{
    g_autoptr(PsPtxModule) module = module_of(c->kind);
    return run_module(c, module, bytes, d, error);
}

static gboolean run_machine_code(const Case *c, guint8 *const bytes[2], guint32 *d, GError **error)
{
    g_autofree char *name = g_strconcat("product_", c->kind, NULL);
    PsSassImage *image = NULL;
    PsSassCode *code = sass_code("tensor-products-100", name, &image);
    g_assert_cmpuint(code->module->warnings->len, ==, 0);
    const gboolean good = run_module(c, code->module, bytes, d, error);
    ps_sass_code_free(code);
    ps_sass_image_free(image);
    return good;
}

static void check_product(const Case *c, gboolean machine)
{
    const guint k = c->steps * 256 / c->bits;
    g_autofree guint8 *a = g_malloc0((gsize)c->m * MOST_K_BYTES),
                      *b = g_malloc0((gsize)c->n * MOST_K_BYTES);
    g_autofree double *x = g_new(double, c->m *k), *y = g_new(double, c->n *k);
    g_autofree guint32 *d = g_new0(guint32, 128 * COLUMNS);
    g_autoptr(GError) error = NULL;
    fill(a, x, c, TRUE);
    fill(b, y, c, FALSE);
    (machine ? run_machine_code : run)(c, (guint8 *const[2]){a, b}, d, &error);
    g_assert_no_error(error);
    for (guint row = 0; row < c->m; row++)
        for (guint column = 0; column < c->n; column++) {
            const guint lane = c->m == 64 ? row / 16 * 32 + row % 16 : row;
            double sum = 0;
            for (guint i = 0; i < k; i++)
                sum += x[row * k + i] * y[column * k + i];
            g_assert_cmpfloat(tensor_value(c->d, d[lane * COLUMNS + column]), ==,
                              c->more == NEGATE_A ? -sum : sum);
        }
}

static void test_product(gconstpointer data)
{
    check_product(data, FALSE);
}

static void test_machine_code(gconstpointer data)
{
    check_product(data, TRUE);
}

/* ---- what may not be ------------------------------------------------------------------------ */

static void test_descriptors(void)
{
    static const struct {
        Case c;
        const char *why;
    } wrong[] = {
        {{"", "f16", F16, F16, 0, 0, 1, F32, 16, 32, 64, 1, 0}, "rows that is neither 64 nor 128"},
        {{"", "f16", F16, F16, 0, 0, 1, F32, 16, 128, 24, 1, 0}, "columns that is no multiple"},
        {{"", "f16", F16, F16, 2, 0, 1, F32, 16, 128, 64, 1, 0}, "types of factors that its kind"},
        {{"", "tf32", F32, F32, 2, 2, 0, F32, 32, 128, 64, 1, 0}, "type of the result that its"},
        {{"", "f8f6f4", E4M3, E4M3, 2, 0, 1, F32, 8, 128, 64, 1, 0}, "types of factors that its"},
        {{"", "i8", S8, S8, 1, 1, 2, S32, 8, 128, 64, 1, NEGATE_A}, "integers cannot be"},
        {{"", "f16", F16, F16, 0, 0, 1, F32, 16, 128, 64, 1, 4}, "a sparse product"},
    };
    g_autofree guint8 *bytes = g_malloc0((gsize)COLUMNS * MOST_K_BYTES);
    g_autofree guint32 *d = g_new0(guint32, 128 * COLUMNS);
    for (guint i = 0; i < G_N_ELEMENTS(wrong); i++) {
        g_autoptr(GError) error = NULL;
        g_assert_false(run(&wrong[i].c, (guint8 *const[2]){bytes, bytes}, d, &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
        g_assert_true(g_str_has_prefix(error->message, "product.ptx:96: thread (0,0,0)"));
        g_test_message("%s", error->message);
        g_assert_nonnull(strstr(error->message, wrong[i].why));
    }
}

#define TAKE(n)                                                                                    \
    ".shared .b32 t; mov.u32 %r3, t;"                                                              \
    "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], " #n "; ld.shared.u32 %r4, "   \
    "[%r3];"
#define GIVE(n) "tcgen05.dealloc.cta_group::1.sync.aligned.b32 %r4, " #n ";"
#define LOAD(place)                                                                                \
    "tcgen05.ld.sync.aligned.32x32b.x2.b32 {%r5, %r6}, [" place "]; "                              \
    "tcgen05.wait::ld.sync.aligned;"

static void fails(const char *body, const char *message)
{
    ptx_assert_fails(&(PtxLaunch){.body = body}, PS_ERROR_VALUE, message);
}

static void test_errors(void)
{
    fails(TAKE(64) "ret;", "x.ptx:11: group (0,0,0) ended without freeing 64 columns of tensor "
                           "memory that it allocates here (tcgen05.dealloc)");
    fails(TAKE(48) "ret;", "x.ptx:11: thread (0,0,0) of group (0,0,0) allocates 48 columns of "
                           "tensor memory; it must be a power of two from 32 to 512");
    fails(TAKE(1024) "ret;", "x.ptx:11: thread (0,0,0) of group (0,0,0) allocates 1024 columns of "
                             "tensor memory; it must be a power of two from 32 to 512");
    fails(TAKE(64) GIVE(32) "ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) frees 32 columns of tensor memory at column "
          "0, where 64 were allocated");
    fails("mov.u32 %r4, 32;" GIVE(32) "ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) frees 32 columns of tensor memory at column "
          "32, where 0 were allocated");
    fails(TAKE(512) "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [%r3], 32; ret;",
          "kernel \"k\", group (0,0,0): its threads wait for each other; warp 0: 32 of 32 threads "
          "wait for columns of tensor memory that others free (x.ptx:11)");
    fails("tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned;" TAKE(32) "ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) allocates tensor memory after its group has "
          "relinquished that");
    fails(TAKE(32) LOAD("%r4+31") "ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) reads columns 31 to 32 of tensor memory, of "
          "which 1 are not allocated");
    fails(TAKE(32) "add.u32 %r4, %r4, 0x200000;" LOAD("%r4") "ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) accesses lanes 32 to 63 of tensor memory; "
          "warp 0 of its group has lanes 0 to 31");
    fails(TAKE(512) LOAD("%r4+511") "ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) reads lanes 0 to 31 and columns 511 to 512 of "
          "tensor memory, which has 128 lanes and 512 columns");
    fails(
        TAKE(64) "mov.u64 %rd5, 0xe000000000000000; setp.eq.u32 %p1, 0, 0; mov.u32 %r5, 0x08100010;"
                 "tcgen05.mma.cta_group::1.kind::f16 [%r4], %rd5, %rd5, %r5, %p1; ret;",
        "x.ptx:11: thread (0,0,0) of group (0,0,0) multiplies a matrix A whose descriptor "
        "0xe000000000000000 has a swizzle that there is not");
    fails(TAKE(64) "mov.u64 %rd5, 0x0000400800803fff; tcgen05.cp.cta_group::1.128x256b [%r4], "
                   "%rd5; ret;",
          "x.ptx:11: thread (0,0,0) of group (0,0,0) copies a matrix whose descriptor "
          "0x0000000800803fff (start 0x3fff0, leading 2048, stride 128, swizzle 0 bytes) reaches "
          "byte 262128 of the 4 of shared memory");
}

/* Forms that there are not, or that are not executed, are unknown, and no worse. */
static void test_unknown(void)
{
    static const char *const bodies[] = {
        "tcgen05;", "tcgen05.ld;", "tcgen05.mma.cta_group::1.kind::f16 [%r3], %rd5;",
        "tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {%r3}, [%r4], -256;",
        "tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64;"};
    for (guint i = 0; i < G_N_ELEMENTS(bodies); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *body = g_strconcat("mov.u32 %r4, 0; ", bodies[i], " ret;", NULL);
        g_autofree guint32 *out = ptx_launch(&(PtxLaunch){.body = body}, &error);
        g_assert_nonnull(error);
        g_assert_null(out);
    }
}

/* ---- copies --------------------------------------------------------------------------------- */

/* Shared memory whose words are their numbers, as a matrix of pieces of 8 rows by 16 bytes, one
 * behind the other: rows first, 16 columns of pieces apart by 2048 bytes. A thread copies, and each
 * reads the last of its lane's words. */
#define COPY(shape, column)                                                                        \
    {                                                                                              \
        .block = {128},                                                                            \
        .body = ".shared .align 128 .b8 m[4096]; .shared .b32 t; mov.u32 %r8, m; mov.u32 %r9, t;"  \
                "shl.b32 %r10, %r1, 2; add.u32 %r11, %r8, %r10; mov.u32 %r12, %r1; mov.u32 %r13, " \
                "0; L: st.shared.u32 [%r11], %r12; add.u32 %r11, %r11, 512; add.u32 %r12, %r12, "  \
                "128; add.u32 %r13, %r13, 1; setp.lt.u32 %p1, %r13, 8; @%p1 bra L; setp.ge.u32 "   \
                "%p2, %r1, 32; @%p2 bra WAIT; tcgen05.alloc.cta_group::1.sync.aligned."            \
                "shared::cta.b32 [%r9], 32; WAIT: bar.sync 0; ld.shared.u32 %r4, [%r9];"           \
                "shr.u32 %r14, %r8, 4; cvt.u64.u32 %rd5, %r14; or.b64 %rd5, %rd5, "                \
                "0x0000400800800000; setp.ne.u32 %p3, %r1, 0; @%p3 bra DONE; add.u32 %r15, %r4, "  \
                "2; tcgen05.cp.cta_group::1." shape " [%r15], %rd5; DONE: bar.sync 0;"             \
                "and.b32 %r16, %r1, 96; shl.b32 %r16, %r16, 16; add.u32 %r16, %r16, %r4;"          \
                "tcgen05.ld.sync.aligned.32x32b.x1.b32 {%r3}, [%r16+" column "];"                  \
                "tcgen05.wait::ld.sync.aligned; bar.sync 0; @%p2 bra END; tcgen05.dealloc."        \
                "cta_group::1.sync.aligned.b32 %r4, 32; END: " PTX_STORE,                          \
        .any_warning = TRUE,                                                                       \
    }

/* The number of the word at that row, of 4 columns of pieces. */
static guint32 word_at(guint row, guint column)
{
    return column / 4 * 512 + row * 4 + column % 4;
}

static guint32 of_two_pieces(guint i, guint n)
{
    (void)n;
    return word_at(i, 7);
}

static guint32 of_one_piece(guint i, guint n)
{
    (void)n;
    return word_at(i, 3);
}

static guint32 by_turns(guint i, guint n)
{
    (void)n;
    return word_at(i % 64, 3);
}

static guint32 by_pairs(guint i, guint n)
{
    (void)n;
    return word_at(i / 64 * 32 + i % 32, 3);
}

static guint32 by_all(guint i, guint n)
{
    (void)n;
    return word_at(i % 32, 3);
}

static const PtxLaunchCase copies[] = {
    {"/ptx-run-tcgen05/copy/128x256b", of_two_pieces, COPY("128x256b", "9")},
    {"/ptx-run-tcgen05/copy/128x128b", of_one_piece, COPY("128x128b", "5")},
    {"/ptx-run-tcgen05/copy/02_13", by_turns, COPY("64x128b.warpx2::02_13", "5")},
    {"/ptx-run-tcgen05/copy/01_23", by_pairs, COPY("64x128b.warpx2::01_23", "5")},
    {"/ptx-run-tcgen05/copy/32x128b", by_all, COPY("32x128b.warpx4", "5")},
};

/* ---- shapes --------------------------------------------------------------------------------- */

/* Each lane has its number and that of the column in the word there, and reads by another shape. */
#define MARK                                                                                       \
    TAKE(32)                                                                                       \
    "mul.lo.u32 %r10, %r1, 100; add.u32 %r11, %r10, 1; add.u32 %r12, %r10, 2; add.u32 %r13, "      \
    "%r10, "                                                                                       \
    "3; add.u32 %r14, %r10, 4; add.u32 %r15, %r10, 5; add.u32 %r16, %r10, 6; add.u32 %r17, %r10, " \
    "7; tcgen05.st.sync.aligned.32x32b.x8.b32 [%r4], {%r10, %r11, %r12, %r13, %r14, %r15, %r16, "  \
    "%r17}; tcgen05.wait::st.sync.aligned;"
#define READ(text) MARK text "tcgen05.wait::ld.sync.aligned;" GIVE(32) PTX_STORE

static guint32 two(guint i, guint n)
{
    (void)n;
    return (i / 4 + i % 2 * 8) * 100 + 2 + i / 2 % 2;
}

static guint32 four(guint i, guint n)
{
    (void)n;
    return (i / 4 + 8) * 100 + 4 + i % 4;
}

static guint32 eight(guint i, guint n)
{
    (void)n;
    return (i / 4 + 8) * 100 + i % 4 * 2 + 1;
}

static guint32 halves(guint i, guint n)
{
    (void)n;
    return (i * 100 + 2) | (i * 100 + 3) << 16;
}

static guint32 split(guint i, guint n)
{
    (void)n;
    return i % 16 * 100 + 1 + i / 16 * 4;
}

static guint32 split_stored(guint i, guint n)
{
    (void)n;
    return i * 100 + 2;
}

static const PtxLaunchCase shapes[] = {
    {"/ptx-run-tcgen05/16x64b",
     two,
     {.body = READ("tcgen05.ld.sync.aligned.16x64b.x2.b32 {%r20, %r3}, [%r4];")}},
    {"/ptx-run-tcgen05/16x128b",
     four,
     {.body = READ("tcgen05.ld.sync.aligned.16x128b.x2.b32 {%r20, %r21, %r22, %r3}, [%r4];")}},
    {"/ptx-run-tcgen05/16x256b",
     eight,
     {.body = READ("tcgen05.ld.sync.aligned.16x256b.x1.b32 {%r20, %r21, %r22, %r3}, [%r4];")}},
    {"/ptx-run-tcgen05/packed",
     halves,
     {.body = READ("tcgen05.ld.sync.aligned.32x32b.x2.pack::16b.b32 {%r20, %r3}, [%r4];")}},
    {"/ptx-run-tcgen05/split-stored",
     split_stored,
     {.body = READ("tcgen05.st.sync.aligned.16x32bx2.x2.b32 [%r4+8], 4, {%r11, %r12};"
                   "tcgen05.wait::st.sync.aligned;"
                   "tcgen05.ld.sync.aligned.16x32bx2.x2.b32 {%r20, %r3}, [%r4+8], 4;")}},
    {"/ptx-run-tcgen05/split",
     split,
     {.body = READ("tcgen05.ld.sync.aligned.16x32bx2.x2.b32 {%r20, %r3}, [%r4], 4;")}},
};

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *path = g_strdup_printf("/ptx-run-tcgen05/product/%s", cases[i].name);
        g_autofree char *of_machine = g_strconcat(path, "-machine-code", NULL);
        g_test_add_data_func(path, &cases[i], test_product);
        g_test_add_data_func(of_machine, &cases[i], test_machine_code);
    }
    ptx_add_cases(copies, G_N_ELEMENTS(copies));
    ptx_add_cases(shapes, G_N_ELEMENTS(shapes));
    g_test_add_func("/ptx-run-tcgen05/descriptors", test_descriptors);
    g_test_add_func("/ptx-run-tcgen05/errors", test_errors);
    g_test_add_func("/ptx-run-tcgen05/unknown", test_unknown);
    return g_test_run();
}
