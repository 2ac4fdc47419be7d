/* SPDX-License-Identifier: BSD-3-Clause */
/* See blas-product.h. */
#include "driver/blas-product.h"

static gboolean is_double(const BlasProduct *product)
{
    return product->result == BLAS_F64;
}

gboolean blas_product_across(const BlasProduct *product, guint factor)
{
    return product->transposed[factor] == (factor == 1);
}

char *blas_product_name(const BlasProduct *product)
{
    static const char *const loads[] = {"_any", "_16", ""}, *const then[] = {"", "_relu", "_gelu"},
                             *const part[] = {"", "_lower", "_upper"};
    const gboolean other = product->result != product->factors;
    return g_strdup_printf("stand_in_gemm_%s%s%s_%c%c_%u%s%s%s%s",
                           product->way == BLAS_BY_TF32 ? "tf32" : blas_type_name(product->factors),
                           other ? "_" : "", other ? blas_type_name(product->result) : "",
                           product->transposed[0] ? 't' : 'n', product->transposed[1] ? 't' : 'n',
                           product->tile,
                           product->way == BLAS_BY_UNITS ? "" : loads[product->loads],
                           product->bias ? "_bias" : "", then[product->then], part[product->part]);
}

/* ---- the head ------------------------------------------------------------------------------- */

static void put_parameters(GString *out, const BlasProduct *product)
{
    static const char *const wide[] = {"a",        "b",        "c",        "lda",   "ldb", "ldc",
                                       "stride_a", "stride_b", "stride_c", "alpha", "beta"};
    static const char *const narrow[] = {"m", "n", "k", "arrays", "scales"};
    g_autofree char *name = blas_product_name(product);
    g_string_append_printf(out, ".visible .entry %s(\n", name);
    for (guint i = 0; i < G_N_ELEMENTS(wide); i++)
        g_string_append_printf(out, "    .param .u64 %s,\n", wide[i]);
    for (guint i = 0; i < G_N_ELEMENTS(narrow); i++)
        g_string_append_printf(out, "    .param .u32 %s%s\n", narrow[i],
                               i + 1 < G_N_ELEMENTS(narrow) ? ","
                               : product->bias              ? ",\n    .param .u64 bias)"
                                                            : ")");
}

/* The address of a matrix in a batch: from an array of pointers, or so many elements behind the
 * first one. */
static void put_matrix(GString *out, char lower, guint bytes)
{
    const char upper = g_ascii_toupper(lower);
    g_string_append_printf(out,
                           "ld.param.u64 %%%c, [%c];\nld.param.u64 %%ld%c, [ld%c];\n"
                           "mul.lo.u64 %%ld%c, %%ld%c, %u;\n",
                           upper, lower, lower, lower, lower, lower, bytes);
    g_string_append_printf(out,
                           "ld.param.u64 %%d0, [stride_%c];\nmul.lo.u64 %%d0, %%d0, %u;\n"
                           "@%%arrays mad.lo.u64 %%%c, %%z, 8, %%%c;\n"
                           "@%%arrays ld.global.u64 %%%c, [%%%c];\n"
                           "@!%%arrays mad.lo.u64 %%%c, %%z, %%d0, %%%c;\n",
                           lower, bytes, upper, upper, upper, upper, upper, upper);
}

/* A group whose elements are all on the other side of the diagonal has nothing to do. */
static void put_part(GString *out, const BlasProduct *product)
{
    const char *near = product->part == BLAS_LOWER ? "row0" : "col0",
               *far = product->part == BLAS_LOWER ? "col0" : "row0";
    if (product->part != BLAS_WHOLE)
        g_string_append_printf(out,
                               "add.u32 %%r0, %%%s, %u;\nsetp.lt.u32 %%old, %%r0, %%%s;\n"
                               "@%%old ret;\n",
                               near, product->tile - 1, far);
}

