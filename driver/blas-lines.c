/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels of vectors, and of a matrix and vectors: texts for blas-ptx.h. Their parameters x, y, a,
 * lda, incx, incy, alpha, beta, m, n and scales mean what they mean in BLAS; increments count
 * elements. Partial sums go to a, one for each group.
 */
#include "driver/blas-ptx.h"

#include <string.h>

enum {
    LANES = 32,
    WARPS = BLAS_VECTOR_THREADS / LANES,
    TURNS = 4,
    COLUMNS = 8,
    LOWEST_WITH_SYNC = 70
};

typedef struct {
    GString *out;
    BlasType type, elements; /* types of the kernel, and of the vectors that it reads */
    guint bits;              /* bits of a sum */
    guint bytes;             /* bytes of an element */
    guint part_bytes;        /* bytes of a sum */
    const char *zero;
} Text;

static const char *const NAMES[BLAS_N_VECTOR] = {
    [BLAS_AXPY] = "axpy",       [BLAS_SCAL] = "scal",       [BLAS_COPY] = "copy",
    [BLAS_SWAP] = "swap",       [BLAS_DOT] = "dot",         [BLAS_ASUM] = "asum",
    [BLAS_SQUARES] = "squares", [BLAS_SUM] = "sum",         [BLAS_ROOT] = "root",
    [BLAS_GER] = "ger",         [BLAS_GEMV] = "gemv_n",     [BLAS_GEMV_T] = "gemv_t",
    [BLAS_ROT] = "rot",         [BLAS_AMAX] = "amax",       [BLAS_AMIN] = "amin",
    [BLAS_AMAX_OF] = "amax_of", [BLAS_AMIN_OF] = "amin_of", [BLAS_GEAM_NN] = "geam_nn",
    [BLAS_GEAM_TN] = "geam_tn", [BLAS_GEAM_NT] = "geam_nt", [BLAS_GEAM_TT] = "geam_tt"};

char *blas_vector_name(BlasVector kernel, BlasType type)
{
    return g_strdup_printf("stand_in_%s_%s", NAMES[kernel], blas_type_name(type));
}

/* TRUE if the kernel's input vector holds partial sums. */
static gboolean sums_parts(BlasVector kernel)
{
    return kernel == BLAS_SUM || kernel == BLAS_ROOT;
}

/* Adds lines in which each # means the bits of a sum, ! its bytes, and ? the bytes of an
 * element. */
static void put(const Text *text, const char *lines)
{
    for (; *lines; lines++)
        if (*lines == '#' || *lines == '?' || *lines == '!')
            g_string_append_printf(text->out, "%u",
                                   *lines == '#'   ? text->bits
                                   : *lines == '?' ? text->bytes
                                                   : text->part_bytes);
        else
            g_string_append_c(text->out, *lines);
}

static void begin(const Text *text, BlasVector kernel)
{
    static const char *const wide[] = {"x", "y", "a", "lda", "incx", "incy", "alpha", "beta"};
    g_autofree char *name = blas_vector_name(kernel, text->type);
    g_string_append_printf(text->out, ".visible .entry %s(\n", name);
    for (guint i = 0; i < G_N_ELEMENTS(wide); i++)
        g_string_append_printf(text->out, "    .param .u64 %s,\n", wide[i]);
    g_string_append_printf(text->out,
                           "    .param .u32 m,\n    .param .u32 n,\n    .param .u32 scales)\n"
                           ".maxntid %d, 1, 1\n{\n",
                           BLAS_VECTOR_THREADS);
    put(text, ".reg .b64 %X, %Y, %A, %lda, %incx, %incy, %d<40>;\n"
              ".reg .b32 %m, %n, %i, %r<40>;\n.reg .pred %p<20>;\n.reg .f# %f<20>, %sum;\n"
              ".reg .b16 %h0;\n.reg .b32 %s0;\n"
              ".shared .align 8 .b8 parts[2048];\n"
              "ld.param.u64 %X, [x];\nld.param.u64 %Y, [y];\nld.param.u64 %A, [a];\n"
              "ld.param.u64 %lda, [lda];\nmul.lo.u64 %lda, %lda, ?;\n"
              "ld.param.u64 %incx, [incx];\nmul.lo.u64 %incx, %incx, ?;\n"
              "ld.param.u64 %incy, [incy];\nmul.lo.u64 %incy, %incy, ?;\n"
              "ld.param.u32 %m, [m];\nld.param.u32 %n, [n];\n"
              "mov.u32 %r0, %tid.x;\nmov.u32 %r1, %ctaid.x;\nmov.u32 %r2, %ntid.x;\n"
              "mad.lo.u32 %i, %r1, %r2, %r0;\n");
    blas_ptx_scale_registers(text->out, text->bits == 64);
}

