/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * See objdump.h. The disassembler reads a file, which lies in a folder of its own while it does.
 */
#include "latency-bench/code/objdump.h"
#include "latency-bench/code/instruction.h"

#include <glib/gstdio.h>
#include <unistd.h>

#define OLDEST 14
#define NEWEST 22

char *ps_code_disassembler(void)
{
    static const char *const folders[] = {"/opt/rocm/llvm/bin", "/opt/rocm/lib/llvm/bin"};
    for (guint i = 0; i < G_N_ELEMENTS(folders); i++) {
        g_autofree char *path = g_build_filename(folders[i], "llvm-objdump", NULL);
        if (g_file_test(path, G_FILE_TEST_IS_EXECUTABLE))
            return g_steal_pointer(&path);
    }
    for (int version = NEWEST; version >= OLDEST; version--) {
        g_autofree char *name = g_strdup_printf("llvm-objdump-%d", version);
        char *path = g_find_program_in_path(name);
        if (path)
            return path;
    }
    return g_find_program_in_path("llvm-objdump");
}

/* What the disassembler writes of a file (g_free). */
static char *run(const char *disassembler, const char *path, GError **error)
{
    const char *const words[] = {disassembler, "-d", path, NULL};
    g_autofree char *text = NULL, *said = NULL;
    int status = 0;
    if (!g_spawn_sync(NULL, (char **)words, NULL, G_SPAWN_SEARCH_PATH, NULL, NULL, &text, &said,
                      &status, error))
        return NULL;
    if (g_spawn_check_wait_status(status, NULL))
        return g_steal_pointer(&text);
    ps_error_at(error, PS_ERROR_SYNTAX, (PsPlace){0}, "%s cannot read the machine code: %s",
                disassembler, said && *said ? g_strstrip(said) : "it says no reason");
    return NULL;
}

PsCode *ps_code_disassemble(GBytes *image, const char *function, const char *disassembler,
                            GError **error)
{
    gsize size = 0;
    const char *bytes = g_bytes_get_data(image, &size);
    g_autofree char *path = NULL;
    if (!disassembler) {
        ps_error_at(error, PS_ERROR_USAGE, (PsPlace){0},
                    "AMD's machine code is not looked at, for there is no llvm-objdump");
        return NULL;
    }
    const int file = g_file_open_tmp("pipesim-XXXXXX.o", &path, error);
    if (file < 0)
        return NULL;
    close(file);
    g_autofree char *text = g_file_set_contents(path, bytes, (gssize)size, error)
                                ? run(disassembler, path, error)
                                : NULL;
    g_unlink(path);
    return text ? ps_code_read_amd(text, function, error) : NULL;
}
