/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executor: registers that share a row of a warp's memory. Each launch has two groups, so that
 * a row holds something from the first when the second begins, and adds up what both compute.
 */
#include "ptx/run/warp.h"
#include "tests/help/ptx-launch.h"

/* Adds %r3 to the thread's word. */
#define ADD "ld.global.u32 %r59, [%rd2]; add.u32 %r3, %r3, %r59;" PTX_STORE

/* Leaves something in rows that later steps of the block may have. */
#define DIRT                                                                                       \
    "add.u32 %r40, %r1, 77; add.u32 %r41, %r40, 1; add.u32 %r42, %r41, %r40;"                      \
    "xor.b32 %r43, %r42, %r41;"

static guint32 zero(guint t, guint n)
{
    (void)t, (void)n;
    return 0;
}

static guint32 even_first(guint t, guint n)
{
    (void)n;
    return t % 2 == 0 ? 9 : 0;
}

static guint32 apart(guint t, guint n)
{
    (void)n;
    return 2 * (t % 3 == 0 ? 5 * t + 10 : 7 * t + 35);
}

static const PtxLaunchCase cases[] = {
    /* What nobody wrote is 0 in each group: read before it is written in the same block ... */
    {"/ptx-run-rows/read-first",
     zero,
     {.grid = {2},
      .warning = "depends on %r4, which nothing wrote",
      .body = DIRT "mov.u32 %r3, %r4; mov.u32 %r4, 7;" ADD}},
    /* ... written by some lanes only, and in the first group only ... */
    {"/ptx-run-rows/guarded",
     even_first,
     {.grid = {2},
      .warning = "depends on %r4, which nothing wrote",
      .body = DIRT "mov.u32 %r5, %ctaid.x; shl.b32 %r6, %r1, 31; or.b32 %r6, %r6, %r5;"
                   "setp.eq.u32 %p1, %r6, 0; @%p1 mov.u32 %r4, 9; mov.u32 %r3, %r4;" ADD}},
    /* ... written in another block, which no thread comes to ... */
    {"/ptx-run-rows/skipped",
     zero,
     {.grid = {2},
      .n = 5,
      .warning = "depends on %r4, which nothing wrote",
      .body = DIRT "setp.eq.u32 %p1, %r2, 5; @!%p1 bra SET; bra GO; SET: mov.u32 %r4, 3; GO:"
                   "mov.u32 %r3, %r4;" ADD}},
    /* ... or written by lanes of which another one, that is elsewhere, is read. */
    {"/ptx-run-rows/other-lane",
     zero,
     {.grid = {2},
      .body = DIRT "setp.ge.u32 %p1, %r1, 16; mov.u32 %r3, 0; @%p1 bra GO; add.u32 %r4, %r1, 1;"
                   "shfl.sync.idx.b32 %r3, %r4, 20, 31, 0xffff; GO:" ADD}},
    /* Lanes apart have their own in the same rows. */
    {"/ptx-run-rows/apart",
     apart,
     {.grid = {2},
      .block = {96},
      .body = "rem.u32 %r4, %r1, 3; setp.eq.u32 %p1, %r4, 0; @%p1 bra THREE;"
              "add.u32 %r5, %r1, 5; mul.lo.u32 %r3, %r5, 7; bra GO;"
              "THREE: add.u32 %r6, %r1, 2; mul.lo.u32 %r3, %r6, 5; GO:" ADD}},
};

/* A chain of 200 registers, of which two live at a time. */
static void test_chain(void)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(GString) text = g_string_new(".version 8.0\n.target sm_80\n.address_size 64\n"
                                           ".visible .entry k()\n{ .reg .b32 %r<201>;\n"
                                           "mov.u32 %r0, 1;\n");
    for (guint i = 1; i <= 200; i++)
        g_string_append_printf(text, "add.u32 %%r%u, %%r%u, 1;\n", i, i - 1);
    g_string_append(text, "ret; }\n");
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text->str, text->len, "x.ptx", &error);
    g_assert_no_error(error);
    const PsPtxLaunch launch = {
        .kernel = ps_ptx_kernel(module, "k", &error), .grid = {1, 1, 1}, .block = {32, 1, 1}};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    g_assert_cmpuint(machine->n_slots, <=, 4); /* a constant, and two that pass */
    g_assert_cmpuint(machine->n_kept, ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    ptx_add_cases(cases, G_N_ELEMENTS(cases));
    g_test_add_func("/ptx-run-rows/chain", test_chain);
    return g_test_run();
}
