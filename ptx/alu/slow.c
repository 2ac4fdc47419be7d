/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Tests for the slow way of an operation, as in the code of ptxas (CUDA 13, sm_75). For divisions
 * of singles that code has one instruction, FCHK, whose test is not documented: here the test asks
 * for what the short sequence needs to be right.
 */
#include "ptx/alu/slow.h"

#include "ptx/step/number.h"

/* The number of a way, without branches, so that compilers vectorise the tests. */
static inline guint64 way(gboolean is_short, gboolean special)
{
    return is_short ? PS_PTX_WAY_SHORT : special ? PS_PTX_WAY_SPECIAL : PS_PTX_WAY_SCALED;
}

/* ---- singles -------------------------------------------------------------------------------- */

static inline guint32 exponent(guint32 bits)
{
    return bits >> 23 & 0xff;
}

/* TRUE for zero, infinity and NaN. */
static inline gboolean is_special(guint32 bits)
{
    return ((bits & 0x7fffffff) == 0) | (exponent(bits) == 255);
}

/* The short sequence is right if the reciprocal of b and the quotient are normal numbers (a zero
 * would lose the quotient's sign), and the remainder of a, which is 24 bits and more below it, is
 * exact. */
static inline guint64 div_single(guint32 a, guint32 b)
{
    const guint32 above = exponent(a), below = exponent(b);
    const gboolean is_short = (above - 25 < 230) & (below - 1 < 252) & (above - below + 125 < 252);
    return way(is_short, is_special(a) | is_special(b));
}

static inline guint64 rcp_single(guint32 a)
{
    const gboolean none = exponent(a) == 0, all = exponent(a) == 255;
    return way(((a + 0x01800000) & 0x7f800000) > 0x01ffffff, none | all);
}

static inline guint64 sqrt_single(guint32 a)
{
    return way(a - 0x0d000000 <= 0x727fffff, ((a & 0x7fffffff) == 0) | ((a & 0x80000000) != 0));
}

PS_PTX_EACH_2(div_f32, guint64, guint32, div_single(a, b))
PS_PTX_EACH_1(rcp_f32, guint64, guint32, rcp_single(a))
PS_PTX_EACH_1(sqrt_f32, guint64, guint32, sqrt_single(a))

/* ---- doubles: their upper halves are tested -------------------------------------------------- */

static inline guint32 upper(guint64 bits)
{
    return (guint32)(bits >> 32);
}

static inline gboolean is_special_double(guint64 bits)
{
    return ((bits & G_MAXINT64) == 0) | ((upper(bits) & 0x7ff00000) == 0x7ff00000);
}

static inline guint64 div_double(guint64 a, guint64 b)
{
    const guint32 quotient =
        upper(ps_ptx_double_raw(ps_ptx_double(a) / ps_ptx_double(b))) & 0x7fffffff;
    const gboolean above = (upper(a) & 0x7fffffff) >= 0x03600000;
    const gboolean below = (upper(b) & 0x7fffffff) < 0x7f800000;
    const gboolean normal = quotient - 0x00100001 <= 0x7f800000 - 0x00100001;
    return way(above & below & normal, is_special_double(a) | is_special_double(b));
}

static inline guint64 rcp_double(guint64 a)
{
    return way(((upper(a) + 0x00300402) & 0x7fffffff) >= 0x00400402, is_special_double(a));
}

/* The way of a root, or its reciprocal: the short sequence is right for these numbers. */
static inline guint64 root_double(guint64 a, guint32 least, guint32 n)
{
    return way(upper(a) - least < n, is_special_double(a) | ((upper(a) & 0x80000000) != 0));
}

PS_PTX_EACH_2(div_f64, guint64, guint64, div_double(a, b))
PS_PTX_EACH_1(rcp_f64, guint64, guint64, rcp_double(a))
PS_PTX_EACH_1(sqrt_f64, guint64, guint64, root_double(a, 0x03500000, 0x7ca00000))
PS_PTX_EACH_1(rsqrt_f64, guint64, guint64, root_double(a, 0x00100000, 0x7fe00000))

/* ---- which ---------------------------------------------------------------------------------- */

static const struct {
    const char *opcode;
    const PsPtxOperation *single, *wide;
} table[] = {
    {"div", div_f32, div_f64},
    {"rcp", rcp_f32, rcp_f64},
    {"sqrt", sqrt_f32, sqrt_f64},
    {"rsqrt", NULL, rsqrt_f64},
};

const PsPtxOperation *ps_ptx_check(const PsPtxMnemonic *mnemonic)
{
    const gboolean wide = mnemonic->types[0] == PS_PTX_F64;
    /* for doubles rsqrt.approx is the exact one, and with .ftz it is one instruction */
    if (ps_ptx_has(mnemonic, "full") ||
        (ps_ptx_has(mnemonic, "approx") && (!wide || ps_ptx_has(mnemonic, "ftz"))))
        return NULL;
    for (gsize i = 0; i < G_N_ELEMENTS(table); i++)
        if (strcmp(mnemonic->opcode, table[i].opcode) == 0)
            return wide ? table[i].wide : table[i].single;
    return NULL;
}
