/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What no assembler takes is refused: types of operands, parts of instructions, and targets that
 * are too old. What is said here of each row, ptxas says, too.
 */
#include "base/message.h"
#include "ptx/form.h"
#include "ptx/run/run.h"

#include <string.h>

static char *module_of(const char *target, const char *instruction)
{
    return g_strdup_printf(".version 8.7\n.target %s\n.address_size 64\n.visible .entry k()\n{\n"
                           ".reg .pred %%p<4>; .reg .b16 %%h<4>; .reg .u16 %%uh<4>; "
                           ".reg .f16 %%hf<4>; .reg .b32 %%r<4>; .reg .s32 %%sr<4>; "
                           ".reg .f32 %%f<4>; .reg .b64 %%d<4>; .reg .f64 %%fd<4>;\n"
                           "%s;\nret;\n}\n",
                           target, instruction);
}

/* What a machine for it is refused with; NULL: it is not. g_free. */
static char *refusal(const char *target, const char *instruction)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = module_of(target, instruction);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "k.ptx", &error);
    g_assert_no_error(error);
    const PsPtxLaunch launch = {
        .kernel = ps_ptx_kernel(module, "k", NULL), .grid = {1, 1, 1}, .block = {32, 1, 1}};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_true((machine == NULL) == (error != NULL));
    return error ? g_strdup(error->message) : NULL;
}

static void test_types(void)
{
    static const struct {
        const char *instruction, *wrong;
    } rows[] = {
        {"add.f32 %f1, %f2, %f3", NULL},
        {"add.f32 %f1, %r2, %f3", NULL},
        {"add.f32 %f1, %d2, %f3", "add.f32 takes .f32 where it has %d2, which is .b64"},
        {"add.f32 %f1, %f2, %p1", "add.f32 takes .f32 where it has %p1, which is .pred"},
        {"add.f32 %f1, %sr2, %f3", "add.f32 takes .f32 where it has %sr2, which is .s32"},
        {"add.s32 %r1, %f2, %r3", "add.s32 takes .s32 where it has %f2, which is .f32"},
        {"add.u32 %r1, %sr2, 5", NULL},
        {"add.u32 %r1, %sr2", "add.u32 lacks an operand"},
        {"add.u32 %r1, %sr2, %r1, %r1", "add.u32 has an operand too many"},
        {"add.f16 %h1, %hf2, %h3", NULL},
        {"add.f16 %uh1, %h2, %h3", "add.f16 takes .f16 where it has %uh1, which is .u16"},
        {"and.b32 %f1, %sr2, %r1", NULL},
        {"and.pred %p1, %p2, %r1", "and.pred takes .pred where it has %r1, which is .b32"},
        {"mul.wide.s32 %d1, %r1, 4", NULL},
        {"mul.wide.s32 %r1, %r1, 4", "mul.wide.s32 takes .u64 where it has %r1, which is .b32"},
        {"mad.wide.u16 %r1, %h1, %h2, %r1", NULL},
        {"shl.b64 %d1, %d2, %d3", "shl.b64 takes .u32 where it has %d3, which is .b64"},
        {"setp.lt.s32 %p1|%p2, %r1, %r2", NULL},
        {"setp.lt.s32 %r1, %r1, %r2", "setp.lt.s32 takes .pred where it has %r1, which is .b32"},
        {"selp.b32 %r1, %r1, %r2, %r3", "selp.b32 takes .pred where it has %r3, which is .b32"},
        {"cvt.f64.f32 %fd1, %f1", NULL},
        {"cvt.f64.f32 %fd1, %fd2", "cvt.f64.f32 takes .f32 where it has %fd2, which is .f64"},
        {"cvt.u16.u8 %r1, %r2", NULL},
        {"cvt.u32.u64 %h1, %d1", "cvt.u32.u64 takes .u32 where it has %h1, which is .b16"},
        {"ld.global.u8 %d1, [%d1]", NULL},
        {"ld.global.f64 %f1, [%d1]", "ld.global.f64 takes .f64 where it has %f1, which is .f32"},
        {"ld.global.f32 %f1, [%fd1]",
         "ld.global.f32 takes an address where it has %fd1, which is .f64"},
        {"st.global.u32 [%d1], %h1", "st.global.u32 takes .u32 where it has %h1, which is .b16"},
        {"atom.global.cas.b32 %r1, [%d1], %r2, %d2",
         "atom.global.cas.b32 takes .b32 where it has %d2, which is .b64"},
        {"shfl.sync.idx.b32 %r1|%p1, %f1, %r2, 31, -1", NULL},
        {"shfl.sync.idx.b32 %r1|%r1, %f1, %r2, 31, -1",
         "shfl.sync.idx.b32 takes .pred where it has %r1, which is .b32"},
        {"popc.b64 %r1, %d1", NULL},
        {"popc.b64 %d1, %d1", "popc.b64 takes .u32 where it has %d1, which is .b64"},
        {"mov.b64 %d1, {%r1, %f2}", NULL},
        {"mov.f32 %f1, %fd2", "mov.f32 takes .f32 where it has %fd2, which is .f64"},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autofree char *message = refusal("sm_80", rows[i].instruction);
        g_autofree char *expected =
            rows[i].wrong ? g_strconcat("k.ptx:7: ", rows[i].wrong, NULL) : NULL;
        g_assert_cmpstr(message, ==, expected);
    }
}

