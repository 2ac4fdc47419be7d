/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Which code lets groups go ways of their own: bodies of a kernel whose parameter n is the same for
 * all groups, and whether their branches may differ.
 */
#include "lift/groups/varies.h"

#include <string.h>

static const char head[] = ".version 8.0\n.target sm_80\n.address_size 64\n"
                           ".visible .entry k(.param .u32 n, .param .u64 a)\n{\n"
                           ".reg .pred %p<4>; .reg .b32 %r<9>; .reg .b64 %rd<4>;\n"
                           "ld.param.u32 %r1, [n]; ld.param.u64 %rd1, [a];\n"
                           "mov.u32 %r2, %ctaid.x; mul.wide.u32 %rd2, %r2, 4;\n"
                           "add.u64 %rd2, %rd1, %rd2;\n";

typedef enum { VARY, STRAY, UNEVEN } Question;

/* Whether branches may vary, accesses may have faults of their own, or lanes may lie otherwise. */
static gboolean ask(const char *body, Question question)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text =
        g_strconcat(head, body, "\nst.global.u32 [%rd2], %r1;\nEND: ret;\n}\n", NULL);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    g_autoptr(PsPtxCode) code = ps_ptx_code_new(module, ps_ptx_kernel(module, "k", NULL), &error);
    g_assert_no_error(error);
    if (question == UNEVEN)
        return (ps_groups_vary_in(code) & PS_GROUPS_UNEVEN) != 0;
    return question == STRAY ? ps_groups_may_stray(code) : ps_groups_may_vary(code, NULL);
}

static gboolean may_vary(const char *body)
{
    return ask(body, VARY);
}

static void test_stray(void)
{
    g_assert_false(ask("ld.global.u32 %r3, [%rd2]; st.global.u32 [%rd2], %r3;", STRAY));
    g_assert_false(ask("setp.lt.u32 %p1, %r2, %r1; @%p1 st.global.u32 [%rd2], %r1;", STRAY));
    g_assert_true(ask("ld.global.u32 %r3, [%rd2]; mul.wide.u32 %rd3, %r3, 4;\n"
                      "add.u64 %rd3, %rd3, %rd1; st.global.u32 [%rd3], %r1;",
                      STRAY));
    g_assert_true(ask("setp.eq.u32 %p1, %r2, %r1; @%p1 st.global.u32 [%rd2], %r1;", STRAY));
    g_assert_true(ask("setp.eq.u32 %p1, %r2, %r1; @%p1 trap;", STRAY));
    g_assert_false(ask("setp.lt.u32 %p1, %r2, %r1; @%p1 trap;", STRAY));
}

/* Sums of places along the grid and in the group keep the distances of lanes, whatever they are
 * multiplied by; products of both, other operations on them and what lanes load do not. */
static void test_uneven(void)
{
    static const char *const even[] = {
        ("mov.u32 %r3, %ctaid.y; mov.u32 %r4, %tid.x; mad.lo.u32 %r5, %r3, %r1, %r2;\n"
         "mad.lo.u32 %r5, %r5, 32, %r4;"),
        "mov.u32 %r4, %tid.x; shr.u32 %r3, %r4, 3; xor.b32 %r4, %r3, %r4; add.u32 %r5, %r2, %r4;",
        "ld.global.u32 %r3, [%rd2]; mov.u32 %r4, %tid.x; add.u32 %r5, %r3, %r4;",
    };
    static const char *const uneven[] = {
        "mov.u32 %r4, %tid.x; mul.lo.u32 %r5, %r2, %r4;",
        "mov.u32 %r4, %tid.x; add.u32 %r5, %r2, %r4; and.b32 %r5, %r5, 5;",
        "mov.u32 %r4, %tid.x; setp.eq.u32 %p1, %r2, 5; selp.u32 %r3, 1, 2, %p1;\n"
        "mul.lo.u32 %r5, %r3, %r4;",
        "mov.u32 %r4, %tid.x; mul.wide.u32 %rd3, %r4, 4; add.u64 %rd3, %rd3, %rd2;\n"
        "ld.global.u32 %r5, [%rd3];",
    };
    static const char access[] = "mul.wide.u32 %rd3, %r5, 4; add.u64 %rd3, %rd3, %rd1;\n"
                                 "ld.global.u32 %r6, [%rd3];";
    for (guint i = 0; i < G_N_ELEMENTS(even) + G_N_ELEMENTS(uneven); i++) {
        const gboolean is = i >= G_N_ELEMENTS(even);
        g_autofree char *body =
            g_strdup_printf("%s\n%s", is ? uneven[i - G_N_ELEMENTS(even)] : even[i], access);
        g_assert_true(ask(body, UNEVEN) == is);
    }
}

static gboolean picks(const char *body)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = g_strdup_printf("%s%s ret;\n}\n", head, body);
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    g_autoptr(PsPtxCode) code = ps_ptx_code_new(module, ps_ptx_kernel(module, "k", NULL), &error);
    g_assert_no_error(error);
    return ps_groups_pick(code) != PS_PTX_NOWHERE;
}

