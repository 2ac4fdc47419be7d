/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any file is a profile, or has one clear error that names it. Its kernels have names, which can be
 * shortened, and launches kept apart are read as well.
 */
#ifndef PIPESIM_TESTS_FUZZ_PROFILE_H
#define PIPESIM_TESTS_FUZZ_PROFILE_H

#include "tests/fuzz/file.h"

#include "base/kernel-name.h"
#include "roofline/profile.h"

#include <string.h>

static inline gboolean fuzz_take(void *self, const PsProfileKernel *kernel, GError **error)
{
    (void)self, (void)error;
    g_assert_nonnull(kernel->name);
    return TRUE;
}

static inline void fuzz_check_profile(PsProfile *profile)
{
    for (guint i = 0; i < profile->kernels->len; i++) {
        const PsProfileKernel *kernel = profile->kernels->pdata[i];
        g_autofree char *bare = ps_kernel_short_name(kernel->name, FALSE);
        g_autofree char *scoped = ps_kernel_short_name(kernel->name, TRUE);
        g_assert_nonnull(bare);
        g_assert_nonnull(scoped);
    }
    ps_profile_join(profile, profile);
}

static inline void fuzz_profile(const char *path)
{
    static const PsProfileOptions options[] = {
        {.apart = FALSE}, {.apart = TRUE}, {.apart = TRUE, .each = fuzz_take}};
    for (guint i = 0; i < G_N_ELEMENTS(options); i++) {
        g_autoptr(GError) error = NULL;
        g_autoptr(PsProfile) profile = ps_profile_load(path, &options[i], &error);
        g_assert_true((profile != NULL) == (error == NULL));
        if (error)
            g_assert_nonnull(strstr(error->message, path));
        else
            fuzz_check_profile(profile);
    }
}

#endif
