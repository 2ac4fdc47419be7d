/* SPDX-License-Identifier: BSD-3-Clause */
/* Which functions of libclc OpenCL source calls. */
#include "code/libclc.h"

#include <string.h>

static void check(const char *source, const char *names)
{
    g_autofree char *warning = ps_libclc_warning("k.cl", source);
    g_test_message("%s", source);
    if (!names) {
        g_assert_cmpstr(warning, ==, NULL);
        return;
    }
    g_autofree char *part = g_strdup_printf("no vendor's compiler takes: %s; ", names);
    g_assert_nonnull(warning);
    g_assert_true(g_str_has_prefix(warning, "k.cl: these functions are libclc's"));
    g_assert_nonnull(strstr(warning, part));
}

static void test_calls(void)
{
    check("y[i] = exp(x[i]);", "exp");
    check("y[i] = pow (x[i], 2.5f) + exp(x[i]) * exp(y[i]);", "exp, pow");
    check("y[i] = -sin\n(x[i]);", "sin");
    check("y[i] = native_exp(x[i]) + half_sin(x[i]) + expand(x[i]) + sqrt(x[i]) + mad(a, b, c);",
          NULL);
    check("float exp = x[i]; y[i] = exp * p.log(2);", NULL);
    check("/* exp(x) */ // log(x)\nprintf(\"sin(%f)\", x[i]);", NULL);
    check("exp", NULL);
    check("", NULL);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/code-libclc/calls", test_calls);
    return g_test_run();
}
