/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products by multiply-adds of single or double precision. A group makes a square of C. It copies
 * DEPTH columns of A and rows of B to shared memory at a time, and the next ones while it sums
 * these up. A thread has PART x PART elements of C, in pieces of 16 bytes, so that it reads the
 * factors without bank conflicts.
 */
#include "driver/blas-product.h"

enum { DEPTH = 8, PIECE = 16 };

typedef struct {
    guint bits, bytes;     /* size of a sum, and of a factor's element in shared memory */
    guint part;            /* rows and columns of a thread's part */
    guint threads, across; /* threads of a group, and those in a row */
    guint piece, pieces;   /* elements of a piece; pieces of a part */
    guint pitch;           /* elements between neighbours along DEPTH, in shared memory */
    guint size;            /* bytes of a factor in shared memory */
    guint each;            /* elements of a factor that a thread loads */
} Shape;

static Shape shape_of(const BlasProduct *product)
{
    Shape shape = {.bits = product->result == BLAS_F64 ? 64 : 32};
    shape.bytes = shape.bits / 8;
    shape.part = product->tile == 128 ? 8 : 4;
    shape.threads = blas_product_threads(product);
    shape.across = product->tile / shape.part;
    shape.piece = PIECE / shape.bytes;
    shape.pieces = shape.part / shape.piece;
    shape.pitch = product->tile + shape.piece;
    shape.size = DEPTH * shape.pitch * shape.bytes;
    shape.each = product->tile * DEPTH / shape.threads;
    return shape;
}

static void put_registers(GString *out, const Shape *shape)
{
    g_string_append_printf(
        out,
        ".reg .b64 %%pa<8>, %%pb<8>, %%stepa, %%stepb, %%at;\n"
        ".reg .b32 %%la<8>, %%lb<8>, %%ka, %%kb, %%wa, %%wb, %%ra, %%rb;\n"
        ".reg .b32 %%now, %%to, %%done, %%q, %%w;\n"
        ".reg .pred %%ina<8>, %%inb<8>, %%load, %%more, %%inrow<8>, %%col, %%at0;\n"
        ".reg .f%u %%va<8>, %%vb<8>, %%x<8>, %%y<8>, %%c<64>;\n"
        ".shared .align 16 .b8 parts[%u];\n",
        shape->bits, 4 * shape->size);
}

/* Finds the addresses of a thread's elements of the factor, in memory and in the first of the two
 * buffers in shared memory; and which of them lie in the matrix. */
static void put_factor(GString *out, const BlasProduct *product, const Shape *shape, guint factor)
{
    const char x = factor ? 'b' : 'a';
    const gboolean across = blas_product_across(product, factor);
    const guint side = across ? product->tile : DEPTH, beside = shape->threads / side,
                bytes = blas_bytes(product->factors);
    const char *first = factor ? "col0" : "row0", *end = factor ? "n" : "m",
               *k = factor ? "%kb" : "%ka";
    g_string_append_printf(out, "and.b32 %%r0, %%thread, %u;\nshr.u32 %%r1, %%thread, %u;\n",
                           side - 1, (guint)g_bit_storage(side) - 1);
    /* r2: row or column of C; k: number along the sums */
    g_string_append_printf(out, "add.u32 %%r2, %%r%u, %%%s;\nmov.u32 %%k%c, %%r%u;\n",
                           across ? 0 : 1, first, x, across ? 1 : 0);
    g_string_append_printf(out,
                           "mad.lo.u32 %%w%c, %%k%c, %u, %%r%u;\nmul.lo.u32 %%w%c, %%w%c, %u;\n"
                           "mov.u32 %%r3, parts;\nadd.u32 %%w%c, %%w%c, %%r3;\n",
                           x, x, shape->pitch, across ? 0 : 1, x, x, shape->bytes, x, x);
    if (factor)
        g_string_append_printf(out, "add.u32 %%w%c, %%w%c, %u;\n", x, x, shape->size);
    g_string_append_printf(out,
                           "mul.wide.u32 %%d0, %s, %u;\ncvt.u64.u32 %%d1, %s;\n"
                           "mad.lo.u64 %%d0, %%d1, %%ld%c, %%d0;\nadd.u64 %%p%c0, %%%c, %%d0;\n",
                           across ? "%r2" : k, bytes, across ? k : "%r2", x, x, g_ascii_toupper(x));
    g_string_append_printf(out, "mul.lo.u64 %%d2, %%ld%c, %u;\n", x, beside);
    if (across)
        g_string_append_printf(out, "mul.lo.u64 %%step%c, %%ld%c, %u;\n", x, x, DEPTH);
    else
        g_string_append_printf(out, "mov.u64 %%step%c, %u;\n", x, DEPTH * bytes);
    for (guint e = 0; e < shape->each; e++) {
        if (e)
            g_string_append_printf(out, "add.u64 %%p%c%u, %%p%c%u, %%d2;\n", x, e, x, e - 1);
        g_string_append_printf(out, "add.u32 %%r4, %%r2, %u;\nsetp.lt.u32 %%in%c%u, %%r4, %%%s;\n",
                               across ? 0 : e * beside, x, e, end);
        g_string_append_printf(out, "sub.s32 %%l%c%u, %%k, %u;\n", x, e, across ? e * beside : 0);
    }
}

