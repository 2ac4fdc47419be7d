/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Elements and matrices of tensor-core instructions: see tensor.h.
 */
#include "tests/help/tensor.h"
#include "tests/help/exact.h"
#include <math.h>
#include <string.h>

guint tensor_bits(TensorElement element)
{
    static const guint bits[] = {16, 16, 32, 32, 64, 8, 8, 4, 4, 1, 32};
    return bits[element];
}

static guint64 code_of_double(const ExactFormat *format, double value)
{
    guint64 bits;
    memcpy(&bits, &value, sizeof bits);
    return format == &exact_double ? bits
                                   : exact_convert(format, &exact_double, bits, EXACT_NEAREST);
}

static double double_of(const ExactFormat *format, guint64 code)
{
    guint64 bits =
        format == &exact_double ? code : exact_convert(&exact_double, format, code, EXACT_NEAREST);
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static const ExactFormat *format_of(TensorElement element)
{
    static const ExactFormat *const formats[] = {&exact_half, &exact_bfloat, &exact_single,
                                                 &exact_single, &exact_double};
    return element < G_N_ELEMENTS(formats) ? formats[element] : NULL;
}

double tensor_value(TensorElement element, guint64 code)
{
    guint bits = tensor_bits(element);
    if (format_of(element))
        return double_of(format_of(element), code);
    if (element == S8 || element == S4 || element == S32)
        return code >> (bits - 1) != 0 ? (double)code - ldexp(1, (int)bits) : (double)code;
    return (double)code;
}

guint64 tensor_code(TensorElement element, double value)
{
    const ExactFormat *format = format_of(element);
    if (format)
        return code_of_double(format, value);
    return (guint64)(gint64)value & (G_MAXUINT64 >> (64 - tensor_bits(element)));
}

guint64 tensor_random(GRand *rand, TensorElement element)
{
    const ExactFormat *format = format_of(element);
    if (format)
        return code_of_double(format, g_rand_int_range(rand, -16, 17) / 4.0);
    if (element == S32)
        return (guint32)g_rand_int_range(rand, -100000, 100000);
    return g_rand_int(rand) & (G_MAXUINT32 >> (32 - tensor_bits(element)));
}

void tensor_multiply(TensorMatrices *matrices, guint m, guint n, guint k, TensorSpecial special)
{
    for (guint row = 0; row < m; row++)
        for (guint column = 0; column < n; column++) {
            double sum = matrices->c[row * n + column];
            for (guint i = 0; i < k; i++) {
                double a = matrices->a[row * k + i], b = matrices->b[i * n + column];
                sum += special == TENSOR_XOR ? (a != b) : a * b;
            }
            if (special == TENSOR_SATFINITE)
                sum = CLAMP(sum, (double)G_MININT32, (double)G_MAXINT32);
            matrices->c[row * n + column] = sum;
        }
}

char *tensor_registers(char name, guint first, guint n)
{
    GString *text = g_string_new("{");
    for (guint i = 0; i < n; i++)
        g_string_append_printf(text, "%s%c%u", i > 0 ? ", " : "", name, first + i);
    g_string_append(text, "}");
    return g_string_free(text, FALSE);
}
