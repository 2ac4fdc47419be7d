/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The matrices of mma and wmma instructions: shape, types of the elements, and the elements of a
 * lane.
 */
#include "ptx/alu/matrix.h"

static const struct {
    const char *name;
    guint bits;
} elements[PS_PTX_N_ELEMENTS] = {
    [PS_PTX_ELEMENT_F16] = {"f16", 16},   [PS_PTX_ELEMENT_BF16] = {"bf16", 16},
    [PS_PTX_ELEMENT_TF32] = {"tf32", 32}, [PS_PTX_ELEMENT_F32] = {"f32", 32},
    [PS_PTX_ELEMENT_F64] = {"f64", 64},   [PS_PTX_ELEMENT_S32] = {"s32", 32},
    [PS_PTX_ELEMENT_S8] = {"s8", 8},      [PS_PTX_ELEMENT_U8] = {"u8", 8},
    [PS_PTX_ELEMENT_S4] = {"s4", 4},      [PS_PTX_ELEMENT_U4] = {"u4", 4},
    [PS_PTX_ELEMENT_B1] = {"b1", 1},      [PS_PTX_ELEMENT_E4M3] = {"e4m3", 8},
    [PS_PTX_ELEMENT_E5M2] = {"e5m2", 8},  [PS_PTX_ELEMENT_E2M3] = {"e2m3", 8},
    [PS_PTX_ELEMENT_E3M2] = {"e3m2", 8},  [PS_PTX_ELEMENT_E2M1_OF_8] = {"e2m1", 8},
    [PS_PTX_ELEMENT_E2M1] = {"", 4},
};

guint ps_ptx_element_bits(PsPtxElement element)
{
    return elements[element].bits;
}

gboolean ps_ptx_element_called(const char *name, PsPtxElement *element)
{
    for (guint i = 0; i < PS_PTX_N_ELEMENTS; i++)
        if (strcmp(elements[i].name, name) == 0) {
            *element = (PsPtxElement)i;
            return TRUE;
        }
    return FALSE;
}

enum { MMA = 1, WMMA = 2 };

/* "m16n8k16", if that instruction has it; PsPtxMatrices has room for all of these. */
static gboolean read_shape(const char *part, guint user, PsPtxProduct *product)
{
    static const struct {
        const char *name;
        guint users, m, n, k;
    } shapes[] = {
        {"m16n16k16", WMMA, 16, 16, 16},   {"m32n8k16", WMMA, 32, 8, 16},
        {"m8n32k16", WMMA, 8, 32, 16},     {"m16n16k8", WMMA, 16, 16, 8},
        {"m8n8k4", MMA | WMMA, 8, 8, 4},   {"m8n8k16", MMA, 8, 8, 16},
        {"m8n8k32", MMA | WMMA, 8, 8, 32}, {"m8n8k128", MMA | WMMA, 8, 8, 128},
        {"m16n8k4", MMA, 16, 8, 4},        {"m16n8k8", MMA, 16, 8, 8},
        {"m16n8k16", MMA, 16, 8, 16},      {"m16n8k32", MMA, 16, 8, 32},
        {"m16n8k64", MMA, 16, 8, 64},      {"m16n8k128", MMA, 16, 8, 128},
        {"m16n8k256", MMA, 16, 8, 256},
    };
    for (guint i = 0; i < G_N_ELEMENTS(shapes); i++)
        if ((shapes[i].users & user) != 0 && strcmp(shapes[i].name, part) == 0) {
            product->m = shapes[i].m;
            product->n = shapes[i].n;
            product->k = shapes[i].k;
            return TRUE;
        }
    return FALSE;
}

gboolean ps_ptx_is_accumulator(PsPtxElement element)
{
    return element == PS_PTX_ELEMENT_F16 || element == PS_PTX_ELEMENT_F32 ||
           element == PS_PTX_ELEMENT_F64 || element == PS_PTX_ELEMENT_S32;
}

static gboolean is_integer(PsPtxElement element)
{
    return element >= PS_PTX_ELEMENT_S8 && element <= PS_PTX_ELEMENT_B1;
}

