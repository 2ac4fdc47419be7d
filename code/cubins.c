/* SPDX-License-Identifier: BSD-3-Clause */
/* See cubins.h. */
#include "code/cubins.h"

#include "code/toolchain.h"
#include "sass/file.h"

/* All cubins of a file that has compressed ones; NULL and a warning: only the others can be
 * read. */
static GPtrArray *find_packed_too(const PsCodeOptions *build, const char *name)
{
    g_autoptr(GError) error = NULL;
    g_autofree char *why = g_strdup_printf("%s: not all of its machine code is found", name);
    g_autoptr(GBytes) extracted = ps_toolchain_extract_cubins(build, name, why, &error);
    GPtrArray *images = extracted ? ps_sass_images_new(extracted, name, &error) : NULL;
    if (!images)
        ps_code_warn(build, error->message);
    return images;
}

GPtrArray *ps_code_cubins_in(const PsCodeOptions *build, const char *name, GBytes *bytes,
                             GError **error)
{
    g_autoptr(GError) why = NULL;
    g_autoptr(GPtrArray) images = ps_sass_images_new(bytes, name, &why);
    GPtrArray *all = images && ps_sass_has_packed(bytes) ? find_packed_too(build, name) : NULL;
    if (all || images)
        return all ? all : g_steal_pointer(&images);
    if (!g_error_matches(why, PS_ERROR, PS_ERROR_READ)) {
        g_propagate_error(error, g_steal_pointer(&why));
        return NULL;
    }
    g_autoptr(GBytes) extracted = ps_toolchain_extract_cubins(build, name, why->message, error);
    return extracted ? ps_sass_images_new(extracted, name, error) : NULL;
}
