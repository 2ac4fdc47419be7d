/* SPDX-License-Identifier: BSD-3-Clause */
/* See atomic-usual.h. Each operation gives the same new word as in atomic.c. */
#include "ptx/run/atomic-usual.h"

#include "ptx/step/number.h"

#include <string.h>

#define EACH_LANE(MASK) for (guint32 rest = (MASK); rest != 0; rest &= rest - 1)

/* ---- sums of integers ----------------------------------------------------------------------- */

/* Neighbouring lanes that add to the same word add their sum; each lane gets the value that it
 * would have found. */
#define SUM(TYPE)                                                                                  \
    static void add_##TYPE(PsPtxAtomicLanes *lanes)                                                \
    {                                                                                              \
        guint32 left = lanes->mask;                                                                \
        while (left != 0) {                                                                        \
            __typeof__(TYPE) *at = (gpointer)lanes->memory[__builtin_ctz(left)];                   \
            TYPE before[32], sum = 0, old;                                                         \
            guint32 same = left;                                                                   \
            for (; left != 0; left &= left - 1) {                                                  \
                const guint lane = (guint)__builtin_ctz(left);                                     \
                const TYPE b = (TYPE)lanes->b[lane];                                               \
                if (lanes->memory[lane] != (guint8 *)at)                                           \
                    break;                                                                         \
                before[lane] = sum;                                                                \
                sum += b;                                                                          \
                lanes->reads |= b == 0;                                                            \
            }                                                                                      \
            same &= ~left;                                                                         \
            if (lanes->beside) {                                                                   \
                old = __atomic_fetch_add(at, sum, __ATOMIC_RELAXED);                               \
            } else {                                                                               \
                memcpy(&old, at, sizeof old);                                                      \
                sum += old;                                                                        \
                lanes->changes += sum != old;                                                      \
                memcpy(at, &sum, sizeof sum);                                                      \
            }                                                                                      \
            if (lanes->to)                                                                         \
                EACH_LANE(same)                                                                    \
                {                                                                                  \
                    const guint lane = (guint)__builtin_ctz(rest);                                 \
                    lanes->to[lane] = (TYPE)(old + before[lane]);                                  \
                }                                                                                  \
        }                                                                                          \
    }

SUM(guint32)
SUM(guint64)

/* ---- others --------------------------------------------------------------------------------- */

/* Performs an operation lane by lane: NEW is the new value from `old` and `b`. */
#define USUAL(NAME, TYPE, BITS, NEW)                                                               \
    static void NAME##_##TYPE(PsPtxAtomicLanes *lanes)                                             \
    {                                                                                              \
        EACH_LANE(lanes->mask)                                                                     \
        {                                                                                          \
            const guint lane = (guint)__builtin_ctz(rest);                                         \
            __typeof__(BITS) *at = (gpointer)lanes->memory[lane], was, is;                         \
            const TYPE b = (TYPE)(BITS)lanes->b[lane];                                             \
            lanes->reads |= (BITS)lanes->b[lane] == 0;                                             \
            if (lanes->beside) {                                                                   \
                was = __atomic_load_n(at, __ATOMIC_RELAXED);                                       \
                do {                                                                               \
                    const TYPE old = (TYPE)was;                                                    \
                    is = (BITS)(NEW);                                                              \
                } while (is != was &&                                                              \
                         !__atomic_compare_exchange_n(at, &was, is, FALSE, __ATOMIC_RELAXED,       \
                                                      __ATOMIC_RELAXED));                          \
            } else {                                                                               \
                memcpy(&was, at, sizeof was);                                                      \
                const TYPE old = (TYPE)was;                                                        \
                is = (BITS)(NEW);                                                                  \
                lanes->changes += is != was;                                                       \
                memcpy(at, &is, sizeof is);                                                        \
            }                                                                                      \
            if (lanes->to)                                                                         \
                lanes->to[lane] = was;                                                             \
        }                                                                                          \
    }

USUAL(least, guint32, guint32, MIN(old, b))
USUAL(least, gint32, guint32, MIN(old, b))
USUAL(least, guint64, guint64, MIN(old, b))
USUAL(least, gint64, guint64, MIN(old, b))
USUAL(most, guint32, guint32, MAX(old, b))
USUAL(most, gint32, guint32, MAX(old, b))
USUAL(most, guint64, guint64, MAX(old, b))
USUAL(most, gint64, guint64, MAX(old, b))
USUAL(and_bits, guint32, guint32, old &b)
USUAL(and_bits, guint64, guint64, old &b)
USUAL(or_bits, guint32, guint32, old | b)
USUAL(or_bits, guint64, guint64, old | b)
USUAL(xor_bits, guint32, guint32, old ^ b)
USUAL(xor_bits, guint64, guint64, old ^ b)

/* The sum of two singles as doubles is rounded twice, which gives the same as one rounding. */
static inline guint32 sum_of_singles(guint32 a, guint32 b)
{
    return (guint32)ps_ptx_single_raw((float)((double)ps_ptx_single(a) + (double)ps_ptx_single(b)));
}

static inline guint64 sum_of_doubles(guint64 a, guint64 b)
{
    return ps_ptx_double_raw(ps_ptx_double(a) + ps_ptx_double(b));
}

USUAL(number, guint32, guint32, sum_of_singles(old, b))
USUAL(number, guint64, guint64, sum_of_doubles(old, b))

/* ---- which ---------------------------------------------------------------------------------- */

typedef struct {
    const char *operation;
    PsPtxType types[4]; /* ends with PS_PTX_NO_TYPE */
    PsPtxAtomicUsual usual;
} Row;

static const Row rows[] = {
    {"add", {PS_PTX_U32, PS_PTX_S32, PS_PTX_B32}, add_guint32},
    {"add", {PS_PTX_U64, PS_PTX_S64, PS_PTX_B64}, add_guint64},
    {"add", {PS_PTX_F32}, number_guint32},
    {"add", {PS_PTX_F64}, number_guint64},
    {"min", {PS_PTX_U32, PS_PTX_B32}, least_guint32},
    {"min", {PS_PTX_S32}, least_gint32},
    {"min", {PS_PTX_U64, PS_PTX_B64}, least_guint64},
    {"min", {PS_PTX_S64}, least_gint64},
    {"max", {PS_PTX_U32, PS_PTX_B32}, most_guint32},
    {"max", {PS_PTX_S32}, most_gint32},
    {"max", {PS_PTX_U64, PS_PTX_B64}, most_guint64},
    {"max", {PS_PTX_S64}, most_gint64},
    {"and", {PS_PTX_B32, PS_PTX_U32, PS_PTX_S32}, and_bits_guint32},
    {"and", {PS_PTX_B64, PS_PTX_U64, PS_PTX_S64}, and_bits_guint64},
    {"or", {PS_PTX_B32, PS_PTX_U32, PS_PTX_S32}, or_bits_guint32},
    {"or", {PS_PTX_B64, PS_PTX_U64, PS_PTX_S64}, or_bits_guint64},
    {"xor", {PS_PTX_B32, PS_PTX_U32, PS_PTX_S32}, xor_bits_guint32},
    {"xor", {PS_PTX_B64, PS_PTX_U64, PS_PTX_S64}, xor_bits_guint64},
};

PsPtxAtomicUsual ps_ptx_atomic_usual(const char *operation, PsPtxType type)
{
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
        for (gsize k = 0; k < G_N_ELEMENTS(rows[i].types); k++)
            if (rows[i].types[k] == type && type != PS_PTX_NO_TYPE &&
                strcmp(rows[i].operation, operation) == 0)
                return rows[i].usual;
    return NULL;
}
