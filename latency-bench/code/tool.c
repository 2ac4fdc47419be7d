/* SPDX-License-Identifier: BSD-3-Clause */
/* See tool.h. */
#include "latency-bench/code/tool.h"

#include "base/message.h"

enum { OLDEST = 14, NEWEST = 23 };

static void add_found(GPtrArray *paths, char *path)
{
    if (path && !g_ptr_array_find_with_equal_func(paths, path, g_str_equal, NULL))
        g_ptr_array_add(paths, path);
    else
        g_free(path);
}

GPtrArray *ps_llvm_tools(const char *name)
{
    static const char *const folders[] = {"/opt/rocm/llvm/bin", "/opt/rocm/lib/llvm/bin"};
    GPtrArray *paths = g_ptr_array_new_with_free_func(g_free);
    for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *path = g_build_filename(folders[i], name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_EXECUTABLE))
            add_found(paths, g_steal_pointer(&path));
    }
    for (int version = NEWEST; version >= OLDEST; version--) {
        g_autofree char *own = g_strdup_printf("%s-%d", name, version);
        add_found(paths, g_find_program_in_path(own));
    }
    add_found(paths, g_find_program_in_path(name));
    return paths;
}

char *ps_llvm_tool(const char *name)
{
    g_autoptr(GPtrArray) paths = ps_llvm_tools(name);
    return paths->len ? g_strdup(paths->pdata[0]) : NULL;
}

gboolean ps_llvm_run(const char *const *words, char **written, GError **error)
{
    g_autofree char *said = NULL;
    int status = 0;
    if (!g_spawn_sync(NULL, (char **)words, NULL, G_SPAWN_DEFAULT, NULL, NULL, written, &said,
                      &status, error))
        return FALSE;
    if (g_spawn_check_wait_status(status, NULL))
        return TRUE;
    ps_error_at(error, PS_ERROR_DEVICE, (PsPlace){0}, "%s failed: %s", words[0],
                said && *said ? g_strstrip(said) : "it gives no reason");
    return FALSE;
}
