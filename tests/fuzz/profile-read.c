/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Any file is a profile, or has one clear error that names it. Its kernels have names, which can be
 * shortened, and launches kept apart are read as well.
 */
#define _GNU_SOURCE /* memfd_create */
#include "tests/fuzz/file.h"

#include "base/kernel-name.h"
#include "roofline/profile.h"

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size);

static gboolean take(void *self, const PsProfileKernel *kernel, GError **error)
{
    (void)self, (void)error;
    g_assert_nonnull(kernel->name);
    return TRUE;
}

static void check(PsProfile *profile)
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

static void read_profile(const char *path, const PsProfileOptions *options)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsProfile) profile = ps_profile_load(path, options, &error);
    fuzz_check(profile != NULL, error);
    if (profile)
        check(profile);
}

int LLVMFuzzerTestOneInput(const guint8 *data, gsize size)
{
    static const PsProfileOptions options[] = {
        {.apart = FALSE}, {.apart = TRUE}, {.apart = TRUE, .each = take}};
    g_auto(FuzzFile) file = fuzz_file(data, size);
    for (guint i = 0; i < G_N_ELEMENTS(options); i++)
        read_profile(file.path, &options[i]);
    return 0;
}
