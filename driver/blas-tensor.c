/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products by tensor cores: an mma makes 16 x 8 elements from 32 bytes of each row of the factors,
 * 16 elements of 16 bits or 8 of 32. A group makes a square of C. It copies 64 bytes of each row of
 * the factors to shared memory at a time (a stage), and the next ones while it multiplies these.
 *
 * A factor lies in shared memory in the order of memory: along the sums (a row of 64 bytes for each
 * row of A or column of B), or across them. Pieces of 16 bytes are permuted within a row, by the
 * row's number, so that neither writers nor readers meet in a bank.
 */
#include "driver/blas-product.h"

enum {
    PIECE = 16, /* bytes of a piece */
    ROW = 64,   /* bytes of a row in a stage, along the sums */
    STEP = 32,  /* bytes of a row for one mma */
    TALL = 16,  /* rows of an mma, */
    WIDE = 8,   /* and its columns */
    EACH = 2,   /* pieces of a factor that a thread copies to shared memory */
    LANES = 32
};

typedef struct {
    const char *type; /* type of factors, by mma's name */
    guint bytes;      /* bytes of an element */
    guint depth;      /* elements of a stage along the sums */
    guint threads, warps_down;
    guint rows, columns;       /* size of a warp's part */
    guint down, right;         /* number of mma for it */
    guint part, stage, stages; /* bytes of a factor's stage, and of both; number of stages */
    gboolean older;            /* one mma takes 8 rows along the sums (sm_75) */
} Shape;

static Shape shape_of(const BlasProduct *product, guint target)
{
    enum { LARGE = 128, FIRST_WITH_16 = 80 };
    static const char *const types[] = {"f16", "bf16", "tf32"};
    const gboolean large = product->tile == LARGE;
    Shape shape = {.type = types[product->factors],
                   .bytes = blas_bytes(product->factors),
                   .threads = blas_product_threads(product),
                   .warps_down = 2,
                   .rows = large ? 64 : 32,
                   .columns = 32,
                   .stages = product->loads == BLAS_ASYNC ? 3 : 2,
                   .older = target < FIRST_WITH_16};
    shape.depth = ROW / shape.bytes;
    shape.down = shape.rows / TALL;
    shape.right = shape.columns / WIDE;
    shape.part = product->tile * ROW;
    shape.stage = 2 * shape.part;
    return shape;
}

/* ---- from memory to shared memory ----------------------------------------------------------- */

static void put_registers(GString *out, const Shape *shape)
{
    g_string_append_printf(
        out,
        ".reg .b64 %%pa<%u>, %%pb<%u>, %%stepa, %%stepb, %%at;\n"
        ".reg .b32 %%ka<%u>, %%kb<%u>, %%wa<%u>, %%wb<%u>, %%ra<8>, %%rb<8>, %%full;\n"
        ".reg .b32 %%lefta<%u>, %%leftb<%u>, %%va<8>, %%vb<8>, %%x<16>, %%y<8>, %%q<8>;\n"
        ".reg .b32 %%from, %%to, %%done;\n.reg .b16 %%h<9>;\n"
        ".reg .pred %%ina<%u>, %%inb<%u>, %%load, %%more, %%inrow<8>, %%col, %%at0;\n"
        ".reg .f32 %%c<64>;\n.shared .align 128 .b8 parts[%u];\n",
        EACH, EACH, EACH, EACH, EACH, EACH, EACH, EACH, EACH, EACH, shape->stages * shape->stage);
}

/* r1 becomes the place of a piece within its row r0. */
static void put_swizzle(GString *out, const Shape *shape, gboolean across)
{
    if (!across)
        g_string_append(out, "shr.u32 %r5, %r0, 1;\nand.b32 %r5, %r5, 3;\n");
    else if (shape->bytes == 2)
        g_string_append(out, "and.b32 %r5, %r0, 7;\n");
    else
        g_string_append(out, "and.b32 %r5, %r0, 3;\nshl.b32 %r5, %r5, 1;\n");
    g_string_append(out, "xor.b32 %r1, %r1, %r5;\n");
}

