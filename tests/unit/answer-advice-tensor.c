/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Advice on multiply-adds that matrix units could do: from two by two values on they are a product
 * of matrices; where each value meets one other at most, or a row meets a single column, they are
 * none.
 */
#include "tests/help/ask.h"

#define ROWS                                                                                       \
    "<class name='fmadd' pipeline='a' issue='1' completion='4'/>"                                  \
    "<class name='tensor' pipeline='b' issue='1' completion='8'/>"                                 \
    "<peak name='T_tensor' value='4000'/>"

/* A side of a product: so many loads, each of depth values. */
static void add_loads(GString *body, char side, guint n, guint depth)
{
    for (guint i = 0; i < n; i++)
        g_string_append_printf(body, "<node name='%c%u' class='local.load' bytes='%u'/>", side, i,
                               4 * depth);
}

/* A loop in which each value of m loads meets those of n others: m x n sums. */
static const PsAdvice *advice_on(Asked *asked, guint m, guint n, guint depth)
{
    g_autoptr(GString) codes = g_string_new("<code><loop times='64'>");
    add_loads(codes, 'l', m, depth);
    add_loads(codes, 'r', n, depth);
    for (guint i = 0; i < m * n * depth; i++) {
        const guint sum = i % (m * n), last = i < m * n ? i + m * n * (depth - 1) : i - m * n;
        g_string_append_printf(
            codes, "<node name='f%u' class='fmadd' ops='2' type='fp32' after='l%u r%u f%u'/>", i,
            sum / n, sum % n, last);
    }
    g_string_append(codes, "</loop></code>");
    *asked = asked_new(ROWS, "groups='64' group-size='64' local-memory='1024'", codes->str);
    return advice_by(ask_advice(asked), "tensor");
}

static void test_least_sides(void)
{
    static const struct {
        guint m, n, depth;
        gboolean told;
    } cases[] = {{2, 2, 1, TRUE},  {2, 3, 1, TRUE},  {3, 2, 1, TRUE}, {4, 4, 1, TRUE},
                 {1, 2, 2, FALSE}, {2, 1, 2, FALSE}, {2, 2, 2, TRUE}, {1, 1, 4, FALSE}};
    for (gsize i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_auto(Asked) asked = {0};
        const PsAdvice *advice = advice_on(&asked, cases[i].m, cases[i].n, cases[i].depth);
        g_test_message("%u x %u, %u deep", cases[i].m, cases[i].n, cases[i].depth);
        g_assert_cmpint(advice != NULL, ==, cases[i].told);
        if (advice)
            g_assert_cmpfloat(advice_figure(advice, "multiply_adds"), ==,
                              cases[i].m * cases[i].n * cases[i].depth);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/advice/tensor/least-sides", test_least_sides);
    return g_test_run();
}