static void put_load(GString *out, const BlasProduct *product, const Shape *shape, char x)
{
    for (guint e = 0; e < shape->each; e++) {
        g_autofree char *value = g_strdup_printf("%%v%c%u", x, e),
                        *address = g_strdup_printf("%%p%c%u", x, e);
        g_string_append_printf(out, "setp.lt.and.s32 %%load, %%k%c, %%l%c%u, %%in%c%u;\n", x, x, e,
                               x, e);
        blas_ptx_load(out, product->factors, "%load", value, address);
        g_string_append_printf(out, "add.u64 %s, %s, %%step%c;\n", address, address, x);
    }
    g_string_append_printf(out, "add.u32 %%k%c, %%k%c, %u;\n", x, x, DEPTH);
}

/* %to: offset in bytes of the buffer that gets them. */
static void put_keep(GString *out, const BlasProduct *product, const Shape *shape, guint factor)
{
    const char x = factor ? 'b' : 'a';
    const gboolean across = blas_product_across(product, factor);
    const guint beside = shape->threads / (across ? product->tile : DEPTH),
                step = (across ? beside * shape->pitch : beside) * shape->bytes;
    g_string_append_printf(out, "add.u32 %%r0, %%w%c, %%to;\n", x);
    for (guint e = 0; e < shape->each; e++)
        g_string_append_printf(out, "st.shared.f%u [%%r0+%u], %%v%c%u;\n", shape->bits, e * step, x,
                               e);
}

/* Loads a part of a factor for one of DEPTH, into x or y. */
static void put_take(GString *out, const BlasProduct *product, const Shape *shape, guint k,
                     char from, char to)
{
    for (guint p = 0; p < shape->pieces; p++) {
        g_string_append_printf(out, "ld.shared.v%u.f%u {", shape->piece, shape->bits);
        for (guint i = 0; i < shape->piece; i++)
            g_string_append_printf(out, "%s%%%c%u", i ? ", " : "", to, p * shape->piece + i);
        g_string_append_printf(out, "}, [%%%c+%u];\n", from,
                               (k * shape->pitch + p * product->tile / shape->pieces) *
                                   shape->bytes);
    }
}

static void put_sums(GString *out, const BlasProduct *product, const Shape *shape)
{
    for (guint k = 0; k < DEPTH; k++) {
        put_take(out, product, shape, k, 'q', 'x');
        put_take(out, product, shape, k, 'w', 'y');
        for (guint j = 0; j < shape->part; j++)
            for (guint i = 0; i < shape->part; i++)
                g_string_append_printf(out, "fma.rn.f%u %%c%u, %%x%u, %%y%u, %%c%u;\n", shape->bits,
                                       j * shape->part + i, i, j, j * shape->part + i);
    }
}

/* Loads stand before the barrier, where assemblers keep them; otherwise these may move them to the
 * uses of their values. */