/* Finds the addresses of a thread's pieces of a factor: r0 is a piece's row in shared memory, r1
 * its place in the row. left: elements of the piece, side by side, that lie in the matrix. */
static void put_factor(GString *out, const BlasProduct *product, const Shape *shape, guint factor)
{
    const char x = factor ? 'b' : 'a';
    const gboolean across = blas_product_across(product, factor);
    const guint row = across ? product->tile * shape->bytes : ROW, elements = PIECE / shape->bytes;
    const char *first = factor ? "col0" : "row0", *end = factor ? "n" : "m";
    for (guint e = 0; e < EACH; e++) {
        g_string_append_printf(out,
                               "add.u32 %%r2, %%thread, %u;\ndiv.u32 %%r0, %%r2, %u;\n"
                               "rem.u32 %%r1, %%r2, %u;\nmul.lo.u32 %%r3, %%r1, %u;\n"
                               "mov.u32 %%r4, %%r0;\n",
                               e * shape->threads, row / PIECE, row / PIECE, elements);
        put_swizzle(out, shape, across);
        g_string_append_printf(out,
                               "mov.u32 %%r6, parts;\nmad.lo.u32 %%r6, %%r0, %u, %%r6;\n"
                               "mad.lo.u32 %%w%c%u, %%r1, %u, %%r6;\n",
                               row, x, e, PIECE);
        if (factor)
            g_string_append_printf(out, "add.u32 %%wb%u, %%wb%u, %u;\n", e, e, shape->part);
        /* r3: coordinate along memory; r4: the other one */
        g_string_append_printf(out, "add.u32 %%r%u, %%r%u, %%%s;\nmov.u32 %%k%c%u, %%r%u;\n",
                               across ? 3 : 4, across ? 3 : 4, first, x, e, across ? 4 : 3);
        g_string_append_printf(
            out, "setp.lt.u32 %%in%c%u, %%r%u, %%%s;\nsub.s32 %%left%c%u, %%%s, %%r%u;\n", x, e,
            across ? 3 : 4, end, x, e, across ? end : "k", 3);
        g_string_append_printf(
            out,
            "mul.wide.u32 %%d0, %%r3, %u;\ncvt.u64.u32 %%d1, %%r4;\n"
            "mad.lo.u64 %%d0, %%d1, %%ld%c, %%d0;\nadd.u64 %%p%c%u, %%%c, %%d0;\n",
            shape->bytes, x, x, e, g_ascii_toupper(x));
    }
    if (across)
        g_string_append_printf(out, "mul.lo.u64 %%step%c, %%ld%c, %u;\n", x, x, shape->depth);
    else
        g_string_append_printf(out, "mov.u64 %%step%c, %u;\n", x, ROW);
}

/* Loads each element of a piece by itself, into the four registers from `to` on. */
static void put_elements(GString *out, const Shape *shape, char x, guint e, guint to)
{
    const guint elements = PIECE / shape->bytes;
    for (guint i = 0; i < elements; i++) {
        g_string_append_printf(out, "setp.gt.and.s32 %%at0, %%left%c%u, %u, %%load;\n", x, e, i);
        if (shape->bytes == 2)
            g_string_append_printf(out,
                                   "mov.b16 %%h%u, 0;\n"
                                   "@%%at0 ld.global.b16 %%h%u, [%%p%c%u+%u];\n",
                                   i, i, x, e, 2 * i);
        else
            g_string_append_printf(out,
                                   "mov.b32 %%v%c%u, 0;\n"
                                   "@%%at0 ld.global.b32 %%v%c%u, [%%p%c%u+%u];\n",
                                   x, to + i, x, to + i, x, e, 4 * i);
    }
    for (guint i = 0; shape->bytes == 2 && i < elements / 2; i++)
        g_string_append_printf(out, "mov.b32 %%v%c%u, {%%h%u, %%h%u};\n", x, to + i, 2 * i,
                               2 * i + 1);
}

