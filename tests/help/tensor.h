/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements and matrices of tensor-core instructions: their codes and values, products in plain
 * loops, and registers to hold them. The numbers are such that sums are exact, whatever their
 * order.
 */
#ifndef PIPESIM_TESTS_HELP_TENSOR_H
#define PIPESIM_TESTS_HELP_TENSOR_H

#include <glib.h>

#define WARPS 4
#define ROWS (WARPS * 32)

typedef enum { F16, BF16, TF32, F32, F64, S8, U8, S4, U4, B1, S32 } TensorElement;

guint tensor_bits(TensorElement element);
double tensor_value(TensorElement element, guint64 code);
guint64 tensor_code(TensorElement element, double value);

/* A small number, with some binary places where the type has any. */
guint64 tensor_random(GRand *rand, TensorElement element);

/* Whole matrices of one warp. */
typedef struct {
    double a[16 * 256], b[256 * 8 * 4], c[32 * 32];
} TensorMatrices;

/* What an instruction does besides. */
typedef enum { TENSOR_PLAIN, TENSOR_SATFINITE, TENSOR_XOR, TENSOR_AND } TensorSpecial;

/* c += a * b, of m rows, n columns and sums of k products. */
void tensor_multiply(TensorMatrices *matrices, guint m, guint n, guint k, TensorSpecial special);

/* Registers of a warp's lanes, n of each lane. */
typedef struct {
    GRand *rand;
    guint64 *in;
    guint n;
} TensorRegisters;

/* "{a0, a1, a2}": n of that name from number `first` on. Free with g_free. */
char *tensor_registers(char name, guint first, guint n);

#endif
