/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Products of matrices. PTX does not state the order of summation and the precision between, except
 * for doubles, which are a chain of fma over k. All other types are summed in double and rounded
 * once; integers are exact and wrap, or are clamped by .satfinite.
 */
#include "ptx/alu/matrix.h"
#include "ptx/alu/integer.h"
#include "ptx/step/lane.h"
#include <fenv.h>

#ifdef __x86_64__
#include <immintrin.h>
#endif

/* ---- elements ------------------------------------------------------------------------------- */

#define EACH(EXPRESSION)                                                                           \
    PS_PTX_EACH_LANE                                                                               \
    {                                                                                              \
        guint64 c = code[lane];                                                                    \
        value[lane] = (double)(EXPRESSION);                                                        \
    }                                                                                              \
    break

/* code - lacks, of 32 bits: code is the lower end of a double of 2^52 or more. */
static inline double whole_of(guint64 code, guint32 lacks)
{
    return ps_ptx_double(code | G_GUINT64_CONSTANT(0x4330000000000000)) - (0x1p52 + lacks);
}

PS_PTX_INLINE void values_of(PsPtxElement element, const guint64 *restrict code,
                             double *restrict value)
{
    switch (element) {
    case PS_PTX_ELEMENT_F16:
        EACH(ps_ptx_half_value(c));
    case PS_PTX_ELEMENT_BF16:
        EACH(ps_ptx_bfloat_value(c));
    case PS_PTX_ELEMENT_TF32:
        EACH(ps_ptx_single(c & ~(guint64)0x1fff)); /* the lower bits are ignored */
    case PS_PTX_ELEMENT_F32:
        EACH(ps_ptx_single(c));
    case PS_PTX_ELEMENT_F64:
        EACH(ps_ptx_double(c));
    case PS_PTX_ELEMENT_S32:
        EACH(whole_of((guint32)c ^ 0x80000000, 0x80000000));
    case PS_PTX_ELEMENT_S8:
        EACH(whole_of((guint8)c ^ 0x80, 0x80));
    case PS_PTX_ELEMENT_U8:
        EACH(whole_of((guint8)c, 0));
    case PS_PTX_ELEMENT_S4:
        EACH(ps_ptx_signed(c, 4));
    case PS_PTX_ELEMENT_U4:
        EACH(c & 15);
    case PS_PTX_ELEMENT_B1:
        EACH(c & 1);
    case PS_PTX_ELEMENT_E4M3:
        EACH(ps_ptx_decode_format((guint32)c & 0xff, &ps_ptx_format_e4m3));
    case PS_PTX_ELEMENT_E5M2:
        EACH(ps_ptx_decode_format((guint32)c & 0xff, &ps_ptx_format_e5m2));
    case PS_PTX_ELEMENT_E2M3:
        EACH(ps_ptx_decode_format((guint32)c & 0x3f, &ps_ptx_format_e2m3));
    case PS_PTX_ELEMENT_E3M2:
        EACH(ps_ptx_decode_format((guint32)c & 0x3f, &ps_ptx_format_e3m2));
    case PS_PTX_ELEMENT_E2M1_OF_8:
        EACH(ps_ptx_decode_format((guint32)c >> 2 & 15, &ps_ptx_format_e2m1));
    case PS_PTX_ELEMENT_E2M1:
        EACH(ps_ptx_decode_format((guint32)c & 15, &ps_ptx_format_e2m1));
    case PS_PTX_N_ELEMENTS:
    default:
        break;
    }
}

static void values_plain(PsPtxElement element, const guint64 *code, double *value)
{
    values_of(element, code, value);
}

__attribute__(PS_PTX_FOR_AVX2) static void values_avx2(PsPtxElement element, const guint64 *code,
                                                       double *value)
{
    values_of(element, code, value);
}

void ps_ptx_element_values(PsPtxVectors vectors, PsPtxElement element,
                           const guint64 code[PS_PTX_LANES], double value[PS_PTX_LANES])
{
    (vectors == PS_PTX_AVX2 ? values_avx2 : values_plain)(element, code, value);
}

