/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any text is the description of a GPU, or has one clear error. What is written of a description
 * reads as the same one, its classes can be asked for, and a kernel runs on it: with and without
 * fast-forward alike. Kernel and refinements follow from the text's length.
 */
#include "gpu/rows.h"
#include "tests/fuzz/simulate.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static const PsKernel *choose_kernel(guint32 bits)
{
    static const char *const paths[] = {"graphs/mmul08.idg", "graphs/saxpy.idg", "graphs/fadd.idg",
                                        "tests/levels/stream.idg"};
    static PsKernel *kernels[G_N_ELEMENTS(paths)];
    const guint i = bits % G_N_ELEMENTS(paths);
    if (!kernels[i]) {
        g_autoptr(GError) error = NULL;
        PsIdg *idg = ps_idg_load(paths[i], &error); /* as long as its kernel */
        g_assert_no_error(error);
        kernels[i] = ps_kernel_new(idg, NULL, &error);
        g_assert_no_error(error);
    }
    return kernels[i];
}

static void check_text(const PsGpu *gpu)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = ps_gpu_write(gpu);
    g_autoptr(PsGpu) again = ps_gpu_parse(text, strlen(text), "again.xml", &error);
    g_assert_no_error(error);
    g_autofree char *same = ps_gpu_write(again);
    g_assert_cmpstr(text, ==, same);
}

static void check_classes(const PsGpu *gpu)
{
    static const char *const asked[] = {"global.load.s4.v4", "local.load.c7.v2", "fp32.fma",
                                        "atomic", "barrier"};
    g_autofree char *names = ps_gpu_class_names(gpu);
    PsMatch match;
    g_assert_nonnull(names);
    for (guint i = 0; i < G_N_ELEMENTS(asked); i++)
        ps_gpu_class(gpu, asked[i], &match);
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_parse((const char *)data, size, "fuzz.xml", &error);
    const guint32 bits = bits_of(size);
    const PsLaunchOptions options = {.groups = bits & 4 ? 300 : 40};
    g_assert_true((gpu == NULL) == (error != NULL));
    if (!gpu)
        return 0;
    check_text(gpu);
    check_classes(gpu);
    simulate(choose_kernel(bits), gpu, &options, bits >> 3);
    return 0;
}
