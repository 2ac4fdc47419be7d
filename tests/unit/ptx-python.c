/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Parameters of kernels that compilers of Python made: what they are called, and what they are.
 */
#include "ptx/source-names.h"

#include <string.h>

#define HEAD ".version 8.7\n.target sm_80\n.address_size 64\n"
#define POINTER ".param .u64 .ptr .global .align 1 "

static PsPtxModule *parse(const char *text)
{
    g_autoptr(GError) error = NULL;
    PsPtxModule *module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    return module;
}

/* The names with blanks between them, NULL for none (g_free). */
static char *names_of(const PsPtxModule *module, const char *source)
{
    const PsPtxFunction *kernel = ps_ptx_kernel(module, NULL, NULL);
    g_auto(GStrv) names = ps_ptx_python_names(kernel, source, source ? strlen(source) : 0);
    return names ? g_strjoinv(" ", names) : NULL;
}

/* ---- Triton --------------------------------------------------------------------------------- */

/* A kernel k with so many pointers, of which the first `read` are read. */
static PsPtxModule *pointers(guint n, guint read)
{
    g_autoptr(GString) text = g_string_new(HEAD ".entry k(");
    for (guint i = 0; i < n; i++)
        g_string_append_printf(text, "%s" POINTER "p%u", i ? ", " : "", i);
    g_string_append(text, ") { .reg .b64 %r<2>;\n");
    for (guint i = 0; i < read; i++)
        g_string_append_printf(text, "ld.param.u64 %%r1, [p%u];\n", i);
    g_string_append(text, "ret; }\n");
    return parse(text->str);
}

static void check_triton(guint n, guint read, const char *source, const char *expected)
{
    g_autoptr(PsPtxModule) module = pointers(n, read);
    g_autofree char *names = names_of(module, source);
    g_assert_cmpstr(names, ==, expected);
}

static void test_definitions(void)
{
    static const char *const sources[] = {
        "def k(a, b):\n",
        "import x\n@jit\ndef  k ( a , b , ) : pass",
        "def k(a: \"one, two\", b=f(1, 2), c: tl.constexpr = 3, *, d: constexpr): pass",
        "def k(a,  # a ) here\n      # def k(\n      b='it\\'s )'):\n",
        "def k(a, /, b=[1, (2, 3)], C: 'tl.constexpr, tl'=0, D : tl.constexpr=''):",
        "def k(a, b=': constexpr'): pass",
        "undef k(x)\ndef k2(x): pass\ndef k(a, b='''x, \"'y''', c: tl.constexpr=1): pass",
        "def k(a): pass\ndef k(a, b): pass",
    };
    static const char *const strange[] = {"",
                                          "def k",
                                          "def k(",
                                          "def k(a, b",
                                          "def k(a, 'b",
                                          "def k(a, *b): pass",
                                          "def k(a, **b): pass",
                                          "def k(a, (b)): pass",
                                          "def k(a): pass",
                                          "def k(a, b, c): pass",
                                          "class k(a, b): pass",
                                          "def kk(a, b): pass"};
    for (guint i = 0; i < G_N_ELEMENTS(sources); i++)
        check_triton(2, 2, sources[i], "a b");
    for (guint i = 0; i < G_N_ELEMENTS(strange); i++)
        check_triton(2, 2, strange[i], NULL);
}

static void test_scratch(void)
{
    static const char source[] = "def k(a, b, N: tl.constexpr): pass";
    check_triton(4, 2, source, "a b global_scratch profile_scratch");
    check_triton(4, 4, source, "a b global_scratch profile_scratch");
    check_triton(3, 2, source, "a b global_scratch");
    /* One or both were compiled in, and who knows which. */
    check_triton(3, 1, source, NULL);
    check_triton(2, 0, source, NULL);
    check_triton(5, 3, source, NULL);
    check_triton(2, 2, NULL, NULL);

    g_autoptr(PsPtxModule) module = pointers(4, 3);
    const PsPtxFunction *kernel = ps_ptx_kernel(module, NULL, NULL);
    g_auto(GStrv) names = g_strsplit("global_scratch b global_scratch profile_scratch", " ", 0);
    g_assert_cmpint(ps_ptx_role(kernel, names, 0), ==, PS_PTX_ROLE_NONE);
    g_assert_cmpint(ps_ptx_role(kernel, names, 1), ==, PS_PTX_ROLE_NONE);
    g_assert_cmpint(ps_ptx_role(kernel, names, 2), ==, PS_PTX_ROLE_SCRATCH);
    g_assert_cmpint(ps_ptx_role(kernel, names, 3), ==, PS_PTX_ROLE_PROFILE);
    g_assert_cmpint(ps_ptx_role(kernel, NULL, 3), ==, PS_PTX_ROLE_NONE);
    g_assert_true(ps_ptx_is_read(kernel, kernel->params->pdata[2]));
    g_assert_false(ps_ptx_is_read(kernel, kernel->params->pdata[3]));
}