/* ---- one element for each thread ------------------------------------------------------------ */

/* d1 and d2: the element's addresses in x and y. */
static void put_each(const Text *text, BlasVector kernel)
{
    put(text, "setp.ge.u32 %p0, %i, %n;\n@%p0 ret;\ncvt.u64.u32 %d0, %i;\n"
              "mad.lo.u64 %d1, %d0, %incx, %X;\nmad.lo.u64 %d2, %d0, %incy, %Y;\n"
              "ld.global.f# %f0, [%d1];\n");
    switch (kernel) {
    case BLAS_AXPY:
        blas_ptx_scale(text->out, "alpha", text->bits == 64);
        put(text, "ld.global.f# %f1, [%d2];\nfma.rn.f# %f1, %alpha, %f0, %f1;\n"
                  "st.global.f# [%d2], %f1;\n");
        break;
    case BLAS_SCAL:
        blas_ptx_scale(text->out, "alpha", text->bits == 64);
        put(text, "mul.rn.f# %f0, %alpha, %f0;\nst.global.f# [%d1], %f0;\n");
        break;
    case BLAS_ROT:
        blas_ptx_scale(text->out, "alpha", text->bits == 64);
        blas_ptx_scale(text->out, "beta", text->bits == 64);
        put(text, "ld.global.f# %f1, [%d2];\nmul.rn.f# %f2, %beta, %f1;\n"
                  "fma.rn.f# %f2, %alpha, %f0, %f2;\nmul.rn.f# %f3, %beta, %f0;\n"
                  "neg.f# %f3, %f3;\nfma.rn.f# %f3, %alpha, %f1, %f3;\n"
                  "st.global.f# [%d1], %f2;\nst.global.f# [%d2], %f3;\n");
        break;
    case BLAS_COPY:
        put(text, "st.global.f# [%d2], %f0;\n");
        break;
    default:
        put(text, "ld.global.f# %f1, [%d2];\nst.global.f# [%d2], %f0;\nst.global.f# [%d1], %f1;\n");
    }
}

/* Each thread has one row of a column of A, and goes from column to column. */
static void put_ger(const Text *text)
{
    blas_ptx_scale(text->out, "alpha", text->bits == 64);
    put(text, "setp.ge.u32 %p0, %i, %m;\n@%p0 ret;\ncvt.u64.u32 %d0, %i;\n"
              "mad.lo.u64 %d1, %d0, %incx, %X;\nld.global.f# %f0, [%d1];\n"
              "mul.rn.f# %f0, %alpha, %f0;\nmad.lo.u64 %d3, %d0, ?, %A;\n"
              "mov.u32 %r3, %ctaid.y;\nmov.u32 %r4, %nctaid.y;\n"
              "LOOP:\nsetp.ge.u32 %p0, %r3, %n;\n@%p0 ret;\ncvt.u64.u32 %d0, %r3;\n"
              "mad.lo.u64 %d2, %d0, %incy, %Y;\nld.global.f# %f1, [%d2];\n"
              "mad.lo.u64 %d4, %d0, %lda, %d3;\nld.global.f# %f2, [%d4];\n"
              "fma.rn.f# %f2, %f0, %f1, %f2;\nst.global.f# [%d4], %f2;\n"
              "add.u32 %r3, %r3, %r4;\nbra LOOP;\n");
}

/* ---- sums ----------------------------------------------------------------------------------- */

static void put_zero(const Text *text, const char *value)
{
    g_string_append_printf(text->out, "mov.f%u %s, %s;\n", text->bits, value, text->zero);
}

