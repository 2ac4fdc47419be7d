/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels: which warp runs which program, and how written dependences become counts.
 */
#include "idg/program.h"
#include "tests/help/build-graph.h"

#include <string.h>

static PsKernel *evaluate(const PsIdg *idg)
{
    g_autoptr(GError) error = NULL;
    PsKernel *kernel = ps_kernel_new(idg, NULL, &error);
    g_assert_no_error(error);
    return kernel;
}

/* ---- warps --------------------------------------------------------------------------------- */

static void add_code(PsIdg *idg, const char *first, const char *last)
{
    PsIdgCode *code = ps_idg_add_code(idg);
    build_node(code->body, "x", "a", "");
    if (first)
        ps_idg_add_warps(code, build_expr(first), last ? build_expr(last) : NULL);
}

static void assert_programs(const PsIdg *idg, const int *expected, gsize n)
{
    g_autoptr(PsKernel) kernel = evaluate(idg);
    for (gsize warp = 0; kernel && warp < n; warp++)
        g_assert_cmpint(ps_kernel_program_of(kernel, 0, (gint64)warp), ==, expected[warp]);
    g_assert_cmpint(ps_kernel_program_of(kernel, 0, -1), ==, -1);
}

static void test_ranges(void)
{
    g_autoptr(PsIdg) idg = build_idg("1", "320");
    add_code(idg, "7", NULL);
    add_code(idg, "4", "5");
    add_code(idg, "1", "2");
    ps_idg_add_warps(idg->codes->pdata[0], build_expr("0"), NULL);
    static const int without_rest[] = {0, 2, 2, -1, 1, 1, -1, 0, -1};
    assert_programs(idg, without_rest, G_N_ELEMENTS(without_rest));
    add_code(idg, NULL, NULL);
    static const int with_rest[] = {0, 2, 2, 3, 1, 1, 3, 0, 3};
    assert_programs(idg, with_rest, G_N_ELEMENTS(with_rest));
}

static void test_rest_alone(void)
{
    g_autoptr(PsIdg) idg = build_idg("1", "32");
    add_code(idg, NULL, NULL);
    static const int expected[] = {0, 0};
    assert_programs(idg, expected, G_N_ELEMENTS(expected));
}

/* Each warp has a code of its own, in the opposite order. */
static void test_many_codes(void)
{
    const int n = 2000;
    g_autoptr(PsIdg) idg = build_idg("1", "32");
    for (int i = 0; i < n; i++) {
        g_autofree char *warp = g_strdup_printf("%d", n - 1 - i);
        add_code(idg, warp, NULL);
    }
    g_autoptr(PsKernel) kernel = evaluate(idg);
    for (int warp = 0; kernel && warp < n; warp++)
        g_assert_cmpint(ps_kernel_program_of(kernel, 0, warp), ==, n - 1 - warp);
    g_assert_cmpint(ps_kernel_program_of(kernel, 0, n), ==, -1);
}

