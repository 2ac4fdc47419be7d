/* SPDX-License-Identifier: BSD-3-Clause */
/* See objdump.h. The disassembler reads a file, which is there only while it does. */
#include "latency-bench/code/objdump.h"
#include "latency-bench/code/instruction.h"
#include "latency-bench/code/tool.h"

#include <glib/gstdio.h>
#include <unistd.h>

char *ps_code_disassembler(void)
{
    return ps_llvm_tool("llvm-objdump");
}

PsCode *ps_code_disassemble(GBytes *image, const char *function, const char *disassembler,
                            GError **error)
{
    gsize size = 0;
    const char *bytes = g_bytes_get_data(image, &size);
    g_autofree char *path = NULL, *text = NULL;
    if (!disassembler) {
        ps_error_at(error, PS_ERROR_USAGE, (PsPlace){0},
                    "AMD's machine code cannot be read: there is no llvm-objdump on PATH; package "
                    "llvm has it");
        return NULL;
    }
    const int file = g_file_open_tmp("pipesim-XXXXXX", &path, error);
    if (file < 0)
        return NULL;
    close(file);
    const char *const words[] = {disassembler, "-d", path, NULL};
    const gboolean done =
        g_file_set_contents(path, bytes, (gssize)size, error) && ps_llvm_run(words, &text, error);
    g_unlink(path);
    return done ? ps_code_read_amd(text, function, error) : NULL;
}
