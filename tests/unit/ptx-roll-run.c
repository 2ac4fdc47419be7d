/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The recorder behind the executor: what it makes of lanes that leave loops at different times, by
 * breaks, continues and returns, where these really meet.
 */
#include "lift/loops/roll.h"
#include "tests/help/roll-text.h"

#include <string.h>

#define HEAD                                                                                       \
    ".version 8.0\n.target sm_80\n.address_size 64\n"                                              \
    ".visible .entry k()\n{\n.reg .pred %p<9>;\n.reg .b32 %r<9>;\n"                                \
    "mov.u32 %r1, %tid.x;\nmov.u32 %r2, 0;\nmov.u32 %r3, 0;\n"

/* Points begin at 3: the three above are 0 1 2. */
static void assert_record(const char *body, guint threads, guint sort, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strconcat(HEAD, body, "}\n", NULL);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "test", &error);
    g_assert_no_error(error);
    if (!module)
        return;
    PsPtxLaunch launch = {
        .kernel = ps_ptx_kernel(module, NULL, &error), .grid = {1, 1, 1}, .block = {threads, 1, 1}};
    g_autoptr(PsPtxMachine) machine = ps_ptx_machine_new(module, &launch, &error);
    g_assert_no_error(error);
    if (!machine)
        return;
    const PsRollOptions options = {0};
    g_autoptr(PsRoll) roll = ps_roll_new(ps_ptx_machine_code(machine), &options);
    PsPtxListener listener = ps_roll_listener(roll);
    const guint group[3] = {0};
    g_assert_true(ps_ptx_run_group(machine, group, &listener, &error));
    g_assert_no_error(error);
    const PsRollGroup *record = g_ptr_array_index(ps_roll_groups(roll), 0);
    g_assert_cmpuint(sort, <, record->warps->len);
    const PsRollWarps *warps = g_ptr_array_index(record->warps, MIN(sort, record->warps->len - 1));
    g_autofree char *got = roll_text(warps->sequence);
    g_assert_cmpstr(got, ==, expected);
}

/* Lane i goes round i + 1 times, all of them after each other. */
static void test_trips(void)
{
    assert_record("L: add.u32 %r2, %r2, 1;\n"
                  "setp.le.u32 %p1, %r2, %r1;\n"
                  "@%p1 bra L;\n"
                  "ret;\n",
                  32, 0, "0 1 2 L0{32x[3 4 5]} 6");
}

/* The same for two warps, of which the second goes round more often. */
static void test_warps(void)
{
    static const char body[] = "L: add.u32 %r2, %r2, 1;\n"
                               "setp.le.u32 %p1, %r2, %r1;\n"
                               "@%p1 bra L;\n"
                               "ret;\n";
    assert_record(body, 64, 0, "0 1 2 L0{32x[3 4 5]} 6");
    assert_record(body, 64, 1, "0 1 2 L0{64x[3 4 5]} 6");
}

/* The header has the exit, and what does nothing is left out. */
static void test_while(void)
{
    assert_record("L: setp.ge.u32 %p1, %r2, 5;\n"
                  "@%p1 bra M;\n"
                  "add.u32 %r2, %r2, 1;\n"
                  "setp.eq.u32 %p2, %r2, 3;\n"
                  "@%p2 add.u32 %r3, %r3, 1;\n"
                  "bra L;\n"
                  "M: ret;\n",
                  32, 0, "0 1 2 L0{2x[3 4 5 6 8] 1x[3 4 5 6 7 8] 2x[3 4 5 6 8] 1x[3 4]} 9");
}

/* Both loops have trips by lane: the inner one as many as the slowest lane that is there. */
static void test_nested(void)
{
    assert_record("L: mov.u32 %r3, 0;\n"
                  "K: add.u32 %r3, %r3, 1;\n"
                  "setp.le.u32 %p1, %r3, %r2;\n"
                  "@%p1 bra K;\n"
                  "add.u32 %r2, %r2, 1;\n"
                  "shr.u32 %r4, %r1, 4;\n"
                  "setp.le.u32 %p2, %r2, %r4;\n"
                  "@%p2 bra L;\n"
                  "ret;\n",
                  32, 0, "0 1 2 L0{1x[3 L1{1x[4 5 6]} 7 8 9 10] 1x[3 L1{2x[4 5 6]} 7 8 9 10]} 11");
}

