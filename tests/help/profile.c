/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Profiles as texts: see profile.h.
 */
#include "tests/help/profile.h"

#include <glib/gstdio.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A new file each time: what replaces a file waits for the disk. Free with g_free. */
static char *file_of(const char *bytes, gsize length)
{
    char *path = NULL;
    const int fd = g_file_open_tmp("pipesim-profile-XXXXXX", &path, NULL);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "wb");
    g_assert_nonnull(file);
    if (file) {
        g_assert_cmpuint(fwrite(bytes, 1, length, file), ==, length);
        fclose(file);
    }
    return path;
}

PsProfile *profile_bytes(const char *bytes, gsize length, const PsProfileOptions *options,
                         GError **error)
{
    g_autofree char *path = file_of(bytes, length);
    GError *own = NULL;
    PsProfile *profile = ps_profile_load(path, options, &own);
    g_unlink(path);
    g_assert_true((profile == NULL) == (own != NULL));
    if (own && g_str_has_prefix(own->message, path)) {
        char *message = g_strconcat("F", own->message + strlen(path), NULL);
        g_free(own->message);
        own->message = message;
    }
    if (own)
        g_propagate_error(error, own);
    return profile;
}

PsProfile *profile_text(const char *text, const PsProfileOptions *options)
{
    g_autoptr(GError) error = NULL;
    PsProfile *profile = profile_bytes(text, strlen(text), options, &error);
    g_assert_no_error(error);
    return profile;
}

PsProfile *profile_file(const char *path, const PsProfileOptions *options)
{
    g_autoptr(GError) error = NULL;
    PsProfile *profile = ps_profile_load(path, options, &error);
    g_assert_no_error(error);
    return profile;
}

void profile_bad(const char *text, const char *expected)
{
    g_autoptr(GError) error = NULL;
    g_autoptr(PsProfile) profile = profile_bytes(text, strlen(text), NULL, &error);
    g_assert_null(profile);
    g_assert_cmpstr(error ? error->message : NULL, ==, expected);
}

const PsProfileKernel *profile_kernel(const PsProfile *profile, guint i)
{
    static const PsProfileKernel none = {.name = (char *)""};
    g_assert_cmpuint(profile ? profile->kernels->len : 0, >, i);
    return profile && i < profile->kernels->len ? profile->kernels->pdata[i] : &none;
}

double profile_metric(const PsProfile *profile, guint i, PsMetric metric)
{
    return profile_kernel(profile, i)->metrics.value[metric];
}

gboolean profile_warns(const PsProfile *profile, const char *one, const char *other)
{
    for (guint i = 0; profile && i < profile->warnings->len; i++) {
        const char *warning = profile->warnings->pdata[i];
        if (g_str_has_prefix(warning, profile->path) && strstr(warning, one) &&
            strstr(warning, other))
            return TRUE;
    }
    return FALSE;
}

guint profile_count_warnings(const PsProfile *profile)
{
    return profile ? profile->warnings->len : 0;
}

void profile_near(double got, double expected)
{
    g_assert_cmpfloat_with_epsilon(got, expected, fabs(expected) * 1e-14);
}