static inline guint64 half_of(const PsPtxProduct *product, double value)
{
    if (product->satfinite && isnan(value))
        return 0;
    return ps_ptx_half_bits(product->satfinite ? CLAMP(value, -65504.0, 65504.0) : value);
}

static inline guint64 integer_of(const PsPtxProduct *product, double value)
{
    return (guint32)(gint64)(product->satfinite ? CLAMP(value, G_MININT32, G_MAXINT32) : value);
}

guint64 ps_ptx_element_code(const PsPtxProduct *product, double value)
{
    switch (product->d) {
    case PS_PTX_ELEMENT_F16:
        return half_of(product, value);
    case PS_PTX_ELEMENT_F32:
        return ps_ptx_single_bits((float)value);
    case PS_PTX_ELEMENT_F64:
        return ps_ptx_double_raw(value);
    case PS_PTX_ELEMENT_S32:
        return integer_of(product, value);
    default:
        return 0;
    }
}

PS_PTX_INLINE void codes_of(const PsPtxProduct *product, const double *restrict value,
                            guint64 *restrict code)
{
    if (product->d == PS_PTX_ELEMENT_F32) {
        PS_PTX_EACH_LANE code[lane] = ps_ptx_single_bits((float)value[lane]);
    } else if (product->d == PS_PTX_ELEMENT_S32 && !product->satfinite) {
        /* the lowest bits of a sum with a double that gives all sums the same exponent */
        PS_PTX_EACH_LANE code[lane] = ps_ptx_double_raw(value[lane] + 0x1.8p52) & G_MAXUINT32;
    } else {
        for (guint lane = 0; lane < PS_PTX_LANES; lane++)
            code[lane] = ps_ptx_element_code(product, value[lane]);
    }
}

static void codes_plain(const PsPtxProduct *product, const double *value, guint64 *code)
{
    codes_of(product, value, code);
}

__attribute__(PS_PTX_FOR_AVX2) static void codes_avx2(const PsPtxProduct *product,
                                                      const double *value, guint64 *code)
{
    codes_of(product, value, code);
}

void ps_ptx_element_codes(const PsPtxProduct *product, const double value[PS_PTX_LANES],
                          guint64 code[PS_PTX_LANES])
{
    (product->vectors == PS_PTX_AVX2 ? codes_avx2 : codes_plain)(product, value, code);
}

/* ---- products ------------------------------------------------------------------------------- */

static double bits_in_common(const PsPtxProduct *product, double a, double b)
{
    return product->exclusive_or ? a + b - 2 * a * b : a * b;
}

static void multiply_bits(const PsPtxProduct *product, const double *a, const double *b,
                          double sum[PS_PTX_MATRIX_COLUMNS])
{
    for (guint k = 0; k < product->k; k++)
        for (guint column = 0; column < product->n; column++)
            sum[column] += bits_in_common(product, a[k], b[k * product->n + column]);
}

/* A row of A times B, in the order of k. Doubles hold the products of all other types exactly; C
 * comes last. */
static void multiply_row(const PsPtxProduct *product, const double *a, const double *b, double *c)
{
    double sum[PS_PTX_MATRIX_COLUMNS] = {0};
    for (guint k = 0; k < product->k; k++)
        for (guint i = 0; i < product->n; i++)
            sum[i] += a[k] * b[k * product->n + i];
    for (guint i = 0; i < product->n; i++)
        c[i] += sum[i];
}

/* Sums of doubles begin with C; each product is added with one rounding. */
static void chain_row(const PsPtxProduct *product, const double *a, const double *b, double *c)
{
    for (guint k = 0; k < product->k; k++)
        for (guint column = 0; column < product->n; column++)
            c[column] = fma(a[k], b[k * product->n + column], c[column]);
}