/* Lane 0 breaks in the second of four iterations. What it does then comes last: the executor takes
 * what stands first in the text. */
static void test_break(void)
{
    assert_record("L: setp.eq.u32 %p1, %r2, 1;\n"
                  "setp.eq.and.u32 %p2, %r1, 0, %p1;\n"
                  "@%p2 bra X;\n"
                  "add.u32 %r2, %r2, 1;\n"
                  "setp.lt.u32 %p3, %r2, 4;\n"
                  "@%p3 bra L;\n"
                  "add.u32 %r3, %r3, 1;\n"
                  "bra M;\n"
                  "X: add.u32 %r3, %r3, 2;\n"
                  "M: add.u32 %r3, %r3, 1;\n"
                  "ret;\n",
                  32, 0, "0 1 2 L0{4x[3 4 5 6 7 8]} 9 10 11 12 13");
}

/* The way out stands before the loop: it is taken first, while others wait inside. */
static void test_break_before(void)
{
    assert_record("bra L;\n"
                  "X: add.u32 %r3, %r3, 2;\n"
                  "bra M;\n"
                  "L: setp.eq.u32 %p1, %r2, 1;\n"
                  "setp.eq.and.u32 %p2, %r1, 0, %p1;\n"
                  "@%p2 bra X;\n"
                  "add.u32 %r2, %r2, 1;\n"
                  "setp.lt.u32 %p3, %r2, 4;\n"
                  "@%p3 bra L;\n"
                  "M: add.u32 %r3, %r3, 1;\n"
                  "ret;\n",
                  32, 0,
                  "0 1 2 3 L0{1x[6 7 8 9 10 11] 1x[6 7 8 4 5 9 10 11] 2x[6 7 8 9 10 11]} 12 13");
}

/* Odd lanes skip the rest of each iteration. */
static void test_continue(void)
{
    assert_record("L: add.u32 %r2, %r2, 1;\n"
                  "and.b32 %r4, %r1, 1;\n"
                  "setp.eq.u32 %p1, %r4, 1;\n"
                  "@%p1 bra N;\n"
                  "add.u32 %r3, %r3, 1;\n"
                  "N: setp.lt.u32 %p2, %r2, 7;\n"
                  "@%p2 bra L;\n"
                  "ret;\n",
                  32, 0, "0 1 2 L0{7x[3 4 5 6 7 8 9]} 10");
}

/* Lanes 0 to 7 return in the third iteration. */
static void test_return(void)
{
    assert_record("L: setp.eq.u32 %p1, %r2, 2;\n"
                  "setp.lt.and.u32 %p2, %r1, 8, %p1;\n"
                  "@%p2 ret;\n"
                  "add.u32 %r2, %r2, 1;\n"
                  "setp.lt.u32 %p3, %r2, 4;\n"
                  "@%p3 bra L;\n"
                  "add.u32 %r3, %r3, 1;\n"
                  "ret;\n",
                  32, 0, "0 1 2 L0{2x[3 4 6 7 8] 1x[3 4 5 6 7 8] 1x[3 4 6 7 8]} 9 10");
}

/* Unrolled by two, with one iteration left over. */
static void test_unrolled(void)
{
    assert_record("L: add.u32 %r3, %r3, 1;\n"
                  "add.u32 %r3, %r3, 1;\n"
                  "add.u32 %r2, %r2, 2;\n"
                  "setp.lt.u32 %p1, %r2, 8;\n"
                  "@%p1 bra L;\n"
                  "add.u32 %r3, %r3, 1;\n"
                  "ret;\n",
                  32, 0, "0 1 2 L0{4x[3 4 5 6 7]} 8 9");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-roll-run/trips", test_trips);
    g_test_add_func("/ptx-roll-run/warps", test_warps);
    g_test_add_func("/ptx-roll-run/while", test_while);
    g_test_add_func("/ptx-roll-run/nested", test_nested);
    g_test_add_func("/ptx-roll-run/break", test_break);
    g_test_add_func("/ptx-roll-run/break-before", test_break_before);
    g_test_add_func("/ptx-roll-run/continue", test_continue);
    g_test_add_func("/ptx-roll-run/return", test_return);
    g_test_add_func("/ptx-roll-run/unrolled", test_unrolled);
    return g_test_run();
}
