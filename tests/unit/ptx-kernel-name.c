/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels found by their names as people write them, and the names that tell them apart. Where the
 * C++ library is not installed names stay mangled, and there is nothing to test.
 */
#include "base/kernel-name.h"
#include "ptx/ptx.h"
#include <string.h>

#define ENTRY(name) ".entry " name "(.param .u64 " name "_param_0) { ret; }\n"

/* Names as nvcc mangles them. */
static const char REDUCE_256[] = "_Z7reduce6IfLj256ELb1EEvPT_S1_j"; /* float, 256u, true */
static const char REDUCE_128[] = "_Z7reduce6IfLj128ELb0EEvPT_S1_j";
static const char SCALE[] = "_ZN5audio5mixer5scaleIfEEvPKT_PS2_"; /* audio::mixer::scale<float> */
static const char SCALE_2[] = "_ZN5video5scaleIfEEvPKT_PS1_";     /* video::scale<float> */
static const char COPY_F[] = "_Z4copyPKfPfj"; /* float const*, float*, unsigned */
static const char COPY_I[] = "_Z4copyPKiPij";
static const char BLUR[] = "_ZN12_GLOBAL__N_14blurEPf"; /* in an anonymous namespace */
static const char PLAIN[] = "blur_rows";                /* extern "C" */

static const char TEXT[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n" ENTRY("_Z7reduce6IfLj256ELb1EEvPT_S1_j")
        ENTRY("_Z7reduce6IfLj128ELb0EEvPT_S1_j") ENTRY("_ZN5audio5mixer5scaleIfEEvPKT_PS2_")
            ENTRY("_ZN5video5scaleIfEEvPKT_PS1_") ENTRY("_Z4copyPKfPfj") ENTRY("_Z4copyPKiPij")
                ENTRY("_ZN12_GLOBAL__N_14blurEPf")
                    ENTRY("blur_rows") ".func _Z7helper6v() { ret; }\n";

static PsPtxModule *parse(void)
{
    g_autoptr(GError) error = NULL;
    PsPtxModule *module = ps_ptx_parse(TEXT, strlen(TEXT), "x.ptx", &error);
    g_assert_no_error(error);
    return module;
}

static gboolean cannot_demangle(void)
{
    g_autofree char *name = ps_kernel_demangle(COPY_F);
    if (!name)
        g_test_skip("libstdc++.so.6 is not installed");
    return !name;
}

static void test_demangle(void)
{
    if (cannot_demangle())
        return;
    g_autofree char *name = ps_kernel_demangle(REDUCE_256);
    g_assert_cmpstr(name, ==, "void reduce6<float, 256u, true>(float*, float*, unsigned int)");
    static const char *const others[] = {"", "f", "_Z", "_Zxyz", "Z4copyPKfPfj"};
    for (guint i = 0; i < G_N_ELEMENTS(others); i++)
        g_assert_null(ps_kernel_demangle(others[i]));
}

static void test_found(void)
{
    static const struct {
        const char *written, *kernel;
    } cases[] = {
        {REDUCE_256, REDUCE_256},
        {"reduce6<float,256u,true>", REDUCE_256},
        {"reduce6<float, 256u, true>", REDUCE_256},
        {" reduce6 < float , 128 , false > ", REDUCE_128},
        {"reduce6<float,128", REDUCE_128},
        {"256", REDUCE_256},
        {"reduce6<float, 128>", REDUCE_128}, /* arguments behind those that are written */
        {"void reduce6<float, 256u, true>(float*, float*, unsigned int)", REDUCE_256},
        {"reduce6<float, 256, true>(float *, float *, unsigned)", REDUCE_256},
        {"audio::mixer::scale", SCALE},
        {"mixer::scale(float const*, float*)", SCALE},
        {"mixer::scale", SCALE},
        {"mixer::scale<float>", SCALE},
        {"audio", SCALE},
        {"video::scale<float>(float const*, float*)", SCALE_2},
        {"video::scale<float>(const float *, float *)", SCALE_2},
        {"copy(const float*, float*, unsigned)", COPY_F},
        {"copy(int const*, int*, unsigned int)", COPY_I},
        {"copy(const int", COPY_I},
        {"blur", BLUR},
        {"(anonymous namespace)::blur", BLUR},
        {"<unnamed>::blur(float *)", BLUR},
        {"void reduce6<float, (unsigned int)256, (bool)1>(T1 *, T1 *, unsigned int)", REDUCE_256},
        {"void audio::mixer::scale<float>(const T1 *, T1 *) [clone .kd]", SCALE},
        {"blur_rows", PLAIN},
        {"rows", PLAIN},
    };
    g_autoptr(PsPtxModule) module = parse();
    if (cannot_demangle())
        return;
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        const PsPtxFunction *kernel = ps_ptx_kernel(module, cases[i].written, &error);
        g_assert_no_error(error);
        g_assert_cmpstr(kernel ? kernel->name : NULL, ==, cases[i].kernel);
    }
}

