/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Classes of matrix products of PTX, and of pairs of singles: their names, operations per thread,
 * and the units of larger ones.
 */
#include "lift/values/class.h"
#include "ptx/ptx.h"
#include <string.h>

/* Operands do not matter for the class. */
static const struct {
    const char *mnemonic, *name;
    guint ops; /* of a thread */
    guint units;
    const char *unit;
} products[] = {
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", "f16.f32.m16n8k16", 128, 1, NULL},
    {"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", "f16.f16.m16n8k16", 128, 1, NULL},
    {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", "f16.f32.m16n8k8", 64, 1, NULL},
    {"mma.sync.aligned.m16n8k8.row.col.f32.bf16.bf16.f32", "bf16.m16n8k8", 64, 1, NULL},
    {"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", "tf32.m16n8k8", 64, 1, NULL},
    {"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", "f64.m8n8k4", 16, 1, NULL},
    {"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", "f64.m16n8k16", 128, 4, "f64.m16n8k4"},
    {"mma.sync.aligned.m16n8k32.row.col.s32.u8.s8.s32", "s8.m16n8k32", 256, 1, NULL},
    {"mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", "s4.m16n8k64", 512, 1, NULL},
    {"mma.sync.aligned.m16n8k256.row.col.s32.b1.b1.s32.and.popc", "b1.m16n8k256", 2048, 1, NULL},
    {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", "f8.f32.m16n8k32", 256, 1, NULL},
    {"mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e4m3.f16", "f8.f16.m16n8k32", 256, 1, NULL},
    /* four products of eight lanes each */
    {"mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32", "f16.f32.m8n8k4", 64, 1, NULL},
    /* zeros count, but are not multiplied */
    {"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "f16.f32.sparse.m16n8k32", 256, 1,
     NULL},
    {"mma.sp::ordered_metadata.sync.aligned.m16n8k64.row.col.s32.s8.s8.s32", "s8.sparse.m16n8k64",
     512, 1, NULL},
    /* factors that are not said are of no unit */
    {"mma.sync.aligned.m16n8k16.row.col.f32", "m16n8k16", 128, 0, NULL},
    /* halves that wmma does not say */
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", "f16.f32.m16n16k16", 256, 2,
     "f16.f32.m16n8k16"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.f16.f32", "f16.f16.m16n16k16", 256, 2,
     "f16.f16.m16n8k16"},
    {"wmma.mma.sync.aligned.row.col.m16n16k8.f32.tf32.tf32.f32", "tf32.m16n16k8", 128, 2,
     "tf32.m16n8k8"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.s32.s8.s8.s32", "s8.m16n16k16", 256, 1, NULL},
    /* 4 bits in 8, or packed */
    {"mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e2m1.e2m1.f32", "f4.f32.m16n8k32", 256, 1,
     NULL},
    {"mma.sync.aligned.m16n8k64.row.col.kind::mxf4.block_scale.scale_vec::2X.f32.e2m1.e2m1.f32."
     "ue8m0",
     "f4.f32.m16n8k64", 512, 1, NULL},
    /* a warp's quarter */
    {"wgmma.mma_async.sync.aligned.m64n128k16.f32.bf16.bf16", "wgmma.bf16.m64n128k16", 2048, 0,
     NULL},
    {"wgmma.mma_async.sp.sync.aligned.m64n8k64.f32.e4m3.e4m3", "wgmma.f8.f32.sparse.m64n8k64", 512,
     0, NULL},
};

static PsPtxModule *parse(const char *mnemonic)
{
    g_autofree char *text =
        g_strconcat(".version 8.8\n.target sm_90a\n.address_size 64\n.entry k() "
                    "{ .reg .b32 %r<9>;\n",
                    mnemonic, " %r1, %r2, %r3, %r4;\nret;\n}\n", NULL);
    g_autoptr(GError) error = NULL;
    PsPtxModule *module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    return module;
}

static void assert_name(const char *name, const char *wanted)
{
    g_autofree char *whole = wanted ? g_strconcat("tensor.", wanted, NULL) : NULL;
    g_assert_cmpstr(name, ==, whole);
}

static void test_products(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(products); i++) {
        g_autoptr(PsPtxModule) module = parse(products[i].mnemonic);
        const PsPtxFunction *function = module->functions->pdata[0];
        const PsClass class = ps_class_of(
            &g_array_index(function->instructions, PsPtxInstruction, 0), PS_PTX_GENERIC);
        assert_name(class.name, products[i].name);
        assert_name(class.unit, products[i].unit);
        g_assert_cmpuint(class.ops, ==, products[i].ops);
        g_assert_cmpuint(class.units, ==, products[i].units);
        g_assert_cmpstr(class.type, ==, "tensor");
    }
}

/* Pairs of singles are singles: two operations of each, in two units. */
static void test_pairs(void)
{
    static const struct {
        const char *mnemonic, *name;
        guint ops;
    } pairs[] = {{"add.rn.f32x2", "fadd", 2},
                 {"sub.rz.ftz.f32x2", "fadd", 2},
                 {"mul.rn.f32x2", "fmul", 2},
                 {"fma.rn.f32x2", "fmadd", 4}};
    for (gsize i = 0; i < G_N_ELEMENTS(pairs); i++) {
        g_autoptr(PsPtxModule) module = parse(pairs[i].mnemonic);
        const PsPtxFunction *function = module->functions->pdata[0];
        const PsClass class = ps_class_of(
            &g_array_index(function->instructions, PsPtxInstruction, 0), PS_PTX_GENERIC);
        g_assert_cmpstr(class.name, ==, pairs[i].name);
        g_assert_cmpstr(class.type, ==, "fp32");
        g_assert_cmpuint(class.ops, ==, pairs[i].ops);
        g_assert_cmpuint(class.units, ==, 2);
        g_assert_cmpstr(class.unit, ==, pairs[i].name);
    }
}

/* What converts to halves or short numbers packs two; special functions' unit does the others. */
static void test_conversions(void)
{
    static const char *const classes[][2] = {{"cvt.rn.f16.f32", "conversion.pack"},
                                             {"cvt.rn.bf16x2.f32", "conversion.pack"},
                                             {"cvt.rn.satfinite.e4m3x2.f32", "conversion.pack"},
                                             {"cvt.rn.f16x2.e5m2x2", "conversion.pack"},
                                             {"cvt.rn.f16.s32", "conversion.f16"},
                                             {"cvt.rn.f16.f64", "conversion.f64"},
                                             {"cvt.f32.f16", "hadd.convert"},
                                             {"cvt.rna.tf32.f32", "conversion"},
                                             {"cvt.rzi.s32.f32", "conversion.f2i"},
                                             {"redux.sync.min.s32", "shuffle.reduce.minmax"},
                                             {"redux.sync.max.u32", "shuffle.reduce.minmax"},
                                             {"redux.sync.add.s32", "shuffle.reduce"}};
    for (gsize i = 0; i < G_N_ELEMENTS(classes); i++) {
        g_autoptr(PsPtxModule) module = parse(classes[i][0]);
        const PsPtxFunction *function = module->functions->pdata[0];
        const PsClass class = ps_class_of(
            &g_array_index(function->instructions, PsPtxInstruction, 0), PS_PTX_GENERIC);
        g_test_message("%s", classes[i][0]);
        g_assert_cmpstr(class.name, ==, classes[i][1]);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-class-matrix/products", test_products);
    g_test_add_func("/ptx-class-matrix/pairs", test_pairs);
    g_test_add_func("/ptx-class-matrix/conversions", test_conversions);
    return g_test_run();
}
