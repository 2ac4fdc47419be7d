/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Matrices of a warp. Each lane has a fragment of them in its registers; an instruction's fragments
 * are gathered to whole matrices of doubles, which hold every element exactly, multiplied, and
 * spread again.
 */
#ifndef PIPESIM_PTX_ALU_MATRIX_H
#define PIPESIM_PTX_ALU_MATRIX_H

#include "ptx/step/number.h"

G_BEGIN_DECLS

typedef enum {
    PS_PTX_ELEMENT_F16,
    PS_PTX_ELEMENT_BF16,
    PS_PTX_ELEMENT_TF32,
    PS_PTX_ELEMENT_F32,
    PS_PTX_ELEMENT_F64,
    PS_PTX_ELEMENT_S32,
    PS_PTX_ELEMENT_S8,
    PS_PTX_ELEMENT_U8,
    PS_PTX_ELEMENT_S4,
    PS_PTX_ELEMENT_U4,
    PS_PTX_ELEMENT_B1,
    PS_PTX_ELEMENT_E4M3,
    PS_PTX_ELEMENT_E5M2,
    PS_PTX_ELEMENT_E2M3, /* in 8 bits */
    PS_PTX_ELEMENT_E3M2,
    PS_PTX_ELEMENT_E2M1_OF_8, /* in 8 bits, whose lowest two it leaves free */
    PS_PTX_ELEMENT_E2M1,      /* of 4 bits */
    PS_PTX_N_ELEMENTS
} PsPtxElement;

#define PS_PTX_MATRIX_COLUMNS 32 /* at most */

/* D = A * B + C; A has m rows and k columns, B k rows and n columns. */
typedef struct {
    guint m, n, k;
    PsPtxElement a, b, c, d;
    gboolean row_a, row_b; /* rows, not columns, lie together */
    gboolean satfinite;
    gboolean exclusive_or; /* of .b1: xor.popc, else and.popc */
    PsPtxRounding rounding;
    PsPtxVectors vectors;
} PsPtxProduct;

typedef struct {
    double a[16 * 256], b[256 * 8]; /* the largest that there are, row after row */
    double c[16 * 16];              /* and D */
} PsPtxMatrices;

/* Finds the element of that name, "bf16"; FALSE: there is none. */
gboolean ps_ptx_element_called(const char *name, PsPtxElement *element);
guint ps_ptx_element_bits(PsPtxElement element);
gboolean ps_ptx_is_accumulator(PsPtxElement element);
/* The values of the lanes' codes; bits above the element's are ignored. */
void ps_ptx_element_values(PsPtxVectors vectors, PsPtxElement element,
                           const guint64 code[PS_PTX_LANES], double value[PS_PTX_LANES]);
/* The code of a number as an element of D, and those of all lanes' numbers. */
guint64 ps_ptx_element_code(const PsPtxProduct *product, double value);
void ps_ptx_element_codes(const PsPtxProduct *product, const double value[PS_PTX_LANES],
                          guint64 code[PS_PTX_LANES]);

/* Reads shape, layouts, types and modifiers of mma or wmma. FALSE if it has none, or some that are
 * not known. */
gboolean ps_ptx_product_read(const PsPtxMnemonic *mnemonic, PsPtxProduct *product);

/* Computes D and stores it in C. */
void ps_ptx_product_compute(const PsPtxProduct *product, PsPtxMatrices *matrices);

/* c += a * b, of m rows of a, row after row, and n columns, a multiple of 8. */
typedef struct {
    guint m, n, k;
    PsPtxVectors vectors;
} PsPtxWideProduct;
void ps_ptx_wide_product(const PsPtxWideProduct *product, const double *a, const double *b,
                         double *c);

/* Row and column of element i of a lane's part of an accumulator in a matrix of m rows: the matrix
 * consists of blocks of 8 x 8, in each of which a lane has two elements of a row. */
void ps_ptx_accumulator_at(guint m, guint lane, guint i, guint *row, guint *column);

/* Four lanes beside each other have elements `along` apart, and the next four `on` further. */
static inline void ps_ptx_spread_lanes(double *to, gsize on, gsize along,
                                       const double value[PS_PTX_LANES])
{
    for (guint quad = 0; quad < PS_PTX_LANES / 4; quad++)
        for (guint i = 0; i < 4; i++)
            to[quad * on + i * along] = value[quad * 4 + i];
}

/* Element i of each lane's part of C, to the matrix and from it. */
void ps_ptx_accumulator_put(const PsPtxProduct *product, guint i, const double value[PS_PTX_LANES],
                            double *c);
void ps_ptx_accumulator_get(const PsPtxProduct *product, guint i, const double *c,
                            double value[PS_PTX_LANES]);

/* Executes a product whose result nobody wants: zeros. */
void ps_ptx_product_idle(PsPtxWarp *warp, const PsPtxStep *step, guint32 mask);

gboolean ps_ptx_mma(PsPtxDecode *decode, PsPtxStep *step, char **unsupported);

G_END_DECLS
#endif
