/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Atomic operations that are loops of compare-and-swap in machine code: memory and results are the
 * same with the loops and without them, whatever stands around.
 */
#include "ptx/run/run.h"

#include <string.h>

enum { THREADS = 64 };

/* What threads store, each 8 bytes, with the loops or without. */
static void results_of(const char *body, gboolean loops, guint64 out[THREADS])
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strdup_printf(
        ".version 8.6\n.target sm_90\n.address_size 64\n"
        ".visible .entry k(.param .u64 a)\n{\n.reg .b16 %%h<9>; .reg .b32 %%r<20>;\n"
        ".reg .b64 %%rd<20>; .reg .f32 %%f<9>; .reg .f64 %%fd<9>; .reg .pred %%p<9>;\n"
        ".shared .align 16 .b8 s[2048];\n"
        "ld.param.u64 %%rd1, [a]; mov.u32 %%r1, %%tid.x; mul.wide.u32 %%rd2, %%r1, 8;\n"
        "add.u64 %%rd2, %%rd1, %%rd2; mul.lo.u32 %%r2, %%r1, 8; mov.u32 %%r3, s;\n"
        "add.u32 %%r2, %%r2, %%r3; ld.global.u64 %%rd3, [%%rd2]; st.shared.u64 [%%r2], %%rd3;\n"
        "st.shared.u64 [%%r2+512], %%rd3; cvt.u32.u64 %%r4, %%rd3; cvt.rn.f32.u32 %%f2, %%r1;\n"
        "cvt.rn.f64.u32 %%fd2, %%r1; mov.b16 %%h2, 0x3c00; mov.b32 %%r5, 0x40003c00;\n"
        "cvt.u64.u32 %%rd4, %%r2; cvta.shared.u64 %%rd4, %%rd4; mov.u64 %%rd9, 0;\n"
        "and.b32 %%r6, %%r1, 3; setp.eq.u32 %%p1, %%r6, 0; mov.u32 %%r9, 0; bar.sync 0;\n"
        "%s\nbar.sync 0; ld.shared.u64 %%rd5, [%%r2]; ld.shared.u64 %%rd6, [%%r2+512];\n"
        "mad.lo.u64 %%rd5, %%rd6, 3, %%rd5; ld.global.u64 %%rd6, [%%rd2];\n"
        "mad.lo.u64 %%rd5, %%rd6, 5, %%rd5; mad.lo.u64 %%rd5, %%rd9, 7, %%rd5; bar.sync 0;\n"
        "st.global.u64 [%%rd2], %%rd5; ret;\n}\n",
        body);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    for (guint i = 0; i < THREADS; i++)
        out[i] = i * G_GUINT64_CONSTANT(0x3f80000040000000) % 977;
    const PsPtxArgument argument = {.data = (guint8 *)out, .size = THREADS * sizeof *out};
    const PsPtxLaunch launch = {.kernel = ps_ptx_kernel(module, "k", NULL),
                                .grid = {1, 1, 1},
                                .block = {THREADS, 1, 1},
                                .n_arguments = 1,
                                .arguments = &argument,
                                .assembled = loops};
    PsPtxMachine *machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    g_assert_true(ps_ptx_run_group(machine, (const guint[3]){0, 0, 0}, NULL, &error));
    g_assert_no_error(error);
    ps_ptx_machine_free(machine);
}

/* Memory and what operations return are what they are without the loops: of words of their own
 * and of those that lanes share, behind branches, tables of targets and guards. */
static void test_values(void)
{
    static const char *const bodies[] = {
        "atom.shared.add.f32 %f1, [%r2], %f2; mov.b32 %r7, %f1; cvt.u64.u32 %rd9, %r7;",
        "atom.shared.add.f32 %f1, [%r2+512], %f2; mov.b32 %r7, %f1; cvt.u64.u32 %rd9, %r7;",
        "atom.shared.add.f64 %fd1, [%r2+8], %fd2;",
        "atom.shared.add.f64 %fd1, [%r2], %fd2; mov.b64 %rd9, %fd1;",
        "red.shared.add.f32 [s+4], %f2; red.shared.add.f64 [s+520], %fd2;",
        "atom.shared.add.noftz.f16x2 %r7, [%r2], %r5; cvt.u64.u32 %rd9, %r7;",
        "atom.shared.add.noftz.f16 %h1, [%r2+2], %h2; cvt.u64.u16 %rd9, %h1;",
        "atom.global.add.noftz.f16 %h1, [%rd2+4], %h2; cvt.u64.u16 %rd9, %h1;",
        "red.global.add.f32 [%rd2], %f2; red.global.add.f64 [%rd1+64], %fd2;",
        "atom.shared.add.u64 %rd9, [%r2], %rd3;",
        "atom.shared.min.u64 %rd9, [%r2], 100; atom.shared.max.s64 %rd8, [%r2+512], %rd3;",
        "red.shared.max.u64 [s+16], %rd3; red.shared.min.s64 [s+24], %rd3;",
        "atom.shared.xor.b64 %rd9, [%r2], %rd3; red.shared.or.b64 [s+512], %rd3;",
        "atom.shared.and.b64 %rd9, [%r2+512], 77;",
        "atom.add.f32 %f1, [%rd4+512], %f2; mov.b32 %r7, %f1; cvt.u64.u32 %rd9, %r7;",
        "atom.add.f32 %f1, [%rd2+4], %f2; mov.b32 %r7, %f1; cvt.u64.u32 %rd9, %r7;",
        "atom.add.u64 %rd9, [%rd4], %rd3; red.add.f64 [%rd4+512], %fd2;",
        "@%p1 atom.shared.add.u64 %rd9, [%r2], %rd3; @!%p1 red.shared.add.f32 [s+520], %f2;",
        "@!%p1 atom.add.u64 %rd9, [%rd4], %rd3; @%p1 atom.add.u64 %rd9, [%rd2], 3;",
        "bra.uni ON; BACK: add.u64 %rd9, %rd9, 1; bra.uni OUT;\n"
        "ON: atom.shared.add.u64 %rd9, [%r2], %rd3; setp.lt.u32 %p2, %r1, 40; @%p2 bra BACK;\n"
        "red.shared.add.f32 [s+520], %f2; OUT: red.shared.add.f64 [s+528], %fd2;",
        "red.shared.add.f64 [s+528], %fd2; T: .branchtargets A, B, C, D; brx.idx %r6, T;\n"
        "A: red.shared.add.f32 [s+520], %f2; bra.uni E; B: mov.u64 %rd9, 5; bra.uni E;\n"
        "C: atom.shared.add.u64 %rd9, [%r2], 1; bra.uni E; D: mov.u64 %rd9, 6; E: mov.u32 %r9, 1;",
    };
    for (guint i = 0; i < G_N_ELEMENTS(bodies); i++) {
        guint64 with[THREADS], without[THREADS];
        results_of(bodies[i], TRUE, with);
        results_of(bodies[i], FALSE, without);
        g_test_message("%s", bodies[i]);
        g_assert_cmpmem(with, sizeof with, without, sizeof without);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-swaps/values", test_values);
    return g_test_run();
}
