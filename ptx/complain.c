/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors and warnings of the reader, with the place in the text. */
#include "ptx/parser.h"

void ps_ptx_complain(PsPtxParser *parser, PsErrorCode code, int line, const char *format, ...)
{
    va_list args;
    if (parser->error)
        return;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    ps_error_at(&parser->error, code, (PsPlace){parser->module->path, line}, "%s", text);
}

void ps_ptx_warn(PsPtxParser *parser, int line, const char *about, const char *format, ...)
{
    va_list args;
    if (!g_hash_table_add(parser->warned, g_strdup(about)))
        return;
    va_start(args, format);
    g_autofree char *text = g_strdup_vprintf(format, args);
    va_end(args);
    g_ptr_array_add(parser->module->warnings,
                    g_strdup_printf("%s:%d: %s", parser->module->path, line, text));
}
