/* SPDX-License-Identifier: BSD-3-Clause */
/* Short names of kernels: what goes, and what must stay since it is no list of parameters. */
#include "base/kernel-name.h"

static void assert_short(const char *name, const char *scoped, const char *bare)
{
    g_autofree char *with = ps_kernel_short_name(name, TRUE);
    g_autofree char *without = ps_kernel_short_name(name, FALSE);
    g_assert_cmpstr(with, ==, scoped);
    g_assert_cmpstr(without, ==, bare);
}

static void test_signatures(void)
{
    assert_short("axpy(float, const float *)", "axpy", "axpy");
    assert_short("void a::b::f<32, a::T>(float *)", "a::b::f<32, a::T>", "f<32, a::T>");
    assert_short("f(double*, int) [clone .kd]", "f", "f");
    assert_short("a::(anonymous namespace)::f(int)", "a::(anonymous namespace)::f", "f");
    assert_short("unnamed>::f(int (*)(int))", "unnamed>::f", "f");
    assert_short("void f<g(int)::{lambda(int)#1}>(int) const", "f<g(int)::{lambda(int)#1}>",
                 "f<g(int)::{lambda(int)#1}>");
    assert_short("h()::{lambda()#1}::operator()() const", "h()::{lambda()#1}::operator()",
                 "h()::{lambda()#1}::operator()");
}

static void test_others(void)
{
    static const char *const names[] = {
        "",      "stencil", "a::b",          "stencil (2)",  "(anonymous namespace)::f",
        "(int)", "f)",      "a::operator()", "f(int)::local"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        assert_short(names[i], names[i], names[i]);
}

int main(int argc, char *argv[])
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/kernel-name/signatures", test_signatures);
    g_test_add_func("/kernel-name/others", test_others);
    return g_test_run();
}
