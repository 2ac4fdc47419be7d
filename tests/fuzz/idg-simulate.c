/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any text is a graph, or has one clear error. What is written of a graph reads as the same one,
 * and it runs on a GPU: with and without fast-forward alike. GPU, launch and refinements follow
 * from the text's length.
 */
#include "tests/fuzz/simulate.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static const PsGpu *choose_gpu(guint32 bits)
{
    static const char *const paths[] = {"gpus/pascal.xml", "gpus/fermi.xml", "gpus/v100.xml",
                                        "tests/levels/gpu.xml"};
    static PsGpu *gpus[G_N_ELEMENTS(paths)];
    const guint i = bits % G_N_ELEMENTS(paths);
    if (!gpus[i]) {
        g_autoptr(GError) error = NULL;
        gpus[i] = ps_gpu_load(paths[i], &error);
        g_assert_no_error(error);
    }
    return gpus[i];
}

static void check_text(const PsIdg *idg)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *text = ps_idg_write(idg);
    g_autoptr(PsIdg) again = ps_idg_parse(text, strlen(text), "again.idg", &error);
    g_assert_no_error(error);
    g_autofree char *same = ps_idg_write(again);
    g_assert_cmpstr(text, ==, same);
    g_autofree char *dot = ps_idg_dot(idg);
    g_assert_nonnull(dot);
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsIdg) idg = ps_idg_parse((const char *)data, size, "fuzz.idg", &error);
    const guint32 bits = bits_of(size);
    const PsLaunchOptions options = {.groups = bits & 8 ? 300 : 0, .active = bits >> 4 & 3};
    g_assert_true((idg == NULL) == (error != NULL));
    if (!idg)
        return 0;
    check_text(idg);
    g_autoptr(PsKernel) kernel = ps_kernel_new(idg, NULL, &error);
    g_assert_true((kernel == NULL) == (error != NULL));
    if (kernel)
        simulate(kernel, choose_gpu(bits), &options, bits >> 6);
    return 0;
}
