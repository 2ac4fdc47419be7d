/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Chains of arithmetic, and of what else needs no memory: barrier, shuffle, loop. Each class has
 * kernels of one, two, four and eight chains per warp, or of fewer of these.
 *
 * Mnemonics are of PTX, of NVIDIA's machine code and of AMD's.
 */
#include "latency-bench/plan/kernel-private.h"

#include <string.h>

#define PTX_TAIL "(\\.(rn|rz|ftz|sat))*\\."

static const PsChain CHAINS[] = {
    {"fadd", "fadd", 'f', 1, 64, 1, "fp32", NULL, "\\badd" PTX_TAIL "f32|\\bFADD|\\bv_add_f32"},
    {"fmul", "fmul", 'f', 1, 64, 1, "fp32", NULL, "\\bmul" PTX_TAIL "f32|\\bFMUL|\\bv_mul_f32"},
    {"fmadd", "fmadd", 'f', 1, 64, 2, "fp32", NULL,
     "\\bfma" PTX_TAIL "f32|\\bFFMA|\\bv_fmac?_f32|\\bv_fmac_f32"},
    {"dadd", "dadd", 'd', 1, 64, 1, "fp64", NULL, "\\badd" PTX_TAIL "f64|\\bDADD|\\bv_add_f64"},
    {"dmul", "dmul", 'd', 1, 64, 1, "fp64", NULL, "\\bmul" PTX_TAIL "f64|\\bDMUL|\\bv_mul_f64"},
    {"dfma", "dfma", 'd', 1, 64, 2, "fp64", NULL, "\\bfma" PTX_TAIL "f64|\\bDFMA|\\bv_fmac?_f64"},
    {"hadd", "hadd", 'h', 1, 64, 2, "fp16", NULL,
     "\\badd" PTX_TAIL "f16x2|\\bH(ADD|FMA)2|\\bv_pk_add_f16"},
    {"hmul", "hmul", 'h', 1, 64, 2, "fp16", NULL,
     "\\bmul" PTX_TAIL "f16x2|\\bH(MUL|FMA)2|\\bv_pk_mul_f16"},
    {"hfma", "hfma", 'h', 1, 64, 4, "fp16", NULL,
     "\\bfma" PTX_TAIL "f16x2|\\bHFMA2|\\bv_pk_fma_f16"},
    {"iadd", "iadd", 'i', 2, 32, 1, "int", NULL,
     "\\badd\\.[su]32|\\bIADD|\\bv_add_(nc_|co_)?[iu]32"},
    {"imad", "imad", 'i', 1, 64, 2, "int", NULL,
     "\\bmad\\.lo\\.[su]32|\\bIMAD|\\bv_(mul_lo_u32|mad_u32|mad_u64_u32)"},
    {"logic", "logic", 'i', 2, 32, 1, "int", NULL,
     "\\b(lop3|xor|and|or)\\.b32|\\bLOP3|\\bv_(xor|and)_b32"},
    {"shift", "shift", 'i', 1, 64, 1, "int", NULL, "\\bshl\\.b32|\\bSHF|\\bSHL|\\bv_lshlrev_b32"},
    /* Two units on the newest chips: the first alone is that of special functions. */
    {"conversion.f2i", "f2i", 'f', 1, 32, 0, NULL, NULL,
     "\\bcvt\\.rzi\\.s32\\.f32|\\bF2I|\\bv_cvt_i32_f32"},
    {"conversion.i2f", "i2f", 'i', 1, 32, 0, NULL, NULL,
     "\\bcvt\\.rn\\.f32\\.s32|\\bI2F|\\bv_cvt_f32_i32"},
    /* With as many others of the same unit, since a reciprocal alone undoes itself: exp2, or on
     * NVIDIA tanh, or before sm_75 an addition. */
    {"rcp", "rcp", 'f', 2, 16, 1, "fp32", NULL,
     "\\b(rcp|ex2|tanh|div)\\.[a-z]+|\\badd\\.rn\\.f32|\\bMUFU|\\bv_(rcp|exp)_f32"},
    {"rsqrt", "rsqrt", 'f', 1, 32, 1, "fp32", NULL, "\\brsqrt\\.approx|\\bMUFU\\.RSQ|\\bv_rsq_f32"},
    {"sqrt", "sqrt", 'f', 1, 32, 1, "fp32", NULL,
     "\\bsqrt\\.approx|\\bMUFU\\.(SQRT|RSQ)|\\bv_sqrt_f32"},
    {"sin", "sin", 'f', 1, 32, 1, "fp32", NULL, "\\bsin\\.approx|\\bMUFU\\.SIN|\\bv_sin_f32"},
    {"cos", "cos", 'f', 1, 32, 1, "fp32", NULL, "\\bcos\\.approx|\\bMUFU\\.COS|\\bv_cos_f32"},
    {"exp2", "exp2", 'f', 1, 32, 1, "fp32", NULL, "\\bex2\\.approx|\\bMUFU\\.EX2|\\bv_exp_f32"},
    {"log2", "log2", 'f', 1, 32, 1, "fp32", NULL, "\\blg2\\.approx|\\bMUFU\\.LG2|\\bv_log_f32"},
    {"fdiv", "fdiv", 'f', 1, 8, 1, "fp32", NULL,
     "\\bdiv\\.[a-z]+\\.f32|\\bMUFU\\.RCP|\\bv_div_fixup_f32"},
    {"shuffle", "shuffle", 'i', 1, 32, 0, NULL, "CUDA HIP",
     "\\bshfl\\.|\\bSHFL|\\bds_bpermute_b32"},
    {"barrier", "barrier", 'i', 1, 16, 0, NULL, NULL, "\\b(bar|barrier)\\.|\\bBAR|\\bs_barrier"},
    /* One trip of a rolled loop, which has an addition in it. */
    {"loop", "loop", 'f', 1, 1, 0, NULL, NULL, "\\badd" PTX_TAIL "f32|\\bFADD|\\bv_add_f32"},
};

const PsChain *ps_bench_arithmetic(const char *klass)
{
    for (guint i = 0; i < G_N_ELEMENTS(CHAINS); i++)
        if (strcmp(CHAINS[i].klass, klass) == 0)
            return &CHAINS[i];
    return NULL;
}

/* Several chains tell nothing where a warp cannot have two steps under way: a division has a call
 * in it, behind which the next chain's waits. */
static gint64 most_chains(const PsChain *chain)
{
    static const char *const alone[] = {"barrier", "loop", "fdiv", NULL};
    if (g_strv_contains(alone, chain->klass))
        return 1;
    return strcmp(chain->klass, "shuffle") == 0 ? 4 : 8;
}

/* Half precision has two pipes on some chips of NVIDIA. The assembler gives them chains in turns,
 * and of two or four it undoes the order; a single one goes through both in turns, and eight fill
 * both. */
static gint64 next_chains(const PsChain *chain, gint64 chains)
{
    return chains * (chain->type == 'h' ? 8 : 2);
}

void ps_bench_add_arithmetic(GPtrArray *all)
{
    for (guint i = 0; i < G_N_ELEMENTS(CHAINS); i++)
        for (gint64 ilp = 1; ilp <= most_chains(&CHAINS[i]); ilp = next_chains(&CHAINS[i], ilp)) {
            char *name = g_strdup_printf("%s-ilp%" G_GINT64_FORMAT, CHAINS[i].klass, ilp);
            g_strdelimit(name, ".", '-');
            ps_bench_chain(ps_bench_add(all, name, PS_BENCH_CHAIN, CHAINS[i].klass), &CHAINS[i],
                           ilp, ps_text_arithmetic);
        }
}