/* Replaces every lane's %sum by the warp's. */
static void put_warp(const Text *text, guint target)
{
    const char *kind = target >= LOWEST_WITH_SYNC ? ".sync" : "",
               *end = target >= LOWEST_WITH_SYNC ? ", 0xffffffff" : "";
    for (guint lanes = LANES / 2; lanes; lanes /= 2) {
        if (text->bits == 64)
            put(text, "mov.b64 {%r20, %r21}, %sum;\n");
        else
            put(text, "mov.b32 %r20, %sum;\n");
        for (guint i = 0; i < text->bits / 32; i++)
            g_string_append_printf(text->out, "shfl%s.bfly.b32 %%r2%u, %%r2%u, %u, 31%s;\n", kind,
                                   i, i, lanes, end);
        put(text, text->bits == 64 ? "mov.b64 %f15, {%r20, %r21};\n" : "mov.b32 %f15, %r20;\n");
        put(text, "add.rn.f# %sum, %sum, %f15;\n");
    }
}

/* Replaces %sum of thread 0 by the group's; %p10: this is thread 0. */
static void put_group(const Text *text, guint target)
{
    put_warp(text, target);
    put(text, "and.b32 %r10, %r0, 31;\nshr.u32 %r11, %r0, 5;\nsetp.eq.u32 %p11, %r10, 0;\n"
              "mov.u32 %r12, parts;\nmad.lo.u32 %r13, %r11, !, %r12;\n"
              "@%p11 st.shared.f# [%r13], %sum;\nbar.sync 0;\nsetp.eq.u32 %p10, %r0, 0;\n");
    for (guint i = 1; i < WARPS; i++)
        g_string_append_printf(
            text->out, "ld.shared.f%u %%f15, [%%r12+%u];\nadd.rn.f%u %%sum, %%sum, %%f15;\n",
            text->bits, i * text->part_bytes, text->bits);
}

/* Reads TURNS elements, %step apart; those beyond the end are 0. r3: the first; indices stay below
 * %end. */
static void put_reads(const Text *text, guint vectors, const char *end)
{
    for (guint i = 0; i < TURNS; i++) {
        g_string_append_printf(text->out, "setp.lt.u32 %%p%u, %%r3, %s;\ncvt.u64.u32 %%d0, %%r3;\n",
                               i, end);
        for (guint v = 0; v < vectors; v++) {
            g_autofree char *value = g_strdup_printf("%%f%u", v * TURNS + i),
                            *in = g_strdup_printf("%%p%u", i);
            g_string_append_printf(text->out, "mad.lo.u64 %%d1, %%d0, %s, %s;\n",
                                   v ? "%incy" : "%incx", v ? "%Y" : "%X");
            blas_ptx_load(text->out, text->elements, in, value, "%d1");
        }
        g_string_append(text->out, "add.u32 %r3, %r3, %r4;\n");
    }
}

static void put_reduction(const Text *text, BlasVector kernel, guint target)
{
    put_zero(text, "%sum");
    put(text, "mov.u32 %r3, %i;\nmov.u32 %r5, %nctaid.x;\nmul.lo.u32 %r4, %r5, %r2;\n"
              "LOOP:\nsetp.ge.u32 %p12, %r3, %n;\n@%p12 bra DONE;\n");
    put_reads(text, kernel == BLAS_DOT ? 2 : 1, "%n");
    for (guint i = 0; i < TURNS; i++) {
        if (kernel == BLAS_ASUM)
            g_string_append_printf(text->out, "abs.f%u %%f%u, %%f%u;\n", text->bits, i, i);
        if (kernel == BLAS_DOT || kernel == BLAS_SQUARES)
            g_string_append_printf(text->out, "fma.rn.f%u %%sum, %%f%u, %%f%u, %%sum;\n",
                                   text->bits, i, kernel == BLAS_DOT ? TURNS + i : i);
        else
            g_string_append_printf(text->out, "add.rn.f%u %%sum, %%sum, %%f%u;\n", text->bits, i);
    }
    put(text, "bra LOOP;\nDONE:\n");
    put_group(text, target);
    if (kernel == BLAS_ROOT)
        put(text, "sqrt.rn.f# %sum, %sum;\n");
    if (sums_parts(kernel))
        blas_ptx_store(text->out, text->type, "%p10", "%sum", "%Y");
    else
        put(text, "mul.wide.u32 %d0, %r1, !;\nadd.u64 %d0, %d0, %A;\n"
                  "@%p10 st.global.f# [%d0], %sum;\n");
}

/* ---- places -----------------------------------------------------------------------------------
 */

/* Takes the value %f0 at the place %r7 if the predicate holds and it is better than %sum at %r6. Of
 * equal ones that with the lower place is better. */