/* What a code's warps and the launch must be, each number at both of its ends and beyond. */
static void test_ends(void)
{
    static const struct {
        const char *launch, *warps, *says; /* NULL: all is well */
    } cases[] = {
        {"", "5..5", NULL},
        {"", "5..2", "last warp of a range \"2\" is 2; it must be at least 5"},
        {"", "5..4", "it must be at least 5"},
        {"", "0", NULL},
        {"", "0-1", "warp number \"0-1\" is -1; it must be at least 0"},
        {"", "0..2147483647", NULL},
        {"", "0..2147483648", "it must be at most 2147483647"},
        {"", "2147483648", "it must be at most 2147483647"},
        {"", "1/2", "it must be a whole number"},
        {"", "3, 0..2", NULL},
        {"", "0..2, 2", "warp 2 is claimed by more than one range"},
        {"", "2..3, 0..2", "warp 2 is claimed by more than one range"},
        {"groups='0'", "0", "number of groups \"0\" is 0; it must be at least 1"},
        {"group-size='1'", "0", NULL},
        {"group-size='0'", "0", "group size \"0\" is 0; it must be at least 1"},
        {"group-size='2147483648'", "0", "it must be at most 2147483647"},
        {"registers='0' accumulators='0' scalar-registers='0' local-memory='0' tensor-memory='0'",
         "0", NULL},
        {"registers='0-1'", "0", "number of registers \"0-1\" is -1"},
        {"accumulators='0-1'", "0", "number of accumulation registers \"0-1\" is -1"},
        {"scalar-registers='0-1'", "0", "number of scalar registers \"0-1\" is -1"},
        {"local-memory='0-1'", "0", "local memory \"0-1\" is -1"},
        {"tensor-memory='0-1'", "0", "tensor memory \"0-1\" is -1"},
        {"local-memory='2147483648'", "0", "it must be at most 2147483647"},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        const char *launch = cases[i].launch;
        g_autofree char *text = g_strdup_printf(
            "<idg xmlns='urn:pipesim:idg:1' version='1' name='x'><launch %s %s %s/>"
            "<code warps='%s'><node name='x' class='a'/></code></idg>",
            strstr(launch, "groups=") ? "" : "groups='1'",
            strstr(launch, "group-size=") ? "" : "group-size='256'", launch, cases[i].warps);
        g_autoptr(GError) error = NULL;
        g_autoptr(PsIdg) idg = ps_idg_parse(text, strlen(text), "x.idg", &error);
        g_autoptr(PsKernel) kernel = idg ? ps_kernel_new(idg, NULL, &error) : NULL;
        g_test_message("%s, warps %s: %s", launch, cases[i].warps, error ? error->message : "-");
        g_assert_true((kernel != NULL) == (cases[i].says == NULL));
        g_assert_true(!cases[i].says || (error && strstr(error->message, cases[i].says)));
    }
}

/* ---- dependences --------------------------------------------------------------------------- */

/* x, then 10 times y and z, z with that `after`: the dependences of z. */
static void assert_deps(const char *after, const PsProgramDep *expected, guint n)
{
    g_autoptr(PsIdg) idg = build_idg("1", "32");
    GPtrArray *body = ps_idg_add_code(idg)->body;
    build_node(body, "x", "a", "");
    GPtrArray *loop = build_loop(body, "10");
    build_node(loop, "y", "a", "");
    build_node(loop, "z", "a", after);
    g_autoptr(PsKernel) kernel = evaluate(idg);
    const PsProgramNode *z = &kernel->programs[0].nodes[2];
    g_assert_cmpuint(z->n_deps, ==, n);
    for (guint i = 0; i < MIN(n, z->n_deps); i++) {
        g_assert_cmpuint(z->deps[i].on, ==, expected[i].on);
        g_assert_cmpint(z->deps[i].first, ==, expected[i].first);
        g_assert_cmpint(z->deps[i].per, ==, expected[i].per);
        g_assert_cmpint(z->deps[i].every, ==, expected[i].every);
    }
}

/* The shortest of several distances on one node counts, wherever it stands; all of x, which is one
 * instance here, is as good as x. */
static void test_merged(void)
{
    const PsProgramDep x = {0, 1, 1, 10, FALSE}, y = {1, 1, 1, 1, FALSE}, y3 = {1, -1, 1, 1, FALSE};
    assert_deps("", NULL, 0);
    assert_deps("y y y@1 y", &y, 1);
    assert_deps("y@3 y y@2", &y, 1);
    assert_deps("y@5 y@3 y@4", &y3, 1);
    assert_deps("x x@all x", &x, 1);
    const PsProgramDep both[] = {y, x};
    assert_deps("y@2 x y x@all y@3", both, 2);
    assert_deps("y@11 y@12", NULL, 0); /* nothing is that far back */
    assert_deps("x@2 y", &y, 1);
}

