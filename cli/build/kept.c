/* SPDX-License-Identifier: BSD-3-Clause */
/* See kept.h. */
#include "cli/build/kept.h"

#include "cli/fail.h"

#define USUAL_SIZE ((guint64)1 << 30)

PsStore *kept_open(GError **error)
{
    const char *folder = g_getenv("PIPESIM_CACHE"), *size = g_getenv("PIPESIM_CACHE_SIZE");
    g_autofree char *usual = g_build_filename(g_get_user_cache_dir(), "pipesim", NULL);
    guint64 most = USUAL_SIZE;
    if (size && *size && !ps_launch_bytes(size, &most)) {
        usage_error(error,
                    "PIPESIM_CACHE_SIZE: '%s' is no number of bytes, such as 500M or 2G, that what "
                    "is kept may take",
                    size);
        return NULL;
    }
    return ps_store_new(folder && *folder ? folder : usual, most);
}

GBytes *kept_find(const BuildOptions *build, GChecksum *key, PsStoreInputs *inputs)
{
    return build && build->store ? ps_store_find(build->store, g_checksum_get_string(key), inputs)
                                 : NULL;
}

void kept_put(const BuildOptions *build, GChecksum *key, const PsStoreInputs *inputs, GBytes *bytes)
{
    g_autoptr(GError) why = NULL;
    if (!build || !build->store ||
        ps_store_keep(build->store, g_checksum_get_string(key), inputs, bytes, &why))
        return;
    g_autofree char *text = g_strdup_printf(
        "%s, so what is compiled and built is not kept; PIPESIM_CACHE names another folder, and "
        "--no-cache keeps nothing",
        why->message);
    build_warn(build, text);
}