static void put_vector(GString *out, char x, guint e, guint to)
{
    for (guint i = 0; i < 4; i++)
        g_string_append_printf(out, "mov.b32 %%v%c%u, 0;\n", x, to + i);
    g_string_append_printf(
        out, "@%%load ld.global.v4.b32 {%%v%c%u, %%v%c%u, %%v%c%u, %%v%c%u}, [%%p%c%u];\n", x, to,
        x, to + 1, x, to + 2, x, to + 3, x, e);
}

/* Loads the next stage of a factor, to shared memory or to registers. */
static void put_load(GString *out, const BlasProduct *product, const Shape *shape, char x)
{
    for (guint e = 0; e < EACH; e++) {
        g_string_append_printf(out, "setp.lt.and.s32 %%load, %%k%c%u, %%k, %%in%c%u;\n", x, e, x,
                               e);
        if (product->loads == BLAS_ONE_BY_ONE)
            put_elements(out, shape, x, e, 4 * e);
        else if (product->loads == BLAS_BY_16)
            put_vector(out, x, e, 4 * e);
        else
            g_string_append_printf(out,
                                   "selp.u32 %%full, %u, 0, %%load;\nadd.u32 %%r0, %%w%c%u, %%to;\n"
                                   "cp.async.cg.shared.global [%%r0], [%%p%c%u], %u, %%full;\n",
                                   PIECE, x, e, x, e, PIECE);
        g_string_append_printf(out, "add.u64 %%p%c%u, %%p%c%u, %%step%c;\n", x, e, x, e, x);
        g_string_append_printf(out, "add.u32 %%k%c%u, %%k%c%u, %u;\n", x, e, x, e, shape->depth);
        if (product->loads == BLAS_ONE_BY_ONE && !blas_product_across(product, x == 'b'))
            g_string_append_printf(out, "sub.s32 %%left%c%u, %%left%c%u, %u;\n", x, e, x, e,
                                   shape->depth);
    }
}

static void put_loads(GString *out, const BlasProduct *product, const Shape *shape)
{
    put_load(out, product, shape, 'a');
    put_load(out, product, shape, 'b');
    if (product->loads == BLAS_ASYNC)
        g_string_append_printf(out,
                               "cp.async.commit_group;\nadd.u32 %%to, %%to, %u;\n"
                               "setp.eq.u32 %%at0, %%to, %u;\nselp.u32 %%to, 0, %%to, %%at0;\n",
                               shape->stage, shape->stages * shape->stage);
}

/* Stores loaded elements from registers to the other of two stages. */
static void put_keep(GString *out, const Shape *shape)
{
    for (guint i = 0; i < 2 * EACH; i++) {
        const char x = i < EACH ? 'a' : 'b';
        const guint e = i % EACH, from = 4 * e;
        g_string_append_printf(out,
                               "add.u32 %%r0, %%w%c%u, %%to;\n"
                               "st.shared.v4.b32 [%%r0], {%%v%c%u, %%v%c%u, %%v%c%u, %%v%c%u};\n",
                               x, e, x, from, x, from + 1, x, from + 2, x, from + 3);
    }
    g_string_append_printf(out, "sub.u32 %%to, %u, %%to;\n", shape->stage);
}

/* ---- from shared memory to the tensor cores ------------------------------------------------- */

/* The number of registers with addresses of a factor in the first stage. */
static guint addresses(const BlasProduct *product, const Shape *shape, guint factor)
{
    const guint size = factor ? shape->columns : shape->rows;
    if (!blas_product_across(product, factor))
        return ROW / STEP;
    return size / (shape->bytes == 2 ? TALL : WIDE);
}

/* The address of a lane's row of 8 x 16 bytes, for ldmatrix of 16 rows (or columns) of the
 * factor. */