/* ---- Numba ---------------------------------------------------------------------------------- */

/* A kernel of that name with so many parameters. */
static void check_numba(const char *name, guint n, const char *source, const char *expected)
{
    g_autoptr(GString) text = g_string_new(NULL);
    g_string_printf(text, HEAD ".entry %s(", name);
    for (guint i = 0; i < n; i++)
        g_string_append_printf(text, "%s.param .u64 p%u", i ? ", " : "", i);
    g_string_append(text, ") { ret; }");
    g_autoptr(PsPtxModule) module = parse(text->str);
    g_autofree char *names = names_of(module, source);
    g_assert_cmpstr(names, ==, expected);
    for (guint i = 0; i < n; i++) {
        const PsPtxRole role = ps_ptx_role(ps_ptx_kernel(module, NULL, NULL), NULL, i);
        g_assert_true(expected || role == PS_PTX_ROLE_NONE);
    }
}

#define NUMBA "_ZN6cudapy8__main__1f"
#define ONE "5ArrayIfLi1E1C7mutable7alignedE"

static void test_arrays(void)
{
    static const char one[] = "arg0_meminfo arg0_parent arg0_nitems arg0_itemsize arg0_data "
                              "arg0_shape0 arg0_strides0";
    check_numba(NUMBA "E" ONE, 7, NULL, one);
    check_numba(NUMBA "B2v1B12abcdefghijklE" ONE, 7, NULL, one);
    check_numba(NUMBA "E" ONE, 7, "def g(x): pass", one);
    check_numba(NUMBA "E" ONE, 7, "def f(x, y): pass", one);
    check_numba(NUMBA "E5ArrayIDhLi0E1A8readonly10notalignedEd", 6, "def f(x, n): pass",
                "x_meminfo x_parent x_nitems x_itemsize x_data n");
    check_numba(NUMBA "Eb5ArrayIxLi2E1F7mutable7alignedE", 10, "def f(b, x): pass",
                "b x_meminfo x_parent x_nitems x_itemsize x_data x_shape0 x_shape1 x_strides0 "
                "x_strides1");
    check_numba(NUMBA "Eifdxy", 5, "def f(a, b, c, d, e): pass", "a b c d e");
    check_numba(NUMBA "E", 0, NULL, "");
}

static void test_strange_arrays(void)
{
    static const char *const names[] = {"f",
                                        "_ZN6cudapy",
                                        "_ZN6cudapy8__main__1f",
                                        "_ZN6cudapy99f",
                                        "_ZN6cudapy0E",
                                        "_ZN6cudapyB",
                                        "_ZN6cudapy99999999999999999999f",
                                        NUMBA "E8UniTupleIiLi2EE",
                                        NUMBA "E5ArrayI",
                                        NUMBA "E5ArrayIfLi",
                                        NUMBA "E5ArrayIfLi1",
                                        NUMBA "E5ArrayIfLi1E1C",
                                        NUMBA "E5ArrayIfLi99E1C7mutable7alignedE",
                                        NUMBA "E5ArrayIfLi2E1C7mutable7alignedE",
                                        NUMBA "E" ONE "i",
                                        NUMBA "E" ONE "Q"};
    for (guint i = 0; i < G_N_ELEMENTS(names); i++)
        check_numba(names[i], 7, NULL, NULL);
}

static void test_texts(void)
{
    g_assert_cmpstr(ps_ptx_role_text(PS_PTX_ROLE_NONE), ==, "");
    for (PsPtxRole role = PS_PTX_ROLE_SCRATCH; role <= PS_PTX_ROLE_STRIDES; role++)
        g_assert_cmpuint(strlen(ps_ptx_role_text(role)), >, 10);
}

int main(int argc, char *argv[])
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-python/definitions", test_definitions);
    g_test_add_func("/ptx-python/scratch", test_scratch);
    g_test_add_func("/ptx-python/arrays", test_arrays);
    g_test_add_func("/ptx-python/strange-arrays", test_strange_arrays);
    g_test_add_func("/ptx-python/texts", test_texts);
    return g_test_run();
}
