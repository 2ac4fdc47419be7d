/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Groups that execute the same and ask memory for other amounts are of several kinds, and these
 * have their shares of the launch.
 */
#include "tests/help/graph-text.h"

#include <string.h>

/* A kernel whose lanes lie %r3 words apart; %r2 is the group's number, %r1 the thread's. */
static char *kernel(const char *distance)
{
    return g_strdup_printf(
        "ld.param.u64 %%rd1, [in];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, %%ctaid.x;\n%s\n"
        "mul.lo.u32 %%r5, %%r1, %%r3;\nmul.wide.u32 %%rd2, %%r5, 4;\nadd.u64 %%rd3, %%rd1, "
        "%%rd2;\nld.global.u32 %%r6, [%%rd3];\nst.shared.u32 [s], %%r6;\n",
        distance);
}

/* "3:1", the shares of kinds; "" of one. Free with g_free. */
static char *shares(const PsIdg *idg)
{
    GString *text = g_string_new(NULL);
    for (guint k = 0; k < idg->kinds->len; k++) {
        const PsIdgGroups *kind = idg->kinds->pdata[k];
        g_string_append_printf(text, "%s%s", k ? ":" : "", ps_expr_text(kind->share));
    }
    return g_string_free(text, FALSE);
}

static char *shares_of(const char *ptx, guint groups)
{
    g_autoptr(PsBuild) build = graph_build(
        &(GraphCase){.ptx = ptx, .block = {64}, .grid = {groups}, .arguments = "in:4096"});
    return shares(build->idg);
}

/* Those that move the most stand first. What one group in a hundred moves changes little where all
 * have much to do; where accesses begin in a sector is in the mean of all. */
static void test_kinds(void)
{
    static const struct {
        const char *distance; /* to %r3 */
        const char *shares;
    } cases[] = {
        {"mov.u32 %r3, 1;", ""},
        {"and.b32 %r4, %r2, 3;\nsetp.eq.u32 %p1, %r4, 1;\nselp.u32 %r3, 8, 1, %p1;", "1:3"},
        {"and.b32 %r3, %r2, 1;\nmad.lo.u32 %r3, %r3, 7, 1;", "1:1"},
        {"and.b32 %r4, %r2, 15;\nsetp.eq.u32 %p1, %r4, 5;\nselp.u32 %r3, 8, 1, %p1;", "1:15"},
        {"setp.ge.u32 %p1, %r2, 48;\nselp.u32 %r3, 8, 1, %p1;", "1:3"},
        {"mov.u32 %r3, 1;\nand.b32 %r4, %r2, 1;\nadd.u32 %r1, %r1, %r4;", ""},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *ptx = kernel(cases[i].distance), *its = shares_of(ptx, 64);
        g_assert_cmpstr(its, ==, cases[i].shares);
    }
}

/* Banks of shared memory that conflict in every second group take 32 passes for one. */
static void test_passes(void)
{
    g_autofree char *its =
        shares_of("mov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nand.b32 %r3, %r2, 1;\n"
                  "mul.lo.u32 %r3, %r3, 5;\nand.b32 %r1, %r1, 31;\nshl.b32 %r4, %r1, %r3;\n"
                  "and.b32 %r4, %r4, 1023;\nshl.b32 %r4, %r4, 2;\nmov.u32 %r5, s;\n"
                  "add.u32 %r5, %r5, %r4;\nld.shared.u32 %r6, [%r5];\nst.shared.u32 [t], %r6;\n",
                  64);
    g_assert_cmpstr(its, ==, "1:1");
}

/* In a launch that is too large to be executed more groups begin where some differ: the share of
 * one in four is known, and an error is told. */
static void test_large(void)
{
    g_autofree char *ptx = kernel("and.b32 %r4, %r2, 3;\nsetp.eq.u32 %p1, %r4, 1;\n"
                                  "selp.u32 %r3, 8, 1, %p1;");
    g_autoptr(PsBuild) build = graph_build(
        &(GraphCase){.ptx = ptx, .block = {64}, .grid = {100000}, .arguments = "in:4096"});
    double parts = 0, first = 0;
    g_assert_cmpuint(build->idg->kinds->len, ==, 2);
    for (guint k = 0; k < 2; k++) {
        const PsIdgGroups *kind = build->idg->kinds->pdata[k];
        const double share = g_ascii_strtod(ps_expr_text(kind->share), NULL);
        first = k ? first : share;
        parts += share;
    }
    const double error = ps_rational_to_double(build->idg->launch.work_error);
    g_assert_cmpfloat(error, >, 0);
    g_assert_cmpfloat(error, <, 0.1);
    g_assert_cmpfloat_with_epsilon(first / parts, 0.25, 0.02);
}

/* A guard that one group of 100 000 has decides about a fault. Where it follows from the group's
 * number it is computed, and that group is executed; where it comes through shared memory, it is
 * said that some groups may be of another kind. */
static void test_guards(void)
{
    static const char passed[] = "selp.u32 %r3, 1, 0, %p1;\nst.shared.u32 [s], %r3;\nbar.sync 0;\n"
                                 "ld.shared.u32 %r4, [s];\nsetp.ne.u32 %p1, %r4, 0;\n";
    for (guint i = 0; i < 2; i++) {
        g_autofree char *ptx = g_strdup_printf(
            "ld.param.u64 %%rd1, [in];\nmov.u32 %%r2, %%ctaid.x;\nsetp.eq.u32 %%p1, %%r2, 77777;\n"
            "mov.u32 %%r6, 0;\n%s@%%p1 ld.global.u32 %%r6, [%%rd1];\nst.shared.u32 [t], %%r6;\n",
            i ? passed : "");
        g_autoptr(PsBuild) build = graph_build(
            &(GraphCase){.ptx = ptx, .block = {64}, .grid = {100000}, .arguments = "in:4096"});
        const double hidden = ps_rational_to_double(build->idg->launch.hidden);
        g_assert_true((hidden > 0) == (i == 1));
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lift-uneven/kinds", test_kinds);
    g_test_add_func("/lift-uneven/passes", test_passes);
    g_test_add_func("/lift-uneven/large", test_large);
    g_test_add_func("/lift-uneven/guards", test_guards);
    return g_test_run();
}