/* What is remembered for one node must not leak into the next. */
static void test_merged_apart(void)
{
    g_autoptr(PsIdg) idg = build_idg("1", "32");
    GPtrArray *body = ps_idg_add_code(idg)->body;
    build_node(body, "x", "a", "");
    build_node(body, "y", "a", "x x");
    build_node(body, "z", "a", "y x y");
    g_autoptr(PsKernel) kernel = evaluate(idg);
    const PsProgramNode *nodes = kernel->programs[0].nodes;
    g_assert_cmpuint(nodes[1].n_deps, ==, 1);
    g_assert_cmpuint(nodes[2].n_deps, ==, 2);
    g_assert_cmpuint(nodes[2].deps[0].on, ==, 1);
    g_assert_cmpuint(nodes[2].deps[1].on, ==, 0);
}

/* What depends on a node behind the barrier needs no dependence on the barrier; what does not,
 * does. */
static void test_fence_implied(void)
{
    g_autoptr(PsIdg) idg = build_idg("1", "32");
    GPtrArray *body = ps_idg_add_code(idg)->body;
    build_node(body, "x", "a", "");
    build_node(body, "b", "barrier", "");
    build_node(body, "y", "a", "");
    build_node(body, "z", "a", "y");
    build_node(body, "w", "a", "x");
    g_autoptr(PsKernel) kernel = evaluate(idg);
    const PsProgramNode *nodes = kernel->programs[0].nodes;
    g_assert_cmpuint(nodes[2].n_deps, ==, 1);
    g_assert_true(nodes[2].deps[0].fence);
    g_assert_cmpuint(nodes[3].n_deps, ==, 1);
    g_assert_cmpuint(nodes[3].deps[0].on, ==, 2);
    g_assert_cmpuint(nodes[4].n_deps, ==, 2);
    g_assert_cmpuint(nodes[4].deps[1].on, ==, 1);
    g_assert_true(nodes[4].deps[1].fence);
}

/* Round a loop's end, too: x came after the barrier of the trip before, so who waits for x need not
 * wait for that; one that came before it needs both. */
static void test_fence_round(void)
{
    g_autoptr(PsIdg) idg = build_idg("1", "32");
    GPtrArray *body = build_loop(ps_idg_add_code(idg)->body, "4");
    build_node(body, "v", "a", "x@1");
    build_node(body, "w", "a", "u@1");
    build_node(body, "u", "a", "");
    build_node(body, "b", "barrier", "");
    build_node(body, "x", "a", "");
    g_autoptr(PsKernel) kernel = evaluate(idg);
    const PsProgramNode *nodes = kernel->programs[0].nodes;
    g_assert_cmpuint(nodes[0].n_deps, ==, 1);
    g_assert_cmpuint(nodes[0].deps[0].on, ==, 4);
    g_assert_cmpuint(nodes[1].n_deps, ==, 2);
}

/* Whole sectors for a part of each: more is moved than is asked for. */
static void assert_share(const char *share, gboolean good)
{
    g_autoptr(PsIdg) idg = build_idg("1", "32");
    PsIdgItem *x = build_node(ps_idg_add_code(idg)->body, "x", "global.load", "");
    g_autoptr(GError) error = NULL;
    x->bytes = build_expr("4");
    x->share[PS_LEVEL_L2] = build_expr(share);
    g_autoptr(PsKernel) kernel = ps_kernel_new(idg, NULL, &error);
    g_assert_true((kernel != NULL) == good);
    if (!good)
        g_assert_nonnull(strstr(error->message, "l2 is the share of the bytes of node 'x', 4 of a "
                                                "thread, that is moved there; it must be from 0 "
                                                "to 64, which are whole lines of 128 bytes"));
}

/* What advice alone reads is no less a share. */
static void assert_advised(PsExpr **attribute, PsIdg *idg, const char *name)
{
    g_autoptr(GError) error = NULL;
    ps_expr_free(*attribute);
    *attribute = build_expr("33");
    g_autoptr(PsKernel) none = ps_kernel_new(idg, NULL, &error);
    g_assert_null(none);
    g_assert_nonnull(strstr(error->message, name));
    ps_expr_free(*attribute);
    *attribute = NULL;
}

