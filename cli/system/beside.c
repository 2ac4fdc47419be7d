/* SPDX-License-Identifier: BSD-3-Clause */
/* See beside.h. */
#define _GNU_SOURCE /* dladdr */
#include "cli/system/beside.h"

#include <dlfcn.h>

char *beside_library(const char *name, GFileTest is, char **folder)
{
    static const char *const places[] = {"pipesim", "."};
    Dl_info library;
    const void *ours = dlsym(RTLD_DEFAULT, "ps_error_quark");
    *folder = ours && dladdr(ours, &library) && library.dli_fname
                  ? g_path_get_dirname(library.dli_fname)
                  : g_strdup(".");
    for (guint i = 0; i < G_N_ELEMENTS(places); i++) {
        g_autofree char *path = g_build_filename(*folder, places[i], name, NULL);
        if (g_file_test(path, is))
            return g_canonicalize_filename(path, NULL);
    }
    return NULL;
}
