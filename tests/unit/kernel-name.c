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

static void test_results(void)
{
    assert_short("std::enable_if<b<int>::value, void>::type a::ei<float>(float*)", "a::ei<float>",
                 "ei<float>");
    assert_short("int <unnamed>::f(int)", "<unnamed>::f", "f");
    assert_short("void (anonymous namespace)::f(int)", "(anonymous namespace)::f", "f");
}

static void test_others(void)
{
    static const char *const names[] = {
        "",      "stencil", "a::b",          "stencil (2)",  "(anonymous namespace)::f",
        "(int)", "f)",      "a::operator()", "f(int)::local"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        assert_short(names[i], names[i], names[i]);
}

/* Kernels as C++ spells them, and all ways in which ncu, nsys, rocprof and people write them. */
static void test_spellings(void)
{
    static const struct {
        const char *name, *written;
    } cases[] = {
        {"void interp<float, 8>(float*)", "void interp<float, (int)8>(T1 *)"},
        {"void interp<float, 8>(float*)", "interp<float, (int)8>"},
        {"void interp<float, 8>(float*)", "interp<float,8>(T1*)"},
        {"void interp<float, 8>(float*)", "interp"},
        {"void interp<float, 8>(float*)", "_Z6interpIfLi8EEvPT_"},
        {"void interp<float, 8>(float*)", "_Z6interpIfLi8EEvPT_.kd"},
        {"void interp<float, 8>(float*)", "void interp<float, 8>(float*) [clone .kd]"},
        {"void interp<float, 8>(float*)", "void interp<float, 8>(float *) (.kd)"},
        {"void interp<float, 8>(float*)", "__global__ void interp<float, 8>(float *)"},
        {"void interp<float, -8>(float*)", "interp<float, (int)-8>"},
        {"_Z6interpIfLi8EEvPT_", "void interp<float, (int)8>(T1 *)"},
        {"void interp<float, (int)8>(T1 *)", "interp<float, 8>(float*)"},
        {"void interp<float, (int)8>(T1 *)", "_Z6interpIfLi8EEvPT_"},
        {"void reduce6<float, 256u, true>(float*, float*, unsigned int)",
         "void reduce6<float, (unsigned int)256, (bool)1>(T1 *, T1 *, unsigned int)"},
        {"void (anonymous namespace)::an<float, 3>(float*)",
         "void <unnamed>::an<float, (int)3>(T1 *)"},
        {"void (anonymous namespace)::an<float, 3>(float*)", "an<float, 3>"},
        {"void a::(anonymous namespace)::deep<float>(float const*, float*)",
         "void a::<unnamed>::deep<float>(const T1 *, T1 *)"},
        {"void a::(anonymous namespace)::deep<float>(float const*, float*)", "a::deep<float>"},
        {"void a::(anonymous namespace)::deep<float>(float const*, float*)",
         "a::(anonymous_namespace)::deep"},
        {"void (anonymous namespace)::en<((anonymous namespace)::M)1, (char)65, true, 7u>(float*)",
         "void <unnamed>::en<(<unnamed>::M)1, (char)65, (bool)1, (unsigned int)7>(float *)"},
        {"std::enable_if<std::is_integral<int>::value, void>::type a::ei<float, int>(float*, int)",
         "std::enable_if<std::is_integral<T2>::value, void>::type a::ei<float, int>(T1 *, T2)"},
        {"std::enable_if<std::is_integral<int>::value, void>::type a::ei<float, int>(float*, int)",
         "ei<float, int>"},
        {"void lam<h(float*)::{lambda(float)#1}>(h(float*)::{lambda(float)#1}, float*)",
         "void lam<h(float *)::[lambda(float) (instance 1)]>(T1, float *)"},
        {"void k<A<B<int> > >(A<B<int> >)", "void k<A<B<int>>>(T1)"},
        {"void pack<int, float>(int, float)", "pack<int, float>(T1, T2...)"},
        {"(anonymous namespace)::f(float*)", "unnamed>::f(float *)"},
        {"unnamed>::f(float *)", "<unnamed>::f"},
        {"unnamed>::f(float *)", "f(float*)"},
        {"gemm", "gemm.kd"},
    };
    g_autofree char *can = ps_kernel_demangle("_Z1fv");
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++)
        if (can || (*cases[i].name != '_' && *cases[i].written != '_')) {
            g_test_message("%s", cases[i].written);
            g_assert_cmpint(ps_kernel_fit(cases[i].name, cases[i].written), ==, PS_KERNEL_FIT_NAME);
        }
}

/* Names that are another kernel's, or no more than a part. */
static void test_others_fit_not(void)
{
    static const struct {
        const char *name, *written;
        PsKernelFit fit;
    } cases[] = {
        {"void interp<float, 8>(float*)", "void interp<float, (int)8>(int *)", PS_KERNEL_FIT_NONE},
        {"void interp<float, 8>(float*)", "interp<double, 8>(T1 *)", PS_KERNEL_FIT_NONE},
        {"void interp<float, 8>(float*)", "interp<float, (int)4>", PS_KERNEL_FIT_NONE},
        {"void interp<float, 8>(float*)", "nterp", PS_KERNEL_FIT_PART},
        {"void interp<float, 8>(float*)", "interp<float>", PS_KERNEL_FIT_PART},
        {"void interp<float, 8>(float*)", "interp<float, (int)8", PS_KERNEL_FIT_PART},
        {"void interp<float, 8>(float*)", "interp<float, 8>(float*)", PS_KERNEL_FIT_NAME},
        {"void k<A<B<int> >, float>(A<B<int> >)", "k<A<B<int>>, float>(T2)", PS_KERNEL_FIT_NONE},
        {"void f<true>()", "f<(bool)0>()", PS_KERNEL_FIT_NONE},
        {"void f<-8>()", "f<(int)8>()", PS_KERNEL_FIT_NONE},
        {"f(int)", "f(int)", PS_KERNEL_FIT_EXACT},
        {"f(int)", "", PS_KERNEL_FIT_NONE},
        {"f(int)", "(T1 *)", PS_KERNEL_FIT_NONE},
        {"a::f(int)", "<unnamed>::f(int)", PS_KERNEL_FIT_NONE},
        {"a::f(int)", "unnamed>::f(int)", PS_KERNEL_FIT_NONE},
        {"void lam<{lambda(float)#1}>()", "lam<[lambda(float) (instance 2)]>()",
         PS_KERNEL_FIT_NONE},
    };
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_test_message("%s", cases[i].written);
        g_assert_cmpint(ps_kernel_fit(cases[i].name, cases[i].written), ==, cases[i].fit);
    }
}

static void test_plain(void)
{
    g_autofree char *plain = ps_kernel_plain("void f<float, (int)8>(T1 *)");
    g_assert_cmpstr(plain, ==, "f<float,8>(float*)");
}

int main(int argc, char *argv[])
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/kernel-name/signatures", test_signatures);
    g_test_add_func("/kernel-name/results", test_results);
    g_test_add_func("/kernel-name/others", test_others);
    g_test_add_func("/kernel-name/spellings", test_spellings);
    g_test_add_func("/kernel-name/others-fit-not", test_others_fit_not);
    g_test_add_func("/kernel-name/plain", test_plain);
    return g_test_run();
}