static void put_matrix_address(GString *out, const BlasProduct *product, const Shape *shape,
                               guint factor)
{
    const char x = factor ? 'b' : 'a';
    const gboolean across = blas_product_across(product, factor);
    /* order of the four 8 x 8 parts: the second is beside the first along r0, or along r1 */
    const gboolean low = across == (factor == 1);
    g_string_append(out, "and.b32 %r0, %r8, 7;\nshr.u32 %r1, %r8, 3;\nshr.u32 %r2, %r8, 4;\n"
                         "and.b32 %r1, %r1, 1;\n");
    g_string_append_printf(out, "shl.b32 %%r3, %%r%u, 3;\nadd.u32 %%r0, %%r0, %%r3;\n",
                           low ? 1 : 2);
    g_string_append_printf(out, "mov.u32 %%r1, %%r%u;\n", low ? 2 : 1);
    for (guint i = 0; i < addresses(product, shape, factor); i++) {
        g_string_append(out, "mov.u32 %r12, %r0;\nmov.u32 %r13, %r1;\n");
        if (across)
            g_string_append_printf(out,
                                   "shr.u32 %%r3, %%r9, 3;\nadd.u32 %%r1, %%r1, %%r3;\n"
                                   "add.u32 %%r1, %%r1, %u;\n",
                                   i * TALL / WIDE);
        else
            g_string_append_printf(out, "add.u32 %%r0, %%r0, %%r9;\nadd.u32 %%r1, %%r1, %u;\n",
                                   i * STEP / PIECE);
        put_swizzle(out, shape, across);
        g_string_append_printf(out,
                               "mul.lo.u32 %%r3, %%r0, %u;\nmad.lo.u32 %%r3, %%r1, %u, %%r3;\n"
                               "mov.u32 %%r4, parts;\nadd.u32 %%r3, %%r3, %%r4;\n"
                               "add.u32 %%r%c%u, %%r3, %u;\nmov.u32 %%r0, %%r12;\n"
                               "mov.u32 %%r1, %%r13;\n",
                               across ? product->tile * shape->bytes : ROW, PIECE, x, i,
                               factor ? shape->part : 0);
    }
}

/* The address of a lane's element, for singles that lie across: rows (columns) of the factor by
 * 8. */
static void put_single_address(GString *out, const BlasProduct *product, const Shape *shape,
                               guint factor)
{
    g_string_append(out, "and.b32 %r0, %r8, 3;\nshr.u32 %r2, %r8, 2;\n");
    for (guint i = 0; i < addresses(product, shape, factor); i++) {
        g_string_append_printf(out,
                               "add.u32 %%r3, %%r9, %%r2;\nadd.u32 %%r3, %%r3, %u;\n"
                               "shr.u32 %%r1, %%r3, 2;\nand.b32 %%r3, %%r3, 3;\n",
                               i * WIDE);
        put_swizzle(out, shape, TRUE);
        g_string_append_printf(out,
                               "shl.b32 %%r1, %%r1, 4;\nmad.lo.u32 %%r1, %%r3, 4, %%r1;\n"
                               "mad.lo.u32 %%r1, %%r0, %u, %%r1;\nmov.u32 %%r4, parts;\n"
                               "add.u32 %%r1, %%r1, %%r4;\nadd.u32 %%r%c%u, %%r1, %u;\n",
                               product->tile * shape->bytes, factor ? 'b' : 'a', i,
                               factor ? shape->part : 0);
    }
}

/* r8: lane; r9: first row (or column) of the warp's part in the group. */
static void put_addresses(GString *out, const BlasProduct *product, const Shape *shape)
{
    for (guint factor = 0; factor < 2; factor++) {
        g_string_append_printf(out, "and.b32 %%r8, %%thread, %u;\nshr.u32 %%r9, %%thread, 5;\n",
                               LANES - 1);
        g_string_append_printf(out, "%s.u32 %%r9, %%r9, %u;\nmul.lo.u32 %%r9, %%r9, %u;\n",
                               factor ? "div" : "rem", shape->warps_down,
                               factor ? shape->columns : shape->rows);
        if (blas_product_across(product, factor) && shape->bytes == 4)
            put_single_address(out, product, shape, factor);
        else
            put_matrix_address(out, product, shape, factor);
    }
}