static void put_loop(GString *out, const BlasProduct *product, const Shape *shape)
{
    for (guint i = 0; i < shape->part * shape->part; i++)
        g_string_append_printf(out, "mov.f%u %%c%u, %s;\n", shape->bits, i,
                               shape->bits == 64 ? "0d0000000000000000" : "0f00000000");
    g_string_append(out, "mov.u32 %to, 0;\nmov.u32 %now, 0;\nmov.u32 %done, 0;\n");
    put_load(out, product, shape, 'a');
    put_load(out, product, shape, 'b');
    put_keep(out, product, shape, 0);
    put_keep(out, product, shape, 1);
    g_string_append_printf(out,
                           "LOOP:\nadd.u32 %%done, %%done, %u;\n"
                           "setp.lt.s32 %%more, %%done, %%k;\nsub.u32 %%to, %u, %%now;\n",
                           DEPTH, 2 * shape->size);
    put_load(out, product, shape, 'a');
    put_load(out, product, shape, 'b');
    g_string_append(out, "bar.sync 0;\nadd.u32 %q, %ra, %now;\nadd.u32 %w, %rb, %now;\n");
    put_sums(out, product, shape);
    put_keep(out, product, shape, 0);
    put_keep(out, product, shape, 1);
    g_string_append(out, "mov.u32 %now, %to;\n@%more bra LOOP;\n");
}

/* Rows are those of a column of C, side by side in memory. */
static void put_results(GString *out, const BlasProduct *product, const Shape *shape)
{
    const guint bytes = blas_bytes(product->result), apart = product->tile / shape->pieces;
    g_string_append(out, "add.u32 %r0, %row0, %r10;\nadd.u32 %r1, %col0, %r11;\n");
    g_string_append_printf(out, "mul.wide.u32 %%d0, %%r0, %u;\nadd.u64 %%d0, %%d0, %%C;\n", bytes);
    for (guint i = 0; i < shape->part; i++) {
        g_string_append_printf(out, "add.u32 %%r2, %%r0, %u;\nsetp.lt.u32 %%inrow%u, %%r2, %%m;\n",
                               i / shape->piece * apart + i % shape->piece, i);
        blas_product_bias(out, product, i);
    }
    for (guint j = 0; j < shape->part; j++) {
        g_string_append_printf(out,
                               "add.u32 %%r2, %%r1, %u;\nsetp.lt.u32 %%col, %%r2, %%n;\n"
                               "cvt.u64.u32 %%d1, %%r2;\nmad.lo.u64 %%at, %%d1, %%ldc, %%d0;\n",
                               j / shape->piece * apart + j % shape->piece);
        for (guint i = 0; i < shape->part; i++) {
            g_autofree char *sum = g_strdup_printf("%%c%u", j * shape->part + i),
                            *address = g_strdup_printf(
                                "%%at+%u", (i / shape->piece * apart + i % shape->piece) * bytes);
            g_string_append_printf(out, "and.pred %%at0, %%col, %%inrow%u;\n", i);
            blas_product_mask(out, product, i / shape->piece * apart + i % shape->piece);
            blas_product_put(out, product, "%at0", sum, address, i);
        }
    }
}

void blas_units_body(GString *out, const BlasProduct *product)
{
    const Shape shape = shape_of(product);
    put_registers(out, &shape);
    put_factor(out, product, &shape, 0);
    put_factor(out, product, &shape, 1);
    g_string_append_printf(out,
                           "rem.u32 %%r10, %%thread, %u;\nmul.lo.u32 %%r10, %%r10, %u;\n"
                           "div.u32 %%r11, %%thread, %u;\nmul.lo.u32 %%r11, %%r11, %u;\n"
                           "mov.u32 %%r0, parts;\nmad.lo.u32 %%ra, %%r10, %u, %%r0;\n"
                           "mad.lo.u32 %%rb, %%r11, %u, %%r0;\nadd.u32 %%rb, %%rb, %u;\n",
                           shape.across, shape.piece, shape.across, shape.piece, shape.bytes,
                           shape.bytes, shape.size);
    put_loop(out, product, &shape);
    blas_product_scale(out, product);
    put_results(out, product, &shape);
}
