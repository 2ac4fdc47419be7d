/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Instructions that are not executed, and ones whose operands or types are none that they can have:
 * each ends the kernel with an error that names it.
 */
#include "tests/help/ptx-run.h"

static const struct {
    const char *mnemonic, *operands;
} refused[] = {
    /* known, and not executed */
    {"vmad.s32.s32.s32", "z0, a0, a1, a2"},
    {"cvt.rs.f16x2.f32", "z0, a0, a1, a2"},
    {"mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
     "{z0, z1, z2, z3}, {a0, a1}, {a2, a3}, {a4, a5, a6, a7}, a0, 0x4"}, /* there are four */
    {"mma.sp.sync.aligned.m16n8k32.row.col.f32.f16.f16.f32",
     "{z0, z1, z2, z3}, {a0, a1, a2, a3}, {a2, a3, a4, a5}, {a4, a5, a6, a7}, a0, 0x2"},
    {"tcgen05.mma.sp.cta_group::1.kind::f16", "[a0], d0, d0, [a1], a2, p0"},
    {"ldmatrix.sync.aligned.m16n16.x1.shared.b8", "{z0, z1}, [a0]"},
    /* too few, too many */
    {"add.s32", "z0, a0"},
    {"add.s32", "z0, a0, a1, a2"},
    {"mad.lo.s32", "z0, a0, a1"},
    {"add.cc.u32", "z0, a0"},
    {"prmt.b32", "z0, a0, a1"},
    {"lop3.b32", "z0, a0, a1, a2"},
    {"bfi.b32", "z0, a0, a1, a2"},
    {"mov.u32", "z0"},
    {"mov.b64", "d0, {a0, a1, a2}"},
    {"mov.b32", "{z0, z1}, {a0, a1, a2}"},
    {"fma.rn.f32", "z0, a0, a1"},
    {"neg.f32", "z0, a0, a1"},
    {"min.f32", "z0, a0"},
    {"fma.rn.f16x2", "z0, a0, a1"},
    {"sin.approx.f32", "z0, a0, a1"},
    {"testp.finite.f32", "p0, a0, a1"},
    {"cvt.s32.s16", "z0, a0, a1"},
    {"cvt.rn.f16x2.f32", "z0, a0"},
    {"cvt.pack.sat.s16.s32", "z0, {a0, a1}, {a2, a0}"},
    {"atom.global.add.u32", "{z0, z1}, [d0], a0"},
    {"atom.global.add.v2.f32", "{z0, z1}, {d0, d0}, a0"},
    {"mbarrier.pending_count.b64", "z0, d0, d0"},
    {"setp.lt.s32", "p0, a0"},
    {"setp.lt.and.s32", "p0, a0, a1"},
    {"set.lt.u32.s32", "z0, a0"},
    {"shfl.sync.idx.b32", "z0, a0, a1, a2"},
    {"vote.sync.all.pred", "p0, p0"},
    {"match.any.sync.b32", "z0, a0"},
    {"redux.sync.add.s32", "z0, a0"},
    {"dp4a.u32.u32", "z0, a0, a1"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32",
     "{z0, z1, z2, z3}, {a0, a1}, {a2, a3}, {a4, a5, a6, a7}"},
    {"wmma.load.a.sync.aligned.row.m16n16k16.f16", "{z0, z1, z2, z3}, [d0]"},
    {"ldmatrix.sync.aligned.m8n8.x4.shared.b16", "{z0, z1, z2}, [a0]"},
    /* types, shapes and modifiers that do not exist */
    {"add.sat.u64", "d0, d0, d0"},
    {"mul.lo.b8", "z0, a0, a1"},
    {"shl.s64", "d0, d0, a0"},
    {"setp.lo.s32", "p0, a0, a1"},
    {"setp.equ.s32", "p0, a0, a1"},
    {"setp.xx.s32", "p0, a0, a1"},
    {"cvt.u32", "z0, a0"},
    {"tanh.approx.f64", "d0, d0"},
    {"testp.odd.f32", "p0, a0"},
    {"shfl.sync.left.b32", "z0, a0, a1, a2, a3"},
    {"redux.sync.mul.s32", "z0, a0, a1"},
    {"wmma.mma.sync.aligned.row.col.m16n8k256.f32.f32",
     "{z0, z1, z2, z3}, {a0, a1}, {a2, a3}, {a4, a5, a6, a7}"},
    {"wmma.mma.sync.aligned.row.col.m16n16k16.s4.s4.s4.s4", "{z0}, {a0}, {a1}, {a2}"},
    {"wmma.load.c.sync.aligned.row.m8n8k32.s4", "{z0}, [d0]"},
    {"mma.sync.aligned.m16n8k16.row.col.f32.f32.f32.f32",
     "{z0, z1, z2, z3}, {a0, a1, a2, a3, a4, a5, a6, a7}, {a0, a1, a2, a3}, {a4, a5, a6, a7}"},
    {"mma.sync.aligned.m8n8k4.row.col.f32", "{z0, z1}, {a0}, {a1}, {a2, a3}"},
};

static void test_refused(void)
{
    for (gsize i = 0; i < G_N_ELEMENTS(refused); i++) {
        g_autofree char *body =
            g_strdup_printf(".reg .b16 h<1>; .reg .b64 d<1>; .reg .pred p<1>; %s %s;",
                            refused[i].mnemonic, refused[i].operands);
        ptx_refuses(body, refused[i].mnemonic, "rrrr", "rrrrrrrr");
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-alu/refused", test_refused);
    return g_test_run();
}
