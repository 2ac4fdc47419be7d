/* SPDX-License-Identifier: BSD-3-Clause */
/* Where a line of a kernel is said to stand. */
#include "check/result.h"

static void test_numbers(void)
{
    static const struct {
        const char *line;
        gint64 number;
        const char *path; /* NULL: it is nowhere */
    } cases[] = {{"nowhere/k.cu:1", 1, "nowhere/k.cu"},
                 {"nowhere/a:b.cu:12", 12, "nowhere/a:b.cu"},
                 {"nowhere/k.cu:0", 0, NULL},
                 {"nowhere/k.cu", 0, NULL}};
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        gint64 number = -1;
        g_autofree char *path = ps_check_place("nowhere/k.ptx", cases[i].line, &number);
        g_assert_cmpstr(path, ==, cases[i].path);
        g_assert_cmpint(number, ==, cases[i].number);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/check-place/numbers", test_numbers);
    return g_test_run();
}
