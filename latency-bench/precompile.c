/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See precompile.h.
 */
#include "latency-bench/precompile.h"

#include "latency-bench/device/cubins.h"
#include "latency-bench/internal.h"
#include "latency-bench/validate.h"

static gboolean check_all(const PsNvrtc *nvrtc, const char *const *architectures, GError **error)
{
    for (; *architectures; architectures++)
        if (!ps_nvrtc_check(nvrtc, *architectures, error))
            return FALSE;
    return TRUE;
}

gboolean ps_precompile(const char *const *architectures, PsPrecompilePut put, void *self,
                       GError **error)
{
    g_autoptr(PsNvrtc) nvrtc = ps_nvrtc_new(0, error);
    if (!nvrtc || !check_all(nvrtc, architectures, error))
        return FALSE;
    g_autoptr(GPtrArray) kernels = ps_bench_kernels();
    g_ptr_array_extend_and_steal(kernels, ps_validation_kernels());
    g_ptr_array_add(kernels, ps_bench_sweep());
    for (; *architectures; architectures++) {
        g_autoptr(GBytes) archive = ps_cubins_pack(nvrtc, kernels, *architectures, error);
        g_autofree char *name = g_strconcat(*architectures, PS_CUBINS_ENDING, NULL);
        if (!archive || !put(self, name, archive, error))
            return FALSE;
    }
    return TRUE;
}
