/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The chains, in PTX that any assembler since CUDA 11 takes. They are straight code without a loop.
 * Their operands come from memory, a word for each thread, so that the assembler knows nothing of
 * their values. A step has two instructions where the assembler would join or undo equal ones.
 */
#include "latency-bench/schedule/probe.h"

#define STEPS 12 /* steps of a chain; so few that the kernels fill no instruction cache */

#define F32 "f32", 1, 75
#define F64 "f64", 1, 75
#define B32 "b32", 1, 75

/* Operands of a product of matrices: the left one, of one, two and four words. */
#define A1 "{%a}"
#define A2 "{%a, %b}"
#define A4 "{%a, %b, %a, %b}"
#define B1 "{%c}"
#define B2 "{%c, %d}"
#define PRODUCT(shape, types, sum, a, b)                                                           \
    "mma.sync.aligned." shape ".row.col." types " " sum ", " a ", " b ", " sum ";"
#define SUM4 "{$0, $1, $2, $3}"
#define SUM2 "{$0, $1}"

const PsProbe ps_probes[] = {
    {"fadd", "fp32", F32, "add.rn.f32 $0, $0, %g;", "FADD", NULL},
    {"fmul", "fp32", F32, "mul.rn.f32 $0, $0, %g;", "FMUL", NULL},
    {"fmadd", "fp32", F32, "fma.rn.f32 $0, $0, %g, %h;", "FFMA", NULL},
    {"fadd.minmax", "int", F32, "min.f32 $0, $0, %g; max.f32 $0, $0, %h;", "FMNMX", NULL},
    {"dadd", "fp64", F64, "add.rn.f64 $0, $0, %e;", "DADD", NULL},
    {"dmul", "fp64", F64, "mul.rn.f64 $0, $0, %e;", "DMUL", NULL},
    {"dfma", "fp64", F64, "fma.rn.f64 $0, $0, %e, %f;", "DFMA", NULL},
    {"hadd", "fp16", B32, "add.rn.f16x2 $0, $0, %a;", "HADD2 HFMA2 HFMA2.MMA", NULL},
    {"hmul", "fp16", B32, "mul.rn.f16x2 $0, $0, %a;", "HMUL2 HFMA2 HFMA2.MMA", NULL},
    {"hfma", "fp16", B32, "fma.rn.f16x2 $0, $0, %a, %b;", "HFMA2 HFMA2.MMA", NULL},
    /* Sums of three numbers, since sums of two may go to the pipeline of multiply-adds. */
    {"iadd", "int", B32, "{.reg .b32 t; add.u32 t, $0, %a; add.u32 $0, t, %b;}", "IADD3", NULL},
    {"iadd.minmax", "int", B32, "min.s32 $0, $0, %a; max.s32 $0, $0, %b;", "IMNMX VIMNMX", NULL},
    {"imul", "fp32", B32, "mul.lo.u32 $0, $0, %a;", "IMAD", NULL},
    {"imad", "fp32", B32, "mad.lo.u32 $0, $0, %a, %b;", "IMAD", NULL},
    {"logic", "int", B32, "lop3.b32 $0, $0, %a, %b, 0x96; lop3.b32 $0, $0, %c, %d, 0xe8;", "LOP3",
     NULL},
    {"shift", "int", B32, "shl.b32 $0, $0, %a;", "SHF", NULL},
    /* A comparison whose result is an operand. */
    {"isetp", "int", B32, "{.reg .pred q; setp.lt.s32 q, $0, %a; selp.b32 $0, %b, $0, q;}", "ISETP",
     "SEL"},
    {"fadd.setp", "int", F32, "{.reg .pred q; setp.lt.f32 q, $0, %g; selp.f32 $0, %h, $0, q;}",
     "FSETP", "SEL FSEL"},
    {"conversion.f2i", "sfu", F32, "{.reg .s32 t; cvt.rzi.s32.f32 t, $0; mov.b32 $0, t;}", "F2I",
     NULL},
    {"conversion.i2f", "int", B32, "{.reg .f32 t; cvt.rn.f32.s32 t, $0; mov.b32 $0, t;}",
     "I2F I2FP", NULL},
    {"rsqrt", "sfu", F32, "rsqrt.approx.ftz.f32 $0, $0;", "MUFU.RSQ", NULL},
    {"exp2", "sfu", F32, "ex2.approx.ftz.f32 $0, $0;", "MUFU.EX2", NULL},
    {"log2", "sfu", F32, "lg2.approx.ftz.f32 $0, $0;", "MUFU.LG2", NULL},
    {"tensor", "tensor", "f32", 4, 80, PRODUCT("m16n8k16", "f32.f16.f16.f32", SUM4, A4, B2),
     "HMMA.16816", NULL},
    {"tensor.f16.f32.m16n8k8", "tensor", "f32", 4, 75,
     PRODUCT("m16n8k8", "f32.f16.f16.f32", SUM4, A2, B1), "HMMA.1688", NULL},
    {"tensor.f16.f16.m16n8k8", "tensor", "b32", 2, 75,
     PRODUCT("m16n8k8", "f16.f16.f16.f16", SUM2, A2, B1), "HMMA.1688", NULL},
    {"tensor.bf16.m16n8k8", "tensor", "f32", 4, 80,
     PRODUCT("m16n8k8", "f32.bf16.bf16.f32", SUM4, A2, B1), "HMMA.1688", NULL},
    {"tensor.tf32.m16n8k4", "tensor", "f32", 4, 80,
     PRODUCT("m16n8k4", "f32.tf32.tf32.f32", SUM4, A2, B1), "HMMA.1684", NULL},
    {"tensor.s8", "tensor", "b32", 4, 80, PRODUCT("m16n8k32", "s32.s8.s8.s32", SUM4, A4, B2),
     "IMMA", NULL},
    {"tensor.s8.m16n8k16", "tensor", "b32", 4, 80,
     PRODUCT("m16n8k16", "s32.s8.s8.s32", SUM4, A2, B1), "IMMA", NULL},
    {"tensor.s8.m8n8k16", "tensor", "b32", 2, 75, PRODUCT("m8n8k16", "s32.s8.s8.s32", SUM2, A1, B1),
     "IMMA", NULL},
    {"tensor.f64.m8n8k4", "tensor", "f64", 2, 80,
     PRODUCT("m8n8k4", "f64.f64.f64.f64", SUM2, "{%e}", "{%f}"), "DMMA", NULL},
    {"integer operation to multiply-add", NULL, B32,
     "lop3.b32 $0, $0, %a, %b, 0x96; mad.lo.u32 $0, $0, %c, %d;", "LOP3", "IMAD"},
    {"multiply-add to integer operation", NULL, B32,
     "lop3.b32 $0, $0, %a, %b, 0x96; mad.lo.u32 $0, $0, %c, %d;", "IMAD", "LOP3"},
    {"half precision to the other pipe of half precision", NULL, B32, "add.rn.f16x2 $0, $0, %a;",
     "HADD2", "HFMA2.MMA"},
    {"... and back", NULL, B32, "add.rn.f16x2 $0, $0, %a;", "HFMA2.MMA", "HADD2"},
    {"comparison to what its predicate guards", NULL, B32,
     "{.reg .pred q; setp.lt.s32 q, $0, %a; @q xor.b32 $0, $0, %b;}", "ISETP", "LOP3"},
};
const guint ps_n_probes = G_N_ELEMENTS(ps_probes);