static void put_better(const Text *text, gboolean least, const char *predicate)
{
    g_string_append_printf(text->out, "setp.%s.f%u %%p4, %%f0, %%sum;\n", least ? "lt" : "gt",
                           text->bits);
    put(text, "setp.eq.f# %p5, %f0, %sum;\nsetp.lt.u32 %p6, %r7, %r6;\n"
              "and.pred %p5, %p5, %p6;\nor.pred %p4, %p4, %p5;\n");
    g_string_append_printf(text->out, "and.pred %%p4, %%p4, %s;\n", predicate);
    put(text, "@%p4 mov.f# %sum, %f0;\n@%p4 mov.u32 %r6, %r7;\n");
}

/* A group's threads have a place each; the first half takes what is better in the second one, again
 * and again. */
static void put_best(const Text *text, gboolean least)
{
    put(text, ".shared .align 4 .b8 places[1024];\nmov.u32 %r12, parts;\n"
              "mad.lo.u32 %r14, %r0, !, %r12;\nmov.u32 %r13, places;\n"
              "mad.lo.u32 %r15, %r0, 4, %r13;\nst.shared.f# [%r14], %sum;\n"
              "st.shared.u32 [%r15], %r6;\n");
    for (guint half = BLAS_VECTOR_THREADS / 2; half; half /= 2) {
        g_string_append_printf(text->out,
                               "bar.sync 0;\nsetp.lt.u32 %%p7, %%r0, %u;\n"
                               "@%%p7 ld.shared.f%u %%f0, [%%r14+%u];\n"
                               "@%%p7 ld.shared.u32 %%r7, [%%r15+%u];\n",
                               half, text->bits, half * text->part_bytes, half * 4);
        put_better(text, least, "%p7");
        put(text, "@%p7 st.shared.f# [%r14], %sum;\n@%p7 st.shared.u32 [%r15], %r6;\n");
    }
}

/* The place that no element has stands for none: all that were looked at are no numbers. */
static void put_places(const Text *text, BlasVector kernel)
{
    const gboolean least = kernel == BLAS_AMIN || kernel == BLAS_AMIN_OF,
                   last = kernel == BLAS_AMAX_OF || kernel == BLAS_AMIN_OF;
    const char *worst = !least             ? text->bits == 64 ? "0dBFF0000000000000" : "0fBF800000"
                        : text->bits == 64 ? "0d7FF0000000000000"
                                           : "0f7F800000";
    g_string_append_printf(text->out, "mov.f%u %%sum, %s;\nmov.f%u %%f0, %s;\n", text->bits, worst,
                           text->bits, worst);
    put(text, "mov.u32 %r6, 0xffffffff;\nmov.u32 %r7, %r6;\nmov.u32 %r8, %r6;\n"
              "mov.u32 %r3, %i;\nmov.u32 %r5, %nctaid.x;\nmul.lo.u32 %r4, %r5, %r2;\n"
              "LOOP:\nsetp.ge.u32 %p12, %r3, %n;\n@%p12 bra DONE;\n");
    put(text, last ? "mul.wide.u32 %d0, %r3, 4;\nadd.u64 %d0, %d0, %A;\nld.global.u32 %r7, [%d0];\n"
                   : "mov.u32 %r7, %r3;\n");
    put(text, "setp.ne.u32 %p3, %r7, %r8;\ncvt.u64.u32 %d0, %r7;\n"
              "mad.lo.u64 %d1, %d0, %incx, %X;\n");
    blas_ptx_load(text->out, text->elements, "%p3", "%f0", "%d1");
    put(text, "abs.f# %f0, %f0;\n");
    put_better(text, least, "%p3");
    put(text, "add.u32 %r3, %r3, %r4;\nbra LOOP;\nDONE:\n");
    put_best(text, least);
    put(text, "setp.eq.u32 %p10, %r0, 0;\n");
    put(text, last ? "add.u32 %r6, %r6, 1;\n@%p10 st.global.u32 [%Y], %r6;\nmov.u32 %r7, 0;\n"
                     "setp.eq.u32 %p8, %m, 8;\nand.pred %p8, %p8, %p10;\n"
                     "@%p8 st.global.u32 [%Y+4], %r7;\n"
                   : "mul.wide.u32 %d0, %r1, 4;\nadd.u64 %d0, %d0, %A;\n"
                     "@%p10 st.global.u32 [%d0], %r6;\n");
}

