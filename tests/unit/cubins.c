/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Kernels compiled beforehand: made by a stand-in for NVRTC, run on one for the driver, which is
 * alone then; and every way in which they may be wrong.
 */
#include "latency-bench/device/cubins.h"
#include "latency-bench/internal.h"
#include "latency-bench/precompile.h"
#include "tests/help/toy.h"
#include <glib/gstdio.h>
#include <string.h>

/* The folder of the stand-in holds the archives, too. */
static StandIn *stand_in_with(const char *architectures)
{
    static const char *const names[] = {"libcuda.so.1", "libnvrtc.so.13", NULL};
    StandIn *stand = stand_in_new("cuda", names);
    g_autoptr(PsNvrtc) nvrtc = ps_nvrtc_new(0, NULL);
    g_array_set_size(nvrtc->known, 0); /* it does not tell, and takes all */
    g_autoptr(GPtrArray) kernels = g_ptr_array_new();
    PsBenchKernel toy = toy_kernel(), twin = toy_kernel(), other = toy_kernel();
    twin.source = (char *)"KERNEL(NAME) { sink[0] = 2; }\n";
    other.name = (char *)"other";
    other.backends = "HIP OpenCL";
    g_ptr_array_add(kernels, &toy);
    g_ptr_array_add(kernels, &twin);
    g_ptr_array_add(kernels, &other);
    g_auto(GStrv) all = g_strsplit(architectures, ",", -1);
    for (guint i = 0; all[i]; i++) {
        g_autoptr(GBytes) archive = ps_cubins_pack(nvrtc, kernels, all[i], NULL);
        g_autofree char *file = g_strconcat(stand->folder, "/", all[i], PS_CUBINS_ENDING, NULL);
        gsize bytes;
        const char *data = g_bytes_get_data(archive, &bytes);
        g_assert_true(g_file_set_contents(file, data, (gssize)bytes, NULL));
    }
    g_autofree char *compiler = g_build_filename(stand->folder, "libnvrtc.so.13", NULL);
    g_unlink(compiler);
    return stand;
}

static void test_run(void)
{
    g_autoptr(StandIn) stand = stand_in_with("sm_75,sm_90");
    g_autoptr(PsDevice) device = ps_device_open_cubins(stand->folder, 0, NULL);
    g_assert_nonnull(device);
    g_assert_cmpstr(device->info.driver, ==, "CUDA driver 13.0, cubins of NVRTC 13.0 for sm_90");
    g_assert_null(device->info.note);
    PsBenchKernel kernel = toy_kernel();
    PsBenchProgram *program = ps_device_compile(device, &kernel, NULL);
    PsBenchSample sample;
    g_assert_true(ps_device_run(device, program, &toy_launch, &sample, NULL));
    g_assert_cmpstr(stand->image(), ==, "ELF");
    ps_device_release(device, program);
    /* Either of two kernels of one name is found. */
    kernel.source = (char *)"KERNEL(NAME) { sink[0] = 2; }\n";
    program = ps_device_compile(device, &kernel, NULL);
    g_assert_nonnull(program);
    ps_device_release(device, program);
}

/* What is there does not fit the kernels of this program. */
static void test_other_kernels(void)
{
    g_autoptr(StandIn) stand = stand_in_with("sm_90");
    g_autoptr(PsDevice) device = ps_device_open_cubins(stand->folder, 0, NULL);
    PsBenchKernel kernel = toy_kernel();
    kernel.source = (char *)"KERNEL(NAME) {}\n";
    g_autofree char *changed =
        g_strdup_printf("toy: %s/sm_90.cubins has a cubin of another version of this kernel; "
                        "precompile it anew",
                        stand->folder);
    GError *error = NULL;
    g_assert_null(ps_device_compile(device, &kernel, &error));
    toy_check_error(error, PS_ERROR_DEVICE, changed);
    kernel.name = (char *)"other";
    g_autofree char *absent = g_strdup_printf(
        "other: %s/sm_90.cubins has no such kernel; precompile it anew", stand->folder);
    error = NULL;
    g_assert_null(ps_device_compile(device, &kernel, &error));
    toy_check_error(error, PS_ERROR_DEVICE, absent);
}

/* Which archive a device takes: its own, or an older one of its major version. */
static void test_choice(void)
{
    static const struct {
        int capability, taken; /* 0: none */
    } cases[] = {{80, 80}, {86, 86}, {87, 86}, {89, 89}, {90, 0},
                 {75, 75}, {79, 75}, {72, 0},  {70, 0},  {120, 0}};
    g_autoptr(StandIn) stand = stand_in_with("sm_89,sm_75,sm_80,sm_86");
    for (guint i = 0; i < G_N_ELEMENTS(cases); i++) {
        GError *error = NULL;
        g_autoptr(PsCubins) cubins = ps_cubins_open(stand->folder, cases[i].capability, &error);
        g_assert_cmpint(cubins ? cubins->capability : 0, ==, cases[i].taken);
        g_autofree char *message = g_strdup_printf(
            "the cubins in %s are for sm_75, sm_80, sm_86, sm_89; this GPU is sm_%d", stand->folder,
            cases[i].capability);
        if (!cases[i].taken)
            toy_check_error(error, PS_ERROR_DEVICE, message);
    }
}

