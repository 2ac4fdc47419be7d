/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Classes of matrix products: mma, wmma, and what multiplies groups of warps (wgmma, tcgen05).
 * Their names go from what tells most of the cost to what tells least, so that a description states
 * as little as its GPU distinguishes: "tensor.f16.f32.m16n8k16" (base/matrix.h).
 */
#include "base/matrix.h"
#include "lift/class.h"

#include <string.h>

typedef struct {
    const char *type; /* in PTX */
    const char *name; /* in the class */
    guint bits;       /* that it takes up in a factor */
    gboolean either;  /* of the result: f16 or f32 */
} Type;

static const Type types[] = {
    {"f16", "f16", 16, TRUE},  {"bf16", "bf16", 16, FALSE}, {"tf32", "tf32", 32, FALSE},
    {"f32", "f32", 32, FALSE}, {"f64", "f64", 64, FALSE},   {"s32", "s32", 32, FALSE},
    {"u8", "s8", 8, FALSE},    {"s8", "s8", 8, FALSE},      {"u4", "s4", 4, FALSE},
    {"s4", "s4", 4, FALSE},    {"b1", "b1", 1, FALSE},      {"e4m3", "f8", 8, TRUE},
    {"e5m2", "f8", 8, TRUE},   {"e3m2", "f6", 8, TRUE},     {"e2m3", "f6", 8, TRUE},
    {"e2m1", "f4", 4, TRUE},
};

typedef struct {
    const Type *factor, *result; /* NULL: not said */
    const char *shape;
    guint m, n, k;
    gboolean sparse, wgmma;
} Product;

static const Type *type_called(const char *part)
{
    for (gsize i = 0; i < G_N_ELEMENTS(types); i++)
        if (strcmp(types[i].type, part) == 0)
            return &types[i];
    return NULL;
}

/* Types stand in the order D, A, B, C; halves of wmma are not said: D, C. */
static Product product_of(const PsPtxMnemonic *mnemonic)
{
    Product product = {.sparse = ps_ptx_has(mnemonic, "sp") ||
                                 ps_ptx_has(mnemonic, "sp::ordered_metadata"),
                       .wgmma = strcmp(mnemonic->opcode, "wgmma") == 0};
    const Type *found[4] = {NULL};
    guint n = 0;
    for (const char *const *part = mnemonic->parts; *part; part++) {
        const Type *type = type_called(*part);
        if (type && n < G_N_ELEMENTS(found))
            found[n++] = type;
        else if (ps_matrix_shape(*part, &product.m, &product.n, &product.k))
            product.shape = *part;
    }
    product.result = found[0];
    product.factor = n == 2 ? type_called("f16") : found[1];
    return product;
}

/* With that shape. */
static const char *name_of(const Product *product, const char *shape)
{
    g_autoptr(GString) name = g_string_new(product->wgmma ? "tensor.wgmma" : "tensor");
    if (product->factor)
        g_string_append_printf(name, ".%s", product->factor->name);
    if (product->factor && product->factor->either)
        g_string_append_printf(name, ".%s", product->result->name);
    if (product->sparse)
        g_string_append(name, ".sparse");
    if (shape)
        g_string_append_printf(name, ".%s", shape);
    return g_intern_string(name->str);
}

/* A product of more than a tensor core's instruction does is as many as it takes: of 16 x 8
 * elements, and so deep that factors have 256 bits (m16n8k16 of f16), or twice that of a sparse
 * one, of which half is zeros that nobody multiplies. Costs follow the multiply-adds. */
static void count_units(PsClass *klass, const Product *product, guint products)
{
    if (!product->factor || product->factor->bits == 0)
        return;
    const guint depth = (product->sparse ? 512 : 256) / product->factor->bits;
    const guint one = 16 * 8 * depth;
    klass->units = (products + one / 2) / one;
    if (klass->units < 2)
        return;
    g_autofree char *shape = g_strdup_printf("m16n8k%u", depth);
    klass->unit = name_of(product, shape);
}

PsClass ps_class_matrix(const PsPtxMnemonic *mnemonic)
{
    const Product product = product_of(mnemonic);
    guint products = product.m * product.n * product.k;
    if (product.wgmma) /* of four warps */
        products /= 4;
    if (product.m == 8 && product.k == 4 && product.factor && product.factor->bits == 16)
        products *= 4; /* of eight lanes each */
    PsClass klass = {.name = name_of(&product, product.shape),
                     .kind = PS_CLASS_COMPUTE,
                     .ops = 2 * products / 32,
                     .type = products > 0 ? "tensor" : NULL,
                     .known = TRUE};
    count_units(&klass, &product, products);
    return klass;
}

gboolean ps_class_is_matrix(const PsPtxMnemonic *mnemonic)
{
    return strcmp(mnemonic->opcode, "mma") == 0 ||
           ((strcmp(mnemonic->opcode, "wmma") == 0 || strcmp(mnemonic->opcode, "wgmma") == 0 ||
             strcmp(mnemonic->opcode, "tcgen05") == 0) &&
            (ps_ptx_has(mnemonic, "mma") || ps_ptx_has(mnemonic, "mma_async")));
}