static void test_advised(void)
{
    g_autoptr(PsIdg) idg = build_idg("1", "32");
    PsIdgItem *x = build_node(ps_idg_add_code(idg)->body, "x", "global.load", "");
    x->bytes = build_expr("8");
    assert_advised(&x->distinct, idg, "distinct is the share of the bytes of node 'x', 8 of");
    assert_advised(&x->read_only, idg, "read-only is the share of the bytes of node 'x', 8 of");
}

/* No more is written in part than gets to L2, where that is stated. */
static void test_partial(void)
{
    g_autoptr(PsIdg) idg = build_idg("1", "32");
    PsIdgItem *x = build_node(ps_idg_add_code(idg)->body, "x", "global.store", "");
    g_autoptr(GError) error = NULL;
    x->bytes = build_expr("8");
    x->partial = build_expr("1.5");
    g_autoptr(PsKernel) alone = ps_kernel_new(idg, NULL, NULL);
    g_assert_nonnull(alone);
    x->share[PS_LEVEL_L2] = build_expr("1.25");
    g_autoptr(PsKernel) none = ps_kernel_new(idg, NULL, &error);
    g_assert_null(none);
    g_assert_nonnull(
        strstr(error->message, "it must be at most the share at l2, 1.25, and is 1.5"));
    assert_advised(&x->partial, idg, "partial is the share of the bytes of node 'x', 8 of");
}

static void test_shares(void)
{
    assert_share("8", TRUE);
    assert_share("0", TRUE);
    assert_share("64", TRUE); /* four bytes at the end of a line */
    assert_share("64.000001", FALSE);
    assert_share("1000", FALSE);
    assert_share("-0.5", FALSE);
}

static void assert_turns(const char *turns, const PsRational *expected)
{
    g_autoptr(PsIdg) idg = build_idg("1", "32");
    PsIdgItem *x = build_node(ps_idg_add_code(idg)->body, "x", "atomic.global", "");
    g_autoptr(GError) error = NULL;
    x->spot = g_strdup("bins_0");
    x->turns = turns ? build_expr(turns) : NULL;
    g_autoptr(PsKernel) kernel = ps_kernel_new(idg, NULL, &error);
    g_assert_true((kernel != NULL) == (expected != NULL));
    if (!expected) {
        g_assert_nonnull(strstr(error->message, "above 0 and at most 1"));
        return;
    }
    const PsProgramNode *node = &kernel->programs[0].nodes[0];
    g_assert_cmpstr(node->spot, ==, "bins_0");
    g_assert_cmpint(ps_rational_cmp(node->turns, *expected), ==, 0);
}

static void test_turns(void)
{
    const PsRational one = PS_RATIONAL_INT(1), quarter = {1, 4};
    assert_turns(NULL, &one);
    assert_turns("1", &one);
    assert_turns("1/4", &quarter);
    assert_turns("0", NULL);
    assert_turns("-1", NULL);
    assert_turns("1.001", NULL);
}

static void assert_lanes(const char *lanes, const PsRational *expected)
{
    g_autoptr(PsIdg) idg = build_idg("1", "32");
    PsIdgItem *x = build_node(ps_idg_add_code(idg)->body, "x", "a", "");
    g_autoptr(GError) error = NULL;
    x->lanes = lanes ? build_expr(lanes) : NULL;
    g_autoptr(PsKernel) kernel = ps_kernel_new(idg, NULL, &error);
    g_assert_true((kernel != NULL) == (expected != NULL));
    if (expected)
        g_assert_cmpint(ps_rational_cmp(kernel->programs[0].nodes[0].lanes, *expected), ==, 0);
    else
        g_assert_nonnull(strstr(error->message, "lanes is the share of a warp's threads"));
}

static void test_lanes(void)
{
    const PsRational one = PS_RATIONAL_INT(1), part = {1, 32};
    assert_lanes(NULL, &one);
    assert_lanes("1/32", &part);
    assert_lanes("0", NULL);
    assert_lanes("33/32", NULL);
}

