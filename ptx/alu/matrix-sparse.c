/* SPDX-License-Identifier: BSD-3-Clause */
/* See matrix-sparse.h. */
#include "ptx/alu/matrix-sparse.h"

#include <fenv.h>

/* The number of bits that say which elements of a row are stored: four for each group of elements,
 * which is two of 32 bits, four of 16 or 8 bits, or eight of 4 bits. */
static guint bits_of_row(const PsPtxProduct *product)
{
    const guint bits = ps_ptx_element_bits(product->a);
    return 4 * product->k / (bits == 32 ? 2 : bits == 4 ? 8 : 4);
}

/* The number of lanes, of four, whose words count. A lane has the bits of two rows, 16 for each,
 * where elements have 16 bits or more; else 32 bits of one row. */
static guint lanes_of_four(const PsPtxProduct *product)
{
    return bits_of_row(product) / (ps_ptx_element_bits(product->a) >= 16 ? 16 : 32) *
           (ps_ptx_element_bits(product->a) >= 16 ? 1 : 2);
}

gboolean ps_ptx_sparse_selects(const PsPtxProduct *product, const PsPtxOperand *selector)
{
    const guint lanes = lanes_of_four(product);
    return selector->kind == PS_PTX_OPERAND_IMMEDIATE && selector->value >= 0 && lanes > 0 &&
           selector->value < 4 / (gint64)lanes;
}

gboolean ps_ptx_sparse_read(const PsPtxDecode *decode, const PsPtxProduct *product,
                            PsPtxSparse *sparse)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    if (!ps_ptx_has(mnemonic, "sp") && !ps_ptx_has(mnemonic, "sp::ordered_metadata"))
        return TRUE;
    if (product->m != 16 || ps_ptx_has(mnemonic, "block_scale") ||
        product->a == PS_PTX_ELEMENT_F64 || product->a == PS_PTX_ELEMENT_B1 ||
        decode->instruction->n_operands != 6)
        return FALSE;
    const PsPtxOperand *selector = &decode->instruction->operands[5];
    sparse->kept = product->k / 2;
    sparse->selector = (guint)selector->value;
    return ps_ptx_sparse_selects(product, selector);
}

/* The four bits of a row's group of elements. */
static guint code_of(const PsPtxProduct *product, const PsPtxSparse *sparse,
                     const guint64 words[PS_PTX_LANES], guint row, guint group)
{
    const guint first = row % 8 * 4 + sparse->selector * lanes_of_four(product), bit = 4 * group;
    if (ps_ptx_element_bits(product->a) >= 16)
        return (guint)(words[first + bit / 16] >> (row / 8 * 16 + bit % 16)) & 15;
    return (guint)(words[first + bit / 32 * 2 + row / 8] >> bit % 32) & 15;
}

guint ps_ptx_sparse_place(const PsPtxProduct *product, const PsPtxSparse *sparse,
                          const guint64 words[PS_PTX_LANES], guint row, guint element)
{
    const guint bits = ps_ptx_element_bits(product->a);
    if (bits == 32) /* one of two elements, written as the first of two halves of 16 bits each: 4
                       or 14 */
        return 2 * element + (code_of(product, sparse, words, row, element) >> 1 & 1);
    const guint unit = bits == 4 ? 2 : 1, at = element / unit, group = at / 2;
    const guint code = code_of(product, sparse, words, row, group) >> at % 2 * 2 & 3;
    return (4 * group + code) * unit + element % unit;
}

void ps_ptx_sparse_compute(const PsPtxProduct *product, const PsPtxSparse *sparse,
                           const guint64 words[PS_PTX_LANES], PsPtxMatrices *matrices)
{
    const int was = ps_ptx_set_rounding(PS_PTX_NEAREST);
    for (guint row = 0; row < product->m; row++) {
        double sum[PS_PTX_MATRIX_COLUMNS] = {0};
        for (guint i = 0; i < sparse->kept; i++) {
            const double a = matrices->a[row * sparse->kept + i];
            const double *b =
                &matrices->b[ps_ptx_sparse_place(product, sparse, words, row, i) * product->n];
            for (guint column = 0; column < product->n; column++)
                sum[column] += a * b[column];
        }
        for (guint column = 0; column < product->n; column++)
            matrices->c[row * product->n + column] += sum[column];
    }
    fesetround(was);
}
