/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Reciprocals, roots and transcendental functions. No standard gives the error of the approximate
 * ones on devices; here they are functions of doubles, from the C library or power.h, rounded once
 * to the result.
 */
#include "ptx/alu/families.h"
#include "ptx/alu/float.h"
#include "ptx/alu/power.h"

/* Bits of a single, rounded from a function of doubles. */
static inline guint64 rounded(double value)
{
    return ps_ptx_single_bits((float)value);
}

PS_PTX_COMPUTE(rcp_f32, ps_ptx_single_bits(1.0F / ps_ptx_single(a)))
PS_PTX_COMPUTE(sqrt_f32, ps_ptx_single_bits(sqrtf(ps_ptx_single(a))))
PS_PTX_COMPUTE(rsqrt_f32, rounded(1.0 / sqrt((double)ps_ptx_single(a))))
PS_PTX_COMPUTE(sin_f32, rounded(sin((double)ps_ptx_single(a))))
PS_PTX_COMPUTE(cos_f32, rounded(cos((double)ps_ptx_single(a))))
PS_PTX_COMPUTE(lg2_f32, rounded(ps_ptx_log2((double)ps_ptx_single(a))))
PS_PTX_COMPUTE(ex2_f32, rounded(ps_ptx_exp2((guint32)a)))
PS_PTX_COMPUTE(tanh_f32, rounded(tanh((double)ps_ptx_single(a))))

static inline guint64 double_bits(double value, guint64 a)
{
    if (value == value)
        return ps_ptx_double_raw(value);
    return isnan(ps_ptx_double(a)) ? a | G_GUINT64_CONSTANT(0x0008000000000000) : PS_PTX_NAN_DOUBLE;
}

/* The approximations for doubles read the upper half of their source alone, flush subnormal
 * numbers, and give a number whose lower half is zeros. */
static inline guint64 upper(guint64 bits)
{
    guint64 high = bits & ~(guint64)G_MAXUINT32;
    guint64 exponent = G_GUINT64_CONSTANT(0x7ff0000000000000);
    return (high & exponent) == 0 ? high & ~(guint64)G_MAXINT64 : high;
}

static inline guint64 upper_nan(guint64 bits)
{
    return isnan(ps_ptx_double(bits)) ? G_GUINT64_CONSTANT(0x7fffffff00000000) : upper(bits);
}

PS_PTX_COMPUTE(rcp_f64, double_bits(1.0 / ps_ptx_double(a), a))
PS_PTX_COMPUTE(sqrt_f64, double_bits(sqrt(ps_ptx_double(a)), a))
PS_PTX_COMPUTE(rsqrt_f64, double_bits(1.0 / sqrt(ps_ptx_double(a)), a))
PS_PTX_COMPUTE(rcp_upper_f64, upper_nan(ps_ptx_double_raw(1.0 / ps_ptx_double(upper(a)))))
PS_PTX_COMPUTE(rsqrt_upper_f64, upper_nan(ps_ptx_double_raw(1.0 / sqrt(ps_ptx_double(upper(a))))))

static const struct {
    const char *opcode;
    const PsPtxOperation *single, *wide, *upper;
} table[] = {
    {"rcp", rcp_f32, rcp_f64, rcp_upper_f64},
    {"sqrt", sqrt_f32, sqrt_f64, NULL},
    {"rsqrt", rsqrt_f32, rsqrt_f64, rsqrt_upper_f64},
    {"sin", sin_f32, NULL, NULL},
    {"cos", cos_f32, NULL, NULL},
    {"lg2", lg2_f32, NULL, NULL},
    {"ex2", ex2_f32, NULL, NULL},
    {"tanh", tanh_f32, NULL, NULL},
};

static const PsPtxOperation *operation_of(const PsPtxMnemonic *mnemonic, guint i)
{
    if (mnemonic->types[0] != PS_PTX_F64)
        return table[i].single;
    gboolean approximate = ps_ptx_has(mnemonic, "approx") && ps_ptx_has(mnemonic, "ftz");
    return approximate ? table[i].upper : table[i].wide;
}

gboolean ps_ptx_special_function(PsPtxDecode *decode, PsPtxStep *step, char **unsupported)
{
    const PsPtxMnemonic *mnemonic = decode->mnemonic;
    for (guint i = 0; i < G_N_ELEMENTS(table); i++) {
        if (strcmp(table[i].opcode, mnemonic->opcode) != 0)
            continue;
        step->type = mnemonic->n_types != 0 ? mnemonic->types[0] : PS_PTX_NO_TYPE;
        if (step->type != PS_PTX_F32 && step->type != PS_PTX_F64)
            return FALSE; /* half.c executes halves */
        const PsPtxOperation *operation = operation_of(mnemonic, i);
        return (operation != NULL && ps_ptx_float_decode(decode, step, operation, 1)) ||
               ps_ptx_cannot(decode, step, unsupported);
    }
    return FALSE;
}
