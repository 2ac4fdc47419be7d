/* SPDX-License-Identifier: BSD-3-Clause */
/* See kept.h. */
#include "cli/build/kept.h"

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
