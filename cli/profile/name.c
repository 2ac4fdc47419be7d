/* SPDX-License-Identifier: BSD-3-Clause */
/* Readable names of kernels, each found out once. */
#include "cli/profile/profile.h"
#include "pipesim-private.h"

const char *profile_name(ProfileTrace *trace, const char *name)
{
    const char *known = g_hash_table_lookup(trace->names, name);
    if (known)
        return known;
    g_autofree char *plain = ps_kernel_demangle(name);
    const char *kept = g_string_chunk_insert(trace->texts, plain ? plain : name);
    g_hash_table_insert(trace->names, g_strdup(name), (gpointer)kept);
    return kept;
}