/* ---- two matrices -----------------------------------------------------------------------------
 */

/* Has the element of row %i and column %d0 of op(A) or op(B) in the value, 0 where the predicate
 * does not hold. */
static void put_factor(const Text *text, gboolean transposed, const char *in, const char *step,
                       const char *predicate, const char *value)
{
    put(text, "cvt.u64.u32 %d6, %i;\n");
    g_string_append_printf(
        text->out, "mad.lo.u64 %%d1, %s, %s, %s;\nmad.lo.u64 %%d1, %s, %u, %%d1;\n",
        transposed ? "%d6" : "%d0", step, in, transposed ? "%d0" : "%d6", text->bytes);
    blas_ptx_load(text->out, text->elements, predicate, value, "%d1");
}

/* A thread has one row, and goes from column to column. */
static void put_geam(const Text *text, BlasVector kernel)
{
    blas_ptx_scale(text->out, "alpha", text->bits == 64);
    blas_ptx_scale(text->out, "beta", text->bits == 64);
    g_string_append_printf(text->out,
                           "setp.neu.f%u %%p2, %%alpha, %s;\nsetp.neu.f%u %%p3, %%beta, %s;\n",
                           text->bits, text->zero, text->bits, text->zero);
    put(text, "setp.ge.u32 %p0, %i, %m;\n@%p0 ret;\ncvt.u64.u32 %d0, %i;\n"
              "mad.lo.u64 %d3, %d0, ?, %A;\nmov.u32 %r3, %ctaid.y;\nmov.u32 %r4, %nctaid.y;\n"
              "LOOP:\nsetp.ge.u32 %p0, %r3, %n;\n@%p0 ret;\ncvt.u64.u32 %d0, %r3;\n");
    put_factor(text, kernel == BLAS_GEAM_TN || kernel == BLAS_GEAM_TT, "%X", "%incx", "%p2", "%f0");
    put_factor(text, kernel == BLAS_GEAM_NT || kernel == BLAS_GEAM_TT, "%Y", "%incy", "%p3", "%f1");
    put(text, "mul.rn.f# %f0, %alpha, %f0;\nfma.rn.f# %f0, %beta, %f1, %f0;\n"
              "mad.lo.u64 %d4, %d0, %lda, %d3;\nst.global.f# [%d4], %f0;\n"
              "add.u32 %r3, %r3, %r4;\nbra LOOP;\n");
}

/* ---- a matrix and a vector ------------------------------------------------------------------ */

/* Stores %sum to y at d2, where %p13 holds. */
static void put_y(const Text *text)
{
    const gboolean doubles = text->bits == 64;
    blas_ptx_scale(text->out, "alpha", doubles);
    blas_ptx_scale(text->out, "beta", doubles);
    g_string_append_printf(text->out,
                           "setp.neu.f%u %%p14, %%beta, %s;\nand.pred %%p14, %%p14, %%p13;\n",
                           text->bits, text->zero);
    put(text, "mul.rn.f# %sum, %alpha, %sum;\n@%p14 ld.global.f# %f0, [%d2];\n"
              "@%p14 fma.rn.f# %sum, %beta, %f0, %sum;\n@%p13 st.global.f# [%d2], %sum;\n");
}

