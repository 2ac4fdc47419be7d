/* SPDX-License-Identifier: BSD-3-Clause */
/* See kept.h. */
#include "code/kept.h"

GBytes *ps_kept_find(const PsCodeOptions *build, GChecksum *key, PsStoreInputs *inputs)
{
    return build && build->store ? ps_store_find(build->store, g_checksum_get_string(key), inputs)
                                 : NULL;
}

void ps_kept_put(const PsCodeOptions *build, GChecksum *key, const PsStoreInputs *inputs,
                 GBytes *bytes)
{
    g_autoptr(GError) why = NULL;
    if (!build || !build->store ||
        ps_store_keep(build->store, g_checksum_get_string(key), inputs, bytes, &why))
        return;
    g_autofree char *text = g_strdup_printf(
        "%s, so what is compiled and built is not kept; PIPESIM_CACHE names another folder, and "
        "%sno-cache keeps nothing",
        why->message, build->prefix);
    ps_code_warn(build, text);
}
