/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Latencies that grow with the amount of work: copies by their bytes, products of matrices by their
 * shape and by the bytes of their factors in shared memory. Also, which products a GPU of NVIDIA
 * has units for.
 */
#include "base/class-name.h"
#include "base/matrix.h"
#include "gpu/rows.h"

#include <string.h>

#define TENSOR_ROWS 128 /* rows of a result in tensor memory: fewer rows take as long */

/* The factor on the row's time; 1: the same time. */
static gboolean times_of(const PsClass *class, PsRational work, PsRational *times)
{
    *times = PS_RATIONAL_INT(1);
    return class->work.num == 0 || ps_rational_cmp(work, class->work) <= 0 ||
           ps_rational_div(work, class->work, times);
}

static gboolean prolong(PsRational times, PsLatency *latency)
{
    PsRational issue, more;
    if (!ps_rational_mul(latency->issue, times, &issue) ||
        !ps_rational_sub(issue, latency->issue, &more) ||
        !ps_rational_add(latency->completion, more, &latency->completion))
        return FALSE;
    latency->issue = issue;
    return TRUE;
}

static gboolean may_be(const PsLatency *latency)
{
    const PsRational most = PS_RATIONAL_INT(PS_MAX_LATENCY);
    return ps_rational_cmp(latency->issue, most) <= 0 &&
           ps_rational_cmp(latency->completion, most) <= 0;
}

gboolean ps_gpu_work_latency(const PsClass *class, PsRational work, PsLatency *latency)
{
    PsLatency result = *latency;
    PsRational times;
    if (!times_of(class, work, &times) || !prolong(times, &result) || !may_be(&result))
        return FALSE;
    *latency = result;
    return TRUE;
}

gboolean ps_gpu_serves_product(const PsClass *class, const char *asked)
{
    PsMatrixName product;
    if (class->work.num != 0 || !ps_matrix_parse(asked, &product))
        return TRUE;
    return !product.tcgen05 && (!product.wgmma || product.m <= 16);
}

/* ---- which there are ------------------------------------------------------------------------ */

/* The least compute capability whose tensor cores have the product, by the parts of its class's
 * name, as the PTX ISA states it for each type of mma. */
static guint least_capability(const char *class_name)
{
    static const struct {
        const char *part;
        guint least;
    } rows[] = {{"f16", 70}, {"s8", 72},     {"s4", 75}, {"b1", 75},  {"bf16", 80}, {"tf32", 80},
                {"f64", 80}, {"sparse", 80}, {"f8", 89}, {"f6", 100}, {"f4", 100}};
    g_auto(GStrv) parts = g_strsplit(class_name, ".", -1);
    guint least = 70;
    for (guint i = 1; parts[i]; i++)
        for (gsize k = 0; k < G_N_ELEMENTS(rows); k++)
            if (strcmp(parts[i], rows[k].part) == 0)
                least = MAX(least, rows[k].least);
    return least;
}

/* TRUE for shapes that AMD's matrix instructions alone have: factors of singles, and results of 32
 * x 32, 4 x 4, or 16 x 16 elements except for wmma's depths. */
static gboolean is_of_amd(const char *class_name)
{
    PsMatrixName product;
    if (!ps_matrix_parse(class_name, &product))
        return FALSE;
    const gboolean wmma = product.k == 8 || product.k == 16 || product.k == 128 || product.k == 32;
    return g_strcmp0(product.factor, "f32") == 0 || (product.m == 32 && product.n == 32) ||
           product.m == 4 || (product.m == 16 && product.n == 16 && !wmma);
}

char *ps_gpu_product_lacking(const PsGpu *gpu, const char *class_name)
{
    const guint has = gpu->capability;
    if (!has || !ps_class_covers("tensor", class_name))
        return NULL;
    const guint least = least_capability(class_name);
    const gboolean early = has < least;
    if (!early && !is_of_amd(class_name))
        return NULL;
    g_autofree char *where = early ? g_strdup_printf("they came with %u.%u", least / 10, least % 10)
                                   : g_strdup("GPUs of AMD have them");
    return g_strdup_printf("%s, of compute capability %u.%u, has no units; %s", gpu->name, has / 10,
                           has % 10, where);
}

/* ---- products ------------------------------------------------------------------------------- */

/* Rows of the result that one warp, or one compute unit, computes. */
static gint64 rows_of(const PsMatrixName *product)
{
    if (product->tcgen05)
        return product->pair ? product->m / 2 : MAX(product->m, TENSOR_ROWS);
    return product->wgmma ? product->m / MAX(product->m / 16, 1) : product->m;
}

/* Bytes of both factors that a compute unit reads from shared memory. */
static void bytes_of(const PsMatrixName *product, gint64 *a, gint64 *b)
{
    const gint64 row = (gint64)product->k * ps_matrix_bits(product->factor) / 8;
    const gint64 part = product->pair ? 2 : 1;
    *a = product->held ? 0 : product->m / part * row / (product->sparse ? 2 : 1);
    *b = product->n * row / part;
}

/* A product in tensor memory begins when its first factor is there, while the other one streams by.
 * A product of four warps ends later by the time that reading takes; nobody has stated how many
 * warps share reads of a part. */
static gboolean read_factors(const PsClass *class, const PsMatrixName *product, PsLatency *latency)
{
    PsRational first, all, times;
    gint64 a, b;
    if (class->operands.num == 0 || (product->wgmma && product->m <= 16))
        return TRUE;
    bytes_of(product, &a, &b);
    if (!ps_rational_div(PS_RATIONAL_INT(a), class->operands, &first) ||
        !ps_rational_div(PS_RATIONAL_INT(a + b), class->operands, &all))
        return FALSE;
    const gboolean bound = ps_rational_cmp(latency->issue, all) < 0;
    if (product->wgmma)
        return !bound || (ps_rational_div(all, latency->issue, &times) && prolong(times, latency));
    if (!ps_rational_add(latency->completion, first, &latency->completion))
        return FALSE;
    if (bound)
        latency->issue = all;
    return TRUE;
}

gboolean ps_gpu_product_latency(const PsClass *class, const char *asked, PsLatency *latency)
{
    PsMatrixName product;
    PsLatency result = *latency;
    PsRational times;
    if (class->work.num == 0 || !ps_matrix_parse(asked, &product) || product.m == 0)
        return TRUE;
    const gint64 work = rows_of(&product) * product.n * product.k / (product.sparse ? 2 : 1);
    if (!times_of(class, PS_RATIONAL_INT(work), &times) || !prolong(times, &result) ||
        !read_factors(class, &product, &result) || !may_be(&result))
        return FALSE;
    *latency = result;
    return TRUE;
}
