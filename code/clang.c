/* SPDX-License-Identifier: BSD-3-Clause */
/* See clang.h. */
#include "code/clang.h"

enum { OLDEST = 10, NEWEST = 23 };

GPtrArray *ps_clang_all(void)
{
    GPtrArray *all = g_ptr_array_new_with_free_func(g_free);
    char *usual = g_find_program_in_path("clang");
    if (usual)
        g_ptr_array_add(all, usual);
    for (int version = NEWEST; version >= OLDEST; version--) {
        g_autofree char *name = g_strdup_printf("clang-%d", version);
        char *path = g_find_program_in_path(name);
        if (path)
            g_ptr_array_add(all, path);
    }
    return all;
}

char *ps_clang_libclc(void)
{
    static const char *const folders[] = {"/usr/lib/clc", "/usr/share/clc", "/usr/local/lib/clc",
                                          "/usr/local/share/clc"};
    for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
        char *path = g_build_filename(folders[i], "nvptx64--nvidiacl.bc", NULL);
        if (g_file_test(path, G_FILE_TEST_EXISTS))
            return path;
        g_free(path);
    }
    return NULL;
}

/* TRUE if it compiles a minimal kernel that calls one of these functions. */
static gboolean is_whole(const PsToolHost *tools, const char *clang, const char *libclc,
                         GError **error)
{
    static const char kernel[] = "__kernel void k(__global int *x) { x[get_global_id(0)] = 1; }\n";
    const char *const argv[] = {clang,
                                "--target=nvptx64-nvidia-nvcl",
                                "-march=sm_50",
                                "-x",
                                "cl",
                                "-S",
                                "-fno-crash-diagnostics",
                                "-Wno-linker-warnings",
                                "-Wno-unknown-warning-option",
                                "-Xclang",
                                "-mlink-builtin-bitcode",
                                "-Xclang",
                                libclc,
                                "-o",
                                "-",
                                "-",
                                NULL};
    g_autoptr(GString) ptx = g_string_new(NULL), said = g_string_new(NULL);
    const PsTool tool = {
        .host = tools, .argv = (char **)argv, .input = kernel, .written = ptx, .said = said};
    if (ps_tool_run(&tool, NULL))
        return TRUE;
    g_auto(GStrv) lines = g_strsplit(said->str, "\n", 2);
    g_set_error(error, PS_ERROR, PS_ERROR_READ,
                "a clang that compiles with %s, which %s does not: %s", libclc, clang,
                lines[0] ? lines[0] : "it gives no reason");
    return FALSE;
}

char *ps_clang_find(const PsToolHost *tools, const char *libclc, GError **error)
{
    g_autoptr(GPtrArray) all = ps_clang_all();
    g_autoptr(GError) first = NULL;
    for (guint i = 0; libclc && i < all->len; i++)
        if (all->len == 1 || is_whole(tools, all->pdata[i], libclc, first ? NULL : &first))
            return g_strdup(all->pdata[i]);
    if (first)
        g_propagate_error(error, g_steal_pointer(&first));
    else
        g_set_error_literal(
            error, PS_ERROR, PS_ERROR_READ,
            all->len ? "libclc, whose nvptx64--nvidiacl.bc was looked for in /usr/lib/clc, "
                       "/usr/share/clc and the same below /usr/local"
                     : "the compiler clang, which was looked for on PATH");
    return NULL;
}