static void multiply_plain(const PsPtxProduct *product, PsPtxMatrices *matrices)
{
    const gboolean chained = product->d == PS_PTX_ELEMENT_F64;
    for (guint row = 0; row < product->m; row++)
        (chained ? chain_row : multiply_row)(product, &matrices->a[row * product->k], matrices->b,
                                             &matrices->c[row * product->n]);
}

#ifdef __x86_64__
/* Sums of four rows and eight columns, which stay in the processor's registers. An exact product
 * may be added by fma, whose only rounding is the sum's. */
typedef struct {
    __m256d a[2], b[2], c[2], d[2];
} Sums;

#define ADD(ROW, LEFT)                                                                             \
    left = _mm256_broadcast_sd(LEFT);                                                              \
    sums.ROW[0] = _mm256_fmadd_pd(left, right, sums.ROW[0]);                                       \
    sums.ROW[1] = _mm256_fmadd_pd(left, beside, sums.ROW[1])
#define BEGIN(ROW, FROM)                                                                           \
    sums.ROW[0] = _mm256_loadu_pd(FROM);                                                           \
    sums.ROW[1] = _mm256_loadu_pd((FROM) + 4)
#define END(ROW, TO)                                                                               \
    if (!chained) {                                                                                \
        sums.ROW[0] = _mm256_add_pd(_mm256_loadu_pd(TO), sums.ROW[0]);                             \
        sums.ROW[1] = _mm256_add_pd(_mm256_loadu_pd((TO) + 4), sums.ROW[1]);                       \
    }                                                                                              \
    _mm256_storeu_pd(TO, sums.ROW[0]);                                                             \
    _mm256_storeu_pd((TO) + 4, sums.ROW[1])

__attribute__(PS_PTX_FOR_AVX2) static void
multiply_part(const PsPtxProduct *product, const double *a, const double *b, double *c)
{
    const gboolean chained = product->d == PS_PTX_ELEMENT_F64;
    const guint n = product->n, depth = product->k;
    const __m256d none = _mm256_setzero_pd();
    Sums sums = {{none, none}, {none, none}, {none, none}, {none, none}};
    __m256d left;
    if (chained) {
        BEGIN(a, c);
        BEGIN(b, c + n);
        BEGIN(c, c + 2 * n);
        BEGIN(d, c + 3 * n);
    }
    for (guint k = 0; k < depth; k++, b += n) {
        const __m256d right = _mm256_loadu_pd(b), beside = _mm256_loadu_pd(b + 4);
        ADD(a, a + k);
        ADD(b, a + depth + k);
        ADD(c, a + 2 * depth + k);
        ADD(d, a + 3 * depth + k);
    }
    END(a, c);
    END(b, c + n);
    END(c, c + 2 * n);
    END(d, c + 3 * n);
}

static void multiply_avx2(const PsPtxProduct *product, PsPtxMatrices *matrices)
{
    for (guint row = 0; row < product->m; row += 4)
        for (guint first = 0; first < product->n; first += 8)
            multiply_part(product, &matrices->a[row * product->k], &matrices->b[first],
                          &matrices->c[row * product->n + first]);
}
#else
#define multiply_avx2 multiply_plain
#endif

static void multiply_all_bits(const PsPtxProduct *product, PsPtxMatrices *matrices)
{
    for (guint row = 0; row < product->m; row++) {
        double sum[PS_PTX_MATRIX_COLUMNS] = {0};
        multiply_bits(product, &matrices->a[row * product->k], matrices->b, sum);
        for (guint column = 0; column < product->n; column++)
            matrices->c[row * product->n + column] += sum[column];
    }
}

void ps_ptx_product_compute(const PsPtxProduct *product, PsPtxMatrices *matrices)
{
    const gboolean doubles = product->d == PS_PTX_ELEMENT_F64;
    const int was = ps_ptx_set_rounding(doubles ? product->rounding : PS_PTX_NEAREST);
    if (product->a == PS_PTX_ELEMENT_B1)
        multiply_all_bits(product, matrices);
    else
        (product->vectors == PS_PTX_AVX2 ? multiply_avx2 : multiply_plain)(product, matrices);
    fesetround(was);
}