/* Each lane has a row, and each warp every eighth column. */
static void put_gemv(const Text *text)
{
    put(text, "and.b32 %r10, %r0, 31;\nshr.u32 %r11, %r0, 5;\nmad.lo.u32 %i, %r1, 32, %r10;\n"
              "setp.lt.u32 %p13, %i, %m;\nmul.wide.u32 %d5, %i, ?;\nadd.u64 %d5, %d5, %A;\n"
              "mov.u32 %r3, %r11;\n");
    put_zero(text, "%sum");
    put(text, "LOOP:\nsetp.ge.u32 %p12, %r3, %n;\n@%p12 bra DONE;\n");
    for (guint i = 0; i < COLUMNS; i++) {
        g_autofree char *value = g_strdup_printf("%%f%u", i),
                        *other = g_strdup_printf("%%f%u", COLUMNS + i);
        put_zero(text, value);
        put_zero(text, other);
        g_string_append_printf(
            text->out,
            "setp.lt.and.u32 %%p%u, %%r3, %%n, %%p13;\ncvt.u64.u32 %%d0, %%r3;\n"
            "mad.lo.u64 %%d1, %%d0, %%incx, %%X;\n"
            "mad.lo.u64 %%d3, %%d0, %%lda, %%d5;\n"
            "@%%p%u ld.global.f%u %s, [%%d1];\n@%%p%u ld.global.f%u %s, [%%d3];\n"
            "add.u32 %%r3, %%r3, %d;\n",
            i, i, text->bits, value, i, text->bits, other, WARPS);
    }
    for (guint i = 0; i < COLUMNS; i++)
        g_string_append_printf(text->out, "fma.rn.f%u %%sum, %%f%u, %%f%u, %%sum;\n", text->bits, i,
                               COLUMNS + i);
    put(text, "bra LOOP;\nDONE:\nmov.u32 %r12, parts;\nmad.lo.u32 %r13, %r0, ?, %r12;\n"
              "st.shared.f# [%r13], %sum;\nbar.sync 0;\nsetp.ge.u32 %p12, %r0, 32;\n@%p12 ret;\n");
    for (guint i = 1; i < WARPS; i++)
        g_string_append_printf(
            text->out, "ld.shared.f%u %%f15, [%%r13+%u];\nadd.rn.f%u %%sum, %%sum, %%f15;\n",
            text->bits, i * LANES * text->bytes, text->bits);
    put(text, "cvt.u64.u32 %d0, %i;\nmad.lo.u64 %d2, %d0, %incy, %Y;\n");
    put_y(text);
}

/* Each warp has a column, and its lanes take its rows in turn. */
static void put_gemv_t(const Text *text, guint target)
{
    put(text, "and.b32 %r10, %r0, 31;\nshr.u32 %r11, %r0, 5;\nmad.lo.u32 %r6, %r1, 8, %r11;\n"
              "setp.ge.u32 %p12, %r6, %n;\n@%p12 ret;\ncvt.u64.u32 %d4, %r6;\n"
              "mad.lo.u64 %d2, %d4, %incy, %Y;\n"
              "mad.lo.u64 %Y, %d4, %lda, %A;\nmov.u64 %incy, ?;\n" /* the column */
              "mov.u32 %r3, %r10;\nmov.u32 %r4, 32;\n");
    put_zero(text, "%sum");
    g_string_append(text->out, "mov.u64 %d6, %d2;\nLOOP:\nsetp.ge.u32 %p12, %r3, %m;\n"
                               "@%p12 bra DONE;\n");
    put_reads(text, 2, "%m");
    for (guint i = 0; i < TURNS; i++)
        g_string_append_printf(text->out, "fma.rn.f%u %%sum, %%f%u, %%f%u, %%sum;\n", text->bits, i,
                               TURNS + i);
    put(text, "bra LOOP;\nDONE:\n");
    put_warp(text, target);
    put(text, "setp.eq.u32 %p13, %r10, 0;\nmov.u64 %d2, %d6;\n");
    put_y(text);
}

/* ---- the whole ------------------------------------------------------------------------------ */

char *blas_vector_ptx(BlasVector kernel, BlasType type, guint target)
{
    const BlasType sums = type == BLAS_F64 ? BLAS_F64 : BLAS_F32,
                   elements = sums_parts(kernel) ? sums : type;
    const Text text = {.out = g_string_new(NULL),
                       .type = type,
                       .elements = elements,
                       .bits = 8 * blas_bytes(sums),
                       .bytes = blas_bytes(elements),
                       .part_bytes = blas_bytes(sums),
                       .zero = type == BLAS_F64 ? "0d0000000000000000" : "0f00000000"};
    blas_ptx_module(text.out, target);
    begin(&text, kernel);
    if (kernel <= BLAS_ROT)
        put_each(&text, kernel);
    else if (kernel <= BLAS_ROOT)
        put_reduction(&text, kernel, target);
    else if (kernel <= BLAS_AMIN_OF)
        put_places(&text, kernel);
    else if (kernel >= BLAS_GEAM_NN)
        put_geam(&text, kernel);
    else if (kernel == BLAS_GER)
        put_ger(&text);
    else if (kernel == BLAS_GEMV)
        put_gemv(&text);
    else
        put_gemv_t(&text, target);
    g_string_append(text.out, "ret;\n}\n");
    return g_string_free(text.out, FALSE);
}