/* The message of a device for the cubins in a folder: "no device: CUDA: " stands before it. */
static void check_refused(const char *folder, PsErrorCode code, const char *message)
{
    GError *error = NULL;
    g_assert_null(ps_device_open_cubins(folder, 0, &error));
    g_assert_error(error, PS_ERROR, (int)code);
    g_autofree char *whole = g_strconcat("no device: CUDA: ", message, NULL);
    toy_check_error(error, code, whole);
}

static void test_folders(void)
{
    g_autoptr(StandIn) stand = stand_in_with("sm_75");
    g_autofree char *other =
        g_strdup_printf("the cubins in %s are for sm_75; this GPU is sm_90", stand->folder);
    check_refused(stand->folder, PS_ERROR_DEVICE, other);
    g_autofree char *empty = g_dir_make_tmp("pipesim-XXXXXX", NULL);
    g_autofree char *none = g_strdup_printf("there are no cubins in %s; precompile some "
                                            "for sm_90",
                                            empty);
    check_refused(empty, PS_ERROR_DEVICE, none);
    g_autofree char *folder = g_build_filename(empty, "sm_90.cubins", NULL);
    g_assert_cmpint(g_mkdir(folder, 0777), ==, 0);
    g_autofree char *unreadable =
        g_strdup_printf("%s: cannot be read: it is a folder, not a file", folder);
    check_refused(empty, PS_ERROR_DEVICE, unreadable);
    g_rmdir(folder);
    g_rmdir(empty);
    g_autofree char *absent = g_strdup_printf(
        "%s: this folder of cubins cannot be read: No such file or directory", empty);
    check_refused(empty, PS_ERROR_DEVICE, absent);
    g_assert_cmpint(stand->get("live"), ==, 0);
}

/* A change of one byte, or an end too soon, wherever it is. */
static void test_damaged(void)
{
    g_autoptr(StandIn) stand = stand_in_with("sm_90");
    g_autofree char *path = g_strconcat(stand->folder, "/sm_90.cubins", NULL), *text = NULL;
    gsize length;
    g_assert_true(g_file_get_contents(path, &text, &length, NULL));
    for (gsize i = 0; i < 2 * length; i++) {
        const gsize at = i / 2;
        const gboolean cut = i % 2 == 1;
        text[at] ^= 1;
        g_assert_true(g_file_set_contents(path, text, cut ? (gssize)at : (gssize)length, NULL));
        text[at] ^= 1;
        g_autoptr(GError) error = NULL;
        g_autoptr(PsCubins) cubins = ps_cubins_open(stand->folder, 90, &error);
        g_assert_null(cubins);
        g_assert_error(error, PS_ERROR, PS_ERROR_SYNTAX);
        g_assert_true(g_str_has_prefix(error->message, path));
        g_assert_true(g_str_has_suffix(error->message, "; precompile it anew"));
        g_assert_null(strchr(error->message, '\n'));
    }
}

static void test_renamed(void)
{
    g_autoptr(StandIn) stand = stand_in_with("sm_75");
    g_autofree char *from = g_strconcat(stand->folder, "/sm_75.cubins", NULL);
    g_autofree char *to = g_strconcat(stand->folder, "/sm_90.cubins", NULL);
    g_assert_cmpint(g_rename(from, to), ==, 0);
    g_autofree char *message = g_strdup_printf(
        "%s: these cubins are for sm_75, and not what the file's name says; precompile it "
        "anew",
        to);
    check_refused(stand->folder, PS_ERROR_DEVICE, message);
}

/* Code of a compiler that is newer than the driver. */
static void test_newer(void)
{
    g_autoptr(StandIn) stand = stand_in_with("sm_90");
    stand->set("driver", 12040);
    g_autofree char *message = g_strdup_printf(
        "the cubins in %s are NVRTC 13.0's, which the driver of CUDA 12.4 cannot load: update the "
        "driver, or make cubins with an older NVRTC",
        stand->folder);
    check_refused(stand->folder, PS_ERROR_DEVICE, message);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_set_nonfatal_assertions();
    g_test_add_func("/cubins/run", test_run);
    g_test_add_func("/cubins/other-kernels", test_other_kernels);
    g_test_add_func("/cubins/choice", test_choice);
    g_test_add_func("/cubins/folders", test_folders);
    g_test_add_func("/cubins/damaged", test_damaged);
    g_test_add_func("/cubins/renamed", test_renamed);
    g_test_add_func("/cubins/newer", test_newer);
    return g_test_run();
}
