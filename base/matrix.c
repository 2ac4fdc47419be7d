/* SPDX-License-Identifier: BSD-3-Clause */
/* See matrix.h. */
#include "base/matrix.h"

#include "base/class-name.h"

#include <stdio.h>
#include <string.h>

/* Shapes of the PTX ISA (mma, wmma, wgmma) and of AMD's matrix instructions (MFMA, WMMA), by rows
 * and columns; depths are powers of 2 up to the most. */
static const struct {
    guint m, n, least, most;
} shapes[] = {{8, 8, 4, 128},  {16, 8, 4, 256}, {16, 16, 1, 128}, {32, 8, 16, 16},
              {8, 32, 16, 16}, {32, 32, 1, 64}, {4, 4, 1, 4}};

gboolean ps_matrix_shape(const char *part, guint *m, guint *n, guint *k)
{
    guint numbers[3];
    int length = 0;
    if (part[0] != 'm' || !g_ascii_isdigit(part[1]) ||
        sscanf(part, "m%4un%4uk%4u%n", &numbers[0], &numbers[1], &numbers[2], &length) != 3 ||
        part[length] != '\0')
        return FALSE;
    *m = numbers[0];
    *n = numbers[1];
    *k = numbers[2];
    return TRUE;
}

static gboolean is_known(guint m, guint n, guint k)
{
    if (k == 0 || (k & (k - 1)) != 0)
        return FALSE;
    if ((m == 64 || m == 128 || m == 256) && n % 8 == 0 && n > 0 && n <= 256)
        return k >= 8 && k <= 256; /* a warpgroup's product, or one with tensor memory */
    for (gsize i = 0; i < G_N_ELEMENTS(shapes); i++)
        if (shapes[i].m == m && shapes[i].n == n)
            return k >= shapes[i].least && k <= shapes[i].most;
    return FALSE;
}

gboolean ps_matrix_check(const char *class_name, PsPlace place, GError **error)
{
    if (!ps_class_covers("tensor", class_name))
        return TRUE;
    g_auto(GStrv) parts = g_strsplit(class_name, ".", -1);
    for (char **part = parts; *part; part++) {
        guint m, n, k;
        if (!ps_matrix_shape(*part, &m, &n, &k) || is_known(m, n, k))
            continue;
        ps_error_at(
            error, PS_ERROR_VALUE, place,
            "the class '%s' has the shape %s, which no GPU's matrix instructions have; name "
            "one that they have, such as m16n8k16, and say with more nodes what takes "
            "several",
            class_name, *part);
        return FALSE;
    }
    return TRUE;
}

/* ---- names --------------------------------------------------------------------------------- */

typedef struct {
    const char *name;
    gboolean open; /* the result may be of half or of single precision */
    guint bits;
} Type;

/* Types of factors. */
static const Type types[] = {{"f64", FALSE, 64},  {"f32", FALSE, 32}, {"tf32", FALSE, 32},
                             {"bf16", FALSE, 16}, {"f16", TRUE, 16},  {"f8", TRUE, 8},
                             {"f6", TRUE, 6},     {"f4", TRUE, 4},    {"s8", FALSE, 8},
                             {"s4", FALSE, 4},    {"b1", FALSE, 1}};

static const Type *find_type(const char *name)
{
    for (gsize i = 0; i < G_N_ELEMENTS(types); i++)
        if (g_strcmp0(types[i].name, name) == 0)
            return &types[i];
    return NULL;
}

guint ps_matrix_bits(const char *factor)
{
    const Type *type = find_type(factor);
    return type ? type->bits : 0;
}

/* TRUE if the name is a result's type, for a product that leaves its type open. */
static gboolean is_result(const char *name)
{
    return strcmp(name, "f16") == 0 || strcmp(name, "f32") == 0;
}

/* TRUE if the list begins with that part, which it then passes over. */
static gboolean take(char ***parts, const char *word)
{
    if (g_strcmp0(**parts, word) != 0)
        return FALSE;
    ++*parts;
    return TRUE;
}

gboolean ps_matrix_parse(const char *class_name, PsMatrixName *product)
{
    g_auto(GStrv) all = g_strsplit(class_name, ".", -1);
    char **parts = all;
    *product = (PsMatrixName){.factor = NULL};
    if (!take(&parts, "tensor"))
        return FALSE;
    product->wgmma = take(&parts, "wgmma");
    product->tcgen05 = !product->wgmma && take(&parts, "tcgen05");
    product->pair = product->tcgen05 && take(&parts, "pair");
    const Type *factor = find_type(*parts), *result = factor ? find_type(parts[1]) : NULL;
    if (factor) {
        product->factor = factor->name;
        parts++;
    }
    if (factor && factor->open && result && is_result(result->name)) {
        product->result = result->name;
        parts++;
    }
    product->sparse = take(&parts, "sparse");
    product->held = (product->tcgen05 || product->wgmma) && take(&parts, "held");
    if (*parts)
        (void)ps_matrix_shape(*parts, &product->m, &product->n, &product->k);
    return TRUE;
}

char *ps_matrix_write(const PsMatrixName *product)
{
    const Type *factor = find_type(product->factor);
    GString *name = g_string_new(product->wgmma     ? "tensor.wgmma"
                                 : product->tcgen05 ? "tensor.tcgen05"
                                                    : "tensor");
    if (product->pair)
        g_string_append(name, ".pair");
    if (factor)
        g_string_append_printf(name, ".%s", factor->name);
    if (factor && factor->open && product->result)
        g_string_append_printf(name, ".%s", product->result);
    if (product->sparse)
        g_string_append(name, ".sparse");
    if (product->held)
        g_string_append(name, ".held");
    if (product->m > 0)
        g_string_append_printf(name, ".m%un%uk%u", product->m, product->n, product->k);
    return g_string_free(name, FALSE);
}