/* What lines, or wavefronts, are evaluated to; NULL: they are refused. */
static void assert_lines(gboolean wavefronts, const char *lines, const PsRational *expected)
{
    g_autoptr(PsIdg) idg = build_idg("1", "32");
    PsIdgItem *x = build_node(ps_idg_add_code(idg)->body, "x", "global.load", "");
    g_autoptr(GError) error = NULL;
    *(wavefronts ? &x->wavefronts : &x->lines) = lines ? build_expr(lines) : NULL;
    g_autoptr(PsKernel) kernel = ps_kernel_new(idg, NULL, &error);
    g_assert_true((kernel != NULL) == (expected != NULL));
    if (!expected) {
        g_assert_nonnull(strstr(error->message, "more than 0 and at most 1024"));
        g_assert_nonnull(strstr(error->message, wavefronts ? "wavefronts are" : "lines are"));
        return;
    }
    const PsProgramNode *node = &kernel->programs[0].nodes[0];
    g_assert_cmpint(ps_rational_cmp(wavefronts ? node->wavefronts : node->lines, *expected), ==, 0);
}

static void test_lines(void)
{
    const PsRational none = PS_RATIONAL_INT(0), most = PS_RATIONAL_INT(1024), some = {5, 2};
    for (gboolean w = FALSE; w <= TRUE; w++) {
        assert_lines(w, NULL, &none);
        assert_lines(w, "5/2", &some);
        assert_lines(w, "1024", &most);
        assert_lines(w, "1024.5", NULL);
        assert_lines(w, "0", NULL);
        assert_lines(w, "-2", NULL);
    }
}

/* What a hold is evaluated to; NULL: it is refused, in words that have these in them. */
static void assert_hold(const char *hold, const PsRational *expected, const char *words)
{
    g_autoptr(PsIdg) idg = build_idg("1", "32");
    PsIdgItem *x = build_node(ps_idg_add_code(idg)->body, "x", "fadd", "");
    g_autoptr(GError) error = NULL;
    x->hold = hold ? build_expr(hold) : NULL;
    g_autoptr(PsKernel) kernel = ps_kernel_new(idg, NULL, &error);
    g_assert_true((kernel != NULL) == (expected != NULL));
    if (expected)
        g_assert_cmpint(ps_rational_cmp(kernel->programs[0].nodes[0].hold, *expected), ==, 0);
    else
        g_assert_nonnull(strstr(error->message, words));
}

static void test_hold(void)
{
    const PsRational none = PS_RATIONAL_INT(0), some = {7, 4}, most = PS_RATIONAL_INT(1000000000);
    assert_hold(NULL, &none, "");
    assert_hold("0", &none, "");
    assert_hold("7/4", &some, "");
    assert_hold("10^9", &most, "");
    assert_hold("10^9+1", NULL, "node 'x' keeps its warp from issuing; it must be from 0 to");
    assert_hold("-1/4", NULL, "and is -0.25");
    assert_hold("stall", NULL, "stall");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/program/ranges", test_ranges);
    g_test_add_func("/program/ends", test_ends);
    g_test_add_func("/program/rest-alone", test_rest_alone);
    g_test_add_func("/program/many-codes", test_many_codes);
    g_test_add_func("/program/merged", test_merged);
    g_test_add_func("/program/merged-apart", test_merged_apart);
    g_test_add_func("/program/fence-implied", test_fence_implied);
    g_test_add_func("/program/fence-round", test_fence_round);
    g_test_add_func("/program/shares", test_shares);
    g_test_add_func("/program/partial", test_partial);
    g_test_add_func("/program/shares-advised", test_advised);
    g_test_add_func("/program/turns", test_turns);
    g_test_add_func("/program/lanes", test_lanes);
    g_test_add_func("/program/lines", test_lines);
    g_test_add_func("/program/hold", test_hold);
    return g_test_run();
}