/* Loads the registers x and y of one step along the sums: four for 16 rows of A, two for 8 columns
 * of B. */
static void put_take(GString *out, const BlasProduct *product, const Shape *shape, guint factor,
                     guint step)
{
    const char x = factor ? 'b' : 'a', to = factor ? 'y' : 'x';
    const gboolean across = blas_product_across(product, factor);
    const guint pitch = product->tile * shape->bytes,
                by_16 = (factor ? shape->columns : shape->rows) / TALL;
    if (across && shape->bytes == 4) {
        const guint n = addresses(product, shape, factor);
        for (guint i = 0; i < n; i++)
            for (guint half = 0; half < 2; half++) /* four rows further along the sums */
                g_string_append_printf(out, "ld.shared.b32 %%%c%u, [%%q%u+%u];\n", to,
                                       factor ? 2 * i + half : i / 2 * 4 + i % 2 + 2 * half, i,
                                       (step * 8 + half * 4) * pitch);
        return;
    }
    for (guint i = 0; i < by_16; i++)
        g_string_append_printf(out,
                               "ldmatrix.sync.aligned.m8n8.x4%s.shared.b16 {%%%c%u, %%%c%u, "
                               "%%%c%u, %%%c%u}, [%%q%u+%u];\n",
                               across ? ".trans" : "", to, 4 * i, to, 4 * i + 1, to, 4 * i + 2, to,
                               4 * i + 3, across ? i : step,
                               across ? step * TALL * pitch : i * TALL * ROW);
    (void)x;
}

static void put_mma(GString *out, const Shape *shape, guint i, guint j)
{
    const guint c = 4 * (j * shape->down + i), x = 4 * i, y = 2 * j;
    const char *const format =
        "mma.sync.aligned.m16n8k%u.row.col.f32.%s.%s.f32 {%%c%u, %%c%u, %%c%u, %%c%u}, ";
    const char *const sum = "{%%c%u, %%c%u, %%c%u, %%c%u};\n";
    const guint parts = shape->older ? 2 : 1;
    for (guint part = 0; part < parts; part++) {
        g_string_append_printf(out, format, shape->older || shape->bytes == 4 ? 8 : 16, shape->type,
                               shape->type, c, c + 1, c + 2, c + 3);
        if (shape->older)
            g_string_append_printf(out, "{%%x%u, %%x%u}, {%%y%u}, ", x + 2 * part, x + 2 * part + 1,
                                   y + part);
        else
            g_string_append_printf(out, "{%%x%u, %%x%u, %%x%u, %%x%u}, {%%y%u, %%y%u}, ", x, x + 1,
                                   x + 2, x + 3, y, y + 1);
        g_string_append_printf(out, sum, c, c + 1, c + 2, c + 3);
    }
}

static void put_stage(GString *out, const BlasProduct *product, const Shape *shape)
{
    for (guint step = 0; step < ROW / STEP; step++) {
        for (guint factor = 0; factor < 2; factor++) {
            for (guint i = 0; i < addresses(product, shape, factor); i++)
                g_string_append_printf(out, "add.u32 %%q%u, %%r%c%u, %%from;\n", i,
                                       factor ? 'b' : 'a', i);
            put_take(out, product, shape, factor, step);
        }
        for (guint j = 0; j < shape->right; j++)
            for (guint i = 0; i < shape->down; i++)
                put_mma(out, shape, i, j);
    }
    g_string_append_printf(out,
                           "add.u32 %%from, %%from, %u;\nsetp.eq.u32 %%at0, %%from, %u;\n"
                           "selp.u32 %%from, 0, %%from, %%at0;\n",
                           shape->stage, shape->stages * shape->stage);
}

/* ---- the whole ------------------------------------------------------------------------------ */