guint ps_probe_chains(const PsProbe *probe)
{
    return probe->words > 1 ? 4 : 8; /* more products would not fit into the registers */
}

char *ps_probe_kernel(const PsProbe *probe, guint chains)
{
    char *name = g_strdup_printf("%s_%u", probe->name, chains);
    return g_strcanon(name, G_CSET_a_2_z G_CSET_A_2_Z G_CSET_DIGITS, '_');
}

/* ---- the text ------------------------------------------------------------------------------ */

static void put_load(GString *text, const char *type, const char *name, guint *word)
{
    g_string_append_printf(text, ".reg .%s %s;\nld.volatile.global.%s %s, [%%at+%u];\n", type, name,
                           type, name, 8 * (*word)++);
}

static void put_head(GString *text, const char *kernel, guint *word)
{
    static const struct {
        const char *name, *type;
    } operands[] = {{"%a", "b32"}, {"%b", "b32"}, {"%c", "b32"}, {"%d", "b32"},
                    {"%e", "f64"}, {"%f", "f64"}, {"%g", "f32"}, {"%h", "f32"}};
    g_string_append_printf(text,
                           ".visible .entry %s(.param .u64 memory)\n{\n"
                           ".reg .u64 %%at, %%offset;\n.reg .u32 %%thread;\n"
                           "ld.param.u64 %%at, [memory];\ncvta.to.global.u64 %%at, %%at;\n"
                           "mov.u32 %%thread, %%tid.x;\nmul.wide.u32 %%offset, %%thread, 8;\n"
                           "add.u64 %%at, %%at, %%offset;\n",
                           kernel);
    for (guint i = 0; i < G_N_ELEMENTS(operands); i++)
        put_load(text, operands[i].type, operands[i].name, word);
}

/* $0 is the first word of the chain: %x2_0. */
static void put_step(GString *text, const PsProbe *probe, guint chain)
{
    g_autofree char *name = g_strdup_printf("%%x%u_", chain);
    g_auto(GStrv) pieces = g_strsplit(probe->step, "$", -1);
    g_autofree char *step = g_strjoinv(name, pieces);
    g_string_append_printf(text, "%s\n", step);
}

static void put_kernel(GString *text, const PsProbe *probe, guint chains)
{
    g_autofree char *kernel = ps_probe_kernel(probe, chains);
    guint word = 0;
    put_head(text, kernel, &word);
    for (guint i = 0; i < chains * probe->words; i++) {
        g_autofree char *name = g_strdup_printf("%%x%u_%u", i / probe->words, i % probe->words);
        put_load(text, probe->type, name, &word);
    }
    for (guint i = 0; i < STEPS * chains; i++)
        put_step(text, probe, i % chains);
    for (guint i = 0; i < chains * probe->words; i++)
        g_string_append_printf(text, "st.global.%s [%%at+%u], %%x%u_%u;\n", probe->type, 8 * i,
                               i / probe->words, i % probe->words);
    g_string_append(text, "ret;\n}\n");
}

char *ps_probe_module(int capability)
{
    const int target = capability < 80 ? 75 : 80; /* features of newer targets are not used */
    GString *text = g_string_new(NULL);
    g_string_append_printf(text, ".version %s\n.target sm_%d\n.address_size 64\n",
                           target < 80 ? "6.5" : "7.0", target);
    for (guint i = 0; i < ps_n_probes; i++) {
        const PsProbe *probe = &ps_probes[i];
        if (capability < probe->least)
            continue;
        put_kernel(text, probe, 1);
        if (probe->unit)
            put_kernel(text, probe, ps_probe_chains(probe));
    }
    return g_string_free(text, FALSE);
}