void blas_product_begin(GString *out, const BlasProduct *product)
{
    const guint threads = blas_product_threads(product);
    put_parameters(out, product);
    g_string_append_printf(out, ".maxntid %u, 1, 1\n", threads);
    if (product->tile == 128)
        g_string_append(out, ".minnctapersm 2\n");
    g_string_append_printf(out,
                           "{\n.reg .b64 %%A, %%B, %%C, %%lda, %%ldb, %%ldc, %%z, %%d<40>;\n"
                           ".reg .b32 %%m, %%n, %%k, %%thread, %%row0, %%col0, %%s0, %%r<80>;\n"
                           ".reg .b16 %%h0;\n.reg .pred %%arrays, %%old, %%reads, %%made;\n"
                           ".reg .f%u %%value0, %%old0, %%bias<8>;\n.reg .f32 %%gelu<2>;\n",
                           is_double(product) ? 64 : 32);
    blas_ptx_scale_registers(out, is_double(product));
    g_string_append(out, "ld.param.u32 %r0, [arrays];\nsetp.ne.u32 %arrays, %r0, 0;\n"
                         "mov.u32 %r0, %ctaid.z;\ncvt.u64.u32 %z, %r0;\n");
    put_matrix(out, 'a', blas_bytes(product->factors));
    put_matrix(out, 'b', blas_bytes(product->factors));
    put_matrix(out, 'c', blas_bytes(product->result));
    g_string_append(out, "ld.param.u32 %m, [m];\nld.param.u32 %n, [n];\nld.param.u32 %k, [k];\n");
    g_string_append_printf(out,
                           "mov.u32 %%thread, %%tid.x;\n"
                           "mov.u32 %%row0, %%ctaid.x;\nmul.lo.u32 %%row0, %%row0, %u;\n"
                           "mov.u32 %%col0, %%ctaid.y;\nmul.lo.u32 %%col0, %%col0, %u;\n",
                           product->tile, product->tile);
    put_part(out, product);
}

/* ---- the end -------------------------------------------------------------------------------- */

void blas_product_scale(GString *out, const BlasProduct *product)
{
    const gboolean doubles = is_double(product);
    blas_ptx_scale(out, "alpha", doubles);
    blas_ptx_scale(out, "beta", doubles);
    g_string_append_printf(out, "setp.neu.f%u %%old, %%beta, %s;\n", doubles ? 64 : 32,
                           doubles ? "0d0000000000000000" : "0f00000000");
}

void blas_product_bias(GString *out, const BlasProduct *product, guint row)
{
    g_autofree char *inside = g_strdup_printf("%%inrow%u", row),
                    *value = g_strdup_printf("%%bias%u", row);
    if (!product->bias)
        return;
    g_string_append_printf(out,
                           "ld.param.u64 %%d2, [bias];\nmul.wide.u32 %%d1, %%r2, %u;\n"
                           "add.u64 %%d1, %%d1, %%d2;\n",
                           blas_bytes(product->result));
    blas_ptx_load(out, product->result, inside, value, "%d1");
}

void blas_product_mask(GString *out, const BlasProduct *product, guint below)
{
    if (product->part != BLAS_WHOLE)
        g_string_append_printf(out,
                               "add.u32 %%r4, %%r0, %u;\nsetp.%s.u32 %%made, %%r4, %%r2;\n"
                               "and.pred %%at0, %%at0, %%made;\n",
                               below, product->part == BLAS_LOWER ? "ge" : "le");
}

/* x - x / (exp(2 u) + 1), where u = sqrt(2 / pi) (x + 0.044715 x^3), is x (1 + tanh u) / 2. The
 * constants are u's two, times 2 / ln 2. */
static void put_gelu(GString *out)
{
    g_string_append(out, "mul.rn.f32 %gelu0, %value0, %value0;\n"
                         "fma.rn.f32 %gelu0, %gelu0, 0f3DD2D3E8, 0f40135761;\n"
                         "mul.rn.f32 %gelu0, %gelu0, %value0;\nex2.approx.f32 %gelu0, %gelu0;\n"
                         "add.rn.f32 %gelu0, %gelu0, 0f3F800000;\n"
                         "div.full.f32 %gelu1, %value0, %gelu0;\n"
                         "sub.rn.f32 %value0, %value0, %gelu1;\n");
}

void blas_product_put(GString *out, const BlasProduct *product, const char *predicate,
                      const char *sum, const char *address, guint row)
{
    const guint bits = is_double(product) ? 64 : 32;
    g_string_append_printf(out, "mul.rn.f%u %%value0, %%alpha, %s;\nand.pred %%reads, %%old, %s;\n",
                           bits, sum, predicate);
    blas_ptx_load(out, product->result, "%reads", "%old0", address);
    g_string_append_printf(out, "@%%reads fma.rn.f%u %%value0, %%beta, %%old0, %%value0;\n", bits);
    if (product->bias)
        g_string_append_printf(out, "add.rn.f%u %%value0, %%value0, %%bias%u;\n", bits, row);
    if (product->then == BLAS_RELU)
        g_string_append_printf(out, "max.f%u %%value0, %%value0, %s;\n", bits,
                               bits == 64 ? "0d0000000000000000" : "0f00000000");
    if (product->then == BLAS_GELU)
        put_gelu(out);
    blas_ptx_store(out, product->result, predicate, "%value0", address);
}

/* ---- its size ------------------------------------------------------------------------------- */

guint blas_product_threads(const BlasProduct *product)
{
    enum { OF_UNITS_32 = 64, OF_TENSOR_64 = 128, USUAL = 256 };
    if (product->way == BLAS_BY_UNITS)
        return product->tile == 32 ? OF_UNITS_32 : USUAL;
    return product->tile == 64 ? OF_TENSOR_64 : USUAL;
}
