/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * dlopen with errors that distinguish "not there" from "there, but broken": the former is a machine
 * without that device, the latter something to repair.
 */
#include "latency-bench/device/library.h"
#include <dlfcn.h>
#include <string.h>

/* dlerror's message begins with the missing file's name. If that is not the file that was asked
 * for, ours exists and lacks a library of its own. */
static gboolean not_there(const char *name, const char *message)
{
    return g_str_has_prefix(message, name) && strstr(message, "No such file or directory") != NULL;
}

/* Opens one file. RTLD_NODELETE: drivers start threads and leave handlers behind, and crash when
 * their code vanishes. */
static PsLibrary *open_file(const char *file, GPtrArray *problems)
{
    void *handle = dlopen(file, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    if (!handle) {
        const char *message = dlerror();
        if (message && !not_there(file, message))
            g_ptr_array_add(problems, g_strdup(message));
        return NULL;
    }
    PsLibrary *library = g_new0(PsLibrary, 1);
    library->handle = handle;
    library->name = g_path_get_basename(file);
    return library;
}

/* Looks for all names in one folder; "" means the system's own search. */
static PsLibrary *open_in(const char *folder, const char *const *names, GPtrArray *problems)
{
    for (guint i = 0; names[i]; i++) {
        PsLibrary *library = NULL;
        if (!*folder) {
            library = open_file(names[i], problems);
        } else if (!strchr(names[i], '/')) {
            g_autofree char *file = g_build_filename(folder, names[i], NULL);
            library = open_file(file, problems);
        }
        if (library)
            return library;
    }
    return NULL;
}

/* An empty PIPESIM_DRIVERS counts as unset. */
static const char *folders_wanted(void)
{
    const char *wanted = g_getenv("PIPESIM_DRIVERS");
    return wanted && *wanted ? wanted : NULL;
}

PsLibrary *ps_library_open(const char *const *names, GError **error)
{
    const char *wanted = folders_wanted();
    g_auto(GStrv) folders = wanted ? g_strsplit(wanted, ":", -1) : NULL;
    g_autoptr(GPtrArray) problems = g_ptr_array_new_with_free_func(g_free);
    PsLibrary *library = folders ? NULL : open_in("", names, problems);
    for (guint i = 0; folders && folders[i] && !library; i++)
        library = open_in(folders[i], names, problems);
    if (library)
        return library;
    g_autofree char *list = ps_library_names(names);
    if (problems->len > 0)
        ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0}, "a library cannot be opened: %s",
                    (const char *)g_ptr_array_index(problems, 0));
    else
        ps_error_at(error, PS_ERROR_READ, (PsPlace){0}, "%s was looked for and not found", list);
    return NULL;
}

void ps_library_close(PsLibrary *library)
{
    if (!library)
        return;
    dlclose(library->handle);
    g_free(library->name);
    g_free(library);
}

gboolean ps_library_functions(const PsLibrary *library, const PsLibrarySymbol *symbols, guint n,
                              void *table, GError **error)
{
    for (guint i = 0; i < n; i++) {
        void *function = dlsym(library->handle, symbols[i].name);
        if (!function && !symbols[i].optional) {
            ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0},
                        "%s has no function %s: pipesim cannot use this version of it",
                        library->name, symbols[i].name);
            return FALSE;
        }
        memcpy((char *)table + symbols[i].offset, &function, sizeof function);
    }
    return TRUE;
}

char *ps_library_names(const char *const *names)
{
    GString *list = g_string_new(NULL);
    for (guint i = 0; names[i]; i++)
        if (!strchr(names[i], '/'))
            g_string_append_printf(list, "%s%s", list->len ? ", " : "", names[i]);
    return g_string_free(list, FALSE);
}