/* TRUE if elements of these types can be multiplied and added. */
static gboolean types_fit(const PsPtxProduct *product)
{
    gboolean integers = product->d == PS_PTX_ELEMENT_S32;
    gboolean doubles = product->d == PS_PTX_ELEMENT_F64;
    const PsPtxElement factors[] = {product->a, product->b};
    for (guint i = 0; i < G_N_ELEMENTS(factors); i++)
        if (factors[i] == PS_PTX_ELEMENT_F32 || factors[i] == PS_PTX_ELEMENT_S32 ||
            is_integer(factors[i]) != integers || (factors[i] == PS_PTX_ELEMENT_F64) != doubles ||
            ps_ptx_element_bits(factors[i]) != ps_ptx_element_bits(product->a))
            return FALSE;
    return ps_ptx_is_accumulator(product->c) && ps_ptx_is_accumulator(product->d) &&
           (product->c == PS_PTX_ELEMENT_S32) == integers &&
           (product->c == PS_PTX_ELEMENT_F64) == doubles;
}

/* Takes the element types as written: D, C with A and B of halves, or D, A, B, C; or the type that
 * is loaded or stored. */
static gboolean take_types(PsPtxProduct *product, const PsPtxElement *types, guint n)
{
    product->d = types[0];
    if (n == 2) {
        product->a = product->b = PS_PTX_ELEMENT_F16;
        product->c = types[1];
    } else if (n == 4) {
        product->a = types[1];
        product->b = types[2];
        product->c = types[3];
    }
    return n == 1 || ((n == 2 || n == 4) && types_fit(product));
}

/* Makes the types those of numbers of 4 bits that lie side by side. */
static void pack_types(PsPtxElement *types, guint n)
{
    for (guint i = 0; i < n; i++)
        if (types[i] == PS_PTX_ELEMENT_E2M1_OF_8)
            types[i] = PS_PTX_ELEMENT_E2M1;
}

gboolean ps_ptx_product_read(const PsPtxMnemonic *mnemonic, PsPtxProduct *product)
{
    PsPtxElement types[4] = {PS_PTX_ELEMENT_F16};
    guint n_types = 0;
    guint n_layouts = 0;
    guint user = strcmp(mnemonic->opcode, "mma") == 0 ? MMA : WMMA;
    for (guint i = 0; mnemonic->parts[i] != NULL; i++) {
        const char *part = mnemonic->parts[i];
        gboolean row = strcmp(part, "row") == 0;
        if (n_types < 4 && ps_ptx_element_called(part, &types[n_types]))
            n_types++;
        else if (row || strcmp(part, "col") == 0)
            *(n_layouts++ == 0 ? &product->row_a : &product->row_b) = row;
        else
            read_shape(part, user, product);
    }
    if (ps_ptx_has(mnemonic, "kind::mxf4") || ps_ptx_has(mnemonic, "kind::mxf4nvf4"))
        pack_types(types, n_types);
    product->satfinite = ps_ptx_has(mnemonic, "satfinite");
    product->exclusive_or = ps_ptx_has(mnemonic, "xor");
    product->rounding = ps_ptx_rounding(mnemonic);
    return product->m != 0 && n_types != 0 && take_types(product, types, n_types);
}

void ps_ptx_accumulator_at(guint m, guint lane, guint i, guint *row, guint *column)
{
    guint block = i / 2;
    guint down = m / 8;
    *row = lane / 4 + block % down * 8;
    *column = lane % 4 * 2 + i % 2 + block / down * 8;
}

static gsize first_of(const PsPtxProduct *product, guint i)
{
    guint row, column;
    ps_ptx_accumulator_at(product->m, 0, i, &row, &column);
    return row * product->n + column;
}

void ps_ptx_accumulator_put(const PsPtxProduct *product, guint i, const double value[PS_PTX_LANES],
                            double *c)
{
    ps_ptx_spread_lanes(c + first_of(product, i), product->n, 2, value);
}

void ps_ptx_accumulator_get(const PsPtxProduct *product, guint i, const double *c,
                            double value[PS_PTX_LANES])
{
    const double *from = c + first_of(product, i);
    for (guint quad = 0; quad < PS_PTX_LANES / 4; quad++)
        for (guint k = 0; k < 4; k++)
            value[quad * 4 + k] = from[quad * product->n + 2 * k];
}
