/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What stands for a class of graphs in a code: in PTX, in NVIDIA's machine code, in AMD's. Where an
 * operation is a sequence, it is that one of its instructions that it has once.
 */
#include "gpu/gpu.h"
#include "latency-bench/code/instruction.h"

#define PTX_TAIL "(\\.(rn|rz|ftz|sat))*\\."
#define PTX_PLACE "(\\.(volatile|weak|relaxed|gpu))*\\."

static const struct {
    const char *klass, *pattern;
} classes[] = {
    {"fadd", "\\badd" PTX_TAIL "f32|\\bFADD|\\bv_(dual_)?add_f32"},
    {"fmul", "\\bmul" PTX_TAIL "f32|\\bFMUL|\\bv_(dual_)?mul_f32"},
    {"fmadd", "\\bfma" PTX_TAIL "f32|\\bFFMA|\\bv_(dual_)?fmac?_f32"},
    {"dadd", "\\badd" PTX_TAIL "f64|\\bDADD|\\bv_add_f64"},
    {"dmul", "\\bmul" PTX_TAIL "f64|\\bDMUL|\\bv_mul_f64"},
    {"dfma", "\\bfma" PTX_TAIL "f64|\\bDFMA|\\bv_fmac?_f64"},
    {"hadd", "\\badd" PTX_TAIL "f16x2|\\bH(ADD|FMA)2|\\bv_pk_add_f16"},
    {"hmul", "\\bmul" PTX_TAIL "f16x2|\\bH(MUL|FMA)2|\\bv_pk_mul_f16"},
    {"hfma", "\\bfma" PTX_TAIL "f16x2|\\bHFMA2|\\bv_pk_fma_f16"},
    {"iadd", "\\badd\\.[su]32|\\bIADD|\\bVIADD|\\bIMAD$|\\bv_add_(nc_|co_)?[iu]32"},
    {"imad", "\\bmad\\.lo\\.[su]32|\\bIMAD$|\\bv_(mul_lo_u32|mad_u32|mad_u64_u32)"},
    {"logic", "\\b(lop3|xor|and|or)\\.b32|\\bLOP3|\\bv_(xor|and)_b32"},
    {"shift", "\\bshl\\.b32|\\bSHF|\\bv_lshlrev_b32"},
    {"conversion",
     "\\bcvt\\.[a-z]+\\.(s32\\.f32|f32\\.s32)|\\bF2I$|\\bI2FP?$|\\bv_cvt_(i32_f32|f32_i32)"},
    /* Beside the reciprocal, which alone undoes itself: exp2, on NVIDIA tanh. */
    {"rcp", "\\b(rcp|ex2|tanh|div)\\.[a-z]+|\\bMUFU\\.(RCP|EX2|TANH)$|\\bv_(rcp|exp)_f32"},
    {"rsqrt", "\\brsqrt\\.approx|\\bMUFU\\.RSQ$|\\bv_rsq_f32"},
    {"sqrt", "\\bsqrt\\.approx|\\bMUFU\\.(SQRT|RSQ)$|\\bv_sqrt_f32"},
    {"sin", "\\bsin\\.approx|\\bMUFU\\.SIN|\\bv_sin_f32"},
    {"cos", "\\bcos\\.approx|\\bMUFU\\.COS|\\bv_cos_f32"},
    {"exp2", "\\bex2\\.approx|\\bMUFU\\.EX2|\\bv_exp_f32"},
    {"log2", "\\blg2\\.approx|\\bMUFU\\.LG2|\\bv_log_f32"},
    {"fdiv", "\\bdiv\\.[a-z]+\\.f32|\\bMUFU\\.RCP$|\\bv_div_fixup_f32"},
    {"shuffle", "\\bshfl\\.|\\bSHFL|\\bds_bpermute_b32"},
    {"barrier", "\\b(bar|barrier)\\.|\\bBAR|\\bs_barrier$"},
    /* With nothing in it the loop would be removed: an addition. */
    {"loop", "\\badd" PTX_TAIL "f32|\\bFADD|\\bv_(dual_)?add_f32"},
    {"tensor", "\\bmma\\.sync|\\bHMMA"},
    {"local.load", "\\bld" PTX_PLACE "shared|\\bLDS|\\bds_(read|load)_(b|u)"},
    {"local.store", "\\bst" PTX_PLACE "shared|\\bSTS|\\bds_(write|store)_b"},
    {"atomic.local", "\\batom\\.shared|\\bATOMS|\\bds_add_(rtn_)?u32"},
    {"atomic.global", "\\b(atom|red)\\.global|\\bATOMG|\\bRED|\\b(global|flat)_atomic_add"},
    {"constant", "\\bld\\.const|\\bLDC|\\bs_load_dword|\\bs_load_b"},
    {"global.load", "\\bld" PTX_PLACE "global|\\bLDG|\\b(global|flat|buffer)_load"},
    {"memory", "\\bld" PTX_PLACE "global|\\bLDG|\\b(global|flat|buffer)_load"},
    {"global.store", "\\bst" PTX_PLACE "global|\\bSTG|\\b(global|flat|buffer)_store"},
};

const char *ps_code_pattern(const char *klass)
{
    for (guint i = 0; i < G_N_ELEMENTS(classes); i++)
        if (ps_class_covers(classes[i].klass, klass))
            return classes[i].pattern;
    return NULL;
}
