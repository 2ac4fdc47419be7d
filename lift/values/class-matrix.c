/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Classes of matrix products: mma, wmma, and the products of several warps together (wgmma,
 * tcgen05). base/matrix.h has their names.
 */
#include "base/matrix.h"
#include "lift/values/class.h"

#include <string.h>

typedef struct {
    const char *type; /* name in PTX */
    const char *name; /* name in the class */
    guint bits;       /* bits of an element in a register, if elements are not packed */
} Type;

static const Type types[] = {
    {"f16", "f16", 16}, {"bf16", "bf16", 16}, {"tf32", "tf32", 32}, {"f32", "f32", 32},
    {"f64", "f64", 64}, {"s32", "s32", 32},   {"u8", "s8", 8},      {"s8", "s8", 8},
    {"u4", "s4", 4},    {"s4", "s4", 4},      {"b1", "b1", 1},      {"e4m3", "f8", 8},
    {"e5m2", "f8", 8},  {"e3m2", "f6", 8},    {"e2m3", "f6", 8},    {"e2m1", "f4", 4},
};

typedef struct {
    PsMatrixName name;
    guint bits; /* bits of a factor's element; 0: the mnemonic does not tell */
} Product;

static const Type *type_called(const char *part)
{
    for (gsize i = 0; i < G_N_ELEMENTS(types); i++)
        if (strcmp(types[i].type, part) == 0)
            return &types[i];
    return NULL;
}

/* Reads the types in the order D, A, B, C. wmma of halves names only D and C. */
static Product product_of(const PsPtxMnemonic *mnemonic)
{
    PsMatrixName name = {.sparse = ps_ptx_has(mnemonic, "sp") ||
                                   ps_ptx_has(mnemonic, "sp::ordered_metadata"),
                         .wgmma = strcmp(mnemonic->opcode, "wgmma") == 0};
    const Type *found[4] = {NULL};
    guint n = 0;
    for (const char *const *part = mnemonic->parts; *part; part++) {
        const Type *type = type_called(*part);
        if (type && n < G_N_ELEMENTS(found))
            found[n++] = type;
        else
            (void)ps_matrix_shape(*part, &name.m, &name.n, &name.k);
    }
    const Type *factor = n == 2 ? type_called("f16") : found[1];
    name.factor = factor ? factor->name : NULL;
    name.result = found[0] ? found[0]->name : NULL;
    const gboolean packed =
        factor && strcmp(factor->name, "f4") == 0 &&
        (ps_ptx_has(mnemonic, "kind::mxf4") || ps_ptx_has(mnemonic, "kind::mxf4nvf4"));
    return (Product){name, packed ? 4 : factor ? factor->bits : 0};
}

static const char *intern_name(const PsMatrixName *product)
{
    g_autofree char *name = ps_matrix_write(product);
    return g_intern_string(name);
}

/* A product that is larger than one tensor core instruction counts as several of these: 16 x 8
 * elements of the result, and so deep that a row of a factor has 256 bits (m16n8k16 of f16). A
 * sparse one is twice as deep, since half of its factor is zeros, which are not multiplied. So
 * costs follow the number of multiply-adds. */
static void count_units(PsClass *class, const Product *product, guint products)
{
    if (product->bits == 0 || product->name.wgmma)
        return;
    PsMatrixName unit = product->name;
    unit.m = 16;
    unit.n = 8;
    unit.k = (unit.sparse ? 512 : 256) / product->bits;
    const guint one = unit.m * unit.n * unit.k;
    class->units = (products + one / 2) / one;
    if (class->units >= 2)
        class->unit = intern_name(&unit);
}

/* TRUE if the first factor of a product of four warps is in their registers. */
static gboolean holds_factor(const PsPtxInstruction *instruction)
{
    return ps_class_is_product(instruction->mnemonic) && instruction->n_operands > 1 &&
           instruction->operands[1].kind == PS_PTX_OPERAND_VECTOR;
}

PsClass ps_class_matrix(const PsPtxInstruction *instruction)
{
    const PsPtxMnemonic *mnemonic = instruction->mnemonic;
    Product product = product_of(mnemonic);
    const PsMatrixName *name = &product.name;
    product.name.held = holds_factor(instruction);
    guint products = name->m * name->n * name->k;
    if (name->wgmma) /* of four warps */
        products /= 4;
    if (name->m == 8 && name->k == 4 && product.bits == 16)
        products *= 4; /* m8n8k4 of halves: four products of eight lanes each */
    PsClass class = {.name = intern_name(name),
                     .kind = name->wgmma ? PS_CLASS_EFFECT : PS_CLASS_COMPUTE,
                     .ops = 2 * products / 32,
                     .type = products > 0 ? "tensor" : NULL,
                     .known = TRUE};
    count_units(&class, &product, products);
    return class;
}

gboolean ps_class_is_product(const PsPtxMnemonic *mnemonic)
{
    return strcmp(mnemonic->opcode, "wgmma") == 0 && ps_ptx_has(mnemonic, "mma_async");
}

PsClassBeside ps_class_beside(const PsPtxMnemonic *mnemonic)
{
    return strcmp(mnemonic->opcode, "wgmma") == 0     ? PS_BESIDE_PRODUCTS
           : strcmp(mnemonic->opcode, "tcgen05") == 0 ? PS_BESIDE_MOVES
           : ps_ptx_has(mnemonic, "bulk")             ? PS_BESIDE_BULK
                                                      : PS_BESIDE_COPIES;
}

PsClass ps_class_tensor_product(const PsPtxTensorProduct *product)
{
    const PsMatrixName name = {.tcgen05 = TRUE,
                               .pair = product->pair,
                               .held = product->held,
                               .sparse = product->sparse,
                               .factor = type_called(product->factor)->name,
                               .result = type_called(product->result)->name,
                               .m = product->m,
                               .n = product->n,
                               .k = product->k};
    const guint rows = name.m / (name.pair ? 2 : 1); /* rows of one group */
    return (PsClass){.name = intern_name(&name),
                     .kind = PS_CLASS_EFFECT,
                     .ops = 2 * rows * name.n * name.k / 32, /* as for one warp */
                     .type = "tensor",
                     .known = TRUE};
}

gboolean ps_class_is_matrix(const PsPtxMnemonic *mnemonic)
{
    return strcmp(mnemonic->opcode, "mma") == 0 ||
           ((strcmp(mnemonic->opcode, "wmma") == 0 || strcmp(mnemonic->opcode, "wgmma") == 0 ||
             strcmp(mnemonic->opcode, "tcgen05") == 0) &&
            (ps_ptx_has(mnemonic, "mma") || ps_ptx_has(mnemonic, "mma_async")));
}