/* Groups are picked by their number, or a sum with it, and neither by an order nor by data. */
static void test_pick(void)
{
    g_assert_true(picks("setp.eq.u32 %p1, %r2, %r1;"));
    g_assert_true(picks("add.u32 %r3, %r2, 7; setp.ne.u32 %p1, %r3, 5;"));
    g_assert_false(picks("setp.lt.u32 %p1, %r2, %r1;"));
    g_assert_false(picks("ld.global.u32 %r3, [%rd2]; setp.eq.u32 %p1, %r3, 5;"));
    g_assert_false(picks("setp.eq.u32 %p1, %r1, 5;"));
}

static void test_same(void)
{
    g_assert_false(may_vary("setp.eq.u32 %p1, %r1, 0; @%p1 bra END;"));
    g_assert_false(may_vary("ld.global.u32 %r3, [%rd1]; setp.eq.u32 %p1, %r3, 0; @%p1 bra END;"));
}

static void test_border(void)
{
    g_assert_false(may_vary("setp.ge.u32 %p1, %r2, %r1; @%p1 bra END;"));
    g_assert_false(may_vary("shl.b32 %r3, %r2, 5; setp.ge.u32 %p1, %r3, %r1; @%p1 bra END;"));
}

static void test_any(void)
{
    g_assert_true(may_vary("setp.eq.u32 %p1, %r2, %r1; @%p1 bra END;"));
    g_assert_true(may_vary("ld.global.u32 %r3, [%rd2]; setp.lt.u32 %p1, %r3, 9; @%p1 bra END;"));
}

/* A loop's counter in a register that held data before, as compilers allot them. */
static void test_reuse(void)
{
    g_assert_false(may_vary("ld.global.u32 %r3, [%rd2]; st.global.u32 [%rd2], %r3;\n"
                            "mov.u32 %r3, 0;\n"
                            "LOOP: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r1;\n"
                            "@%p1 bra LOOP;"));
    g_assert_true(may_vary("ld.global.u32 %r3, [%rd2];\n"
                           "LOOP: add.u32 %r3, %r3, 1; setp.lt.u32 %p1, %r3, %r1;\n"
                           "@%p1 bra LOOP;"));
}

/* What the end of a loop makes of a register decides at its beginning. */
static void test_round(void)
{
    g_assert_true(may_vary("mov.u32 %r3, 0;\n"
                           "LOOP: setp.eq.u32 %p1, %r3, 7; @%p1 bra END;\n"
                           "ld.global.u32 %r3, [%rd2]; setp.lt.u32 %p2, %r1, 3; @%p2 bra LOOP;"));
}

/* A guard that differs makes what it guards differ, also where both values are the same in all. */
static void test_guard(void)
{
    static const char body[] = "mov.u32 %%r3, 0; setp.eq.u32 %%p1, %s, 9;\n"
                               "@%%p1 mov.u32 %%r3, 1;\n"
                               "setp.ne.u32 %%p2, %%r3, 0; @%%p2 bra END;";
    g_autofree char *same = g_strdup_printf(body, "%r1"), *differs = g_strdup_printf(body, "%r2");
    g_assert_false(may_vary(same));
    g_assert_true(may_vary(differs));
}

/* A way round that only computes is no kind of its own; one that loads, stores, waits, goes round a
 * loop or ends the group is. */
static void test_detour(void)
{
    static const char begin[] = "ld.global.u32 %r3, [%rd2]; setp.eq.u32 %p1, %r3, 9;\n"
                                "@%p1 bra ON; mul.lo.u32 %r3, %r3, 7;\n";
    static const char end[] = "add.u32 %r3, %r3, 1;\nON: st.global.u32 [%rd2], %r3;";
    static const char *const more[] = {
        "ld.global.u32 %r3, [%rd2+4];",
        "st.global.u32 [%rd2+4], %r3;",
        "bar.sync 0;",
        "exit;",
        "trap;",
        "LOOP: sub.u32 %r3, %r3, 1; setp.ne.u32 %p2, %r3, 0; @%p2 bra LOOP;"};
    g_autofree char *plain = g_strconcat(begin, end, NULL);
    g_autoptr(GString) many = g_string_new(begin);
    g_assert_false(may_vary(plain));
    for (guint i = 0; i < G_N_ELEMENTS(more); i++) {
        g_autofree char *body = g_strconcat(begin, more[i], end, NULL);
        g_test_message("%s", more[i]);
        g_assert_true(may_vary(body));
    }
    for (guint i = 0; i < 256; i++)
        g_string_append(many, "add.u32 %r3, %r3, 3;\n");
    g_string_append(many, end);
    g_assert_true(may_vary(many->str));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/lift-varies/uneven", test_uneven);
    g_test_add_func("/lift-varies/stray", test_stray);
    g_test_add_func("/lift-varies/pick", test_pick);
    g_test_add_func("/lift-varies/same", test_same);
    g_test_add_func("/lift-varies/border", test_border);
    g_test_add_func("/lift-varies/any", test_any);
    g_test_add_func("/lift-varies/reuse", test_reuse);
    g_test_add_func("/lift-varies/round", test_round);
    g_test_add_func("/lift-varies/guard", test_guard);
    g_test_add_func("/lift-varies/detour", test_detour);
    return g_test_run();
}