static void put_loop(GString *out, const BlasProduct *product, const Shape *shape)
{
    const gboolean async = product->loads == BLAS_ASYNC;
    for (guint i = 0; i < 4 * shape->down * shape->right; i++)
        g_string_append_printf(out, "mov.f32 %%c%u, 0f00000000;\n", i);
    g_string_append(out, "mov.u32 %to, 0;\nmov.u32 %from, 0;\nmov.u32 %done, 0;\n");
    for (guint i = 0; i + 1 < shape->stages; i++)
        put_loads(out, product, shape);
    if (!async)
        put_keep(out, shape);
    g_string_append(out, "LOOP:\n");
    g_string_append_printf(out, "add.u32 %%done, %%done, %u;\nsetp.lt.s32 %%more, %%done, %%k;\n",
                           shape->depth);
    if (!async) /* assemblers keep them before the barrier */
        put_loads(out, product, shape);
    else
        g_string_append_printf(out, "cp.async.wait_group %u;\n", shape->stages - 2);
    g_string_append(out, "bar.sync 0;\n");
    if (async)
        put_loads(out, product, shape);
    put_stage(out, product, shape);
    if (!async)
        put_keep(out, shape);
    g_string_append(out, "@%more bra LOOP;\n");
    if (async)
        g_string_append(out, "cp.async.wait_group 0;\n");
}

/* A lane has two columns of two rows in each mma. */
static void put_results(GString *out, const BlasProduct *product, const Shape *shape)
{
    const guint bytes = blas_bytes(product->result);
    g_string_append_printf(
        out,
        "shr.u32 %%r9, %%thread, 5;\nrem.u32 %%r0, %%r9, %u;\n"
        "div.u32 %%r1, %%r9, %u;\nand.b32 %%r8, %%thread, %u;\nshr.u32 %%r2, %%r8, 2;\n"
        "and.b32 %%r3, %%r8, 3;\nmad.lo.u32 %%r0, %%r0, %u, %%r2;\n"
        "shl.b32 %%r3, %%r3, 1;\nmad.lo.u32 %%r1, %%r1, %u, %%r3;\n"
        "add.u32 %%r0, %%r0, %%row0;\nadd.u32 %%r1, %%r1, %%col0;\n"
        "mul.wide.u32 %%d0, %%r0, %u;\nadd.u64 %%d0, %%d0, %%C;\n",
        shape->warps_down, shape->warps_down, LANES - 1, shape->rows, shape->columns, bytes);
    for (guint i = 0; i < 2 * shape->down; i++) {
        g_string_append_printf(out, "add.u32 %%r2, %%r0, %u;\nsetp.lt.u32 %%inrow%u, %%r2, %%m;\n",
                               i * TALL / 2, i);
        blas_product_bias(out, product, i);
    }
    for (guint j = 0; j < 2 * shape->right; j++) {
        g_string_append_printf(out,
                               "add.u32 %%r2, %%r1, %u;\nsetp.lt.u32 %%col, %%r2, %%n;\n"
                               "cvt.u64.u32 %%d1, %%r2;\nmad.lo.u64 %%at, %%d1, %%ldc, %%d0;\n",
                               j / 2 * WIDE + j % 2);
        for (guint i = 0; i < 2 * shape->down; i++) {
            g_autofree char *sum = g_strdup_printf("%%c%u", 4 * (j / 2 * shape->down + i / 2) +
                                                                i % 2 * 2 + j % 2),
                            *address = g_strdup_printf("%%at+%u", i * TALL / 2 * bytes);
            g_string_append_printf(out, "and.pred %%at0, %%col, %%inrow%u;\n", i);
            blas_product_mask(out, product, i * TALL / 2);
            blas_product_put(out, product, "%at0", sum, address, i);
        }
    }
}

void blas_tensor_body(GString *out, const BlasProduct *product, guint target)
{
    const Shape shape = shape_of(product, target);
    put_registers(out, &shape);
    put_factor(out, product, &shape, 0);
    put_factor(out, product, &shape, 1);
    put_addresses(out, product, &shape);
    put_loop(out, product, &shape);
    blas_product_scale(out, product);
    put_results(out, product, &shape);
}
