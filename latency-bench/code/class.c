/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The instructions that stand for a graph's class: in PTX, in NVIDIA's machine code, in AMD's. If
 * an operation is a sequence, it is an instruction that occurs once in it.
 */
#include "base/class-name.h"
#include "gpu/gpu.h"
#include "latency-bench/code/instruction.h"

#define PTX_TAIL "(\\.(rn|rz|ftz|sat))*\\."
#define PTX_PLACE "(\\.(volatile|weak|relaxed|gpu))*\\."

static const struct {
    const char *class_name, *pattern;
    gboolean mixed;
} classes[] = {
    {"fadd.minmax", "\\b(min|max)\\.f32|\\bFMNMX", FALSE},
    {"fadd", "\\badd" PTX_TAIL "f32|\\bFADD|\\bv_(dual_)?add_f32", FALSE},
    {"fmul", "\\bmul" PTX_TAIL "f32|\\bFMUL|\\bv_(dual_)?mul_f32", FALSE},
    {"fmadd", "\\bfma" PTX_TAIL "f32|\\bFFMA|\\bv_(dual_)?fmac?_f32", FALSE},
    {"dadd", "\\badd" PTX_TAIL "f64|\\bDADD|\\bv_add_f64", FALSE},
    {"dmul", "\\bmul" PTX_TAIL "f64|\\bDMUL|\\bv_mul_f64", FALSE},
    {"dfma", "\\bfma" PTX_TAIL "f64|\\bDFMA|\\bv_fmac?_f64", FALSE},
    /* Some chips have two pipes for half precision, and many have two for integers; NVIDIA's
     * assembler spreads chains over both. It spreads graphs' instructions in the same way, so the
     * mixture is measured. */
    {"hadd", "\\badd" PTX_TAIL "f16x2|\\bH(ADD|FMA)2|\\bv_pk_add_f16", TRUE},
    {"hmul", "\\bmul" PTX_TAIL "f16x2|\\bH(MUL|FMA)2|\\bv_pk_mul_f16", TRUE},
    {"hfma", "\\bfma" PTX_TAIL "f16x2|\\bHFMA2|\\bv_pk_fma_f16", TRUE},
    {"iadd.minmax", "\\b(min|max)\\.s32|\\bV?IMNMX", FALSE},
    {"iadd", "\\badd\\.[su]32|\\bIADD|\\bIMAD$|\\bv_add_(nc_|co_)?[iu]32", TRUE},
    {"imad", "\\bmad\\.lo\\.[su]32|\\bIMAD$|\\bv_(mul_lo_u32|mad_u32|mad_u64_u32)", FALSE},
    {"logic.vote", "\\bvote\\.sync|\\bVOTE", FALSE},
    {"logic", "\\b(lop3|xor|and|or)\\.b32|\\bLOP3|\\bv_(xor|and)_b32", FALSE},
    {"shift", "\\bshl\\.b32|\\bSHF|\\bv_lshlrev_b32", FALSE},
    {"conversion.f2i", "\\bcvt\\.rzi\\.s32\\.f32|\\bF2I$|\\bv_cvt_i32_f32", FALSE},
    {"conversion.pack", "\\bcvt\\.rn\\.f16x2\\.f32|\\bF2FP", FALSE},
    {"conversion.f64", "\\bcvt\\.(f64\\.f32|rn\\.f32\\.f64)|\\bF2F\\.64$", FALSE},
    {"conversion.i2f", "\\bcvt\\.rn\\.f32\\.s32|\\bI2FP?$|\\bv_cvt_f32_i32", FALSE},
    /* Beside the reciprocal, which alone would undo itself: exp2, on NVIDIA tanh. */
    {"rcp", "\\b(rcp|ex2|tanh|div)\\.[a-z]+|\\bMUFU\\.(RCP|EX2|TANH)$|\\bv_(rcp|exp)_f32", FALSE},
    {"rsqrt", "\\brsqrt\\.approx|\\bMUFU\\.RSQ$|\\bv_rsq_f32", FALSE},
    {"sqrt", "\\bsqrt\\.approx|\\bMUFU\\.(SQRT|RSQ)$|\\bv_sqrt_f32", FALSE},
    {"sin", "\\bsin\\.approx|\\bMUFU\\.SIN|\\bv_sin_f32", FALSE},
    {"cos", "\\bcos\\.approx|\\bMUFU\\.COS|\\bv_cos_f32", FALSE},
    {"exp2", "\\bex2\\.approx|\\bMUFU\\.EX2|\\bv_exp_f32", FALSE},
    {"log2", "\\blg2\\.approx|\\bMUFU\\.LG2|\\bv_log_f32", FALSE},
    {"fdiv", "\\bdiv\\.[a-z]+\\.f32|\\bMUFU\\.RCP$|\\bv_rcp_f32", FALSE},
    {"shuffle.reduce.minmax", "\\bredux\\.sync\\.max|\\bC?REDUX", FALSE},
    {"shuffle.reduce", "\\bredux\\.sync\\.add|\\bREDUX", FALSE},
    {"shuffle", "\\bshfl\\.|\\bSHFL|\\bds_bpermute_b32", FALSE},
    {"barrier", "\\b(bar|barrier)\\.|\\bBAR|\\bs_barrier$", FALSE},
    /* An empty loop would be removed, so it has an addition. */
    {"loop", "\\badd" PTX_TAIL "f32|\\bFADD|\\bv_(dual_)?add_f32", FALSE},
    {"tensor", "\\bmma\\.sync|\\bHMMA", FALSE},
    {"local.load.v2", "\\bld" PTX_PLACE "shared\\.v2|\\bLDS\\.64|\\bds_(read|load)_b64", FALSE},
    {"local.load.v4", "\\bld" PTX_PLACE "shared\\.v4|\\bLDS\\.128|\\bds_(read|load)_b128", FALSE},
    {"local.store.v2", "\\bst" PTX_PLACE "shared\\.v2|\\bSTS\\.64|\\bds_(write|store)_b64", FALSE},
    {"local.store.v4", "\\bst" PTX_PLACE "shared\\.v4|\\bSTS\\.128|\\bds_(write|store)_b128",
     FALSE},
    {"local.load", "\\bld" PTX_PLACE "shared|\\bLDS|\\bds_(read|load)_(b|u)", FALSE},
    {"local.store", "\\bst" PTX_PLACE "shared|\\bSTS|\\bds_(write|store)_b", FALSE},
    {"atomic.local.cas", "\\batom\\.shared\\.cas|\\bATOMS\\.CAS|\\bds_cmpst(ore)?_rtn_b32", FALSE},
    {"atomic.local", "\\batom\\.shared|\\bATOMS|\\bds_add_(rtn_)?u32", FALSE},
    {"atomic.global", "\\b(atom|red)\\.global|\\bATOMG|\\bRED|\\bglobal_atomic_add", FALSE},
    {"constant", "\\bld\\.const|\\bLDC|\\bs_load_dword|\\bs_load_b", FALSE},
    {"global.load.v2",
     "\\bld" PTX_PLACE "global(\\.[a-z]+)*\\.v2|\\bLDG\\.64|\\bglobal_load_(dwordx2|b64)", FALSE},
    {"global.load.v4",
     "\\bld" PTX_PLACE "global(\\.[a-z]+)*\\.v4|\\bLDG\\.128|\\bglobal_load_(dwordx4|b128)", FALSE},
    {"global.load", "\\bld" PTX_PLACE "global|\\bLDG|\\b(global|buffer)_load", FALSE},
    {"memory", "\\bld" PTX_PLACE "global|\\bLDG|\\b(global|buffer)_load", FALSE},
    {"global.store.v2",
     "\\bst" PTX_PLACE "global(\\.[a-z]+)*\\.v2|\\bSTG\\.64|\\bglobal_store_(dwordx2|b64)", FALSE},
    {"global.store.v4",
     "\\bst" PTX_PLACE "global(\\.[a-z]+)*\\.v4|\\bSTG\\.128|\\bglobal_store_(dwordx4|b128)",
     FALSE},
    {"global.store", "\\bst" PTX_PLACE "global|\\bSTG|\\b(global|buffer)_store", FALSE},
};

static gint find(const char *class_name)
{
    for (guint i = 0; i < G_N_ELEMENTS(classes); i++)
        if (ps_class_covers(classes[i].class_name, class_name))
            return (gint)i;
    return -1;
}

const char *ps_code_pattern(const char *class_name)
{
    const gint i = find(class_name);
    return i < 0 ? NULL : classes[i].pattern;
}

gboolean ps_code_is_mixed(const char *class_name)
{
    const gint i = find(class_name);
    return i >= 0 && classes[i].mixed;
}
