/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any file has peaks of a GPU, which are numbers above 0, or one clear error that names it.
 */
#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/file.h"

#include "roofline/profile.h"

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    g_auto(FuzzFile) file = fuzz_file(data, size);
    g_autoptr(GError) error = NULL;
    g_autoptr(PsGpu) gpu = ps_gpu_new("fuzz");
    gpu->clock = PS_RATIONAL_INT(1000);
    const gboolean ok = ps_peaks_load(gpu, file.path, &error);
    fuzz_check(ok, error);
    for (guint i = 0; ok && i < gpu->peaks->len; i++)
        g_assert_cmpint(((const PsPeak *)gpu->peaks->pdata[i])->value.num, >, 0);
    return 0;
}