static void test_targets(void)
{
    static const struct {
        const char *instruction;
        guint least; /* target */
    } rows[] = {
        {"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32 {%f1,%f1,%f1,%f1}, "
         "{%r1,%r1,%r1,%r1}, {%r1,%r1}, {%f1,%f1,%f1,%f1}",
         89},
        {"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f1,%f1,%f1,%f1}, "
         "{%r1,%r1,%r1,%r1}, {%r1,%r1}, {%f1,%f1,%f1,%f1}",
         80},
        {"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%f1,%f1,%f1,%f1}, {%r1,%r1}, {%r1}, "
         "{%f1,%f1,%f1,%f1}",
         75},
        {"redux.sync.add.s32 %r1, %r2, -1", 80},
        {"fma.rn.bf16x2 %r1, %r2, %r3, %r1", 80},
        {"add.rn.bf16x2 %r1, %r2, %r3", 90},
        {"elect.sync %r1|%p1, -1", 90},
        {"add.rn.f32x2 %d1, %d2, %d3", 100},
        {"cvt.rn.satfinite.e4m3x2.f32 %h1, %f1, %f2", 89},
        {"tanh.approx.f32 %f1, %f2", 75},
    };
    static const guint targets[] = {70, 75, 80, 86, 89, 90, 100, 120};
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++)
        for (gsize k = 0; k < G_N_ELEMENTS(targets); k++) {
            g_autofree char *target = g_strdup_printf("sm_%u", targets[k]);
            g_autofree char *message = refusal(target, rows[i].instruction);
            g_autofree char *says = g_strdup_printf(
                " needs .target sm_%u or later, and the module has %s", rows[i].least, target);
            g_test_message("%s: %s", target, rows[i].instruction);
            if (targets[k] < rows[i].least)
                g_assert_true(message && g_str_has_suffix(message, says));
            else
                g_assert_cmpstr(message, ==, NULL);
        }
}

/* Parts that no form of the opcode has make an instruction that nobody knows. */
static void test_parts(void)
{
    static const struct {
        const char *instruction;
        gboolean known;
    } rows[] = {
        {"ld.global.nc.L1::no_allocate.L2::128B.v4.f32 {%f1,%f1,%f1,%f1}, [%d1]", TRUE},
        {"ld.global.newcache.f32 %f1, [%d1]", FALSE},
        {"add.rn.ftz.sat.f32 %f1, %f1, %f1", TRUE},
        {"add.rx.f32 %f1, %f1, %f1", FALSE},
        {"add.lo.s32 %r1, %r1, %r1", FALSE},
        {"mul.s32 %r1, %r1, %r1", TRUE},
        {"bar.sync 0", TRUE},
        {"bar.wait 0", FALSE},
        {"cp.async.cg.shared.global.L2::128B [%r1], [%d1], 16", TRUE},
        {"cp.async.cx.shared.global [%r1], [%d1], 16", FALSE},
    };
    for (gsize i = 0; i < G_N_ELEMENTS(rows); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *text = module_of("sm_90", rows[i].instruction);
        g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "k.ptx", &error);
        g_assert_no_error(error);
        const PsPtxFunction *kernel = ps_ptx_kernel(module, "k", NULL);
        g_test_message("%s", rows[i].instruction);
        g_assert_cmpint(g_array_index(kernel->instructions, PsPtxInstruction, 0).mnemonic->known,
                        ==, rows[i].known);
        g_assert_cmpuint(module->warnings->len, ==, rows[i].known ? 0 : 1);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-form/types", test_types);
    g_test_add_func("/ptx-form/targets", test_targets);
    g_test_add_func("/ptx-form/parts", test_parts);
    return g_test_run();
}