/* What a kernel is shown by finds it, whatever the others are called. */
static void test_shown(void)
{
    static const char text[] = ".version 8.0\n.target sm_80\n.address_size 64\n" ENTRY("f")
        ENTRY("_Z1fPf") ENTRY("_ZN1a1fEPf") ENTRY("_Z1fIPKfEvT_") ENTRY("_Z1fIPfEvT_")
            ENTRY("_ZN1a1fIPfEEvT_") ENTRY("_Z1fIPfEiT_") ENTRY("_Zbroken") ENTRY("ff");
    g_autoptr(GError) error = NULL;
    g_autoptr(PsPtxModule) module = ps_ptx_parse(text, strlen(text), "x.ptx", &error);
    g_assert_no_error(error);
    g_auto(GStrv) names = ps_ptx_kernel_names(module);
    g_assert_cmpuint(g_strv_length(names), ==, 9);
    for (guint i = 0; i < module->functions->len; i++) {
        g_assert_true(ps_ptx_kernel(module, names[i], &error) == module->functions->pdata[i]);
        g_assert_no_error(error);
    }
}

static void test_refused(void)
{
    static const char ALL[] = "reduce6<float, 256u, true>, reduce6<float, 128u, false>, "
                              "audio::mixer::scale<float>, video::scale<float>, "
                              "copy(float const*, float*, unsigned int), "
                              "copy(int const*, int*, unsigned int), blur, blur_rows";
    static const struct {
        const char *written, *message, *end;
    } cases[] = {
        {"reduce6",
         "has several kernels \"reduce6\"; give more of the name of one of reduce6<float, 256u, "
         "true>, reduce6<float, 128u, false>",
         ""},
        {"scale<float>",
         "has several kernels \"scale<float>\"; give more of the name of one of "
         "audio::mixer::scale<float>, video::scale<float>",
         ""},
        {"copy",
         "has several kernels \"copy\"; give more of the name of one of copy(float const*, float*, "
         "unsigned int), copy(int const*, int*, unsigned int)",
         ""},
        {"cale",
         "has several kernels \"cale\"; give more of the name of one of "
         "audio::mixer::scale<float>, "
         "video::scale<float>",
         ""},
        {"helper6", "has no kernel \"helper6\"; there are: ", ""},
        {"", "has no kernel \"\"; there are: ", ""},
        {"reduce6<float>",
         "has several kernels \"reduce6<float>\"; give more of the name of one of reduce6<float, "
         "256u, true>, reduce6<float, 128u, false>",
         ""},
        {"reduce6<int>", "has no kernel \"reduce6<int>\"; there are: ", "; did you mean reduce6?"},
        {"redcue6<float>",
         "has no kernel \"redcue6<float>\"; there are: ", "; did you mean reduce6?"},
        {"audio::sclae", "has no kernel \"audio::sclae\"; there are: ", "; did you mean scale?"},
        {"unsigned", "has no kernel \"unsigned\"; there are: ", ""},
    };
    g_autoptr(PsPtxModule) module = parse();
    if (cannot_demangle())
        return;
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autoptr(GError) error = NULL;
        const gboolean none = g_str_has_suffix(cases[i].message, ": ");
        g_autofree char *expected =
            g_strconcat("x.ptx: ", cases[i].message, none ? ALL : "", cases[i].end, NULL);
        g_assert_null(ps_ptx_kernel(module, cases[i].written, &error));
        g_assert_error(error, PS_ERROR, PS_ERROR_VALUE);
        g_assert_cmpstr(error->message, ==, expected);
    }
}

static void test_parameters(void)
{
    static const char *const expected[] = {"reduce6_param_0", "reduce6_param_0",  "scale_param_0",
                                           "scale_param_0",   "copy_param_0",     "copy_param_0",
                                           "blur_param_0",    "blur_rows_param_0"};
    g_autoptr(PsPtxModule) module = parse();
    for (guint i = 0; i < G_N_ELEMENTS(expected); i++) {
        const PsPtxFunction *kernel = module->functions->pdata[i];
        g_autofree char *name = ps_ptx_parameter_name(kernel, kernel->params->pdata[0]);
        g_assert_cmpstr(name, ==, expected[i]);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/ptx-kernel-name/demangle", test_demangle);
    g_test_add_func("/ptx-kernel-name/found", test_found);
    g_test_add_func("/ptx-kernel-name/shown", test_shown);
    g_test_add_func("/ptx-kernel-name/refused", test_refused);
    g_test_add_func("/ptx-kernel-name/parameters", test_parameters);
    return g_test_run();
}
