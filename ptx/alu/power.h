/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Powers of 2 and logarithms of singles as doubles, with an error below 2^-50 of the result. They
 * have no branches and no tables, so that loops over them have vectors, and give the same bits on
 * every processor.
 */
#ifndef PIPESIM_PTX_ALU_POWER_H
#define PIPESIM_PTX_ALU_POWER_H

#include "ptx/step/number.h"

G_BEGIN_DECLS

/* A double of this exponent has integers alone: adding it rounds a small number to its nearest,
 * which its low bits hold. */
#define PS_PTX_INTEGERS 0x1.8p52

/* 2 to the power of the single with these bits. It is 2^n times the series of 2^(x - n), where n is
 * the integer next to x. What no single can hold is infinite, or 0, when it is rounded. */
static inline double ps_ptx_exp2(guint32 bits)
{
    /* ln(2)^k / k! */
    static const double series[] = {1.0,
                                    0x1.62e42fefa39efp-1,
                                    0x1.ebfbdff82c58fp-3,
                                    0x1.c6b08d704a0c0p-5,
                                    0x1.3b2ab6fba4e77p-7,
                                    0x1.5d87fe78a6731p-10,
                                    0x1.430912f86c787p-13,
                                    0x1.ffcbfc588b0c7p-17,
                                    0x1.62c0223a5c824p-20,
                                    0x1.b5253d395e7c4p-24,
                                    0x1.e4cf5158b8ecap-28,
                                    0x1.e8cac7351bb25p-32,
                                    0x1.c3bd650fc2986p-36,
                                    0x1.816193166d0f9p-40};
    const guint32 magnitude = bits & 0x7fffffff, most = 0x43480000, infinite = 0x7f800000;
    const guint32 beyond = (magnitude > most ? G_MAXUINT32 : 0) & (magnitude > infinite ? 0 : most);
    const double x = (double)ps_ptx_single(beyond ? beyond | (bits & 0x80000000) : bits);
    const double shifted = x + PS_PTX_INTEGERS, part = x - (shifted - PS_PTX_INTEGERS);
    double sum = series[13];
#define PS_PTX_TERM(K) sum = sum * part + series[K];
    PS_PTX_TERM(12)
    PS_PTX_TERM(11)
    PS_PTX_TERM(10)
    PS_PTX_TERM(9)
    PS_PTX_TERM(8)
    PS_PTX_TERM(7)
    PS_PTX_TERM(6)
    PS_PTX_TERM(5)
    PS_PTX_TERM(4)
    PS_PTX_TERM(3)
    PS_PTX_TERM(2)
    PS_PTX_TERM(1)
    PS_PTX_TERM(0)
#undef PS_PTX_TERM
    return sum * ps_ptx_double((ps_ptx_double_raw(shifted) + 1023) << 52);
}

/* The bits of a logarithm: -infinity of 0, infinity of that, and NaN of what is negative or NaN. */
static inline guint64 ps_ptx_log2_edges(guint64 x, guint64 result)
{
    const guint64 infinite = G_GUINT64_CONSTANT(0x7ff0000000000000);
    const guint64 is_zero = 0 - (guint64)(x << 1 == 0), is_negative = (0 - (x >> 63)) & ~is_zero;
    const guint64 is_large = 0 - (guint64)(x << 1 >= infinite << 1);
    const guint64 is_nan = is_negative | (0 - (guint64)(x << 1 > infinite << 1));
    const guint64 edge = infinite | (is_zero & 1) << 63 | (is_nan & (infinite >> 1));
    const guint64 has = is_zero | is_negative | is_large;
    return (result & ~has) | (edge & has);
}

/* The logarithm of a single by 2. x is 2^n times m, with m from the root of 1/2 to that of 2; the
 * series is that of (m - 1) / (m + 1). */
static inline double ps_ptx_log2(double x)
{
    /* 2 / ln(2) / (2 k + 1) */
    static const double series[] = {
        0x1.71547652b82fep+1, 0x1.ec709dc3a03fdp-1, 0x1.2776c50ef9bfep-1, 0x1.a61762a7aded9p-2,
        0x1.484b13d7c02a9p-2, 0x1.0c9a84994022dp-2, 0x1.c68f568d31760p-3, 0x1.89f3b1694cffep-3,
        0x1.5b9ac9b743f0dp-3, 0x1.3703c1f4d0ffep-3, 0x1.1964ec6fc9491p-3};
    const guint64 root = G_GUINT64_CONSTANT(0x3fe6a09e00000000);
    const guint64 one = G_GUINT64_CONSTANT(0x3ff0000000000000);
    const guint64 shifted = ps_ptx_double_raw(x) + (one - root);
    const double m = ps_ptx_double((shifted & G_GUINT64_CONSTANT(0xfffffffffffff)) + root);
    const double n = ps_ptx_double(shifted >> 52 | ps_ptx_double_raw(0x1p52)) - (0x1p52 + 1023);
    const double part = (m - 1) / (m + 1), square = part * part;
    double sum = series[10];
#define PS_PTX_TERM(K) sum = sum * square + series[K];
    PS_PTX_TERM(9)
    PS_PTX_TERM(8)
    PS_PTX_TERM(7)
    PS_PTX_TERM(6)
    PS_PTX_TERM(5)
    PS_PTX_TERM(4)
    PS_PTX_TERM(3)
    PS_PTX_TERM(2)
    PS_PTX_TERM(1)
    PS_PTX_TERM(0)
#undef PS_PTX_TERM
    return ps_ptx_double(
        ps_ptx_log2_edges(ps_ptx_double_raw(x), ps_ptx_double_raw(n + part * sum)));
}

G_END_DECLS
#endif
