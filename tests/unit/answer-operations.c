/* SPDX-License-Identifier: BSD-3-Clause */
/* What a launch computes: operations of the threads that come to a node. */
#include "tests/help/ask.h"

#include <string.h>

/* 4 groups of 64 threads: 256 that add, and a quarter of these multiply and add nine times. */
static void test_lanes(void)
{
    g_auto(Asked) asked =
        asked_new("", "groups='4' group-size='64'",
                  "<code><node name='x' class='a' ops='1' type='fp32'/><loop times='9'>"
                  "<node name='y' class='a' ops='2' type='fp32' lanes='0.25' side='1'/>"
                  "<node name='z' class='a' ops='1' type='int' lanes='0.25' side='1'/>"
                  "</loop></code>");
    const GArray *operations = ask(&asked)->operations;
    g_assert_cmpuint(operations->len, ==, 2);
    const PsOperations *floats = &g_array_index(operations, PsOperations, 0);
    const PsOperations *whole = &g_array_index(operations, PsOperations, 1);
    g_assert_cmpstr(floats->type, ==, "fp32");
    assert_close(floats->count, 256 + 64 * 9 * 2);
    assert_close(whole->count, 64 * 9);
    assert_close(asked.answer->flops, 256 + 64 * 9 * 2);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/answer/operations/lanes", test_lanes);
    return g_test_run();
}
